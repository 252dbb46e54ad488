"""Which nodes still need a vector, and giving it to them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from storage.embedded import parts, vectors
from storage.embedded.catalog import Catalog
from storage.embedded.liveness import RETRIEVABLE
from storage.embedded.state import Generations, State
from storage.embedded.vectors import ModelVectors, VectorFile

log = logging.getLogger(__name__)
_LOOK_UP = 2000  # texts looked up among the remembered ones at a time


class Embeddings:
    """The vectors of a library, by model."""

    def __init__(self, catalog: Catalog, file: VectorFile, generations: Generations) -> None:
        self._catalog = catalog
        self._file = file
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
            texts = self._texts(_without_vector(state, known, look_up))
            hashes = list(dict.fromkeys(digest for _, _, digest in texts))
            remembered = self._file.remembered(known.id, hashes) if known else {}
            links = [(name, digest) for name, _, digest in texts if digest in remembered]
            if links and known:
                self._commit(known.name, {}, links)
            wanted: dict[bytes, tuple[int, str]] = {}
            for name, text, digest in texts:
                if digest not in remembered:
                    wanted.setdefault(digest, (name, text))
            look_up = max(limit, _LOOK_UP)  # where one text came back, others did
            if wanted or not remembered:
                return list(wanted.values())[:limit]

    def _texts(self, names: Sequence[int]) -> list[tuple[int, str, bytes]]:
        """Return (name, text, hash) of nodes and parts, in that order; those that are gone are left out."""
        rows = self._catalog.read_in(
            "SELECT key, text, hash FROM dense WHERE key IN ({})", [name for name in names if name >= 0]
        )
        rows += self._catalog.read_in(
            "SELECT -1 - id, text, hash FROM part WHERE id IN ({})", [-1 - name for name in names if name < 0]
        )
        found = {row[0]: (row[0], row[1], row[2]) for row in rows}
        return [found[name] for name in names if name in found]

    def add(self, name: str, keys: Sequence[int], texts: Sequence[str], given: np.ndarray) -> None:
        """Store unit vectors, shape (n, dimension), for nodes; remembered by (model, text).

        Raises UsageError when they do not fit the model, StorageError when they cannot be written.
        """
        if not len(keys):
            return
        with self._generations.lock:
            state = self._generations.current
            model = state.vectors.get(name)
            array = vectors.checked(given, len(texts), name, model.dimension if model else None)
            if model is None:
                model = self._file.create(name, array.shape[1])
                self._generations.publish(replace(state, vectors={**state.vectors, name: model}))
            hashes = [vectors.text_hash(text) for text in texts]
            known = self._file.remembered(model.id, list(dict.fromkeys(hashes)))
            new = {
                digest: vector for digest, vector in zip(hashes, array, strict=True) if digest not in known
            }
            self._commit(name, new, list(zip(keys, hashes, strict=True)))

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


def _without_vector(state: State, model: ModelVectors | None, limit: int) -> list[int]:
    """Return keys of current nodes with a text but no vector: newest version first, reading order within.

    After them come the names of their parts without one, the newest first.
    """
    live = state.live
    linked = model.linked if model else vectors.Names()
    wanted = live.current & (live.roles >= RETRIEVABLE)
    known = min(len(linked.nodes), live.size)
    wanted[:known] &= ~linked.nodes[:known]
    keys = np.flatnonzero(wanted)
    chosen: list[int] = []
    while len(keys) and len(chosen) < limit:
        entry = live.versions[int(live.version_of[keys[-1]])]
        start = int(np.searchsorted(keys, entry.first_key))
        chosen += keys[start:].tolist()
        keys = keys[:start]
    if len(chosen) < limit and len(live.part_of):
        ids = np.flatnonzero(live.part_of >= 0)
        names = parts.names(ids[live.current[live.part_of[ids]]])
        chosen += names[~linked.holds(names)][::-1].tolist()
    return chosen[:limit]
