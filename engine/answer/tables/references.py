"""From names to cells: what the parameters of an operator mean in a table.

A row or column is given by its 0-based place or by a name. A row's name is that of the row, or what one of
its cells says. When several fit, nothing is guessed: :class:`UnresolvedError` carries the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from engine.answer.tables.converted import value_of
from engine.answer.tables.matching import Match, best_of, match_names, plain
from engine.answer.tables.observation import Observation, ambiguous, not_found
from engine.answer.tables.refused_operation import RefusedOperationError
from engine.answer.tables.typed_table import CellRef, TypedTable
from engine.enrich.cell_values import CellValue

Place = int | str
COMPARISONS = ("=", "!=", ">", ">=", "<", "<=", "contains", "one of")
# A month or a day as ISO 8601 writes them; a year is held against dates as a number.
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d)?")


class UnresolvedError(Exception):
    """A name fits nothing, or several; ``observation`` says which."""

    def __init__(self, observation: Observation) -> None:
        super().__init__(observation.text)
        self.observation = observation


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell of one of several tables."""

    table: TypedTable
    row: int
    column: int

    @property
    def ref(self) -> CellRef:
        """The reference to the cell."""
        return self.table.ref(self.row, self.column)

    @property
    def value(self) -> CellValue:
        """The cell's value."""
        return self.table.value(self.row, self.column)

    @property
    def text(self) -> str:
        """The cell's text."""
        return self.table.text(self.row, self.column)


def table_of(tables: Sequence[TypedTable], node_id: str | None) -> TypedTable:
    """Return the table with this node id; the first where none is given. Raises UsageError."""
    if node_id is None and tables:
        return tables[0]
    for table in tables:
        if table.node_id == node_id:
            return table
    known = ", ".join(table.node_id for table in tables) or "–"
    raise RefusedOperationError("no_table", table=node_id, known=known)


def column_at(table: TypedTable, wanted: Place, method: str, aliases: Sequence[str] = ()) -> int:
    """Return a column's place. Raises UnresolvedError, and UsageError for a place outside the table."""
    if isinstance(wanted, int):
        return _inside(wanted, len(table.columns), "no_such_column")
    names = [column.name for column in table.columns]
    return _one(match_names(wanted, names, aliases), list(range(len(names))), names, wanted, method, "column")


def row_at(table: TypedTable, wanted: Place, method: str, aliases: Sequence[str] = ()) -> int:
    """Return a row's place. Raises UnresolvedError, and UsageError for a place outside the table."""
    if isinstance(wanted, int):
        return _inside(wanted, len(table.cells), "no_such_row")
    places = [row.index for row in table.rows]
    names = [row.name for row in table.rows]
    matches = match_names(wanted, names, aliases)
    if not matches:
        said = [(row.index, table.text(row.index, c.index)) for row in table.rows for c in table.columns]
        exact = [index for index, text in said if plain(text) == plain(wanted)]
        matches = [Match(places.index(index), 1.0) for index in dict.fromkeys(exact)]
    return _one(matches, places, names, wanted, method, "row")


def cell_at(tables: Sequence[TypedTable], spec: Any, method: str) -> CellPlace:
    """Return the cell that ``{"row", "column", "table"?}`` means. Raises UnresolvedError and UsageError."""
    if not isinstance(spec, Mapping) or "row" not in spec or "column" not in spec:
        raise RefusedOperationError("cells_malformed", operator=method)
    table = table_of(tables, spec.get("table"))
    return CellPlace(table, row_at(table, spec["row"], method), column_at(table, spec["column"], method))


def cells_of(
    tables: Sequence[TypedTable],
    method: str,
    table: str | None = None,
    rows: Sequence[Place] | None = None,
    columns: Sequence[Place] | None = None,
    where: Sequence[Mapping[str, Any]] = (),
    cells: Sequence[Any] | None = None,
) -> list[CellPlace]:
    """Return the cells of a set: those listed, or every crossing of the rows and columns.

    Without ``rows`` all rows that are no totals and meet ``where`` are taken. Raises UnresolvedError, UsageError.
    """
    if cells is not None:
        return [cell_at(tables, spec, method) for spec in cells]
    chosen = table_of(tables, table)
    if not columns:
        raise RefusedOperationError("columns_missing", operator=method)
    places = (
        [row_at(chosen, row, method) for row in rows]
        if rows is not None
        else matching_rows(chosen, where, method)
    )
    found = [column_at(chosen, column, method) for column in columns]
    return [CellPlace(chosen, row, column) for row in places for column in found]


