"""Reading order: the columns of a page, by gutters that no line of prose crosses.

A page is cut into bands where lines cross the gutter (titles, wide figures); inside a band the left side is
read before the right side. Each side may be cut again, so three columns or a nested pair come out as well.
The idea is the recursive X-Y cut (Nagy and Seth 1984) with the cut chosen by covered text height instead
of by projection valleys, so that a spanning line does not hide a gutter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Boxed(Protocol):
    """Anything with a place on the page."""

    x0: float
    y0: float
    x1: float
    y1: float


B = TypeVar("B", bound=Boxed)
MIN_ITEMS = 6
STEP = 2.0


def columns_of(items: Sequence[B], body_size: float, depth: int = 0) -> list[list[B]]:
    """Return the items in regions of one column each, regions in reading order.

    ``body_size`` is the size of ordinary text in points; a gutter is at least that wide. Items inside a region
    keep their top to bottom order.
    """
    ordered = sorted(items, key=lambda item: (item.y0, item.x0))
    gutter = _gutter(ordered, body_size) if depth < 3 else None
    if gutter is None:
        return [ordered] if ordered else []
    regions: list[list[B]] = []
    for band in _bands(ordered, gutter):
        left = [item for item in band if item.x1 <= gutter + 1]
        right = [item for item in band if item.x0 >= gutter - 1]
        if len(left) + len(right) < len(band) or not left or not right:
            regions.append(band)
            continue
        regions += columns_of(left, body_size, depth + 1)
        regions += columns_of(right, body_size, depth + 1)
    return regions


def _bands(ordered: list[B], gutter: float) -> list[list[B]]:
    """Cut the items into runs that cross the gutter and runs that do not, from top to bottom.

    An item belongs above a crossing item when it starts above it.
    """
    bands: list[list[B]] = []
    crossing_before: bool | None = None
    for item in ordered:
        crossing = item.x0 < gutter - 1 and item.x1 > gutter + 1
        if crossing != crossing_before:
            bands.append([])
            crossing_before = crossing
        bands[-1].append(item)
    return bands


def _gutter(items: Sequence[B], body_size: float) -> float | None:
    """Return the x of the best gutter, or None when the items read as one column."""
    if len(items) < MIN_ITEMS:
        return None
    left, right = min(item.x0 for item in items), max(item.x1 for item in items)
    width = right - left
    if width < 14 * body_size:
        return None
    cells = int(width / STEP) + 1
    covered = [0.0] * (cells + 1)
    for item in items:
        height = item.y1 - item.y0
        covered[max(0, int((item.x0 - left) / STEP))] += height
        covered[min(cells, int((item.x1 - left) / STEP) + 1)] -= height
    for index in range(1, cells + 1):
        covered[index] += covered[index - 1]
    total = sum(item.y1 - item.y0 for item in items)
    best: tuple[float, float] | None = None
    lowest = min(covered[int(cells * 0.12) : int(cells * 0.88) + 1])
    if lowest > 0.45 * total:
        return None
    start = None
    for index in range(int(cells * 0.12), int(cells * 0.88) + 2):
        low = index <= int(cells * 0.88) and covered[index] <= lowest + 0.02 * total
        if low and start is None:
            start = index
        elif not low and start is not None:
            if (index - start) * STEP >= 0.7 * body_size:
                x = left + (start + index) / 2 * STEP
                quality = _quality(items, x, body_size)
                if quality and (best is None or quality > best[0]):
                    best = (quality, x)
            start = None
    return best[1] if best else None


def _quality(items: Sequence[B], x: float, body_size: float) -> float:
    """Rate a gutter: the height of prose that stands side by side on both sides of it, 0 for none."""
    left = [item for item in items if item.x1 <= x + 1]
    right = [item for item in items if item.x0 >= x - 1]
    if len(left) < 3 or len(right) < 3:
        return 0.0
    if not (_prose(left, body_size) and _prose(right, body_size)):
        return 0.0
    top = max(min(i.y0 for i in left), min(i.y0 for i in right))
    bottom = min(max(i.y1 for i in left), max(i.y1 for i in right))
    if bottom - top < 3 * body_size:
        return 0.0
    return min(_height(left), _height(right))


def _height(items: Sequence[B]) -> float:
    return sum(item.y1 - item.y0 for item in items)


def _prose(side: Sequence[B], body_size: float) -> bool:
    """Tell lines of a text column from cells of a table: most fill the width that the side has."""
    width = max(item.x1 for item in side) - min(item.x0 for item in side)
    if width < 6 * body_size:
        return False
    widths = [item.x1 - item.x0 for item in side]
    return sum(w for w in widths if w > 0.6 * width) >= 0.55 * sum(widths)
