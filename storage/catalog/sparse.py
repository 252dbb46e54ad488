"""BM25 over all segments as if they were one index (lucene variant, Kamphuis et al. 2020).

idf and average length are those of the current nodes, summed over the segments when a query runs, so
there is no global state that could go wrong, and adding a document changes no other segment. A segment
also keeps the nodes of older versions: they count for nothing, but a scope may ask for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from storage.base import AnyOf, QueryTerms, Scored
from storage.catalog.postings import Column, Postings, Segment, column_of, places_of

K1, B = 1.5, 0.75
# Of so many questions what their terms score is kept: four bytes a node each.
REMEMBERED = 4


@dataclass(frozen=True, slots=True)
class SegmentView:
    """A segment as one generation sees it: which of its nodes are current (None: all), and their sums."""

    segment: Segment
    current: np.ndarray | None
    nodes: int
    length: float

    @classmethod
    def of(cls, segment: Segment, current: np.ndarray) -> SegmentView:
        """Look at a segment through the library's bitmap of current nodes."""
        mask = current[segment.keys]
        if mask.all():
            return cls(segment, None, segment.size, float(segment.lengths.sum(dtype=np.float64)))
        return cls(segment, mask, int(mask.sum()), float(segment.lengths[mask].sum(dtype=np.float64)))


Mask = Callable[[SegmentView], np.ndarray | None]


@dataclass(frozen=True, eq=False, slots=True)
class SparseIndex:
    """All segments of one generation."""

    views: tuple[SegmentView, ...] = ()

    @classmethod
    def of(cls, segments: Iterable[Segment], current: np.ndarray) -> SparseIndex:
        """Look at segments through the library's bitmap of current nodes."""
        return cls(tuple(SegmentView.of(segment, current) for segment in segments))

    def seen_by(self, current: np.ndarray) -> SparseIndex:
        """Return the same through another bitmap of current nodes."""
        return SparseIndex.of([view.segment for view in self.views], current)

    def search(self, terms: QueryTerms, k: int, allowed: Mask) -> list[Scored]:
        """Return the k best nodes; ``allowed`` gives a segment's mask of rows, None for all."""
        keys, scores = [], []
        for view, score in zip(self.views, _scores(self, tuple(terms)), strict=True):
            if score is None:
                continue
            mask = allowed(view)
            best = _highest(score if mask is None else np.where(mask, score, np.float32(0)), k)
            keys.append(view.segment.keys[best])
            scores.append(score[best])
        if not keys:
            return []
        key, score = np.concatenate(keys), np.concatenate(scores)
        order = np.lexsort((key, -score))[:k]
        return [Scored(*pair) for pair in zip(key[order].tolist(), score[order].tolist(), strict=True)]

    def matched_share(self, terms: QueryTerms, keys: Sequence[int]) -> list[float]:
        """Return for each node the share of the terms' weighted idf whose term it holds."""
        columns, factors = _columns(self, tuple(terms))
        total = sum(factors)
        matched = np.zeros(len(keys))
        wanted = np.asarray(keys, np.int64)
        for view, found in zip(self.views, columns, strict=True):
            rows, there = places_of(wanted, view.segment.keys)
            here = np.flatnonzero(there)
            if not len(here):
                continue
            for factor, column in zip(factors, found, strict=True):
                _, holds = places_of(rows[here], column.rows)
                matched[here[holds]] += factor
        return (matched / total).tolist() if total else matched.tolist()

    def document_frequency(self, term: str) -> int:
        """Return how many current nodes hold a term."""
        return sum(_frequency(view, column_of(view.segment, term)) for view in self.views)


# What is known of a question's terms is kept: they are looked for in several scopes, one after the other.
@lru_cache(maxsize=REMEMBERED)
def _columns(
    index: SparseIndex, terms: tuple[tuple[str | AnyOf, float], ...]
) -> tuple[list[list[Column]], list[float]]:
    """Return the columns of a question's terms in each segment, and the terms' weighted idf."""
    weights: dict[str | AnyOf, float] = {}
    for term, weight in terms:
        weights[term] = weights.get(term, 0.0) + weight
    columns = [[column_of(view.segment, term) for term in weights] for view in index.views]
    nodes = sum(view.nodes for view in index.views)
    factors = []
    for place, weight in enumerate(weights.values()):
        held = sum(_frequency(view, found[place]) for view, found in zip(index.views, columns, strict=True))
        factors.append(weight * _idf(nodes, held))
    return columns, factors


@lru_cache(maxsize=REMEMBERED)
def _scores(index: SparseIndex, terms: tuple[tuple[str | AnyOf, float], ...]) -> list[np.ndarray | None]:
    """Return what the rows of each segment score; None for a segment that has none of the terms."""
    columns, factors = _columns(index, terms)
    nodes = sum(view.nodes for view in index.views)
    average = sum(view.length for view in index.views) / nodes if nodes else 1.0
    base, slope = np.float32(K1 * (1 - B)), np.float32(K1 * B / average)
    scores: list[np.ndarray | None] = []
    for view, found in zip(index.views, columns, strict=True):
        score = np.zeros(view.segment.size, np.float32)
        for factor, (rows, tf) in zip(factors, found, strict=True):
            score[rows] += np.float32(factor) * (tf / (tf + (base + slope * view.segment.lengths[rows])))
        scores.append(score if any(len(rows) for rows, _ in found) else None)
    return scores


def _highest(scores: np.ndarray, count: int) -> np.ndarray:
    """Return the rows of the ``count`` highest scores above 0, in no order."""
    found = np.flatnonzero(scores)
    return found if len(found) <= count else found[np.argpartition(-scores[found], count - 1)[:count]]


def scores_alone(postings: Postings) -> np.ndarray:
    """Return what each posting scores where these nodes are all there are: what bm25s keeps in an index of its own."""
    holders, nodes = np.diff(postings.starts), len(postings.keys)
    idf = np.array([_idf(nodes, one) for one in holders.tolist()], np.float32)
    norm = K1 * (1 - B + B * postings.lengths[postings.rows] / postings.lengths.mean(dtype=np.float64))
    score = np.repeat(idf, holders) * (postings.frequencies / (postings.frequencies + norm))
    return score.astype(np.float32)


def _idf(nodes: int, frequency: int) -> float:
    return math.log(1 + (nodes - frequency + 0.5) / (frequency + 0.5))


def _frequency(view: SegmentView, column: Column) -> int:
    if view.current is None:
        return len(column.rows)
    return int(np.count_nonzero(view.current[column.rows]))
