"""``/metrics``: what was counted (:mod:`engine.metrics`) and what the library holds now, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from engine.library import Library
from engine.metrics import REGISTRY

MOST_JOBS = 100_000


def exposition(library: Library) -> bytes:
    """Return all figures as text."""
    now = CollectorRegistry()
    now.register(_Figures(library))
    return generate_latest(REGISTRY) + generate_latest(now)


class _Figures(Collector):
    """The figures of a library at this moment."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each figure."""
        status, storage = self._library.status(), self._library.storage
        for name, value, told in (
            ("documents", status.documents, "Documents in the library"),
            ("nodes", status.nodes, "Nodes of current versions"),
            ("vectors", status.embedded, "Nodes that have a vector"),
            ("vectors_wanted", status.retrievable, "Nodes that are to have one"),
            ("disk_free_bytes", storage.free_bytes(), "Room on the library's disk"),
        ):
            yield GaugeMetricFamily(f"dropqa_{name}", told, value=value)
        queue = GaugeMetricFamily(
            "dropqa_jobs", "Background work by kind and state", labels=("kind", "state")
        )
        found = storage.jobs.list(("queued", "running", "failed"), limit=MOST_JOBS)
        for place, count in Counter((job.kind, job.state) for job in found).items():
            queue.add_metric(place, count)
        yield queue
        sizes = GaugeMetricFamily("dropqa_library_bytes", "Size of the library's parts", labels=("part",))
        for part in self._library.folder.iterdir():
            files = part.rglob("*") if part.is_dir() else [part]
            sizes.add_metric((part.name,), sum(one.stat().st_size for one in files if one.is_file()))
        yield sizes
