"""Runs queries over relations: DuckDB finds the rows, exact arithmetic computes with their cells.

Numbers that lie in different units are never computed together. Rows that add up others are left out of what is added
up, counted or ranked, unless the query asks for them by name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Any, TypeVar

from engine.answer.tables import quantity as arithmetic
from engine.answer.tables.quantity import Quantity
from engine.answer.tables.query import AGGREGATES, LABEL, Condition, Operand, Query, RefusedOperationError
from engine.answer.tables.relation import Relation
from engine.answer.tables.store import query_rows
from engine.enrich.cell_values import is_year, parse_cell

# A row and a column.
Cell = tuple[int, int]
_Kept = TypeVar("_Kept")
_MOST_ROWS = 200_000
# A sum of so many cells is written out.
_MOST_WRITTEN_OUT = 6
# A code with zeros in front is no number: "007" is not "7".
_FLOAT = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_ROUNDED = Decimal("1.02")  # so much more than a total its parts may come to


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing found: what it is called, what is said of it, as written or computed, and its cells (row, column)."""

    name: str
    said: str
    quantity: Quantity | None
    cells: tuple[Cell, ...]
    column: int | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a query gives: its entries, in order, how many rows fulfilled its conditions, and how it was computed.

    ``total`` is what groups that are added up come to in all.
    """

    query: Query
    entries: tuple[Entry, ...]
    matched: int
    derivation: str = ""
    total: Entry | None = None

    @property
    def empty(self) -> bool:
        """True where cells were found, and nothing stands in them."""
        return bool(self.entries) and not any(one.said or one.quantity for one in self.entries)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells that the result rests on."""
        return tuple(dict.fromkeys(cell for entry in self.entries for cell in entry.cells))


def run(query: Query, relation: Relation) -> Result:
    """Return what a query gives. Raises RefusedOperationError (units differ, no numbers) and QueryFailedError."""
    return _Run(relation).of(query)


def rows_of(relation: Relation, where: Sequence[Condition]) -> list[int]:
    """Return the rows that fulfil all conditions. Raises QueryFailedError."""
    return _Run(relation).rows(where)


