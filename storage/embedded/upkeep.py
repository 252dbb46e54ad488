"""Upkeep in bounded steps, beside readers and writers: old rows and files go, small segments are merged."""

import logging
import math
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.errors import StorageError
from storage.catalog import garbage, rows
from storage.catalog.liveness import Damage
from storage.catalog.postings import Postings
from storage.catalog.sparse import SparseIndex
from storage.catalog.state import Generations, State
from storage.catalog.vectors import KEPT_VECTORS
from storage.collections import Collections
from storage.embedded import choices, room, segments
from storage.embedded.catalog import Catalog
from storage.embedded.checks import fault_of
from storage.embedded.files import EmbeddedFiles
from storage.embedded.garbage import collect, is_referred_to
from storage.embedded.graphs import PLACE, GraphPlace, Graphs
from storage.embedded.neighbours import Neighbours
from storage.embedded.segments import Segment
from storage.embedded.unit import SPARSE
from storage.embedded.vectors import EmbeddedEmbeddings, VectorFile

FAN = 8  # so many segments of a tier become one of the next
FLOOR = 2000  # nodes; smaller segments are one tier
DEAD = 0.25  # a segment with more deleted nodes than this share is rewritten
CROWDED_BYTES = 500_000_000  # of free disk; below, derived garbage goes at once
_PATHS = 200
log = logging.getLogger(__name__)
_NODES = 5000
_VECTORS, _GRAPHS = 4000, 200  # looked at in a step
RIGHTS_KEPT_SECONDS = 60.0  # at most so often a snapshot is taken because collections have changed


