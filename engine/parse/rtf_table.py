"""Tables of Rich Text: rows are kept until the table ends, then cells fall into the columns of all rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.errors import LimitExceededError
from engine.model import Block
from engine.parse.table_text import Cell, table_block

MAX_COLUMNS = 500
MAX_ROWS = 100_000
MAX_AREA = 2_000_000
# Edges closer than this, in twips, are one: programs round.
SLACK = 30


@dataclass
class Definition:
    """How a row's cells lie: right edges in twips, and which of them continue a cell above or to the left."""

    left: int = 0
    edges: list[int] = field(default_factory=list)
    up: list[bool] = field(default_factory=list)
    aside: list[bool] = field(default_factory=list)
    header: bool = False
    merges_up: bool = False
    merges_aside: bool = False

    def close_cell(self, edge: int) -> None:
        """End the cell whose flags were just read."""
        if len(self.edges) < MAX_COLUMNS:
            self.edges.append(edge)
            self.up.append(self.merges_up)
            self.aside.append(self.merges_aside)
        self.merges_up = self.merges_aside = False


@dataclass
class Table:
    """The rows of a table as they were read."""

    rows: list[tuple[Definition, list[str]]] = field(default_factory=list)

    def block(self, name: str) -> Block | None:
        """Return the table. Raises LimitExceededError when it is too large."""
        grid = _grid([definition for definition, _ in self.rows])
        if len(self.rows) * max(len(grid), 1) > MAX_AREA or len(self.rows) > MAX_ROWS:
            raise LimitExceededError(f"{name} has a table of more than {MAX_AREA:,} cells. Split the file.")
        cells: list[Cell] = []
        above: dict[int, int] = {}
        for number, (definition, texts) in enumerate(self.rows):
            above = _place(cells, above, number, definition, texts, grid)
        header = 0
        while header < len(self.rows) and self.rows[header][0].header:
            header += 1
        return table_block(cells, header or (1 if len(self.rows) > 1 else 0))


def _grid(definitions: list[Definition]) -> list[int]:
    """Return the right edges of the table's columns."""
    edges: list[int] = []
    for edge in sorted({edge for definition in definitions for edge in definition.edges}):
        if not edges or edge - edges[-1] > SLACK:
            edges.append(edge)
    return edges[:MAX_COLUMNS]


def _place(
    cells: list[Cell], above: dict[int, int], number: int, row: Definition, texts: list[str], grid: list[int]
) -> dict[int, int]:
    """Add a row's cells; ``above`` and what is returned map columns to the cells that end the row."""
    column = 0
    ends: dict[int, int] = {}
    for index, text in enumerate(texts[:MAX_COLUMNS]):
        edge = row.edges[index] if index < len(row.edges) else 0
        width = max(sum(1 for right in grid[column:] if right <= edge + SLACK), 1)
        if index < len(row.aside) and row.aside[index] and cells and cells[-1].row == number:
            last = cells[-1]
            joined = "\n".join(part for part in (last.text, text) if part)
            cells[-1] = Cell(joined, last.row, last.column, last.row_span, last.column_span + width)
        elif index < len(row.up) and row.up[index] and column in above:
            upper = cells[above[column]]
            cells[above[column]] = Cell(
                upper.text, upper.row, upper.column, number - upper.row + 1, upper.column_span
            )
            ends[column] = above[column]
        else:
            cells.append(Cell(text, number, column, 1, width))
            ends[column] = len(cells) - 1
        column += width
    return ends