def matching_rows(table: TypedTable, where: Sequence[Mapping[str, Any]], method: str) -> list[int]:
    """Return the rows (totals left out) that meet all conditions ``{"column", "is", "value"}``."""
    conditions = [
        (column_at(table, item.get("column", 0), method), str(item.get("is", "=")), item.get("value"))
        for item in where
    ]
    for _, comparison, _ in conditions:
        if comparison not in COMPARISONS:
            raise RefusedOperationError(
                "comparison_unknown", operator=method, comparison=comparison, known=", ".join(COMPARISONS)
            )
    return [
        row.index
        for row in table.records
        if all(meets(table, row.index, column, comparison, value) for column, comparison, value in conditions)
    ]


def meets(table: TypedTable, row: int, column: int, comparison: str, value: Any) -> bool:
    """True when a cell meets a condition. Numbers are compared as the table writes them; empty cells meet none.

    Against a month ("2024-03") a date is held as exactly as this says. "one of" takes a list of values.
    """
    text = table.text(row, column)
    cell = value_of(text)
    if cell.dtype == "date":
        cell = table.value(row, column)
    if cell.dtype == "empty":
        return False
    if comparison == "one of":
        return any(meets(table, row, column, "=", one) for one in value)
    if cell.date and _ISO.fullmatch(str(value)) and comparison != "contains":
        return _ISO.match(cell.date) is not None and _compared(
            cell.date[: len(str(value))], str(value), comparison
        )
    if comparison in ("=", "!=", "contains") and not _is_number(value):
        held = (
            plain(str(value)) in plain(text) if comparison == "contains" else plain(text) == plain(str(value))
        )
        return held != (comparison == "!=")
    own, limit = sortable(cell, text), _decimal(value)
    if own is None or limit is None:
        return False
    if cell.dtype == "date" and own > 10**7 and limit < 10**4:
        own //= 10**4  # a full date held against a year
    return _compared(own, limit, comparison)


def _compared(own: Any, limit: Any, comparison: str) -> bool:
    return {
        "=": own == limit, "!=": own != limit, ">": own > limit, ">=": own >= limit, "<": own < limit,
        "<=": own <= limit, "contains": own == limit,
    }[comparison]  # fmt: skip


def sortable(cell: CellValue, text: str = "") -> Decimal | None:
    """Return what a cell is compared by: its number, a date as YYYYMMDD or YYYY, a time in seconds."""
    if cell.numeric:
        return cell.amount
    if cell.dtype == "date" and cell.date:
        digits = cell.date.replace("-", "").replace("Q", "0")
        return Decimal(digits.ljust(8, "0")) if len(digits) > 4 else Decimal(digits)
    if cell.dtype == "time":
        seconds = Decimal(0)
        for part in text.split():
            pieces = part.split(":")
            if len(pieces) > 1 and all(p.replace(".", "", 1).isdigit() for p in pieces):
                for piece in pieces:
                    seconds = seconds * 60 + Decimal(piece)
                return seconds
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _decimal(value: Any) -> Decimal | None:
    try:
        return Decimal(str(value).replace(",", ""))
    except InvalidOperation:
        return None


def _inside(place: int, size: int, refusal: str) -> int:
    if not 0 <= place < size:
        raise RefusedOperationError(refusal, size=size, place=place)
    return place


def _one(
    matches: Sequence[Match], places: Sequence[int], names: Sequence[str], wanted: str, method: str, kind: str
) -> int:
    if not matches:
        there = [{kind: place, "name": name} for place, name in zip(places, names, strict=True) if name]
        raise UnresolvedError(not_found(method, wanted, there[:40]))
    best = best_of(matches)
    if len(best) > 1:
        several = [{kind: places[m.index], "name": names[m.index], "score": m.score} for m in best]
        raise UnresolvedError(ambiguous(method, wanted, several))
    return places[best[0].index]
