"""The inner loops of sparse scoring: in numpy at once, in numba once it is compiled.

Compiling takes seconds the first time and importing numba a good part of one, so neither happens in a
search: :func:`warm` does both, meant for a background thread. Until it is done numpy does the work,
with the same result up to rounding.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

Accumulate = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int, int, float, float, float], None]
Count = Callable[[np.ndarray, np.ndarray, int, int], int]

_lock = threading.Lock()
_compiled: tuple[Accumulate, Count] | None = None


def accumulate(
    scores: np.ndarray,
    frequencies: np.ndarray,
    rows: np.ndarray,
    lengths: np.ndarray,
    start: int,
    end: int,
    weight: float,
    base: float,
    slope: float,
) -> None:
    """Add a term's part ``weight * tf / (tf + base + slope * length)`` to the scores of its rows.

    ``start`` and ``end`` bound the term's postings in ``frequencies`` and ``rows``.
    """
    if _compiled:
        _compiled[0](scores, frequencies, rows, lengths, start, end, weight, base, slope)
        return
    found = rows[start:end]
    tf = frequencies[start:end]
    scores[found] += np.float32(weight) * tf / (tf + (np.float32(base) + np.float32(slope) * lengths[found]))


def count(rows: np.ndarray, mask: np.ndarray, start: int, end: int) -> int:
    """Count the postings between ``start`` and ``end`` whose row is set in the mask."""
    if _compiled:
        return _compiled[1](rows, mask, start, end)
    return int(np.count_nonzero(mask[rows[start:end]]))


def warm() -> None:
    """Import numba and compile the loops (from its cache on disk after the first time)."""
    global _compiled
    with _lock:
        if _compiled:
            return
        from numba import njit

        loops = _accumulate, _count
        try:
            accumulate_, count_ = (njit(cache=True, nogil=True)(loop) for loop in loops)
        except RuntimeError:  # no folder to cache in
            accumulate_, count_ = (njit(nogil=True)(loop) for loop in loops)
        frequencies, rows = np.ones(1, np.float32), np.zeros(1, np.int32)
        one = np.ones(1, np.float32)
        for array in (frequencies, rows, one):
            array.flags.writeable = False  # as memory-mapped segments are; numba compiles by exact type
        marks = np.ones(1, np.bool_)
        accumulate_(np.zeros(1, np.float32), frequencies, rows, one, 0, 1, 1.0, 1.0, 1.0)
        count_(rows, marks, 0, 1)
        _compiled = accumulate_, count_


def _accumulate(scores, frequencies, rows, lengths, start, end, weight, base, slope):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    for i in range(start, end):
        row = rows[i]
        tf = frequencies[i]
        scores[row] += weight * tf / (tf + base + slope * lengths[row])


def _count(rows, mask, start, end):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    found = 0
    for i in range(start, end):
        if mask[rows[i]]:
            found += 1
    return found
