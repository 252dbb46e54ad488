"""Which nodes still need a vector, and giving it to them."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from storage.catalog import vectors
from storage.catalog.database import Catalog
from storage.catalog.dense import Vectors
from storage.catalog.liveness import RETRIEVABLE
from storage.catalog.state import Generations, State
from storage.catalog.vectors import ModelVectors

_LOOK_UP = 2000  # texts looked up among the remembered ones at a time


class Embeddings:
    """The vectors of a library, by model; a backend says how they are kept."""

    def __init__(self, catalog: Catalog, file: Vectors, generations: Generations) -> None:
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
            remembered = self._taken_over(known, texts)
            wanted = _one_of_each([one for one in texts if one[2] not in remembered])
            look_up = max(limit, _LOOK_UP)  # where one text came back, others did
            if wanted or not remembered:
                return wanted[:limit]

    def _taken_over(self, known: ModelVectors | None, texts: Sequence[tuple[int, str, bytes]]) -> Collection[bytes]:
        """Give nodes the vectors that their texts had before; return the hashes of these texts."""
        if known is None:
            return ()
        remembered = self._file.remembered(known.id, list(dict.fromkeys(digest for _, _, digest in texts)))
        if links := [(name, digest) for name, _, digest in texts if digest in remembered]:
            self._commit(known.name, {}, links)
        return remembered

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
            known = self._generations.current.vectors.get(name)
            array = vectors.checked(given, len(texts), name, known.dimension if known else None)
            model = known or self._model(name, array.shape[1])
            hashes = [vectors.text_hash(text) for text in texts]
            there = self._file.remembered(model.id, list(dict.fromkeys(hashes)))
            new = {digest: vector for digest, vector in zip(hashes, array, strict=True) if digest not in there}
            self._commit(name, new, list(zip(keys, hashes, strict=True)))

    def _model(self, name: str, dimension: int) -> ModelVectors:
        """Return a model of the newest state, which begins now if there is none of this name."""
        raise NotImplementedError

    def _commit(self, name: str, new: Mapping[bytes, np.ndarray], links: Sequence[tuple[int, bytes]]) -> None:
        """Keep vectors by the hashes of their texts, link nodes and parts to those of hashes, and show it."""
        raise NotImplementedError


def _one_of_each(texts: Sequence[tuple[int, str, bytes]]) -> list[tuple[int, str]]:
    """Return the first (name, text) of those with one hash."""
    found: dict[bytes, tuple[int, str]] = {}
    for name, text, digest in texts:
        found.setdefault(digest, (name, text))
    return list(found.values())


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
        names = -1 - ids[live.current[live.part_of[ids]]]
        chosen += names[~linked.holds(names)][::-1].tolist()
    return chosen[:limit]
