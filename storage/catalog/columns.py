"""The postings of a question's term in one segment: a column of it, or several joined to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from storage.records import AnyOf


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
