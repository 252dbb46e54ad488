"""Search by inner product: exactly up to a limit, above it with the ANN index and an exact tail."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine.errors import UsageError
from storage.base import Scored
from storage.embedded.scope import KeyScope, Located
from storage.embedded.vectors import ModelVectors

_GATHER = 8192  # rows copied at a time when a scope is scattered over the file
_SLACK = 20
_MOST = 5000  # neighbours asked for before an exact search is cheaper


class Neighbours(Protocol):
    """The ANN index as search sees it."""

    def query(self, model: ModelVectors, vector: np.ndarray, count: int) -> np.ndarray | None:
        """Return the rows of about the nearest ``count`` vectors, or None when it cannot serve this model."""
        ...


def search(
    model: ModelVectors, vector: np.ndarray, k: int, scope: KeyScope, exact_limit: int, ann: Neighbours
) -> list[Scored]:
    """Return the k nodes of the scope with the highest inner product. Raises UsageError on a wrong length."""
    query = np.ascontiguousarray(vector, np.float32).reshape(-1)
    if len(query) != model.dimension:
        raise UsageError(
            f"The query has {len(query)} dimensions, vectors of {model.name} have {model.dimension}."
        )
    located, marks = scope.located(model)
    if not len(located.keys) or k < 1:
        return []
    parts = [(located.keys, located.rows)]
    deep = k * located.repeats  # so many vectors belong to k nodes at least
    if len(located.keys) > exact_limit and model.ann_rows:
        parts = _approximate(model, query, k, located, marks, ann) or parts
    found = _top(
        np.concatenate([keys for keys, _ in parts]),
        np.concatenate([scores(model.block, rows, query) for _, rows in parts]),
        deep,
    )
    return found if located.repeats == 1 else _each_once(found)[:k]


def scores(block: np.ndarray, rows: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Return the inner products of some rows with the query.

    ``vecdot`` reads each row once in the calling thread: at these sizes two to three times faster than the
    matrix product, whose threads cost more than they bring, most of all on a busy machine.
    """
    if not len(rows):
        return np.zeros(0, np.float32)
    first, last = int(rows.min()), int(rows.max()) + 1
    if len(rows) * 3 >= last - first:  # reading past a few others is faster than copying
        return np.vecdot(block[first:last], query)[rows - first]
    return np.concatenate(
        [np.vecdot(block[rows[start : start + _GATHER]], query) for start in range(0, len(rows), _GATHER)]
    )


def _approximate(
    model: ModelVectors, query: np.ndarray, k: int, located: Located, marks: np.ndarray, ann: Neighbours
) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """Return keys and rows among which the best are: some of the index, and all behind it.

    None when only an exact search can tell.
    """
    inside = max(1, int(np.count_nonzero(marks[: model.ann_rows])))
    wanted = int((k + k // 4 + _SLACK) * model.ann_rows / inside)
    while wanted <= _MOST:
        found = ann.query(model, query, min(wanted, model.ann_rows))
        if found is None:
            return None
        found = found[found < model.ann_rows]
        found = found[marks[found]]
        if len(found) >= min(k, inside):
            chosen = np.zeros(model.rows, np.bool_)
            chosen[found] = True
            near = chosen[located.rows]
            groups = near, located.rows >= model.ann_rows
            if located.repeats > 1 and len(np.unique(located.keys[near])) < min(k, inside):
                wanted *= 2
                continue
            return [(located.keys[group], located.rows[group]) for group in groups]
        wanted *= 2
    return None


def _each_once(found: list[Scored]) -> list[Scored]:
    best: dict[int, Scored] = {}
    for one in found:
        best.setdefault(one.key, one)
    return list(best.values())


def _top(keys: np.ndarray, score: np.ndarray, k: int) -> list[Scored]:
    if len(keys) > k:
        best = np.argpartition(-score, k - 1)[:k]
        keys, score = keys[best], score[best]
    order = np.lexsort((keys, -score))
    return [Scored(*pair) for pair in zip(keys[order].tolist(), score[order].tolist(), strict=True)]
