"""Search by inner product: an index finds the candidates in a large scope, a small one is compared exactly."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from engine.errors import UsageError
from storage.base import Scored
from storage.catalog.scope import KeyScope
from storage.catalog.vectors import ModelVectors, Names

EXACT_LIMIT = 4000  # vectors
GraphShape = tuple[int, int, int]
"""An HNSW graph: links a node (m), and the breadth of the search when building (ef_construction) and when asked."""
# Entries asked for at most: with more, comparing the scope exactly is as fast, and loses nothing.
_MOST = 2000
_OVER, _SLACK = 1.5, 50  # entries: this many times what is expected to be enough, and some more
_BLOCK = 8192  # vectors read at a time from a scope that is too large to keep
_KEPT = 4  # small scopes whose vectors are kept in memory


class Vectors(Protocol):
    """The vectors themselves."""

    def fetch(self, model: ModelVectors, names: np.ndarray, /) -> tuple[np.ndarray, np.ndarray]:
        """Return the names, of these, that have a vector, and their vectors, float32 (n, dimension)."""

    def remembered(self, model_id: int, hashes: Sequence[bytes], /) -> Mapping[bytes, int]:
        """Return the ids of the vectors that there are of texts, by the texts' hashes."""

    def of_texts(self, model: ModelVectors, hashes: Sequence[bytes], /) -> dict[bytes, np.ndarray]:
        """Return the vectors that there are of texts, by the texts' hashes."""


class Neighbours(Protocol):
    """An index that finds about the nearest of all vectors. Raises StorageError."""

    def held(self, model: ModelVectors, /) -> Names:
        """Return which of the model's nodes and parts can be found."""

    def nearest(self, model: ModelVectors, query: np.ndarray, count: int, /) -> np.ndarray | None:
        """Return the names of about the nearest ``count`` entries, best first; None when it fails."""


class DenseSearch:
    """Searches the vectors of a library."""

    # The larger an index, the more a narrow search misses: of the ten nearest of a million Chroma has .78 among 100
    # entries, .98 among 2,000 (13 ms instead of 2). So one in so many is asked for at least, up to _MOST.
    share = 100

    def __init__(self, file: Vectors, neighbours: Neighbours, exact_limit: int) -> None:
        self.file = file
        self.neighbours = neighbours
        self._exact_limit = exact_limit
        # The names and vectors of small scopes, which are asked for again and again.
        self._kept = lru_cache(_KEPT)(lambda model, scope: file.fetch(model, scope.located(model)[0]))

    def search(self, model: ModelVectors, vector: np.ndarray, k: int, scope: KeyScope) -> list[Scored]:
        """Return the k nodes of the scope with the highest inner product.

        Raises UsageError on a wrong length, StorageError.
        """
        query = np.ascontiguousarray(vector, np.float32).reshape(-1)
        if len(query) != model.dimension:
            told = f"The query has {len(query)} dimensions, vectors of {model.name} have {model.dimension}."
            raise UsageError(told)
        names, repeats = scope.located(model)
        if not len(names) or k < 1:
            return []
        if len(names) <= self._exact_limit:
            return _best(scope, *self._scored(model, *self._kept(model, scope), query), k)
        held = self.neighbours.held(model)
        waiting = names[~held.holds(names)]  # not in the index yet
        among = scope, len(names) - len(waiting), repeats
        found = self._candidates(model, query, k, among, held.size)
        chosen = names if found is None else np.concatenate([waiting, found])
        return _best(scope, *self._exact(model, chosen, query), k)

    def _candidates(
        self, model: ModelVectors, query: np.ndarray, k: int, among: tuple[KeyScope, int, int], entries: int
    ) -> np.ndarray | None:
        """Return entries of a scope with the best ``k`` nodes among them; None when they are too few of all.

        ``among`` is the scope, how many of the ``entries`` are in it, and how many one node has at most.
        """
        scope, size, repeats = among
        if not size:
            return np.zeros(0, np.int64)
        slack = min(_MOST, max(_SLACK, entries // self.share))
        count = int(k * repeats * _OVER * entries / size) + slack
        while count <= _MOST + slack:
            found = self.neighbours.nearest(model, query, min(count, entries))
            if found is None:
                return None
            found = found[model.linked.holds(found)]
            nodes = scope.nodes(found)
            inside = scope.contains(nodes)
            if len(np.unique(nodes[inside])) >= k or count >= entries:
                return found[inside][: k * repeats + _SLACK]
            count *= 2
        return None

    def _exact(self, model: ModelVectors, names: np.ndarray, query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        parts = [
            self._scored(model, *self.file.fetch(model, names[start : start + _BLOCK]), query)
            for start in range(0, len(names) or 1, _BLOCK)
        ]
        return np.concatenate([one for one, _ in parts]), np.concatenate([score for _, score in parts])

    @staticmethod
    def _scored(
        model: ModelVectors, names: np.ndarray, block: np.ndarray, query: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        # ``vecdot`` reads each row once in the calling thread; a matrix product's threads cost more than they bring.
        return names, np.vecdot(block, query) if len(names) else np.zeros(0, np.float32)


def _best(scope: KeyScope, names: np.ndarray, score: np.ndarray, k: int) -> list[Scored]:
    """Return the best k nodes of names with scores; a node with parts counts once, with its best vector."""
    keys = scope.nodes(names)
    order = np.lexsort((keys, -score))
    _, first = np.unique(keys[order], return_index=True)
    best = order[np.sort(first)[:k]]
    return [Scored(*pair) for pair in zip(keys[best].tolist(), score[best].tolist(), strict=True)]
