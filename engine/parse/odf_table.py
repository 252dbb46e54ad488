"""OpenDocument tables in texts and slides -> table blocks, with merged cells and what stands in cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.errors import LimitExceededError
from engine.model import Block
from engine.parse.odf_package import TABLE, whole
from engine.parse.table_text import Cell, table_block

MAX_AREA = 2_000_000
MAX_SPAN = 1000
MAX_NESTING = 8
CellText = Callable[[Any, int], str]
_GROUPS = frozenset(
    f"{TABLE}{name}"
    for name in ("table-header-rows", "table-rows", "table-row-group", "table-header-columns")
)


def single_cell(table: Any) -> Any | None:
    """Return the only cell of a table that is but a frame around other contents, else None."""
    rows = list(rows_below(table))
    cells = [cell for row, _ in rows for cell in row if cell.tag == f"{TABLE}table-cell"]
    return cells[0] if len(rows) == 1 and len(cells) == 1 else None


def rows_below(table: Any, in_header: bool = False) -> Iterator[tuple[Any, bool]]:
    """Yield a table's own rows, and whether each stands in its header."""
    for child in table:
        if child.tag == f"{TABLE}table-row":
            yield child, in_header
        elif child.tag in _GROUPS:
            yield from rows_below(child, in_header or child.tag == f"{TABLE}table-header-rows")


def read_table(table: Any, text_of: CellText, name: str, depth: int = 0) -> Block | None:
    """Return the table, None when no cell holds text.

    The header is what the table states, else its first row. Raises LimitExceededError when repetitions or
    spans claim too many cells.
    """
    cells: list[Cell] = []
    number = header = claimed = 0
    for row, in_header in rows_below(table):
        found = list(_cells(row, number, text_of, depth))
        filled = any(cell.text for cell in found)
        repeated = min(whole(row.get(f"{TABLE}number-rows-repeated"), 1), MAX_SPAN) if filled else 1
        for _ in range(max(repeated, 1)):
            for cell in found:
                cells.append(Cell(cell.text, number, cell.column, cell.row_span, cell.column_span))
                claimed += cell.row_span * cell.column_span
            if claimed > MAX_AREA:
                raise LimitExceededError(
                    f"{name} has a table of more than {MAX_AREA:,} cells. Split it into smaller files."
                )
            number += 1
            header += in_header
    cells = [_cut(cell, number) for cell in cells]
    plain = table.get(f"{TABLE}use-first-row-styles") == "false"
    return table_block(cells, header or (0 if plain or number < 2 else 1))


def _cells(row: Any, number: int, text_of: CellText, depth: int) -> Iterator[Cell]:
    column = 0
    for element in _cells_below(row):
        repeated = max(min(whole(element.get(f"{TABLE}number-columns-repeated"), 1), MAX_SPAN), 1)
        if element.tag == f"{TABLE}covered-table-cell":
            column += repeated
            continue
        text = text_of(element, depth)
        high = max(min(whole(element.get(f"{TABLE}number-rows-spanned"), 1), MAX_SPAN), 1)
        wide = max(min(whole(element.get(f"{TABLE}number-columns-spanned"), 1), MAX_SPAN), 1)
        for _ in range(repeated):
            if column < MAX_SPAN:
                yield Cell(text, number, column, high, min(wide, MAX_SPAN - column))
            column += 1


def _cells_below(row: Any) -> Iterator[Any]:
    for child in row:
        if child.tag in {f"{TABLE}table-cell", f"{TABLE}covered-table-cell"}:
            yield child
        elif child.tag in _GROUPS:
            yield from _cells_below(child)


def _cut(cell: Cell, rows: int) -> Cell:
    high = min(cell.row_span, rows - cell.row)
    return cell if high == cell.row_span else Cell(cell.text, cell.row, cell.column, high, cell.column_span)


def nested_text(table: Any, text_of: CellText, depth: int) -> str:
    """Return a table inside a cell as lines, a row a line."""
    if depth >= MAX_NESTING:
        return ""
    lines = []
    for row, _ in rows_below(table):
        texts = (text_of(cell, depth + 1).replace("\n", " ") for cell in _cells_below(row))
        lines.append(" | ".join(texts).strip(" |"))
    return "\n".join(line for line in lines if line)
