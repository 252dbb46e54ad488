"""Which nodes still need a vector, and giving it to them."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.errors import StorageError
from storage.embedded import parts, vectors
from storage.embedded.catalog import Catalog
from storage.embedded.liveness import RETRIEVABLE
from storage.embedded.state import Generations, State
from storage.embedded.vectors import ModelVectors, VectorFiles

log = logging.getLogger(__name__)
_LOOK_UP = 2000  # texts looked up among the remembered ones at a time


class Embeddings:
    """The vectors of a library, by model."""

    def __init__(self, catalog: Catalog, files: VectorFiles, generations: Generations) -> None:
        self._catalog = catalog
        self._files = files
        self._generations = generations

    def missing(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return up to ``limit`` (key, text) of current nodes still to embed, newest document first.

        Nodes whose text this model has embedded before are given that vector here. Of equal texts only one
        is returned; the others get its vector in a later call. Raises StorageError.
        """
        look_up = limit
        while True:
            state = self._generations.current
            known = state.vectors.get(model)
            keys = _without_vector(state, known, look_up)
            found = self._texts(keys, known.id if known else -1)
            remembered = [(key, row) for key in keys if key in found and (row := found[key][3]) is not None]
            if remembered and known:
                self._link(known.name, remembered)
            wanted: dict[bytes, tuple[int, str]] = {}
            for key in keys:
                if key in found and found[key][3] is None:
                    wanted.setdefault(found[key][2], (key, found[key][1]))
            look_up = max(limit, _LOOK_UP)  # where one text came back, others did
            if wanted or not remembered:
                return list(wanted.values())[:limit]

    def _texts(self, keys: Sequence[int], model_id: int) -> dict[int, tuple[int, str, bytes, int | None]]:
        """Return (key, text, hash, row of that text if it has one) by key; parts go by their negative names."""
        known = f" LEFT JOIN embedding e ON e.model_id = {model_id} AND e.hash = d.hash WHERE"
        rows = self._catalog.read_in(
            f"SELECT d.key, d.text, d.hash, e.row FROM dense d {known} d.key IN ({{}})",
            [key for key in keys if key >= 0],
        )
        rows += self._catalog.read_in(
            f"SELECT -1 - d.id, d.text, d.hash, e.row FROM part d {known} d.id IN ({{}})",
            [-1 - key for key in keys if key < 0],
        )
        return {row[0]: (row[0], row[1], row[2], row[3]) for row in rows}

    def add(self, name: str, keys: Sequence[int], texts: Sequence[str], given: np.ndarray) -> None:
        """Store unit vectors, shape (n, dimension), for nodes; remembered by (model, text).

        Raises UsageError when they do not fit the model, StorageError when they cannot be written.
        """
        if not len(keys):
            return
        with self._generations.lock:
            model = self._generations.current.vectors.get(name)
            array = vectors.checked(given, len(texts), name, model.dimension if model else None)
            try:
                model = model or self._files.create(self._catalog, name, array.shape[1])
                hashes, first = vectors.distinct(texts)
                row_of = dict(
                    self._catalog.read_in(
                        f"SELECT hash, row FROM embedding WHERE model_id = {model.id} AND hash IN ({{}})",
                        list(first),
                    )
                )
                new = [digest for digest in first if digest not in row_of]
                row_of.update(zip(new, range(model.rows, model.rows + len(new)), strict=True))
                pairs = [(key, row_of[digest]) for key, digest in zip(keys, hashes, strict=True)]
                self._commit(model, array[[first[digest] for digest in new]], new, pairs)
            except OSError as error:
                raise StorageError(
                    f"The vectors could not be stored ({error}). Free disk space or mend the permissions."
                ) from error

    def forget_changed(self, name: str, after: int, limit: int) -> int:
        """Forget vectors that are not what was written, so that they are computed again.

        Looks at ``limit`` ranges of rows behind a row and returns the row to go on behind, -1 at the end.
        """
        with self._generations.lock:
            model = self._generations.current.vectors[name]
            changed, last = vectors.changed_rows(self._catalog, model, after, limit)
            for first, count in changed:
                log.warning("%d vectors of %s are damaged and will be computed again", count, name)
                self._forget(self._generations.current.vectors[name], first, count)
        return last

    def _forget(self, model: ModelVectors, first: int, count: int) -> None:
        linked = [
            np.flatnonzero((of >= first) & (of < first + count)) for of in (model.row_of, model.row_of_part)
        ]
        pairs = [(int(key), -1) for key in [*linked[0], *parts.names(linked[1])]]
        data = np.ascontiguousarray(model.block[first : first + count], "<f4").tobytes()
        with self._catalog.transaction() as write:
            write.execute(
                "DELETE FROM embedding WHERE model_id = ? AND row >= ? AND row < ?",
                (model.id, first, first + count),
            )
        self._commit(model, np.zeros((0, model.dimension), np.float32), [], pairs)
        with self._catalog.transaction() as write:
            # What nothing refers to any more need not be told again; until here, it would be found once more.
            write.execute(
                "UPDATE vector_sum SET sum = ? WHERE model_id = ? AND NOT links AND first = ?",
                (zlib.crc32(data), model.id, first),
            )

    def _link(self, name: str, pairs: Sequence[tuple[int, int]]) -> None:
        with self._generations.lock:
            model = self._generations.current.vectors[name]
            try:
                self._commit(model, np.zeros((0, model.dimension), np.float32), [], pairs)
            except OSError as error:
                raise StorageError(
                    f"The vectors could not be stored ({error}). Free disk space or mend the permissions."
                ) from error

    def _commit(
        self, model: ModelVectors, new: np.ndarray, hashes: Sequence[bytes], pairs: Sequence[tuple[int, int]]
    ) -> None:
        state = self._generations.current
        kept = [pair for pair in pairs if -len(state.live.part_of) <= pair[0] < state.live.size]
        grown = self._files.append(model, new, np.array(kept, np.int64).reshape(-1, 2))
        with self._catalog.transaction() as write:
            write.executemany(
                "INSERT INTO embedding (model_id, hash, row) VALUES (?, ?, ?)",
                [(model.id, digest, model.rows + i) for i, digest in enumerate(hashes)],
            )
            vectors.note_sums(write, model, new, np.array(kept, np.int64).reshape(-1, 2))
            write.execute(
                "UPDATE model SET rows = ?, links = ? WHERE id = ?", (grown.rows, grown.links, model.id)
            )
            write.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
        known = {**state.vectors, model.name: grown}
        self._generations.publish(replace(state, generation=state.generation + 1, vectors=known))


def _without_vector(state: State, model: ModelVectors | None, limit: int) -> list[int]:
    """Return keys of current nodes with a text but no vector: newest version first, reading order within.

    After them come the names of their parts without one, the newest first.
    """
    live = state.live
    wanted = live.current & (live.roles >= RETRIEVABLE)
    if model is not None:
        known = min(len(model.row_of), live.size)
        wanted[:known] &= model.row_of[:known] < 0
    keys = np.flatnonzero(wanted)
    chosen: list[int] = []
    while len(keys) and len(chosen) < limit:
        entry = live.versions[int(live.version_of[keys[-1]])]
        start = int(np.searchsorted(keys, entry.first_key))
        chosen += keys[start:].tolist()
        keys = keys[:start]
    if len(chosen) < limit and len(live.part_of):
        ids = np.flatnonzero(live.part_of >= 0)
        ids = ids[live.current[live.part_of[ids]]]
        if model is not None:
            ids = ids[model.locate_parts(ids) < 0]
        chosen += parts.names(ids[::-1]).tolist()
    return chosen[:limit]