@dataclass(eq=False)
class Upkeep:
    """What :meth:`storage.base.Storage.maintain` does, one step a call."""

    _folder: Path
    _aside: Path
    _catalog: Catalog
    _generations: Generations
    _files: EmbeddedFiles
    _vectors: VectorFile
    _neighbours: Neighbours
    _clock: Callable[[], float]
    _embeddings: EmbeddedEmbeddings
    _graphs: Graphs
    _damage: Damage
    _collections: Collections
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while something is removed or replaced; whoever holds it keeps upkeep from doing so."""
    _changes_kept: int = 0  # those of the collections
    _kept_at: float = 0.0
    _failed: str = ""
    _graphs_checked: int = 0  # up to this version
    _vectors_checked: int = 0  # up to this one; -1: all

    def step(self) -> bool:
        """Do the first piece of work that is due; False when nothing is, or when it fails and is to be tried later."""
        steps = (
            self._remove_garbage, self._purge_versions, self._merge_segments, self._mend_vectors, self._check_vectors,
            self._neighbours.feed, self._check_graphs, self._take_snapshot, self._keep_room,
        )  # fmt: skip
        with self.lock:
            for step in steps:
                try:
                    with self._reporting():
                        if step():
                            return True
                except StorageError as error:  # a full disk keeps merges waiting, not what makes room
                    if str(error) != self._failed:  # told once, not at every try
                        log.warning("%s It is tried again.", error)
                    self._failed = str(error)
        return False

    def merge(self) -> None:
        """Merge segments now, unless upkeep is busy anyway. Raises StorageError."""
        if self.lock.acquire(blocking=False):
            try:
                with self._reporting():
                    self._merge_segments()
            finally:
                self.lock.release()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            advice = "Free disk space or mend the permissions."
            raise StorageError(f"Upkeep of {self._folder} failed ({error}). {advice}") from error

    def _remove_garbage(self) -> bool:
        # What can be made again need not wait a day for room that is wanted now.
        crowded = room.free(self._folder) < CROWDED_BYTES
        with self._files.alone():
            paths = garbage.due(self._catalog, self._clock(), _PATHS, derived_at_once=crowded)
            collect(self._folder, self._catalog, paths, is_referred_to)
        return bool(paths)

    def _purge_versions(self) -> bool:
        purged = self._dead()
        if not purged:
            return False
        ranges = [(first, first + count - 1) for _, first, count, _, _ in purged if count]
        gone = [
            id_ for one in ranges for (id_,) in self._catalog.read("SELECT id FROM part WHERE key BETWEEN ? AND ?", one)
        ]
        self._embeddings.forget_deleted(ranges, gone)
        with self._catalog.transaction(durable=False) as write:
            for version_id, first_key, count, _, _ in purged:
                rows.delete(write, version_id, first_key, first_key + count)
            paths = {path for row in purged for path in (row[3], garbage.original(row[4]))}
            # What others refer to stays when its time comes.
            garbage.note(write, sorted(paths), self._clock())
        return True

    def _dead(self) -> list[tuple[Any, ...]]:
        """The first deleted versions that nobody reads: id, first key, how many nodes, graph, original."""
        nodes, found = 0, []
        for row in self._catalog.read(
            "SELECT id, first_key, nodes, graph, sha256 FROM version WHERE NOT live ORDER BY id"
        ):
            if nodes < _NODES and not self._generations.in_use(row[0]):
                found.append(row)
                nodes += row[2]
        return found

    def _merge_segments(self) -> bool:
        state = self._generations.current
        group = due(state)
        if not group:
            return False
        merged = segments.merge(group, lambda keys: state.live.exists[keys])
        self._swap(group, self._save(merged) if merged is not None else None)
        return True

    def _save(self, merged: Postings) -> Segment:
        path = f"{SPARSE}/{segments.new_name()}"
        garbage.stage(self._catalog, [path], self._clock())
        try:
            segments.save(merged, self._folder / path, self._aside)
            return Segment(self._folder / path)
        except OSError:
            garbage.unstage(self._catalog, [path])
            raise

    def _swap(self, old: Sequence[Segment], new: Segment | None) -> None:
        with self._generations.lock:
            with self._catalog.transaction() as write:
                for segment in old:
                    write.execute("DELETE FROM segment WHERE name = ?", (segment.name,))
                    garbage.note(write, [f"{SPARSE}/{segment.name}"], self._clock())
                if new is not None:
                    write.execute("INSERT INTO segment (name, nodes) VALUES (?, ?)", (new.name, new.size))
                    garbage.keep(write, [f"{SPARSE}/{new.name}"])
            state = self._generations.current
            kept = [one for one in segments.stored(state.sparse) if one not in old]
            sparse = SparseIndex.of([*kept, new] if new else kept, state.live.current)
            self._generations.publish(replace(state, sparse=sparse))

    def _mend_vectors(self) -> bool:
        if not self._vectors.damaged:
            return self._vectors.forget_unused(KEPT_VECTORS)
        self._embeddings.begin_anew()
        return True

    def _check_vectors(self) -> bool:
        """Read on in the vectors, once after opening."""
        if self._vectors_checked == -1 or not self._generations.current.vectors:
            return False
        self._vectors_checked = self._embeddings.forget_changed(self._vectors_checked, _VECTORS)
        return True

    def _check_graphs(self) -> bool:
        """Read on in the graphs and the nodes, once after opening."""
        found = self._catalog.read(
            f"SELECT id, {PLACE} FROM version WHERE live AND id > ? ORDER BY id LIMIT ?",
            (self._graphs_checked, _GRAPHS),
        )
        for version_id, *place in found:
            self._graphs_checked = version_id
            if what := fault_of(self._catalog, self._graphs, version_id, GraphPlace(*place)):
                self._damage.note(version_id, what)
        return bool(found)

    def _keep_room(self) -> bool:
        room.keep_back(self._folder)
        return False

    def _take_snapshot(self) -> bool:
        now, changes = self._clock(), self._collections.changes
        # Rights that were lost with the catalog would leave documents open to everybody.
        changed = changes != self._changes_kept and now >= self._kept_at + RIGHTS_KEPT_SECONDS
        if (choices.due(self._folder, now) or changed) and self._catalog.read(
            "SELECT 1 FROM conversation UNION ALL SELECT 1 FROM question UNION ALL SELECT 1 FROM topic"
            " UNION ALL SELECT 1 FROM collection UNION ALL SELECT 1 FROM correction LIMIT 1"
        ):
            choices.take(self._folder, self._aside, now)
            self._changes_kept, self._kept_at = changes, now
        return False


def due(state: State) -> list[Segment]:
    """Return the segments to merge or rewrite next: mostly deleted ones, else the smallest full tier."""
    tiers: dict[int, list[Segment]] = {}
    for segment in segments.stored(state.sparse):
        alive = int(state.live.exists[segment.keys].sum())
        if alive < segment.size * (1 - DEAD):
            return [segment]
        tiers.setdefault(int(math.log(max(alive, FLOOR) / FLOOR, FAN) + 1e-9), []).append(segment)
    full = [tier for tier in sorted(tiers) if len(tiers[tier]) >= FAN]
    return tiers[full[0]] if full else []
