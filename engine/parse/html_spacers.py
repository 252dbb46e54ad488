"""Columns and rows that only space a table out, as in filings, and cells of nothing but ``$``, ``)`` or ``%``."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from engine.parse.table_text import Cell

BEFORE, AFTER = re.compile(r"\(?\s*(?:[A-Z]{0,3}[$€£¥₩₹]|RMB|Rs\.?)\s*\(?|\("), re.compile(r"[)%]{1,3}")
LARGEST = 100_000  # cells; what is laid out on pages is smaller
FIGURE = re.compile(r"[(–—-]?\s*[\d.]|[–—-]+$")


def without_spacers(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a table; where no row fills all its columns signs are put to their figures, and columns and
    rows are left out in which nothing stands that does not stand in the one beside, too."""
    rows: dict[int, list[Cell]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: cell.column):
        rows[cell.row].append(cell)
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    fullest = max((sum(bool(cell.text) for cell in row) for row in rows.values()), default=0)
    if fullest in (0, width) or width * len(rows) > LARGEST:
        return list(cells)
    joined = [one for row in rows.values() for one in _with_signs(row)]
    filled = [cell for cell in joined if cell.text]
    begin, stop = _kept(filled, width), sorted({n for c in filled for n in range(c.row, c.row + c.row_span)})
    across, down = ({old: new for new, old in enumerate(kept)} for kept in (begin, stop))
    result = []
    for cell in joined:
        columns = [across[n] for n in range(cell.column, cell.column + cell.column_span) if n in across]
        lines = [down[n] for n in range(cell.row, cell.row + cell.row_span) if n in down]
        if columns and lines:
            result.append(Cell(cell.text, lines[0], columns[0], len(lines), len(columns)))
    return sorted(result, key=lambda cell: (cell.row, cell.column))


def _with_signs(row: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a row, what is only a sign before or behind a figure with the figure, in one cell."""
    result: list[Cell] = []
    waiting: Cell | None = None  # a sign whose figure is to come
    for cell in row:
        last = result[-1] if result else None
        if waiting and cell.text and FIGURE.match(cell.text):
            result.append(_over(waiting, cell, waiting.text.replace(" ", "") + cell.text))
            waiting = None
        elif waiting and not cell.text:
            continue
        elif last and last.text[-1:].isdigit() and AFTER.fullmatch(cell.text):
            result[-1] = _over(last, cell, last.text + cell.text)
        else:
            result += [waiting] if waiting else []
            waiting = cell if BEFORE.fullmatch(cell.text) else None
            result += [] if waiting else [cell]
    return [*result, waiting] if waiting else result


def _over(first: Cell, last: Cell, text: str) -> Cell:
    return replace(first, text=text, column_span=last.column + last.column_span - first.column)


def _kept(filled: Sequence[Cell], width: int) -> list[int]:
    """Return the columns to keep: not those whose cells all reach into the next column, or all from the one before."""
    over: dict[int, set[int]] = defaultdict(set)
    for n, cell in enumerate(filled):
        for column in range(cell.column, cell.column + cell.column_span):
            over[column].add(n)
    kept = list(range(width))
    at = 0
    while at < len(kept):
        beside = [over[kept[n]] for n in (at + 1, at - 1) if 0 <= n < len(kept)]
        if any(over[kept[at]] <= other for other in beside):
            kept.pop(at)
            at = max(0, at - 1)
        else:
            at += 1
    return kept
