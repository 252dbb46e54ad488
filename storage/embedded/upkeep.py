"""Upkeep in bounded steps, beside readers and writers: old rows and files go, small segments are merged."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from engine.errors import StorageError
from storage.embedded import compaction, durable, rows, segments
from storage.embedded.catalog import Catalog
from storage.embedded.files import EmbeddedFiles
from storage.embedded.quantized import QuantizedVectors
from storage.embedded.segments import Postings, Segment
from storage.embedded.state import Generations, State
from storage.embedded.unit import SPARSE
from storage.embedded.vectors import VectorFiles

FAN = 8  # so many segments of a tier become one of the next
FLOOR = 2000  # nodes; smaller segments are one tier
DEAD = 0.25  # a segment with more deleted nodes than this share is rewritten
_PATHS = 200
_NODES = 5000


class Upkeep:
    """What :meth:`storage.base.Storage.maintain` does, one step a call."""

    def __init__(
        self,
        folder: Path,
        aside: Path,
        catalog: Catalog,
        generations: Generations,
        files: EmbeddedFiles,
        vectors: VectorFiles,
        quantized: QuantizedVectors,
    ) -> None:
        self._folder = folder
        self._aside = aside
        self._catalog = catalog
        self._generations = generations
        self._files = files
        self._vectors = vectors
        self._quantized = quantized
        self._lock = threading.Lock()
        self._opened_at = time.time()
        self._originals_due = True

    def step(self) -> bool:
        """Do the first piece of work that is due; False when nothing is. Raises StorageError."""
        steps = (
            self._remove_garbage,
            self._purge_versions,
            self._merge_segments,
            self._compact_vectors,
            self._quantized.feed,
            self._remove_originals,
        )
        with self._lock, self._reporting():
            return any(step() for step in steps)

    def merge(self) -> None:
        """Merge segments now, unless upkeep is busy anyway. Raises StorageError."""
        if self._lock.acquire(blocking=False):
            try:
                with self._reporting():
                    self._merge_segments()
            finally:
                self._lock.release()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep upkeep from removing or replacing anything meanwhile."""
        with self._lock:
            yield

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"Upkeep of {self._folder} failed ({error}). Free disk space or mend the permissions."
            ) from error

    def _remove_garbage(self) -> bool:
        paths = self._catalog.read("SELECT path FROM garbage WHERE NOT staged LIMIT ?", (_PATHS,))
        for (path,) in paths:
            durable.remove(self._folder / path)
        if paths:
            with self._catalog.transaction(durable=False) as write:
                write.executemany("DELETE FROM garbage WHERE path = ?", paths)
        return bool(paths)

    def _purge_versions(self) -> bool:
        dead = self._catalog.read(
            "SELECT id, first_key, nodes, graph FROM version WHERE NOT live ORDER BY id"
        )
        nodes, purged = 0, []
        for version_id, first_key, count, graph in dead:
            if nodes < _NODES and not self._generations.in_use(version_id):
                purged.append((version_id, first_key, count, graph))
                nodes += count
        if not purged:
            return False
        with self._catalog.transaction(durable=False) as write:
            for version_id, first_key, count, _ in purged:
                rows.delete(write, version_id, first_key, first_key + count)
            for graph in {row[3] for row in purged}:
                if not write.execute("SELECT 1 FROM version WHERE graph = ? LIMIT 1", (graph,)).fetchone():
                    write.execute("INSERT OR REPLACE INTO garbage (path, staged) VALUES (?, 0)", (graph,))
        self._originals_due = True
        return True

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
        with self._catalog.transaction(durable=False) as write:
            write.execute("INSERT INTO garbage (path, staged) VALUES (?, 1)", (path,))
        try:
            segments.save(merged, self._folder / path, self._aside)
            return Segment(self._folder / path)
        except OSError:
            with self._catalog.transaction(durable=False) as write:
                write.execute("UPDATE garbage SET staged = 0 WHERE path = ?", (path,))
            raise

    def _swap(self, old: Sequence[Segment], new: Segment | None) -> None:
        with self._generations.lock:
            with self._catalog.transaction() as write:
                for segment in old:
                    write.execute("DELETE FROM segment WHERE name = ?", (segment.name,))
                    write.execute(
                        "INSERT INTO garbage (path, staged) VALUES (?, 0)", (f"{SPARSE}/{segment.name}",)
                    )
                if new is not None:
                    write.execute("INSERT INTO segment (name, nodes) VALUES (?, ?)", (new.name, new.size))
                    write.execute("DELETE FROM garbage WHERE path = ?", (f"{SPARSE}/{new.name}",))
            state = self._generations.current
            sparse = state.sparse.swapped({segment.name for segment in old}, new, state.live.current)
            self._generations.publish(replace(state, sparse=sparse))

    def _compact_vectors(self) -> bool:
        model = compaction.due(self._generations.current)
        if model is None:
            return False
        compaction.compact(self._catalog, self._vectors, self._generations, model.name)
        return True

    def _remove_originals(self) -> bool:
        if not self._originals_due:
            return False
        self._originals_due = False
        wanted = {row[0] for row in self._catalog.read("SELECT DISTINCT sha256 FROM version WHERE live")}
        wanted |= {
            row[0]
            for row in self._catalog.read(
                "SELECT json_extract(payload, '$.sha256') FROM job WHERE state IN ('queued', 'running', 'failed')"
            )
        }
        for path in self._files.stored():
            # A file is stored before its version is written: what is new may still be waiting for it.
            if path.name not in wanted and path.stat().st_mtime < self._opened_at:
                durable.remove(path)
        return False


def due(state: State) -> list[Segment]:
    """Return the segments to merge or rewrite next: mostly deleted ones, else the smallest full tier."""
    tiers: dict[int, list[Segment]] = {}
    for view in state.sparse.views:
        segment = view.segment
        alive = int(state.live.exists[segment.keys].sum())
        if alive < segment.size * (1 - DEAD):
            return [segment]
        tiers.setdefault(int(math.log(max(alive, FLOOR) / FLOOR, FAN) + 1e-9), []).append(segment)
    full = [tier for tier in sorted(tiers) if len(tiers[tier]) >= FAN]
    return tiers[full[0]] if full else []
