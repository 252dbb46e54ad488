"""The layout of a page: what stands in which column, in reading order, with tables and pictures in place.

A gutter is a vertical strip with prose, or labels of a form, on both sides, side by side. Items that cross it (titles,
wide tables) cut the page into bands; inside a band the left side is read before the right one, and each side may be
cut again. Stretches of a band without prose on both sides (rows of a table, a masthead) stay whole, read row by row:
a recursive X-Y cut (Nagy and Seth 1984) chosen by the prose beside it, so that a spanning line hides no gutter.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from engine.model import Block
from engine.parse.pdf_aligned import aligned_tables
from engine.parse.pdf_contents import Contents
from engine.parse.pdf_grids import Table
from engine.parse.pdf_images import Picture, take_words
from engine.parse.pdf_text import Boxed, Line, Matrix, rows_of
from engine.structure.sequences import runs

B = TypeVar("B", bound=Boxed)
FEWEST_ITEMS = 6
STEP = 2.0
FULL = 0.6
# One of three columns beside the two others; how much prose (in letter heights) stands side by side at least.
_TWICE = 1.7, 2.4
_LEAST, _LEAST_OF_THREE = 2.0, 20.0
# White between lines of one column at most, in what is usual on the page: rows of a table stand wider apart.
_LEADING = 1.2
# A label of a form, with or without its value behind it.
_LABEL, _FEWEST_LABELS = re.compile(r"[^\W\d][^:：]{0,40}[:：](?!\d)"), 3
Placed = Line | Table | Picture | Contents


@dataclass(slots=True)
class Page:
    """What was read from one page.

    Coordinates and ``size`` are in points with the page turned so that most text is upright; ``back``, where it
    is not None, turns them to the page as displayed. ``scanned``: its text must be read from its picture;
    ``unseen``: text that nobody sees was left out.
    """

    number: int
    size: tuple[float, float]
    lines: list[Line] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    contents: Contents | None = None
    scanned: bool = False
    back: Matrix | None = None
    comments: list[Block] = field(default_factory=list)
    unseen: bool = False


def lay_out(page: Page, body_size: float, before: Placed | None = None) -> list[list[Placed]]:
    """Return the columns of a page in reading order; each holds visual rows, tables and pictures top to bottom.

    ``before`` is what the page before ends with: a table may go on here.
    """
    lines, tables, contents = page.lines, page.tables, page.contents
    if contents is not None:
        lines = [line for line in lines if id(line) not in contents.taken]
        tables = [table for table in tables if not table.meets(contents)]
    lines = [line for line in lines if not any(table.holds(line, 1) for table in tables)]
    pictures, lines = take_words(page.pictures, lines)
    upright = [line for line in lines if line.upright]
    items: list[Placed] = [*upright, *tables, *pictures, *([contents] if contents else [])]
    regions = columns_of(items, body_size)
    table = before if isinstance(before, Table) and before.page == page.number - 1 else None
    columns = [_column(region, page.number, None if n else table) for n, region in enumerate(regions)]
    turned: list[Placed] = [line for line in lines if not line.upright]
    return [*columns, turned] if turned else columns


def _column(region: Sequence[Placed], page: int, before: Table | None) -> list[Placed]:
    """Gather the lines of one column into rows, take aligned rows together as tables, keep floats in place."""
    rows = rows_of(item for item in region if isinstance(item, Line))
    placed: list[Placed] = []
    done = 0
    for start, end, table in aligned_tables(page, rows, before):
        placed += rows[done:start]
        placed.append(table)
        done = end
    placed += rows[done:]
    for item in (item for item in region if not isinstance(item, Line)):
        middle = (item.y0 + item.y1) / 2
        index = next((i for i, other in enumerate(placed) if (other.y0 + other.y1) / 2 > middle), len(placed))
        placed.insert(index, item)
    return placed


def columns_of(items: Sequence[B], body_size: float, depth: int = 0) -> list[list[B]]:
    """Return the items in regions of one column each, as they are read; ``body_size`` is that of text in points."""
    ordered = sorted(items, key=lambda item: (item.y0, item.x0))
    gutter = _gutter(ordered, body_size) if depth < 3 else None
    if gutter is None:
        return [ordered] if ordered else []
    regions: list[list[B]] = []
    for band, split in _bands(ordered, gutter, body_size):
        if not split:
            regions.append(band)
            continue
        regions += columns_of([item for item in band if item.x1 <= gutter + 1], body_size, depth + 1)
        regions += columns_of([item for item in band if item.x1 > gutter + 1], body_size, depth + 1)
    return regions


def _bands(ordered: Sequence[B], gutter: float, body_size: float) -> list[tuple[list[B], bool]]:
    """Cut the items into bands from top to bottom; the flag says whether a band is read in two columns."""
    left, right = min(item.x0 for item in ordered), max(item.x1 for item in ordered)
    bands: list[tuple[list[B], bool]] = []
    prose = [item for item in ordered if item.x1 - item.x0 > FULL * min(gutter - left, right - gutter)]
    apart = _LEADING * _usual_gap(prose) if 2 * len(prose) > len(ordered) else 0.0
    apart = math.inf if _labels_beside(ordered, gutter) else apart
    for stretch in _stretches(ordered, gutter, max(0.3 * body_size, apart)):
        crosses = any(_crosses(item, gutter) for item in stretch)
        two_sided = any(i.x1 <= gutter + 1 for i in stretch) and any(i.x0 >= gutter - 1 for i in stretch)
        split = not crosses and (not two_sided or _side_by_side(stretch, gutter, left, right, body_size) > 0)
        if bands and bands[-1][1] == split and (split or not crosses):
            bands[-1][0].extend(stretch)
        else:
            bands.append((stretch, split))
    return bands


def _stretches(ordered: Sequence[B], gutter: float, apart: float) -> list[list[B]]:
    """Cut at wider white space across the whole width and wherever items begin or cease to cross the gutter."""

    def goes_on(stretch: Sequence[B], item: B) -> bool:
        alike = _crosses(item, gutter) == _crosses(stretch[-1], gutter)
        return alike and item.y0 <= max(one.y1 for one in stretch) + apart

    return runs(ordered, goes_on)


def _usual_gap(items: Sequence[Boxed]) -> float:
    """Return the median white between an item and the next one below it, in points; 0 where none is below another."""
    gaps = []
    for item in items:
        below = (o.y0 for o in items if o.y0 > item.y0 + 1 and o.x0 < item.x1 and item.x0 < o.x1)
        if (nearest := min(below, default=None)) is not None:
            gaps.append(nearest - item.y1)
    return max(0.0, sorted(gaps)[len(gaps) // 2]) if gaps else 0.0


def _crosses(item: Boxed, gutter: float) -> bool:
    return item.x0 < gutter - 1 and item.x1 > gutter + 1


def _gutter(items: Sequence[B], body_size: float) -> float | None:
    """Return the x of the best gutter, or None when the items read as one column."""
    if len(items) < FEWEST_ITEMS:
        return None
    left, right = min(item.x0 for item in items), max(item.x1 for item in items)
    if right - left < 14 * body_size:
        return None
    cells = int((right - left) / STEP) + 1
    covered = np.zeros(cells + 1)
    for item in items:
        covered[max(0, int((item.x0 - left) / STEP))] += item.y1 - item.y0
        covered[min(cells, int((item.x1 - left) / STEP) + 1)] -= item.y1 - item.y0
    covered = covered.cumsum()
    low, high = int(cells * 0.12), int(cells * 0.88)
    middle = covered[low : high + 1]
    empty = low + np.flatnonzero(middle <= middle.min() + 0.1 * sum(item.y1 - item.y0 for item in items))
    best, gutter = 0.0, None
    for run in np.split(empty, np.flatnonzero(np.diff(empty) > 1) + 1):
        emptiest = run[covered[run] <= covered[run].min() + 0.1]
        x = left + float(emptiest[0] + emptiest[-1] + 1) / 2 * STEP
        beside = _side_by_side(items, x, left, right, body_size)
        if beside > best:
            best, gutter = beside, x
    return gutter


def _side_by_side(items: Sequence[B], x: float, left: float, right: float, body_size: float) -> float:
    """Return the height of prose, or else of labels, side by side on both sides of ``x``, 0 when there is (too) little.

    Prose are items that fill most of the width of their side. A side about twice as wide as the other is taken for two
    columns more, of which an item fills one; then more prose must stand side by side.
    """
    ends = [_text(item).endswith((":", "：")) for item in items if item.x1 <= x + 1]
    if sum(ends) > FULL * len(ends):
        return 0.0  # labels with their values beside them
    narrow, wide = sorted((x - left, right - x))
    thirds = _TWICE[0] <= wide / max(narrow, 1.0) <= _TWICE[1]
    found = _prose_beside(items, x, (x - left, right - x), body_size, _LEAST)
    if not found and thirds:
        found = _prose_beside(items, x, (narrow, narrow), body_size, _LEAST_OF_THREE)
    return found or _labels_beside(items, x)


def _labels_beside(items: Sequence[B], x: float) -> float:
    """Return the height of the labels ("Name:") that begin most lines on both sides of ``x``, 0 under three of them."""
    heights = []
    for side in ([item for item in items if item.x1 <= x + 1], [item for item in items if item.x0 >= x - 1]):
        first = [i for i in side if not any(o.x1 <= i.x0 and o.y0 < (i.y0 + i.y1) / 2 < o.y1 for o in side)]
        labels = [item for item in first if _LABEL.match(_text(item))]
        if len(labels) < _FEWEST_LABELS or len(labels) < FULL * len(first):
            return 0.0
        heights.append(sum(item.y1 - item.y0 for item in labels))
    return min(heights)


def _text(item: Boxed) -> str:
    return item.text if isinstance(item, Line) else ""


def _prose_beside(items: Sequence[B], x: float, widths: tuple[float, float], body_size: float, least: float) -> float:
    """Return the height of prose on both sides of ``x`` in columns of these widths, 0 if under ``least`` letters."""
    sides = [item for item in items if item.x1 <= x + 1], [item for item in items if item.x0 >= x - 1]
    heights, spans = [], []
    for side, width in zip(sides, widths, strict=True):
        if width < 6 * body_size:
            return 0.0
        prose = [item for item in side if item.x1 - item.x0 > FULL * width]
        if not prose or sum(i.x1 - i.x0 for i in prose) < 0.5 * sum(i.x1 - i.x0 for i in side):
            return 0.0
        heights.append(sum(item.y1 - item.y0 for item in prose))
        spans.append((min(item.y0 for item in prose), max(item.y1 for item in prose)))
    overlap = min(spans[0][1], spans[1][1]) - max(spans[0][0], spans[1][0])
    return min(heights) if min(overlap, *heights) >= least * body_size else 0.0
