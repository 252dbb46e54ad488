"""``/metrics``: what was counted (:mod:`engine.metrics`) and what the library holds now, as Prometheus reads it."""

from collections import Counter

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from engine.library import Library
from engine.metrics import REGISTRY

MOST_JOBS = 100_000


def exposition(library: Library) -> bytes:
    """Return all figures as text."""
    now = CollectorRegistry()
    status, storage = library.status(), library.storage
    for name, value, told in (
        ("documents", status.documents, "Documents in the library"),
        ("nodes", status.nodes, "Nodes of current versions"),
        ("vectors", status.embedded, "Nodes that have a vector"),
        ("vectors_wanted", status.retrievable, "Nodes that are to have one"),
        ("disk_free_bytes", storage.free_bytes(), "Room on the library's disk"),
    ):
        Gauge(f"dropqa_{name}", told, registry=now).set(value)
    queue = Gauge("dropqa_jobs", "Background work by kind and state", ("kind", "state"), registry=now)
    found = storage.jobs.list(("queued", "running", "failed"), limit=MOST_JOBS)
    for place, count in Counter((job.kind, job.state) for job in found).items():
        queue.labels(*place).set(count)
    sizes = Gauge("dropqa_library_bytes", "Size of the library's parts", ("part",), registry=now)
    for part in library.folder.iterdir():
        files = part.rglob("*") if part.is_dir() else [part]
        sizes.labels(part.name).set(sum(one.stat().st_size for one in files if one.is_file()))
    return generate_latest(REGISTRY) + generate_latest(now)
