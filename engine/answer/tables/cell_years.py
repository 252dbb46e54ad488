"""Which years the cells of a table are of: by the names of their rows and columns, and by where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from engine.answer.tables.matching import years_in
from engine.answer.tables.periods import dates_no_row, years_of_flows, years_of_latest
from engine.answer.tables.typed_table import Column, TypedTable


class CellYears:
    """The years of one table's cells; ``columns`` are those of values, ``row_names`` what the rows are called."""

    def __init__(self, table: TypedTable, row_names: Mapping[int, str], columns: Sequence[Column]) -> None:
        self._table, self._row_names, self._columns = table, row_names, columns

    def at(self, row: int, column: int) -> frozenset[str]:
        """Return the years that a cell's row names, or else its column; "Notes due 2031" are of their column's year."""
        header, name = _dating(self._table.columns[column].name), self._row_names.get(row, "")
        years = years_in(header) if dates_no_row(name) else set()
        years = years or years_in(name) or years_in(header)
        flows = self._of_columns.get(column, frozenset())
        return frozenset(years or self.by_place.get(row, flows))

    @cached_property
    def by_place(self) -> dict[int, frozenset[str]]:
        """The years of rows that name none (:func:`years_of_latest`, :func:`years_of_flows`)."""
        return years_of_latest(self._table.rows) or years_of_flows(self._row_names)

    @cached_property
    def flows(self) -> frozenset[int]:
        """The places of rows that stand between an opening and a closing balance."""
        return frozenset(years_of_flows(self._row_names))

    @cached_property
    def _of_columns(self) -> dict[int, frozenset[str]]:
        """The years of columns that name none, shares of the column before them left out."""
        return years_of_flows({column.index: column.name for column in self._columns if column.unit != "%"})

    @cached_property
    def named(self) -> frozenset[str]:
        """The years that rows and columns are named by."""
        names = [*self._row_names.values(), *(column.name for column in self._table.columns)]
        return frozenset(year for name in names for year in years_in(name)).union(*self.by_place.values())

    @property
    def dated(self) -> bool:
        """True when rows or columns are named by years; else a year of the question chooses nothing."""
        return bool(self.named)


def _dating(header: str) -> str:
    """Return the part of a column's name that dates it: of "2019 vs. 2018 / July 29, 2017" only the innermost level.

    Where a level above speaks of quite other years it was drawn too wide.
    """
    above, _, leaf = header.rpartition(" / ")
    own, others = years_in(leaf), years_in(above)
    return leaf if len(own) == 1 and len(others) > 1 and not own & others else header