class _Run:
    def __init__(self, relation: Relation) -> None:
        self._relation = relation
        self._key = () if relation.key is None else (relation.key,)
        self._minus: int | None = None

    def of(self, query: Query) -> Result:
        self._minus = query.minus
        if query.operands:
            return self._two_sided(query)
        if query.operation == "share":
            return self._share(query)
        if query.by is not None:
            return self._grouped(query)
        ways = {
            "lookup": self._looked_up, "filter": self._looked_up, "distinct": self._distinct, "count": self._counted,
            "sum": self._aggregated, "average": self._aggregated,
        }  # fmt: skip
        return ways.get(query.operation, self._ordered)(query)

    def rows(self, where: Sequence[Condition], totals: bool = True) -> list[int]:
        """Return the rows that fulfil all conditions, without sums of others where ``totals`` is false."""
        told = [self._clause(condition) for condition in where]
        wanted = " AND ".join(["true" if totals else "NOT total", *(clause for clause, _ in told)])
        sql = f"SELECT r FROM t WHERE {wanted} ORDER BY r LIMIT {_MOST_ROWS}"
        values = [value for _, given in told for value in given]
        return [row for (row,) in query_rows(self._relation, sql, values)]

    def _counting(self, query: Query) -> list[int]:
        """Return the rows to compute with: no sums of others, where other rows are left."""
        return self.rows(query.where, totals=False) or self.rows(query.where)

    def _clause(self, condition: Condition) -> tuple[str, list[Any]]:
        told = [self._compared(column, condition) for column in condition.columns]
        joined = (" AND " if condition.comparison == "!=" else " OR ").join(clause for clause, _ in told)
        return f"({joined})", [value for _, given in told for value in given]

    def _compared(self, column: int, condition: Condition) -> tuple[str, list[Any]]:
        """Return what a condition says of one of its columns as SQL, and the values in it."""
        comparison, given = condition.comparison, condition.values
        if condition.other is not None:
            held = self._held(column)
            return f"{held}{column} {comparison} {held}{condition.other}", []
        if comparison == "!=":
            equal, values = self._compared(column, replace(condition, comparison="="))
            return f"NOT coalesce({equal}, false)", values
        if column == LABEL:
            return _any_of("list_contains(label, ?)", given)
        if comparison == "contains":
            return _any_of(f"contains(lower(t{column}), lower(?))", given)
        if comparison == "=":
            return self._equal(column, given)
        return self._ordered_by(column, comparison, given)

    def _held(self, column: int) -> str:
        """Return the letter of the store's column that compares: its numbers, its dates or its texts."""
        typed = self._relation.columns[column]
        return "v" if typed.numeric else "d" if typed.dtype == "date" else "t"

    def _equal(self, column: int, given: Sequence[str]) -> tuple[str, list[Any]]:
        held, same = self._held(column), _any_of(f"t{column} = ?", given)
        more: tuple[str, list[Any]] = ("false", [])
        if held == "v":
            more = _any_of(f"v{column} = ?", [float(one) for one in given if _FLOAT.fullmatch(one)])
        elif held == "d":  # "2023" is every day of the year
            days = [parse_cell(one).date or one for one in given if one]
            more = _any_of(f"starts_with(d{column}, ?)", days)
        return f"({same[0]} OR {more[0]})", [*same[1], *more[1]]

    def _ordered_by(self, column: int, comparison: str, given: Sequence[str]) -> tuple[str, list[Any]]:
        held = self._held(column)
        values: list[Any] = sorted(map(float, given)) if held == "v" else sorted(given)
        first, last = values[0], values[-1]
        if held == "d":  # behind all days of the month or year: letters sort behind digits
            last = f"{last}~"
        if comparison == "between":
            return f"{held}{column} BETWEEN ? AND ?", [first, last]
        return f"{held}{column} {comparison} ?", [last if comparison in (">", "<=") else first]

    def _looked_up(self, query: Query) -> Result:
        rows = self._counting(query) if query.operation == "filter" else self.rows(query.where)
        cells = list(product(rows, query.columns or self._key))
        entries = [self._entry(*cell, query.told) for cell in cells if self._relation.text(*cell)]
        # That a cell is there and empty is found, too; the row is known by its name.
        entries = entries or [self._entry(*cell, query.told or self._key) for cell in cells]
        return Result(query, tuple(entries), len(rows))

    def _entry(self, row: int, column: int, told: Sequence[int] = ()) -> Entry:
        said, quantity = self._relation.text(row, column), self._quantity(row, column)
        said = said if self._minus is None else ""
        cells = [*self._used((row, column)), *((row, one) for one in told if one != column)]
        names = ", ".join(text for column in told if (text := self._relation.text(row, column)))
        return Entry(names or self._relation.short_label(row), said, quantity, tuple(cells), column, row)

    def _distinct(self, query: Query) -> Result:
        column, rows = query.columns[0], self._counting(query)
        first: dict[str, int] = {}
        for row in rows:
            first.setdefault(self._relation.text(row, column), row)
        entries = [Entry("", text, None, ((row, column),), column, row) for text, row in first.items() if text]
        return Result(query, tuple(entries), len(rows))

    def _counted(self, query: Query) -> Result:
        rows = self._counting(query)
        if query.columns:  # different things of a column
            rows = [entry.cells[0][0] for entry in self._distinct(query).entries]
        used = tuple(dict.fromkeys(c for one in query.where for c in one.used if c != LABEL))
        shown = used or query.columns[:1] or self._key
        count = Quantity(Decimal(len(rows)))
        return Result(query, (Entry("", str(len(rows)), count, tuple(product(rows, shown))),), len(rows))

    def _aggregated(self, query: Query) -> Result:
        rows = self._counting(query)
        cells = list(product(rows, query.columns))
        if len(cells) == 1 and self._quantity(*cells[0]) is not None:
            return Result(replace(query, operation="lookup"), (self._entry(*cells[0]),), 1)
        made, used = self._computed(query.operation, cells)
        derivation = ""
        if 1 < len(used) <= _MOST_WRITTEN_OUT and self._minus is None:
            derivation = " + ".join(self._relation.text(*cell) for cell in used)
            derivation = f"({derivation}) / {len(used)}" if query.operation == "average" else derivation
        return Result(query, (Entry("", "", made, used),), len(rows), derivation)

    def _computed(self, operation: str, cells: Sequence[Cell]) -> tuple[Quantity, tuple[Cell, ...]]:
        """Return the sum or mean of cells, those without a number left out, and the cells used."""
        found = self._with_numbers(cells)
        put_together = arithmetic.mean if operation == "average" else arithmetic.total
        used = tuple(used for cell, _ in found for used in self._used(cell))
        return put_together([one for _, one in found]), used

    def _with_numbers(self, cells: Sequence[Cell]) -> list[tuple[Cell, Quantity]]:
        """Return the cells that have a number, with it. Raises RefusedOperationError where there are none."""
        found = [(cell, one) for cell in cells if (one := self._quantity(*cell)) is not None]
        if not found:
            empty = not any(self._relation.text(*cell) for cell in cells)
            raise RefusedOperationError("cells_empty" if cells and empty else "nothing_chosen")
        return found

    def _quantity(self, row: int, column: int) -> Quantity | None:
        """Return what a cell says, less what another column of its row does where that is asked for."""
        own = self._relation.quantity(row, column)
        if self._minus is None or own is None:
            return own
        less = self._relation.quantity(row, self._minus)
        return None if less is None else arithmetic.difference(own, less)

    def _used(self, cell: Cell) -> list[Cell]:
        return [cell] if self._minus is None else [cell, (cell[0], self._minus)]

    def _ordered(self, query: Query) -> Result:
        """Return the extremes or the ranking of cells, the first one first; a trend in the order of the table."""
        rows = self._counting(query)
        typed = [c for c in query.columns if self._held(c) != "t"]
        cells: Iterable[Cell] = product(rows, typed)
        if query.operation != "trend":
            cells = _in_order(query, self._keyed(list(cells)))
        return Result(query, tuple(self._entry(*cell, query.told) for cell in cells), len(rows))

    def _keyed(self, cells: Sequence[Cell]) -> list[tuple[Any, Cell]]:
        """Return the cells that hold something to compare, each behind that. Raises RefusedOperationError."""
        dates = {c: self._relation.dates(c) for c in {c for _, c in cells} if self._held(c) == "d"}
        if keyed := [(day, cell) for cell in cells if cell[1] in dates and (day := dates[cell[1]][cell[0]])]:
            return keyed
        found = self._with_numbers(cells)
        arithmetic.aligned([one for _, one in found])  # units that differ are in no order
        return [(one.amount, cell) for cell, one in found]

    def _grouped(self, query: Query) -> Result:
        assert query.by is not None
        by, rows = query.by, self._counting(query)
        names = self._relation.texts(by)
        if query.period:
            names = [_period_of(day or "", query.period) for day in self._relation.dates(by)]
            rows = sorted(rows, key=lambda row: names[row])
        groups: dict[str, list[int]] = {}
        for row in rows:
            if names[row]:
                groups.setdefault(names[row], []).append(row)
        aggregate = query.operation if query.operation in AGGREGATES else query.aggregate
        column = query.columns[0] if len(query.columns) == 1 else None
        entries = []
        for text, members in groups.items():
            cells = list(product(members, query.columns))
            if aggregate == "count" or not cells:
                count, counted = Quantity(Decimal(len(members))), tuple((row, by) for row in members)
                entries.append(Entry(text, str(len(members)), count, counted, None, members[0]))
            elif any(self._quantity(*cell) is not None for cell in cells):
                made, used = self._computed(aggregate, cells)
                entries.append(Entry(text, "", made, ((members[0], by), *used), column, members[0]))
        if not entries:
            raise RefusedOperationError("nothing_chosen")
        if query.operation in ("min", "max", "rank"):
            arithmetic.aligned([one.quantity for one in entries if one.quantity])
            entries = _in_order(query, [(one.quantity.amount, one) for one in entries if one.quantity])
        total = _in_all(entries, by) if query.operation in ("sum", "count") and len(entries) > 1 else None
        return Result(query, tuple(entries), len(rows), total=total)

    def _share(self, query: Query) -> Result:
        """Return what part of a column's sum, or of the total that the table tells, the rows are, in percent."""
        part_rows = self._counting(query)
        period = [one for one in query.where if all(c != LABEL and self._held(c) == "d" for c in one.columns)]
        part, used = self._computed("sum", list(product(part_rows, query.columns)))
        whole, all_cells = self._computed("sum", list(product(self.rows(period, totals=False), query.columns)))
        totals = [row for row, told in enumerate(self._relation.rows) if told.total and not period]
        told = [(one.amount, row) for row in totals if (one := self._relation.quantity(row, query.columns[0]))]
        amount, row = max(told, default=(part.amount, -1))
        if amount > part.amount and (whole.amount <= amount * _ROUNDED or [one for one, _ in told].count(amount) > 1):
            whole, all_cells = self._computed("sum", [(row, query.columns[0])])  # no subtotal, which adds up a part
        ratio = arithmetic.as_percent(arithmetic.quotient(part, whole))
        derivation = " / ".join(arithmetic.written(one.value) for one in arithmetic.aligned([part, whole]))
        return Result(query, (Entry("", "", ratio, (*used, *all_cells)),), len(part_rows), derivation)

    def _two_sided(self, query: Query) -> Result:
        sides = [self._side(one) for one in query.operands]
        cells = tuple(cell for _, side in sides for cell in side.cells)
        if query.operation == "compare":
            arithmetic.aligned([made for made, _ in sides])
            sides.sort(key=lambda side: side[0].amount, reverse=query.descending)
            return Result(query, tuple(side for _, side in sides), len(cells))
        names = " / ".join(side.name for _, side in sides)
        (a, first), (b, second) = sides[:2]
        if query.operation == "percent_change":
            made, mark = arithmetic.percent_change(a, b), f"({second.said} − {first.said}) / {first.said}"
        elif query.operation == "diff":
            if not self._timed(query) and a.amount < b.amount:  # how far two things lie apart
                a, first, b, second = b, second, a, first
            made, mark = arithmetic.difference(a, b), f"{first.said} − {second.said}"
        else:
            made, mark = arithmetic.quotient(a, b), f"{first.said} / {second.said}"
            made = arithmetic.as_percent(made) if query.operation == "share" else made
        return Result(query, (Entry(names, "", made, cells),), len(cells), mark)

    def _timed(self, query: Query) -> bool:
        """True where the two sides are two periods: then the sign of the difference says which way it went."""
        columns = {side.column for side in query.operands}
        values = {value for side in query.operands for one in side.where for value in one.values}
        headed = all(self._relation.columns[column].years for column in columns)
        return headed if len(columns) > 1 else sum(map(is_year, values)) > 1

    def _side(self, operand: Operand) -> tuple[Quantity, Entry]:
        """Return one side of a computation: what it comes to, and that with its cell as written or its number."""
        rows = self.rows(operand.where, totals=False) or self.rows(operand.where)
        made, used = self._computed("sum", [(row, operand.column) for row in rows])
        names = list(dict.fromkeys(self._relation.label(row) for row, _ in used))
        given = [value for one in operand.where for value in one.values[:1]]
        name = names[0] if len(names) == 1 else ", ".join(given)
        said = self._relation.text(*used[0]) if len(used) == 1 else arithmetic.written(made.value)
        return made, Entry(name, said, made, used, operand.column, used[0][0])


