"""The unit of work: staged in memory, made durable file by file, then visible in one transaction.

    1  note the paths that will be written as garbage       a crash from here on leaves nothing behind
    2  write the graphs       synced, renamed into place
    3  write one segment      synced, renamed into place
    4  one transaction        rows, manifest, current versions, generation; the paths are garbage no more
    5  publish the new state to readers

Vectors follow later; old rows and files go in upkeep.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from engine.errors import StorageError
from storage.catalog import garbage, unit
from storage.catalog.listing import dump
from storage.catalog.liveness import COLUMNS
from storage.catalog.postings import Postings, build
from storage.catalog.unit import StagedUnitOfWork, sparse_records
from storage.embedded import graphs, segments
from storage.embedded.graphs import GraphPlace, Graphs
from storage.embedded.journal import Journal
from storage.embedded.segments import Segment

SPARSE = "sparse"
Changed = tuple[list[tuple[Any, ...]], Segment | None]
"""Rows for :meth:`storage.catalog.liveness.Liveness.changed`, and a new segment."""


@dataclass(slots=True)
class Plan(unit.Plan):
    """A unit of work with every path decided, too."""

    segment: str = field(default_factory=segments.new_name)
    places: list[GraphPlace] = field(default_factory=list)  # one a write
    graphs: list[bytes] = field(default_factory=list)  # one a write
    postings: Postings | None = None

    @property
    def paths(self) -> list[str]:
        """What is written before the commit, relative to the library folder."""
        paths = sorted({place.path for place in self.places})
        return paths if self.postings is None else [*paths, f"{SPARSE}/{self.segment}"]


@dataclass(eq=False)
class EmbeddedUnitOfWork(StagedUnitOfWork):
    """Collects versions and deletions and commits them together.

    ``publish`` runs the last transaction and shows its result to readers, one caller at a time.
    """

    _folder: Path
    _aside: Path
    _graphs: Graphs
    _publish: Callable[[Plan, Callable[[], Changed]], None]
    _journal: Journal

    def _commit(self) -> None:
        paths: list[str] = []
        try:
            plan = self._plan()
            paths = plan.paths
            garbage.stage(self._catalog, paths, self._clock())
            self._graphs.write(plan.places, plan.graphs)
            if plan.postings is not None:
                segments.save(plan.postings, self._folder / SPARSE / plan.segment, self._aside)
            entries = {id_: self._live.versions[id_] for id_ in plan.deleted}
            self._publish(plan, lambda: self._apply(plan))
            self._journal.append(
                [entry.id for _, entry in plan.pairs], [(entry.document_id, entry.number) for entry in entries.values()]
            )
        except (OSError, UnicodeError, orjson.JSONEncodeError, StorageError) as error:
            garbage.unstage(self._catalog, paths)
            if isinstance(error, StorageError):
                raise
            raise StorageError(
                f"The documents could not be stored ({error}). Nothing was changed; "
                "free disk space or mend the permissions and try again."
            ) from error

    def _plan(self) -> Plan:
        last = self._catalog.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'version'")
        plan = Plan(last[0][0] + 1, self._catalog.meta("next_key"), self._catalog.meta("next_part"))
        self._fill(plan)
        plan.graphs = [dump(write, entry.number, entry.first_key) for write, entry in plan.pairs]
        plan.places = graphs.plan([(entry.document_id, entry.number, entry.id) for _, entry in plan.pairs], plan.graphs)
        plan.postings = build(chain.from_iterable(sparse_records(*pair) for pair in plan.pairs))
        return plan

    def _apply(self, plan: Plan) -> Changed:
        segment = Segment(self._folder / SPARSE / plan.segment) if plan.postings is not None else None
        keys = np.zeros(0, np.int64) if plan.postings is None else plan.postings.keys
        bounds = np.searchsorted(keys, [(entry.first_key, entry.end_key) for _, entry in plan.pairs])
        own = [(end - first, *astuple(place)) for (first, end), place in zip(bounds.tolist(), plan.places, strict=True)]
        with self._catalog.transaction() as write:
            unit.record(write, self._catalog, plan, self._clock(), f"sparse_nodes, {graphs.PLACE}", own)
            if plan.postings is not None:
                write.execute("INSERT INTO segment (name, nodes) VALUES (?, ?)", (plan.segment, len(keys)))
            garbage.keep(write, plan.paths)
            changed = write.execute(
                f"SELECT {COLUMNS} FROM version v LEFT JOIN document d USING (document_id)"
                " WHERE v.document_id IN (SELECT value FROM json_each(?)) ORDER BY v.first_key",
                (orjson.dumps(list(self._staged)).decode(),),
            ).fetchall()
        return changed, segment
