"""Operators that read: OPEN_CAPTION, OPEN_TABLE_SCHEMA, FIND_COL, LOCATE_CELL, READ_CELL, LOOKUP, FILTER."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.answer.tables.observation import Observation, numeric
from engine.answer.tables.quantity import quantity_of
from engine.answer.tables.references import (
    CellPlace,
    Place,
    UnresolvedError,
    column_at,
    matching_rows,
    row_at,
    table_of,
)
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.cell_values import is_year

Tables = Sequence[TypedTable]
_MOST_NAMES = 60


def open_caption(tables: Tables, table: str | None = None) -> Observation:
    """Return a table's label and caption."""
    chosen = table_of(tables, table)
    parts = [] if chosen.label and chosen.caption.startswith(chosen.label) else [chosen.label]
    text = " ".join(part for part in (*parts, chosen.caption) if part)
    return Observation("OPEN_CAPTION", text, "text", text)


def open_table_schema(tables: Tables, table: str | None = None) -> Observation:
    """Return a table's columns with unit, scale and type, and the names of its rows."""
    chosen = table_of(tables, table)
    columns = [
        {"column": c.index, "name": c.name, "unit": c.unit, "scale": c.scale, "dtype": c.dtype}
        for c in chosen.columns
    ]
    rows = [{"row": row.index, "name": row.name} for row in chosen.rows[:_MOST_NAMES]]
    value = {"columns": columns, "rows": rows, "row_count": len(chosen.rows)}
    text = "; ".join(c.name + (f" ({c.unit})" if c.unit else "") for c in chosen.columns if c.name)
    return Observation("OPEN_TABLE_SCHEMA", value, "schema", text)


def find_col(tables: Tables, name: str, aliases: Sequence[str] = (), table: str | None = None) -> Observation:
    """Return the column that fits a name or one of its aliases."""
    chosen = table_of(tables, table)
    try:
        column = chosen.columns[column_at(chosen, name, "FIND_COL", aliases)]
    except UnresolvedError as problem:
        return problem.observation
    value = {
        "column": column.index,
        "name": column.name,
        "unit": column.unit,
        "scale": column.scale,
        "dtype": column.dtype,
    }
    return Observation("FIND_COL", value, "schema", column.name, column.unit, column.scale)


def locate_cell(tables: Tables, row: Place, column: Place, table: str | None = None) -> Observation:
    """Return the place of the cell where a row and a column cross."""
    try:
        cell = _crossing(tables, row, column, table, "LOCATE_CELL")
    except UnresolvedError as problem:
        return problem.observation
    ref = cell.ref
    value = {"row": cell.row, "column": cell.column, "address": ref.address}
    return Observation("LOCATE_CELL", value, "schema", name_of(cell), cells=[ref])


def read_cell(tables: Tables, row: Place, column: Place, table: str | None = None) -> Observation:
    """Return what a cell says, with unit and scale."""
    try:
        return read(_crossing(tables, row, column, table, "READ_CELL"), "READ_CELL")
    except UnresolvedError as problem:
        return problem.observation


def lookup(
    tables: Tables,
    column: Place,
    row: Place | None = None,
    where: Sequence[Mapping[str, Any]] = (),
    table: str | None = None,
) -> Observation:
    """Return the cell where a named row and column cross, or a column's cells in the rows that meet conditions."""
    try:
        if row is not None:
            return read(_crossing(tables, row, column, table, "LOOKUP"), "LOOKUP")
        chosen = table_of(tables, table)
        at = column_at(chosen, column, "LOOKUP")
        cells = [CellPlace(chosen, index, at) for index in matching_rows(chosen, where, "LOOKUP")]
    except UnresolvedError as problem:
        return problem.observation
    return read_all([cell for cell in cells if cell.value.dtype != "empty"], "LOOKUP")


def filter_rows(tables: Tables, where: Sequence[Mapping[str, Any]], table: str | None = None) -> Observation:
    """Return the rows that meet all conditions."""
    chosen = table_of(tables, table)
    try:
        rows = matching_rows(chosen, where, "FILTER")
        columns = [column_at(chosen, item.get("column", 0), "FILTER") for item in where]
    except UnresolvedError as problem:
        return problem.observation
    names = [{"row": index, "name": found.name} for index in rows if (found := chosen.row(index))]
    cells = [chosen.ref(row, column) for row in rows for column in dict.fromkeys(columns)]
    text = "; ".join(str(item["name"]) for item in names)
    return Observation("FILTER", names, "list", text, cells=cells)


def read(cell: CellPlace, method: str) -> Observation:
    """Return the observation of one cell; an empty one or a dash is "not_found"."""
    text, ref, quantity = cell.text, cell.ref, quantity_of(cell.value)
    if cell.value.dtype == "empty":
        missing = f"The cell {name_of(cell)} is empty."
        return Observation(method, None, "text", missing, cells=[ref], status="not_found")
    if quantity is not None and not (cell.value.dtype == "number" and is_year(text)):
        return numeric(method, quantity, text, [ref])
    kind = cell.value.dtype
    return Observation(method, text, "date" if kind == "date" else "text", text, cells=[ref])


def read_all(cells: Sequence[CellPlace], method: str) -> Observation:
    """Return the observation of one cell or of a list of them."""
    if len(cells) == 1:
        return read(cells[0], method)
    if not cells:
        return Observation(method, None, "text", "No row meets the conditions.", status="not_found")
    texts = [cell.text for cell in cells]
    return Observation(method, texts, "list", "; ".join(texts), cells=[cell.ref for cell in cells])


def name_of(cell: CellPlace) -> str:
    """Return what a cell is called: "Total sales, 2019"."""
    ref = cell.ref
    return ", ".join(part for part in (ref.row_header, ref.column_header) if part)


def _crossing(tables: Tables, row: Place, column: Place, table: str | None, method: str) -> CellPlace:
    chosen = table_of(tables, table)
    return CellPlace(chosen, row_at(chosen, row, method), column_at(chosen, column, method))
