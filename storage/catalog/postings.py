"""What the full-text index knows of some nodes: for each term the nodes that hold it, and how much.

A segment has the postings of some nodes; those of a question's term in it are a column, or several joined to one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np

from storage.base import AnyOf, Tokens


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
    kept = list(_telling(records))
    if not kept:
        return None
    counts = np.fromiter((len(tokens) for _, tokens in kept), np.int64, len(kept))
    flat = list(chain.from_iterable(tokens for _, tokens in kept))
    spelled = list(map(itemgetter(0), flat))
    terms = sorted(set(spelled))
    rank = dict(zip(terms, range(len(terms)), strict=True))
    weights = np.fromiter(map(itemgetter(1), flat), np.float32, len(flat))
    row = np.repeat(np.arange(len(kept), dtype=np.int64), counts)
    column = np.fromiter(map(rank.__getitem__, spelled), np.int64, len(flat))
    lengths = np.bincount(row, weights, len(kept)).astype(np.float32)
    keys = np.fromiter((key for key, _ in kept), np.int64, len(kept))
    return postings_of(terms, (column, row, weights), lengths, keys)


def _telling(records: Iterable[tuple[int, Tokens]]) -> Iterator[tuple[int, Tokens]]:
    """Yield the records that have tokens of any weight, without those of none."""
    for key, tokens in records:
        if tokens and min(map(itemgetter(1), tokens)) <= 0:
            tokens = [token for token in tokens if token[1] > 0]
        if tokens:
            yield key, tokens


def postings_of(
    terms: Sequence[str], cells: tuple[np.ndarray, np.ndarray, np.ndarray], lengths: np.ndarray, keys: np.ndarray
) -> Postings:
    """Return the postings of (rank of the term, row, frequency) in any order; those of one place add up.

    Terms that have none are left out. ``lengths`` and ``keys`` are those of the rows.
    """
    column, row, frequencies = cells
    place = column * len(keys) + row
    order = np.argsort(place, kind="stable")
    place = place[order]
    first = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    column, rows = np.divmod(place[first], len(keys))
    used, held = np.unique(column, return_counts=True)
    return Postings(
        [terms[i] for i in used.tolist()],
        np.add.reduceat(frequencies[order], first).astype(np.float32),
        rows.astype(np.int32),
        np.r_[0, np.cumsum(held)].astype(np.int64),
        lengths,
        keys,
    )


class Column(NamedTuple):
    """The rows (int32, ascending) that hold a term, and its weighted frequencies (float32) there."""

    rows: np.ndarray
    frequencies: np.ndarray


NO_COLUMN = Column(np.zeros(0, np.int32), np.zeros(0, np.float32))


class Segment(Protocol):
    """Postings of some nodes."""

    name: str
    """Tells it from others; empty for one that is soon forgotten."""
    lengths: np.ndarray  # float32, one a row
    keys: np.ndarray  # int64, one a row, ascending

    @property
    def size(self) -> int:
        """How many nodes it holds."""

    def column(self, term: str) -> Column:
        """Return a term's postings; none when it has none."""


def column_of(segment: Segment, term: str | AnyOf) -> Column:
    """Return a term's column; that of :class:`AnyOf` has for each row the frequency of its most frequent way.

    A way of several tokens occurs as often as the rarest of them.
    """
    if isinstance(term, str):
        return segment.column(term)
    ways = [way for tokens in term.ways if tokens and len((way := _way(segment, tokens)).rows)]
    if not ways:
        return NO_COLUMN
    return ways[0] if len(ways) == 1 else _highest(ways, segment.size)


def places_of(wanted: np.ndarray, among: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where values stand in an ascending array, and a bool for each: whether it does stand there."""
    places = np.searchsorted(among, wanted)
    held = places < len(among)
    held[held] = among[places[held]] == wanted[held]
    return places, held


def _highest(ways: Sequence[Column], size: int) -> Column:
    """The rows of any way, of ``size`` rows, each with the highest of its frequencies."""
    highest = np.zeros(size, np.float32)
    for rows, frequencies in ways:
        highest[rows] = np.maximum(highest[rows], frequencies)
    held = np.flatnonzero(highest).astype(np.int32)
    return Column(held, highest[held])


def _way(segment: Segment, tokens: tuple[str, ...]) -> Column:
    """The rows with all the tokens, and how often."""
    first, *others = sorted(map(segment.column, tokens), key=lambda one: len(one.rows))
    rows, frequencies = first
    for other in others:
        places, held = places_of(rows, other.rows)
        rows = rows[held]
        frequencies = np.minimum(frequencies[held], other.frequencies[places[held]])
    return Column(rows, frequencies)
