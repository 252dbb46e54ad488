"""BM25 over the postings in the database: those of a question's terms are fetched, and scored as everywhere.

The formula, and its arithmetic, are those of :mod:`storage.catalog.sparse`: the fetched postings make one segment,
whose rows are the keys of nodes. What was fetched is kept in memory as long as the generation lasts, up to a limit.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from storage.base import AnyOf, QueryTerms, Scored, VersionWrite
from storage.catalog.liveness import VersionEntry
from storage.catalog.postings import NO_COLUMN, Column, build
from storage.catalog.sparse import REMEMBERED, Mask, SegmentView, SparseIndex
from storage.catalog.unit import sparse_records
from storage.postgres.catalog import PostgresCatalog

MOST_POSTINGS = 8_000_000  # kept in memory, eight bytes each


class Fetched:
    """The postings of some terms (see :class:`storage.catalog.postings.Segment`); a row is a node's key."""

    name = ""

    def __init__(self, terms: Mapping[str, Column], lengths: np.ndarray, keys: np.ndarray) -> None:
        self._terms, self.lengths, self.keys, self.size = terms, lengths, keys, len(keys)

    def column(self, term: str) -> Column:
        """Return a term's postings."""
        return self._terms.get(term, NO_COLUMN)


class _Postings:
    """Postings that were fetched, the last used ones; shared by the views of one generation."""

    def __init__(self, catalog: PostgresCatalog, size: int) -> None:
        self.catalog, self._size = catalog, size
        self._kept: OrderedDict[str, Column] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()

    def of(self, terms: Iterable[str]) -> dict[str, Column]:
        """Return the postings of terms, ascending."""
        wanted = list(dict.fromkeys(terms))
        with self._lock:
            found = {term: self._kept[term] for term in wanted if term in self._kept}
            for term in found:
                self._kept.move_to_end(term)
        missing = [term for term in wanted if term not in found]
        fetched = self._fetch(missing) if missing else {}
        with self._lock:
            for term, postings in fetched.items():
                self._count += len(postings.rows)
                self._kept[term] = postings
            while self._count > MOST_POSTINGS:
                self._count -= len(self._kept.popitem(last=False)[1].rows)
        found |= fetched
        return {term: found[term] for term in wanted}

    def _fetch(self, terms: Sequence[str]) -> dict[str, Column]:
        by_term: dict[str, list[tuple[int, bytes, bytes]]] = {term: [] for term in terms}
        for term, *posting in self.catalog.read(
            "SELECT term, first_key, nodes, frequencies FROM posting WHERE term = ANY(?) AND first_key < ?"
            " ORDER BY term, first_key",
            ([term.replace("\0", "\ufffd") for term in terms], self._size),
            binary=True,
        ):
            by_term.setdefault(term, []).append(tuple(posting))
        return {term: _joined(by_term[term]) for term in terms}


def _joined(postings: Sequence[tuple[int, bytes, bytes]]) -> Column:
    if not postings:
        return NO_COLUMN
    offsets = np.frombuffer(b"".join(nodes for _, nodes, _ in postings), "<i4")
    firsts = np.repeat([first for first, _, _ in postings], [len(nodes) // 4 for _, nodes, _ in postings])
    frequencies = np.frombuffer(b"".join(values for *_, values in postings), "<f4")
    return Column((offsets + firsts).astype(np.int32), frequencies.astype(np.float32))


@dataclass(frozen=True, eq=False)
class FetchedIndex(SparseIndex):
    """The full-text index of one generation, as far as its terms were asked for."""

    current: np.ndarray = field(kw_only=True)  # bool by key
    lengths: np.ndarray = field(kw_only=True)  # float32 by key
    postings: _Postings = field(kw_only=True)

    @classmethod
    def empty(cls, catalog: PostgresCatalog) -> FetchedIndex:
        """Return the index of a library without nodes."""
        none = np.zeros(0, np.float32)
        return cls(current=none.astype(np.bool_), lengths=none, postings=_Postings(catalog, 0))

    def grown(self, current: np.ndarray, versions: Iterable[tuple[int, bytes]]) -> FetchedIndex:
        """Return that of the next generation, with (first key, lengths) of the versions that may be new."""
        lengths = np.zeros(len(current), np.float32)
        lengths[: len(self.lengths)] = self.lengths
        for first, raw in versions:
            values = np.frombuffer(raw, "<f4")
            lengths[first : first + len(values)] = values
        postings = _Postings(self.postings.catalog, len(current))
        return FetchedIndex(current=current, lengths=lengths, postings=postings)

    def seen_by(self, current: np.ndarray) -> FetchedIndex:
        """Return the same through another bitmap of current nodes."""
        return replace(self, current=current)

    def search(self, terms: QueryTerms, k: int, allowed: Mask) -> list[Scored]:
        """Return the k best nodes; ``allowed`` gives a segment's mask of rows, None for all."""
        return _fetched(self, tuple(terms)).search(terms, k, allowed)

    def matched_share(self, terms: QueryTerms, keys: Sequence[int]) -> list[float]:
        """Return for each node the share of the terms' weighted idf whose term it holds."""
        return _fetched(self, tuple(terms)).matched_share(terms, keys)

    def document_frequency(self, term: str) -> int:
        """Return how many current nodes hold a term."""
        return int(np.count_nonzero(self.current[self.postings.of([term])[term].rows]))

    @cached_property
    def totals(self) -> tuple[int, float]:
        """How many current nodes are indexed, and how long they are together."""
        held = self.lengths[self.current]
        return int(np.count_nonzero(held)), float(held.sum(dtype=np.float64))

    @cached_property
    def keys(self) -> np.ndarray:
        """The rows of its one segment."""
        return np.arange(len(self.lengths), dtype=np.int64)


@lru_cache(maxsize=REMEMBERED)
def _fetched(index: FetchedIndex, terms: QueryTerms) -> SparseIndex:
    """Return an index that knows these terms, which are asked of it in several scopes, one after the other."""
    segment = Fetched(index.postings.of(_tokens(terms)), index.lengths, index.keys)
    return SparseIndex((SegmentView(segment, index.current, *index.totals),))


def _tokens(terms: QueryTerms) -> Iterator[str]:
    for term, _ in terms:
        if isinstance(term, AnyOf):
            for way in term.ways:
                yield from way
        else:
            yield term


def indexed(version: VersionWrite, entry: VersionEntry) -> tuple[bytes, list[tuple[str, int, bytes, bytes]]]:
    """Return the lengths of a version's nodes, and its rows of the table ``posting``."""
    lengths = np.zeros(len(version.nodes), "<f4")
    held = build(sparse_records(version, entry))
    if held is None:
        return lengths.tobytes(), []
    offsets = (held.keys - entry.first_key).astype("<i4")
    lengths[offsets] = held.lengths
    rows, values = offsets[held.rows].tobytes(), held.frequencies.astype("<f4").tobytes()
    starts = held.starts.tolist()
    return lengths.tobytes(), [
        (term.replace("\0", "\ufffd"), entry.first_key, rows[4 * a : 4 * b], values[4 * a : 4 * b])
        for term, a, b in zip(held.terms, starts, starts[1:], strict=False)
    ]
