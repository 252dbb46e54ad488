"""Vectors in 8 bits: a copy a quarter the size that finds the candidates of a large search.

Each row is scaled so that its largest component is 127 and rounded (scalar quantisation; Jégou, Douze and
Schmid, 2011, search in compressed vectors and rank again in exact ones likewise). A scan of a million rows takes
30 to 60 ms of processor time, shared by the cores, so nothing has to be built, filtered or kept up to date as a
graph of neighbours would. The codes live in memory alone, are made from the vectors, and can be thrown away at any
time.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from storage.embedded import kernels
from storage.embedded.selection import highest
from storage.embedded.state import Generations
from storage.embedded.vectors import ModelVectors

_STEP = 50_000  # rows encoded in one go
_AT_ONCE = 4000  # rows that a search encodes itself
_ROWS_A_CORE = 100_000  # fewer are scanned faster than handed to another core


@dataclass(frozen=True, slots=True)
class Codes:
    """The first rows of a model in 8 bits."""

    values: np.ndarray  # int8 (rows, dimension)
    scales: np.ndarray  # float32 (rows,): a component is its value times this

    def nearest(self, query: np.ndarray, marks: np.ndarray, count: int) -> np.ndarray:
        """Return the ``count`` marked rows with about the highest inner products.

        ``marks`` is a bool for every row. The rows come in no order. Numba must have been loaded.
        """
        code = _encoded(query[None, :])[0][0].astype(np.int16)
        scores = np.empty(len(self.values), np.float32)

        def scan(start: int, end: int) -> None:
            rows = slice(start, end)
            kernels.scan(self.values[rows], self.scales[rows], code, marks[rows], scores[rows])

        cores = min(os.cpu_count() or 1, 1 + len(scores) // _ROWS_A_CORE)
        bounds = np.linspace(0, len(scores), cores + 1).astype(int).tolist()
        others = [_cores().submit(scan, *part) for part in pairwise(bounds[1:])]
        scan(*bounds[:2])
        for other in others:
            other.result()
        return highest(scores, count, -np.inf)


class QuantizedVectors:
    """The codes of every model with more rows than are searched exactly."""

    def __init__(self, generations: Generations, exact_limit: int) -> None:
        self._generations = generations
        self._exact_limit = exact_limit
        self._codes: dict[str, Codes] = {}  # by folder; arrays longer than what is filled
        self._filled: dict[str, int] = {}
        self._lock = threading.Lock()

    def codes(self, model: ModelVectors) -> Codes | None:
        """Return the codes of all rows; None while they are not there yet."""
        if not kernels.compiled() or model.rows - self._filled.get(model.folder, 0) > _AT_ONCE:
            return None
        with self._lock:
            self._fill(model, model.rows)
            held = self._codes[model.folder]
            return Codes(held.values[: model.rows], held.scales[: model.rows])

    def feed(self) -> bool:
        """Encode the next rows that wait, and forget models that are gone; False when there was nothing to do."""
        current = self._generations.current.vectors
        with self._lock:
            for folder in self._codes.keys() - {model.folder for model in current.values()}:
                del self._codes[folder], self._filled[folder]
            for model in current.values():
                filled = self._filled.get(model.folder, 0)
                if model.rows > self._exact_limit and filled < model.rows:
                    kernels.warm()
                    self._fill(model, min(model.rows, filled + _STEP))
                    return True
        return False

    def _fill(self, model: ModelVectors, end: int) -> None:
        start = self._filled.get(model.folder, 0)
        if start >= end:
            return
        held = self._codes.get(model.folder)
        if held is None or len(held.scales) < end:
            # Room for as many again: what is not used yet takes no memory.
            held = self._codes[model.folder] = _grown(held, start, 2 * end, model.dimension)
        held.values[start:end], held.scales[start:end] = _encoded(model.block[start:end])
        self._filled[model.folder] = end


@lru_cache(maxsize=1)
def _cores() -> ThreadPoolExecutor:
    """Threads for the parts of a scan, which runs without the interpreter's lock."""
    return ThreadPoolExecutor(os.cpu_count(), "scan")


def _grown(held: Codes | None, filled: int, room: int, dimension: int) -> Codes:
    grown = Codes(np.empty((room, dimension), np.int8), np.empty(room, np.float32))
    if held is not None:
        grown.values[:filled], grown.scales[:filled] = held.values[:filled], held.scales[:filled]
    return grown


def _encoded(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return int8 values and float32 scales of float32 rows."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-30) / 127
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales.astype(np.float32)
