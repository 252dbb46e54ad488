"""Facets of nodes as runs of keys: what a filter by page, level, units, numbers, kind of chart or of column reads."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from engine.model import Filters
from storage.base import Facets, VersionWrite
from storage.catalog.database import Catalog

Value = str | int
Key = TypeVar("Key", bound=Hashable)
_NONE = Facets()


def runs(write: VersionWrite) -> list[tuple[str, Value, int, int]]:
    """Return (facet, value, first, last) for each run of neighbouring nodes that share a value; positions from 0."""
    values = (set(_values(write.facets.get(node.node_id, _NONE))) for node in write.nodes)
    return [(*key, first, last) for key, first, last in runs_of(values)]


def runs_of(held: Iterable[Collection[Key]]) -> Iterator[tuple[Key, int, int]]:
    """Yield (key, first, last) for each run of neighbouring positions, from 0, that hold a key."""
    open_runs: dict[Key, int] = {}
    position = -1
    for position, keys in enumerate(held):
        for key in [key for key in open_runs if key not in keys]:
            yield key, open_runs.pop(key), position - 1
        for key in keys:
            open_runs.setdefault(key, position)
    for key, first in open_runs.items():
        yield key, first, position


def _values(facets: Facets) -> Iterator[tuple[str, Value]]:
    yield from (("page", page) for page in facets.pages)
    if facets.level is not None:
        yield "level", facets.level
    if facets.has_numbers:
        yield "numbers", 1
    charts = (facets.chart_type,) if facets.chart_type else ()
    for name, texts in (("unit", facets.units), ("chart", charts), ("column", facets.col_types)):
        yield from ((name, text.casefold()) for text in texts)


def passing(filters: Filters, size: int, catalog: Catalog) -> np.ndarray | None:
    """Return a bool for each of ``size`` keys: whether its node has the facets asked for; None when none are."""

    def having(name: str, *ranges: tuple[Value, Value]) -> np.ndarray:
        found: list[tuple[int, int]] = []
        for low, high in ranges:
            found += catalog.read(
                "SELECT first_key, last_key FROM facet WHERE first_key < ? AND name = ? AND value BETWEEN ? AND ?",
                (size, name, catalog.facet_value(low), catalog.facet_value(high)),
            )
        return _marked(size, found)

    bitmaps = []
    if filters.pages is not None:
        bitmaps.append(having("page", filters.pages))
    if filters.levels:
        bitmaps.append(having("level", *((level, level) for level in filters.levels)))
    for name, texts in (("unit", filters.units), ("chart", filters.chart_types), ("column", filters.col_types)):
        if texts:
            bitmaps.append(having(name, *((text.casefold(), text.casefold()) for text in texts)))
    if filters.has_numbers is not None:
        bitmaps.append(having("numbers", (1, 1)) == filters.has_numbers)
    return np.logical_and.reduce(bitmaps) if bitmaps else None


def _marked(size: int, found: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return a bool for each key: whether a run [first, last] holds it. Runs may overlap."""
    if not found:
        return np.zeros(size, np.bool_)
    bounds = np.asarray(found, np.int64)
    begun = np.bincount(bounds[:, 0], minlength=size + 1)
    ended = np.bincount(np.minimum(bounds[:, 1] + 1, size), minlength=size + 1)
    return np.cumsum(begun - ended)[:size] > 0
