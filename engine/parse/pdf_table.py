"""A table as it stands on a PDF page."""

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.model import Block
from engine.parse.pdf_text import Boxed
from engine.parse.table_text import Cell, cells_within, table_block

# Between double rules there is a strip that is no column and no row.
NARROW = 9.0
Place = tuple[int, int]


@dataclass(slots=True)
class Table(Boxed):
    """A table on a page: its box, its cells in reading order, and the edges of its columns and rows in points.

    The cell in row r and column c stands between ``xs[c]`` and ``xs[c + 1]``, ``ys[r]`` and ``ys[r + 1]``.
    """

    page: int
    cells: list[Cell]
    xs: list[float]
    ys: list[float]

    def block(self) -> Block | None:
        """Return the table as a block, with ``edges`` from which the box of every cell follows."""
        edges = {"x": [round(x, 1) for x in self.xs], "y": [round(y, 1) for y in self.ys]}
        return table_block(self.cells, edges=edges)


def slot(stops: Sequence[float], value: float) -> int:
    """Return between which two neighbouring edges a value lies (0-based); what lies outside is in the outermost."""
    return min(max(bisect.bisect_right(stops, value) - 1, 0), len(stops) - 2)


def merged_cells(texts: Mapping[Place, str], owner: Mapping[Place, Place], height: int, width: int) -> list[Cell]:
    """Return the cells of a grid; ``owner`` names for a place that has no cell of its own the place it belongs to.

    What does not make up a rectangle is not merged: its empty places become cells of their own.
    """
    groups: dict[Place, list[Place]] = {}
    for row in range(height):
        for column in range(width):
            groups.setdefault(owner.get((row, column), (row, column)), []).append((row, column))
    cells = []
    for (row, column), places in groups.items():
        high = max(r for r, _ in places) - row + 1
        wide = max(c for _, c in places) - column + 1
        if high * wide == len(places):
            cells.append(Cell(texts.get((row, column), ""), row, column, high, wide))
            continue
        cells += [Cell(texts.get((row, column), "") if p == (row, column) else "", *p) for p in places]
    return sorted(cells, key=lambda cell: (cell.row, cell.column))


def without_empty(
    cells: Sequence[Cell], xs: Sequence[float], ys: Sequence[float]
) -> tuple[list[Cell], list[float], list[float]]:
    """Leave out rows and columns in which nothing begins: at the table's edges, and strips between double rules."""
    filled = [cell for cell in cells if cell.text]
    across = _kept({cell.column for cell in filled}, xs)
    down = _kept({cell.row for cell in filled}, ys)
    return cells_within(cells, down, across), _edges(across, xs), _edges(down, ys)


def _kept(begun: set[int], stops: Sequence[float]) -> list[int]:
    inside = range(min(begun, default=0), max(begun, default=-1) + 1)
    return [at for at in inside if at in begun or stops[at + 1] - stops[at] > NARROW]


def _edges(kept: Sequence[int], stops: Sequence[float]) -> list[float]:
    return [*(stops[index] for index in kept), stops[kept[-1] + 1]] if kept else []
