"""Cells -> a table block; shared by the parsers that see cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.model import Block


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text with its place in the grid (0-based) and how many rows and columns it covers."""

    text: str
    row: int
    column: int
    row_span: int = 1
    column_span: int = 1


class Grid:
    """Places cells row by row as HTML does: each takes the next place that no earlier cell covers."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.row = -1
        self._column = 0
        self._covered: set[tuple[int, int]] = set()

    def next_row(self) -> None:
        """Start a row."""
        self.row += 1
        self._column = 0

    def add(self, text: str, row_span: int = 1, column_span: int = 1) -> None:
        """Place a cell in the current row."""
        self.row = max(self.row, 0)
        while (self.row, self._column) in self._covered:
            self._column += 1
        self.cells.append(Cell(text, self.row, self._column, row_span, column_span))
        if row_span > 1:
            self._covered.update(
                (row, column)
                for row in range(self.row + 1, self.row + row_span)
                for column in range(self._column, self._column + column_span)
            )
        self._column += column_span


def table_block(cells: Sequence[Cell], header_rows: int = 0, **metadata: Any) -> Block | None:
    """Return a table block, or None when no cell holds text.

    ``metadata["rows"]`` is the full grid: a merged cell's text stands in every place it covers, so that a
    row can be read on its own. ``metadata["merged"]`` lists the merged cells, and the block's text, one
    row a line with `` | `` between cells, holds each cell once.
    """
    if not any(cell.text for cell in cells):
        return None
    height = max(cell.row for cell in cells) + 1
    width = max(cell.column + cell.column_span for cell in cells)
    rows = [[""] * width for _ in range(height)]
    lines: list[list[str]] = [[] for _ in range(height)]
    for cell in cells:
        for row in rows[cell.row : cell.row + cell.row_span]:
            row[cell.column : cell.column + cell.column_span] = [cell.text] * cell.column_span
        lines[cell.row].append(" ".join(cell.text.split()))
    merged = [
        {
            "row": c.row,
            "column": c.column,
            "row_span": min(c.row_span, height - c.row),
            "column_span": c.column_span,
        }
        for c in cells
        if c.row_span > 1 or c.column_span > 1
    ]
    facts: dict[str, Any] = {"rows": rows, "header_rows": header_rows}
    if merged:
        facts["merged"] = merged
    text = "\n".join(line for parts in lines if (line := " | ".join(parts).strip(" |")))
    return Block("table", text, metadata=facts | metadata)
