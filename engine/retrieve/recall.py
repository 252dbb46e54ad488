"""Ask the views for candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.retrieve.query import Query
from storage.base import Scope, Scored, Snapshot


@dataclass
class Recalled:
    """What each view found, best first, and what is to be told about it."""

    dense: list[Scored] = field(default_factory=list)
    sparse: list[Scored] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def sparse(query: Query, snapshot: Snapshot, scope: Scope, k: int) -> list[Scored]:
    """Return the k best nodes by weighted BM25."""
    return snapshot.sparse_search(query.terms, k, scope) if query.terms else []


def dense(vector: np.ndarray, snapshot: Snapshot, scope: Scope, k: int, model: str) -> list[Scored]:
    """Return the k nodes nearest in meaning to a unit vector."""
    return snapshot.dense_search(vector, k, scope, model)


def exact(count: Callable[[str], int], snapshot: Snapshot, scope: Scope, k: int) -> list[int]:
    """Return the keys of up to k nodes whose title or text the function counts at least once."""
    return snapshot.keyword_search(lambda text: count(text) > 0, k, scope)
