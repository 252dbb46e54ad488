"""Vectors by (model, text), in a database of their own, ``vectors.db``, beside the catalog.

Equal texts share a vector, so an unchanged paragraph of a new version is linked, not embedded again. A link leads
from a node's key, or a part's negative name, to the vector of its text. The file can be thrown away: then everything
is embedded anew. It is what Chroma's collections are built from and what small scopes are compared with.
"""

import logging
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from engine.errors import StorageError
from storage.catalog.database import marks
from storage.catalog.embeddings import Embeddings
from storage.catalog.vectors import ModelVectors, Names
from storage.embedded.sqlite_file import BATCH, SqliteFile, is_damage

FILE_NAME = "vectors.db"
SUFFIXES = ("", "-wal", "-shm")
_TABLES = """
CREATE TABLE IF NOT EXISTS model (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, dimension INTEGER);
CREATE TABLE IF NOT EXISTS vector (
    id INTEGER PRIMARY KEY, model_id INTEGER NOT NULL, hash BLOB NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS vector_hash ON vector (model_id, hash);
CREATE TABLE IF NOT EXISTS link (
    model_id INTEGER NOT NULL, name INTEGER NOT NULL, vector_id INTEGER NOT NULL, PRIMARY KEY (model_id, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

log = logging.getLogger(__name__)


class VectorFile(SqliteFile):
    """The database; all methods may be called from any thread, and raise StorageError when it fails."""

    def __init__(self, folder: Path, read_only: bool) -> None:
        """Open or create it. A damaged one begins anew, one that cannot be written is opened for reading.

        Where a library that is only read has none, or a damaged one, there are no vectors.
        """
        super().__init__(folder / FILE_NAME)
        self.damaged = False
        """It was found damaged while in use: :meth:`begin_anew` mends that."""
        self._unlinked = True
        try:
            self._begin(read_only)
        except sqlite3.DatabaseError as error:
            if read_only:
                self._begin(True, f"file:{uuid4().hex}?mode=memory&cache=shared")
            elif is_damage(error):
                log.error("%s is damaged, everything will be embedded again: %s", self.path, error)
                self.begin_anew()
            else:
                self._begin(True)

    def _begin(self, read_only: bool, uri: str = "") -> None:
        self._open(read_only, uri, page_size=8192)  # five vectors of 384 numbers fill one
        if uri or not read_only:
            self._writer.executescript(_TABLES)
        self._writer.execute("SELECT count(*) FROM model, note LIMIT 1").fetchone()

    def begin_anew(self) -> None:
        """Throw the file away and make an empty one."""
        with self._lock:
            self.close()
            for suffix in SUFFIXES:
                self.path.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
            self._begin(False)
            self.damaged = False

    def _failure(self, error: Exception, done: str, advice: str) -> StorageError:
        self.damaged = self.damaged or is_damage(error)
        advice = (
            "Free disk space or mend the permissions; "
            "if it is damaged, the vectors are computed again while the app runs."
        )
        return super()._failure(error, "used", advice)

    def note(self, name: str) -> str:
        """Return what was noted under a name, or an empty string."""
        rows = self.read("SELECT value FROM note WHERE name = ?", (name,))
        return rows[0][0] if rows else ""

    def take_note(self, name: str, value: str) -> None:
        """Note something under a name, in place of what was there."""
        with self.transaction() as write:
            write.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (name, value))

    def models(self) -> dict[str, ModelVectors]:
        """Return the models with what is linked."""
        found = {}
        for id_, name, dimension in self.read("SELECT id, name, dimension FROM model ORDER BY id"):
            linked = self.read("SELECT name FROM link WHERE model_id = ?", (id_,))
            names = np.fromiter((row[0] for row in linked), np.int64, len(linked))
            found[name] = ModelVectors(id_, name, dimension, Names().changed(names, True))
        return found

    def create(self, name: str, dimension: int) -> ModelVectors:
        """Begin a model."""
        insert = "INSERT INTO model (name, dimension) VALUES (?, ?) RETURNING id"
        with self.transaction() as write:
            row = write.execute(insert, (name, dimension)).fetchone()
        return ModelVectors(row[0], name, dimension)

    def remembered(self, model_id: int, hashes: Sequence[bytes]) -> dict[bytes, int]:
        """Return the ids of the vectors of texts that there are, by the texts' hashes."""
        return dict(self._by_hash("id", model_id, hashes))

    def _by_hash(self, column: str, model_id: int, hashes: Sequence[bytes]) -> list[tuple[Any, ...]]:
        return self.read_in(
            f"SELECT hash, {column} FROM vector WHERE model_id = {model_id:d} AND hash IN ({{}})", hashes
        )

    def add(self, model_id: int, vectors: Mapping[bytes, np.ndarray], links: Sequence[tuple[int, bytes]]) -> None:
        """Add vectors by the hashes of their texts, and link names to the vectors of hashes."""
        rows = [
            (model_id, digest, zlib.crc32(data), data)
            for digest, vector in vectors.items()
            for data in (vector.astype("<f4").tobytes(),)
        ]
        with self.transaction() as write:
            write.executemany("INSERT OR REPLACE INTO vector (model_id, hash, sum, data) VALUES (?, ?, ?, ?)", rows)
            write.executemany(
                "INSERT OR REPLACE INTO link SELECT model_id, ?, id FROM vector WHERE model_id = ? AND hash = ?",
                [(name, model_id, digest) for name, digest in links],
            )

    def unlink(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Remove the links of names in ranges (first, last)."""
        self._unlinked = True
        with self.transaction() as write:
            for (model_id,) in write.execute("SELECT id FROM model").fetchall():
                write.executemany(
                    "DELETE FROM link WHERE model_id = ? AND name BETWEEN ? AND ?", [(model_id, *one) for one in ranges]
                )

    def unlink_all(self) -> None:
        """Keep the vectors by their texts alone: names are given anew, and Chroma's collections made anew."""
        with self.transaction() as write:
            write.execute("DELETE FROM link")
            write.execute("DELETE FROM note")

    def fetch(self, model: ModelVectors, names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the names, of these, that have a vector, and their vectors, float32 (n, dimension)."""
        rows = self.read_in(
            "SELECT name, data FROM link JOIN vector ON id = vector_id"
            f" WHERE link.model_id = {model.id:d} AND name IN ({{}})",
            np.unique(names).tolist(),
        )
        rows = [row for row in rows if len(row[1]) == 4 * model.dimension]
        block = np.frombuffer(b"".join(data for _, data in rows), "<f4").reshape(-1, model.dimension)
        return np.fromiter((name for name, _ in rows), np.int64, len(rows)), block

    def of_texts(self, model: ModelVectors, hashes: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Return the vectors that there are of texts, by the texts' hashes."""
        rows = self._by_hash("data", model.id, hashes)
        return {digest: np.frombuffer(data, "<f4") for digest, data in rows}

    def forget_unused(self, least: int) -> bool:
        """Delete vectors that nothing is linked to, where they are the most of ``least`` or more; False if not so."""
        if not self._unlinked:  # counting takes a second for a million, and upkeep asks at each step
            return False
        self._unlinked = False
        counts = "SELECT (SELECT count(*) FROM vector), count(DISTINCT vector_id) FROM link"
        total, used = self.read(counts)[0]
        if total < least or used * 2 > total:
            return False
        with self.transaction() as write:
            write.execute("DELETE FROM vector WHERE id NOT IN (SELECT vector_id FROM link)")
        return True

    def changed(self, after: int, limit: int) -> tuple[list[int], int]:
        """Return the ids of vectors that are not what was written, and the last id looked at, -1 at the end.

        Looks at ``limit`` vectors behind an id.
        """
        rows = self.read("SELECT id, sum, data FROM vector WHERE id > ? ORDER BY id LIMIT ?", (after, limit))
        wrong = [id_ for id_, expected, data in rows if zlib.crc32(data) != expected]
        return wrong, rows[-1][0] if rows else -1

    def counted(self, model_id: int) -> int:
        """Return how many names are linked to a vector that is there."""
        linked = "SELECT count(*) FROM link JOIN vector ON id = vector_id WHERE link.model_id = ?"
        return int(self.read(linked, (model_id,))[0][0])

    def forget(self, ids: Sequence[int]) -> dict[int, np.ndarray]:
        """Delete vectors with the links to them; return the names that were linked, by model id."""
        names: dict[int, list[int]] = {}
        with self.transaction() as write:
            for start in range(0, len(ids), BATCH):
                part = ids[start : start + BATCH]
                removed = write.execute(
                    f"DELETE FROM link WHERE vector_id IN ({marks(part)}) RETURNING model_id, name", part
                ).fetchall()
                write.execute(f"DELETE FROM vector WHERE id IN ({marks(part)})", part)
                for model_id, name in removed:
                    names.setdefault(model_id, []).append(name)
        return {model_id: np.array(found, np.int64) for model_id, found in names.items()}


class EmbeddedEmbeddings(Embeddings):
    """The vectors of a library, by model."""

    _file: VectorFile

    def forget_changed(self, after: int, limit: int) -> int:
        """Forget vectors that are not what was written, so that they are computed again.

        Looks at ``limit`` vectors behind an id and returns the id to go on behind, -1 at the end.
        """
        with self._generations.lock:
            changed, last = self._file.changed(after, limit)
            if changed:
                log.warning("%d vectors are damaged and will be computed again", len(changed))
                self._unlinked(self._file.forget(changed))
        return last

    def forget_deleted(self, ranges: Sequence[tuple[int, int]], part_ids: Sequence[int]) -> None:
        """Remove the links of nodes in key ranges (first, last) and of parts that are gone for good."""
        with self._generations.lock:
            self._file.unlink([*ranges, *((-1 - id_, -1 - id_) for id_ in part_ids)])
            names = [np.arange(first, last + 1) for first, last in ranges]
            gone = np.concatenate([*names, -1 - np.array(part_ids, np.int64)])
            models = self._generations.current.vectors.values()
            self._unlinked({model.id: gone[model.linked.holds(gone)] for model in models})

    def begin_anew(self) -> None:
        """Forget all vectors: their file is damaged."""
        with self._generations.lock:
            self._file.begin_anew()
            self._publish({})

    def _unlinked(self, names: Mapping[int, np.ndarray]) -> None:
        known = self._generations.current.vectors
        self._publish(
            {
                name: replace(model, linked=model.linked.changed(names[model.id], False))
                if model.id in names and len(names[model.id])
                else model
                for name, model in known.items()
            }
        )

    def _model(self, name: str, dimension: int) -> ModelVectors:
        model = self._file.create(name, dimension)
        state = self._generations.current
        self._generations.publish(replace(state, vectors={**state.vectors, name: model}))
        return model

    def _commit(self, name: str, new: Mapping[bytes, np.ndarray], links: Sequence[tuple[int, bytes]]) -> None:
        with self._generations.lock:
            state = self._generations.current
            model = state.vectors[name]
            kept = [link for link in links if -len(state.live.part_of) <= link[0] < state.live.size]
            self._file.add(model.id, new, kept)
            linked = model.linked.changed(np.array([name for name, _ in kept], np.int64), True)
            self._publish({**state.vectors, name: replace(model, linked=linked)})

    def _publish(self, known: dict[str, ModelVectors]) -> None:
        with self._catalog.transaction(durable=False) as write:
            write.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
        state = self._generations.current
        self._generations.publish(replace(state, generation=state.generation + 1, vectors=known))