def _in_all(groups: Sequence[Entry], by: int) -> Entry | None:
    """Return what the sums of groups come to, with the cells added up; None where their units differ."""
    try:
        made = arithmetic.total([one.quantity for one in groups if one.quantity])
    except arithmetic.UnitsDifferError:
        return None
    cells = [cell for one in groups for cell in one.cells]
    return Entry("", "", made, tuple(cell for cell in cells if cell[1] != by) or tuple(cells), groups[0].column)


def _period_of(day: str, period: str) -> str:
    """Return the year, month or quarter of a date in ISO form, "" where it is not as exact."""
    if period == "year":
        return day[:4]
    month = day[5:7]
    if not month.isdigit():
        return day if period == "quarter" and "Q" in day else ""
    return day[:7] if period == "month" else f"{day[:4]}-Q{(int(month) + 2) // 3}"


def _any_of(clause: str, given: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return that a clause holds of one of the values; of none where there are none."""
    return f"({' OR '.join([clause] * len(given)) or 'false'})", list(given)


def _in_order(query: Query, keyed: Sequence[tuple[Any, _Kept]]) -> list[_Kept]:
    """Return what stands behind its worth in order: all of the most or least, or as many as a rank asks for."""
    falls = query.operation == "max" or (query.operation == "rank" and query.descending)
    order = sorted(keyed, key=lambda one: one[0], reverse=falls)
    if query.operation == "rank":
        return [one for _, one in order[: query.limit or None]]
    return [one for worth, one in order if worth == order[0][0]]
