"""Ask the views for candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.retrieve.query import Query
from storage.base import Scope, Scored, Snapshot


def sparse(query: Query, snapshot: Snapshot, scope: Scope, k: int) -> list[Scored]:
    """Return the k best nodes by weighted BM25."""
    return snapshot.sparse_search(query.sparse_terms, k, scope) if query.terms else []


def dense(vector: np.ndarray, snapshot: Snapshot, scope: Scope, k: int, model: str) -> list[Scored]:
    """Return the k nodes nearest in meaning to a unit vector."""
    return snapshot.dense_search(vector, k, scope, model)


def cosines(
    vector: np.ndarray, snapshot: Snapshot, found: Sequence[Scored], others: Sequence[int], model: str
) -> dict[int, float]:
    """Return the cosines of the other nodes (keys) that the dense view did not find and that have a vector."""
    known = {one.key for one in found}
    missing = snapshot.vectors([key for key in dict.fromkeys(others) if key not in known], model)
    if not missing:
        return {}
    values = np.stack(list(missing.values())) @ vector
    return dict(zip(missing, values.tolist(), strict=True))


def exact(count: Callable[[str], int], snapshot: Snapshot, scope: Scope, k: int) -> list[int]:
    """Return the keys of up to k nodes whose title or text the function counts at least once."""
    return snapshot.keyword_search(lambda text: count(text) > 0, k, scope)
