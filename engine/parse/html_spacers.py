"""Columns and rows that only space a table out, as in filings, and cells of nothing but ``$``, ``)`` or ``%``."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import attrgetter

from engine.parse.table_text import Cell, cells_within

BEFORE, AFTER = re.compile(r"\(?\s*(?:[A-Z]{0,3}[$€£¥₩₹]|RMB|Rs\.?)\s*\(?|\("), re.compile(r"[)%]{1,3}")
LARGEST = 100_000  # cells; what is laid out on pages is smaller
FIGURE = re.compile(r"[(–—-]?\s*[\d.]|[–—-]+$")


def without_spacers(cells: Sequence[Cell], width: int) -> list[Cell]:
    """Return the cells of a table of so many columns, given row by row; where no row fills them all signs are put to
    their figures, and columns and rows are left out in which nothing stands that does not stand in the one beside, too.
    """
    rows = [list(row) for _, row in groupby(cells, attrgetter("row"))]
    fullest = max((sum(bool(cell.text) for cell in row) for row in rows), default=0)
    if fullest in (0, width) or width * len(rows) > LARGEST:
        return list(cells)
    joined = list(chain.from_iterable(map(_with_signs, rows)))
    filled = [cell for cell in joined if cell.text]
    down = sorted({n for cell in filled for n in range(cell.row, cell.row + cell.row_span)})
    return sorted(cells_within(joined, down, _kept(filled, width)), key=attrgetter("row", "column"))


def _with_signs(row: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a row, what is only a sign before or behind a figure with the figure, in one cell."""
    result: list[Cell] = []
    for cell in row:
        last = result[-1].text if result else ""
        sign = BEFORE.fullmatch(last)
        if sign and FIGURE.match(cell.text):
            result[-1] = _over(result[-1], cell, last.replace(" ", "") + cell.text)
        elif last[-1:].isdigit() and AFTER.fullmatch(cell.text):
            result[-1] = _over(result[-1], cell, last + cell.text)
        elif cell.text or not sign:  # an empty cell may part a sign from its figure
            result.append(cell)
    return result


def _over(first: Cell, last: Cell, text: str) -> Cell:
    return replace(first, text=text, column_span=last.column + last.column_span - first.column)


def _kept(filled: Sequence[Cell], width: int) -> list[int]:
    """Return the columns to keep: not those whose cells all reach into the next column, or all from the one before."""
    over: dict[int, set[int]] = defaultdict(set)
    for n, cell in enumerate(filled):
        for column in range(cell.column, cell.column + cell.column_span):
            over[column].add(n)
    kept: list[int] = []
    for column in range(width):
        while kept and over[kept[-1]] <= over[column]:
            kept.pop()
        if not kept or not over[column] <= over[kept[-1]]:
            kept.append(column)
    return kept
