"""Upkeep in bounded steps, by one process at a time: what nobody reads goes, what lost processes held is freed.

The rows of a deleted version stay for a day: readers of any process may still have a state that shows it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import StorageError
from storage.catalog import garbage, rows
from storage.catalog.state import Generations
from storage.catalog.vectors import KEPT_VECTORS
from storage.embedded import durable
from storage.embedded.files import EmbeddedFiles
from storage.embedded.garbage import collect
from storage.postgres.catalog import PostgresCatalog
from storage.postgres.presence import Presence
from storage.postgres.vectors import PostgresVectors

_PATHS, _VERSIONS = 200, 50


@dataclass(eq=False)
class Upkeep:
    """What :meth:`storage.base.Storage.maintain` does, one step a call."""

    _folder: Path
    _catalog: PostgresCatalog
    _generations: Generations
    _files: EmbeddedFiles
    _presence: Presence
    _vectors: PostgresVectors
    _clock: Callable[[], float] = time.time

    def step(self) -> bool:
        """Do the first piece of work that is due; False when nothing is, or another process does it."""
        with self._catalog.alone("upkeep", wait=False) as alone:
            if not alone:
                return False
            self._presence.take_up()
            return self._remove_originals() or self._purge_versions() or self._forget_vectors() or self._vectors.index()

    def _remove_originals(self) -> bool:
        if not garbage.due(self._catalog, self._clock(), 1):
            self._sweep()
            return False
        with self._files.alone():
            paths = garbage.due(self._catalog, self._clock(), _PATHS)
            try:
                collect(self._folder, self._catalog, paths, garbage.original_wanted)
            except OSError as error:
                raise StorageError(f"{self._folder} cannot be tidied ({error}). Mend the permissions.") from error
        return True

    def _sweep(self) -> None:
        """Delete what a killed process was writing a day ago."""
        for path in (self._folder / "tmp").glob("*"):
            if durable.is_temporary(path.name) and path.stat().st_mtime < self._clock() - garbage.KEPT_SECONDS:
                path.unlink(missing_ok=True)

    def _purge_versions(self) -> bool:
        dead = self._catalog.read(
            "SELECT id, first_key, nodes, sha256, changed FROM version WHERE NOT live AND died <= ?"
            " ORDER BY id LIMIT ?",
            (self._clock() - garbage.KEPT_SECONDS, _VERSIONS),
        )
        dead = [row for row in dead if not self._generations.in_use(row[0])]
        with self._catalog.transaction(durable=False) as write:
            for id_, first, count, sha256, changed in dead:
                parts = "SELECT -1 - id FROM part WHERE key >= ? AND key < ?"
                write.execute(
                    f"DELETE FROM link WHERE (name >= ? AND name < ?) OR name IN ({parts})",
                    (first, first + count, first, first + count),
                )
                write.execute("DELETE FROM posting WHERE first_key = ?", (first,))
                write.execute("DELETE FROM graph WHERE version_id = ?", (id_,))
                rows.delete(write, id_, first, first + count)
                write.execute("UPDATE meta SET value = greatest(value, ?) WHERE name = 'purged'", (changed,))
                garbage.note(write, [garbage.original(sha256)], self._clock())
        return bool(dead)

    def _forget_vectors(self) -> bool:
        """Delete vectors that nothing is linked to, where they are most of many."""
        total = self._catalog.read("SELECT reltuples::bigint FROM pg_class WHERE oid = 'embedding'::regclass")[0][0]
        if total < KEPT_VECTORS:
            return False
        used = self._catalog.read("SELECT count(DISTINCT embedding_id) FROM link")[0][0]
        if 2 * used > total:
            return False
        with self._catalog.transaction(durable=False) as write:
            write.execute("SELECT 1 FROM meta WHERE name = 'generation' FOR UPDATE")  # nobody links one meanwhile
            unused = "NOT EXISTS (SELECT 1 FROM link l WHERE l.embedding_id = e.id)"
            return write.execute(f"DELETE FROM embedding e WHERE {unused}").rowcount > 0
