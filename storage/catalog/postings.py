"""What the full-text index knows of some nodes: for each term the nodes that hold it, and how much.

A segment has the postings of some nodes; those of a question's term in it are a column, or several joined to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np

from storage.records import AnyOf, Tokens


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


class Segment(Protocol):
    """Postings of some nodes: those of a term are a range of ``frequencies`` and ``rows``."""

    name: str
    """Tells it from others; empty for one that is soon forgotten."""
    frequencies: np.ndarray  # float32
    rows: np.ndarray  # int32, ascending within a term
    lengths: np.ndarray  # float32, one a row
    keys: np.ndarray  # int64, one a row, ascending

    @property
    def size(self) -> int:
        """How many nodes it holds."""
        ...

    def column(self, term: str) -> tuple[int, int]:
        """Return where a term's postings start and end; (0, 0) when it has none."""
        ...


class Column(NamedTuple):
    """Weighted frequencies (float32) and their rows (int32, ascending), from ``start`` to before ``end``."""

    frequencies: np.ndarray
    rows: np.ndarray
    start: int
    end: int


def column_of(segment: Segment, term: str | AnyOf) -> Column:
    """Return a term's column; that of :class:`AnyOf` has for each row the frequency of its most frequent way.

    A way of several tokens occurs as often as the rarest of them.
    """
    if isinstance(term, str):
        return Column(segment.frequencies, segment.rows, *segment.column(term))
    ways = [way for tokens in term.ways if (way := _way(segment, tokens)) is not None]
    if not ways:
        return Column(segment.frequencies, segment.rows, 0, 0)
    rows, frequencies = ways[0] if len(ways) == 1 else _highest(ways, segment.size)
    return Column(frequencies, rows, 0, len(rows))


def places_of(wanted: np.ndarray, among: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where values stand in an ascending array, and a bool for each: whether it does stand there."""
    places = np.searchsorted(among, wanted)
    held = places < len(among)
    held[held] = among[places[held]] == wanted[held]
    return places, held


def _highest(ways: Sequence[tuple[np.ndarray, np.ndarray]], size: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of any way, of ``size`` rows, each with the highest of its frequencies."""
    highest = np.zeros(size, np.float32)
    for rows, frequencies in ways:
        highest[rows] = np.maximum(highest[rows], frequencies)
    held = np.flatnonzero(highest).astype(np.int32)
    return held, highest[held]


def _way(segment: Segment, tokens: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """Rows with all the tokens, and how often; None when there is none."""
    spans = sorted((segment.column(token) for token in tokens), key=lambda span: span[1] - span[0])
    if not spans or spans[0][0] == spans[0][1]:
        return None
    start, end = spans[0]
    rows, frequencies = segment.rows[start:end], segment.frequencies[start:end]
    for start, end in spans[1:]:
        places, held = places_of(rows, segment.rows[start:end])
        rows = rows[held]
        frequencies = np.minimum(frequencies[held], segment.frequencies[start:end][places[held]])
    return (rows, frequencies) if len(rows) else None
