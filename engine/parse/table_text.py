"""Cells -> a table block; shared by the parsers that see cells."""

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


def cells_within(cells: Sequence[Cell], rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
    """Return the cells that reach into these rows and columns, at their places among these."""
    down, across = ({old: new for new, old in enumerate(kept)} for kept in (rows, columns))
    found = []
    for cell in cells:
        inside = [down[n] for n in range(cell.row, cell.row + cell.row_span) if n in down]
        beside = [across[n] for n in range(cell.column, cell.column + cell.column_span) if n in across]
        if inside and beside:
            found.append(Cell(cell.text, inside[0], beside[0], len(inside), len(beside)))
    return found


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
        {"row": c.row, "column": c.column, "row_span": min(c.row_span, height - c.row), "column_span": c.column_span}
        for c in cells if c.row_span > 1 or c.column_span > 1
    ]  # fmt: skip
    facts: dict[str, Any] = {"rows": rows, "header_rows": header_rows}
    if merged:
        facts["merged"] = merged
    text = "\n".join(line for parts in lines if (line := " | ".join(parts).strip(" |")))
    return Block("table", text, metadata=facts | metadata)
