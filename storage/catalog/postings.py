"""What the full-text index knows of some nodes: for each term the nodes that hold it, and how much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

import numpy as np

from storage.records import Tokens


@dataclass(frozen=True, slots=True)
class Postings:
    """A segment in memory: columns of (row, weighted frequency) for each of the sorted terms."""

    terms: list[str]
    frequencies: np.ndarray  # float32, one a posting
    rows: np.ndarray  # int32, one a posting, ascending within a term
    starts: np.ndarray  # int64, one a term and one more
    lengths: np.ndarray  # float32, one a row
    keys: np.ndarray  # int64, one a row, ascending


def build(records: Iterable[tuple[int, Tokens]]) -> Postings | None:
    """Turn (key, weighted tokens) with ascending keys into postings; None when no node has a token.

    Repeated tokens add up; a node's length is the sum of its weights.
    """
    kept: list[tuple[int, Tokens]] = []
    for key, tokens in records:
        if tokens and min(map(itemgetter(1), tokens)) <= 0:
            tokens = [token for token in tokens if token[1] > 0]
        if tokens:
            kept.append((key, tokens))
    if not kept:
        return None
    counts = np.fromiter((len(tokens) for _, tokens in kept), np.int64, len(kept))
    flat = list(chain.from_iterable(tokens for _, tokens in kept))
    spelled = list(map(itemgetter(0), flat))
    terms = sorted(set(spelled))
    rank = dict(zip(terms, range(len(terms)), strict=True))
    weights = np.fromiter(map(itemgetter(1), flat), np.float32, len(flat))
    row = np.repeat(np.arange(len(kept), dtype=np.int64), counts)
    cell = np.fromiter(map(rank.__getitem__, spelled), np.int64, len(flat)) * len(kept) + row
    order = np.argsort(cell, kind="stable")
    cell = cell[order]
    first = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
    column, rows = np.divmod(cell[first], len(kept))
    return Postings(
        terms,
        np.add.reduceat(weights[order], first).astype(np.float32),
        rows.astype(np.int32),
        starts_of(column, len(terms)),
        np.bincount(row, weights, len(kept)).astype(np.float32),
        np.fromiter((key for key, _ in kept), np.int64, len(kept)),
    )


def starts_of(column: np.ndarray, terms: int) -> np.ndarray:
    """Return where each term's postings start, and where the last one's end, given the term of each posting."""
    return np.r_[0, np.cumsum(np.bincount(column, minlength=terms))].astype(np.int64)
