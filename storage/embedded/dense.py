"""Search by inner product: exactly up to a limit, above it among the candidates that 8 bits find."""

from __future__ import annotations

import numpy as np

from engine.errors import UsageError
from storage.base import Scored
from storage.embedded.quantized import Codes, QuantizedVectors
from storage.embedded.scope import KeyScope, Located
from storage.embedded.vectors import ModelVectors

_GATHER = 8192  # rows copied at a time when a scope is scattered over the file
_OVER, _SLACK = 3, 100  # candidates: this many times what is wanted, and some more


def search(
    model: ModelVectors,
    vector: np.ndarray,
    k: int,
    scope: KeyScope,
    exact_limit: int,
    quantized: QuantizedVectors,
) -> list[Scored]:
    """Return the k nodes of the scope with the highest inner product.

    A scope of more than ``exact_limit`` vectors is searched in 8 bits first, once these are there. Raises
    UsageError on a wrong length.
    """
    query = np.ascontiguousarray(vector, np.float32).reshape(-1)
    if len(query) != model.dimension:
        raise UsageError(
            f"The query has {len(query)} dimensions, vectors of {model.name} have {model.dimension}."
        )
    located, marks = scope.located(model)
    if not len(located.keys) or k < 1:
        return []
    deep = k * located.repeats  # so many vectors belong to k nodes at least
    codes = quantized.codes(model) if len(located.keys) > exact_limit else None
    if codes is not None:
        located = _candidates(located, marks, codes, query, deep)
    found = _top(located.keys, scores(model.block, located.rows, query), deep)
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


def _candidates(located: Located, marks: np.ndarray, codes: Codes, query: np.ndarray, k: int) -> Located:
    """Return the part of a scope among which the best ``k`` vectors are, found in 8 bits."""
    chosen = np.zeros(len(marks), np.bool_)
    chosen[codes.nearest(query, marks, k * _OVER + _SLACK)] = True
    near = chosen[located.rows]
    return Located(located.model, located.keys[near], located.rows[near], located.repeats)


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
