"""The layout of a page: what stands in which column, in reading order, with tables and pictures in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.parse.pdf_aligned import aligned_tables
from engine.parse.pdf_columns import columns_of
from engine.parse.pdf_contents import Contents
from engine.parse.pdf_images import Picture, take_words
from engine.parse.pdf_table import Table
from engine.parse.pdf_text import Line, rows_of
from engine.parse.pdf_turned import Matrix

Placed = Line | Table | Picture | Contents


@dataclass(slots=True)
class Page:
    """What was read from one page.

    Coordinates and ``size`` are in points with the page turned so that most text is upright; ``back``, where it
    is not None, turns them to the page as displayed. ``scanned``: its text must be read from its picture.
    """

    number: int
    size: tuple[float, float]
    lines: list[Line] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    contents: Contents | None = None
    scanned: bool = False
    back: Matrix | None = None


def lay_out(page: Page, body_size: float) -> list[list[Placed]]:
    """Return the columns of a page in reading order; each holds visual rows, tables and pictures top to bottom."""
    lines, tables, contents = page.lines, page.tables, page.contents
    if contents is not None:
        lines = [line for line in lines if id(line) not in contents.taken]
        tables = [table for table in tables if not table.meets(contents)]
    lines = [line for line in lines if not any(table.holds(line, 1) for table in tables)]
    pictures, lines = take_words(page.pictures, lines)
    upright = [line for line in lines if line.upright]
    items: list[Placed] = [*upright, *tables, *pictures, *([contents] if contents else [])]
    columns = [_column(region, page.number) for region in columns_of(items, body_size)]
    turned: list[Placed] = [line for line in lines if not line.upright]
    return [*columns, turned] if turned else columns


def _column(region: Sequence[Placed], page: int) -> list[Placed]:
    """Gather the lines of one column into rows, take aligned rows together as tables, keep floats in place."""
    rows = rows_of(item for item in region if isinstance(item, Line))
    placed: list[Placed] = []
    done = 0
    for start, end, table in aligned_tables(page, rows):
        placed += rows[done:start]
        placed.append(table)
        done = end
    placed += rows[done:]
    floats = [item for item in region if not isinstance(item, Line)]
    for item in floats:
        middle = (item.y0 + item.y1) / 2
        index = next((i for i, other in enumerate(placed) if (other.y0 + other.y1) / 2 > middle), len(placed))
        placed.insert(index, item)
    return placed
