"""Runs queries over relations: DuckDB finds the rows, exact arithmetic computes with their cells.

Numbers that lie in different units are never computed together. Rows that add up others are left out of what is added
up, counted or ranked, unless the query asks for them by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar

from engine.answer.tables import quantity as arithmetic
from engine.answer.tables.quantity import Quantity
from engine.answer.tables.query import AGGREGATES, LABEL, Condition, Operand, Query, RefusedOperationError
from engine.answer.tables.relation import NUMERIC, Relation
from engine.answer.tables.store import query_rows
from engine.enrich.cell_values import is_year, parse_cell

_Kept = TypeVar("_Kept")
_MOST_ROWS = 200_000
# A code with zeros in front is no number: "007" is not "7".
_TIME = re.compile(r"(\d{1,3}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(?:([ap])\.?m)?", re.IGNORECASE)
_FLOAT = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing found: what it is called, what is said of it, as written or computed, and its cells (row, column)."""

    name: str
    said: str
    quantity: Quantity | None
    cells: tuple[tuple[int, int], ...]
    column: int | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a query gives: its entries, in order, how many rows fulfilled its conditions, and how it was computed."""

    query: Query
    entries: tuple[Entry, ...]
    matched: int
    derivation: str = ""

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
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

    def of(self, query: Query) -> Result:
        if query.operands:
            return self._two_sided(query)
        if query.operation == "share":
            return self._share(query)
        if query.by is not None:
            return self._grouped(query)
        if query.operation in ("lookup", "filter"):
            return self._looked_up(query)
        if query.operation == "distinct":
            return self._distinct(query)
        if query.operation == "count":
            return self._counted(query)
        if query.operation in ("sum", "average"):
            return self._aggregated(query)
        return self._ordered(query)

    def rows(self, where: Sequence[Condition], totals: bool = True) -> list[int]:
        """Return the rows that fulfil all conditions, without sums of others where ``totals`` is false."""
        clauses, values = [] if totals else ["NOT total"], list[Any]()
        for condition in where:
            clause, given = self._clause(condition)
            clauses.append(clause)
            values += given
        wanted = " AND ".join(clauses) or "true"
        sql = f"SELECT r FROM t WHERE {wanted} ORDER BY r LIMIT {_MOST_ROWS}"
        found = query_rows(self._relation, sql, values)
        return [row for (row,) in found]

    def _counting(self, query: Query) -> list[int]:
        """Return the rows to compute with: no sums of others, where other rows are left."""
        return self.rows(query.where, totals=False) or self.rows(query.where)

    def _clause(self, condition: Condition) -> tuple[str, list[Any]]:
        parts, values = [], list[Any]()
        for column in condition.columns:
            clause, given = self._compared(column, condition)
            parts.append(clause)
            values += given
        joined = (" AND " if condition.comparison == "!=" else " OR ").join(parts)
        return f"({joined})", values

    def _compared(self, column: int, condition: Condition) -> tuple[str, list[Any]]:
        comparison, given = condition.comparison, list(condition.values)
        if condition.other is not None:
            kind = self._relation.columns[column].dtype
            held = "v" if kind in NUMERIC else "d" if kind == "date" else "t"
            return f"{held}{column} {comparison} {held}{condition.other}", []
        if given == [""] and column != LABEL and comparison in ("=", "!="):
            return f"t{column} {comparison} ''", []
        marks = ", ".join("?" for _ in given)
        if column == LABEL:
            told = " OR ".join("list_contains(label, ?)" for _ in given)
            return (f"NOT ({told})" if comparison == "!=" else f"({told})"), given
        typed = self._relation.columns[column]
        if comparison == "contains":
            return "(" + " OR ".join(f"contains(lower(t{column}), lower(?))" for _ in given) + ")", given
        if comparison == "!=":
            equal, given = self._compared(column, replace(condition, comparison="="))
            return f"NOT coalesce({equal}, false)", given
        if typed.dtype == "date" and comparison == "=":
            days = [day for one in given if (day := parse_cell(one).date)] or given
            clause, given_days = _dated(f"d{column}", "=", days)
            return f"(t{column} IN ({marks}) OR {clause})", [*given, *given_days]
        if typed.dtype == "date":
            return _dated(f"d{column}", comparison, given)
        if comparison == "between" and not typed.numeric:
            return f"t{column} BETWEEN ? AND ?", [min(given), max(given)]
        if typed.numeric and comparison != "=":
            numbers = [float(one) for one in given]
            if comparison == "between":
                return f"v{column} BETWEEN ? AND ?", [min(numbers), max(numbers)]
            return f"v{column} {comparison} ?", numbers[:1]
        if comparison == "=":
            numbers = [float(one) for one in given if _FLOAT.fullmatch(one)] if typed.numeric else []
            equal = f" OR v{column} IN ({', '.join('?' for _ in numbers)})" if numbers else ""
            return f"(t{column} IN ({marks}){equal})", [*given, *numbers]
        return f"t{column} {comparison} ?", given[:1]

    def _looked_up(self, query: Query) -> Result:
        rows = self.rows(query.where)
        if query.operation == "filter":
            rows = [row for row in rows if not self._relation.rows[row].total] or rows
        entries = [
            self._entry(row, column, query.told)
            for row in rows
            for column in (query.columns or (self._relation.key,))
            if column is not None and self._relation.text(row, column)
        ]
        return Result(query, tuple(entries), len(rows))

    def _entry(self, row: int, column: int, told: Sequence[int] = ()) -> Entry:
        said, quantity = self._relation.text(row, column), self._quantity(row, column)
        cells = [(row, column), *((row, one) for one in told if one != column)]
        return Entry(self._named(row, told), said, quantity, tuple(cells), column, row)

    def _named(self, row: int, told: Sequence[int]) -> str:
        names = [text for column in told if (text := self._relation.text(row, column))]
        return ", ".join(names) if names else self._relation.short_label(row)

    def _distinct(self, query: Query) -> Result:
        column = query.columns[0]
        first: dict[str, int] = {}
        rows = self._counting(query)
        for row in rows:
            text = self._relation.text(row, column)
            if text:
                first.setdefault(text, row)
        entries = [Entry("", text, None, ((row, column),), column, row) for text, row in first.items()]
        return Result(query, tuple(entries), len(rows))

    def _counted(self, query: Query) -> Result:
        rows = self._counting(query)
        if query.columns:  # different things of a column
            rows = [entry.cells[0][0] for entry in self._distinct(query).entries]
        column = query.columns[0] if query.columns else self._relation.key
        used = tuple(dict.fromkeys(c for one in query.where for c in one.used if c != LABEL))
        shown = used or ((column,) if column is not None else ())
        cells = tuple((row, c) for row in rows for c in shown)
        count = Quantity(Decimal(len(rows)))
        return Result(query, (Entry("", str(len(rows)), count, cells),), len(rows))

    def _aggregated(self, query: Query) -> Result:
        rows = self._counting(query)
        cells = [(row, column) for row in rows for column in query.columns]
        if len(cells) == 1 and self._quantity(*cells[0]) is not None:
            return Result(replace(query, operation="lookup"), (self._entry(*cells[0]),), 1)
        made, used = self._computed(query.operation, cells)
        return Result(query, (Entry("", "", made, used),), len(rows), self._derived(used, query.operation))

    def _computed(
        self, operation: str, cells: Sequence[tuple[int, int]]
    ) -> tuple[Quantity, tuple[tuple[int, int], ...]]:
        """Return the sum, mean, least or most of cells, those without a number left out, and the cells used."""
        found = [(cell, one) for cell in cells if (one := self._quantity(*cell)) is not None]
        if not found:
            raise RefusedOperationError("nothing_chosen")
        quantities = [one for _, one in found]
        if operation == "average":
            made = arithmetic.mean(quantities)
        elif operation in ("min", "max"):
            choose = min if operation == "min" else max
            made = choose(arithmetic.aligned(quantities), key=lambda one: one.value)
        else:
            made = arithmetic.total(quantities)
        return made, tuple(cell for cell, _ in found)

    def _quantity(self, row: int, column: int) -> Quantity | None:
        return self._relation.quantities(column)[row]

    def _derived(self, used: Sequence[tuple[int, int]], operation: str) -> str:
        """Return a short computation written out, "" for a long one."""
        if not 1 < len(used) <= 6:
            return ""
        mark = " + " if operation in ("sum", "average") else ", "
        text = mark.join(self._relation.text(*cell) for cell in used)
        return f"({text}) / {len(used)}" if operation == "average" else text if operation == "sum" else ""

    def _ordered(self, query: Query) -> Result:
        """Return the extremes or the ranking of cells, the first one first; a trend in the order of the table."""
        rows = self._counting(query)
        typed = [c for c in query.columns if self._relation.columns[c].dtype in NUMERIC | {"date"}]
        cells = [(row, column) for row in rows for column in typed]
        if query.operation == "trend":
            return Result(query, tuple(self._entry(*cell, query.told) for cell in cells), len(rows))
        chosen = _in_order(query, self._keyed(cells))
        return Result(query, tuple(self._entry(*cell, query.told) for cell in chosen), len(rows))

    def _keyed(self, cells: Sequence[tuple[int, int]]) -> list[tuple[Any, tuple[int, int]]]:
        """Return the cells that hold something to compare, each behind that. Raises RefusedOperationError."""
        keyed: list[tuple[Any, tuple[int, int]]]
        if any(self._relation.columns[column].dtype == "date" for _, column in cells):
            dates = {column: self._relation.dates(column) for _, column in cells}
            keyed = [(day, cell) for cell in cells if (day := dates[cell[1]][cell[0]])]
        else:
            found = [(cell, one) for cell in cells if (one := self._quantity(*cell)) is not None]
            arithmetic.aligned([one for _, one in found])  # units that differ are in no order
            keyed = [(one.amount, cell) for cell, one in found]
        if not keyed:
            raise RefusedOperationError("nothing_chosen")
        return keyed

    def _grouped(self, query: Query) -> Result:
        assert query.by is not None
        by, rows = query.by, self._counting(query)
        groups: dict[str, list[int]] = {}
        names = self._relation.texts(by)
        if query.period:
            names = [period_of(day, query.period) if day else "" for day in self._relation.dates(by)]
            rows = sorted(rows, key=lambda row: names[row])
        for row in rows:
            if text := names[row]:
                groups.setdefault(text, []).append(row)
        extreme = query.operation in ("min", "max", "rank")
        aggregate = query.operation if query.operation in AGGREGATES and not extreme else query.aggregate
        entries = []
        for text, members in groups.items():
            if aggregate == "count" or not query.columns:
                count = Quantity(Decimal(len(members)))
                cells = tuple((row, by) for row in members)
                entries.append(Entry(text, str(len(members)), count, cells, None, members[0]))
                continue
            numbers = [
                (row, c) for row in members for c in query.columns if self._quantity(row, c) is not None
            ]
            if not numbers:
                continue
            made, used = self._computed(aggregate, numbers)
            column = query.columns[0] if len(query.columns) == 1 else None
            entries.append(Entry(text, "", made, ((members[0], by), *used), column, members[0]))
        if not entries:
            raise RefusedOperationError("nothing_chosen")
        if extreme:
            arithmetic.aligned([one.quantity for one in entries if one.quantity])
            entries = _in_order(query, [(one.quantity.amount, one) for one in entries if one.quantity])
        return Result(query, tuple(entries), len(rows))

    def _share(self, query: Query) -> Result:
        """Return what part of a column's sum the rows that fulfil the conditions make up, in percent."""
        part_rows = self._counting(query)
        period = [one for one in query.where if self._is_period(one)]
        whole_rows = self.rows(period, totals=False)
        part, used = self._computed("sum", [(row, c) for row in part_rows for c in query.columns])
        whole, all_cells = self._computed("sum", [(row, c) for row in whole_rows for c in query.columns])
        ratio = arithmetic.as_percent(arithmetic.quotient(part, whole))
        derivation = " / ".join(arithmetic.written(one.value) for one in arithmetic.aligned([part, whole]))
        entry = Entry("", "", ratio, (*used, *all_cells))
        return Result(query, (entry,), len(part_rows), derivation)

    def _is_period(self, condition: Condition) -> bool:
        return all(c != LABEL and self._relation.columns[c].dtype == "date" for c in condition.columns)

    def _two_sided(self, query: Query) -> Result:
        sides = [self._side(one) for one in query.operands]
        (a, _, _), (b, _, _) = sides[:2]
        first, second = self._written(sides[0]), self._written(sides[1])
        cells = tuple(cell for _, used, _ in sides for cell in used)
        if query.operation == "compare":
            order = sorted(sides, key=lambda side: side[0].amount, reverse=query.descending)
            arithmetic.aligned([side[0] for side in sides])
            entries = [
                Entry(side[2], self._written(side), side[0], side[1], *side[1][0][::-1]) for side in order
            ]
            return Result(query, tuple(entries), len(cells))
        if query.operation == "percent_change":
            made, mark = arithmetic.percent_change(a, b), f"({second} − {first}) / {first}"
        elif query.operation == "share":
            made, mark = arithmetic.as_percent(arithmetic.quotient(a, b)), f"{first} / {second}"
        elif query.operation == "divide":
            made, mark = arithmetic.quotient(a, b), f"{first} / {second}"
        else:
            made, mark = arithmetic.difference(a, b), f"{first} − {second}"
            if not self._timed(query) and made.value < 0:  # how far two things lie apart
                made, mark = -made, f"{second} − {first}"
        names = " / ".join(name for _, _, name in sides)
        return Result(query, (Entry(names, "", made, cells),), len(cells), mark)

    def _written(self, side: tuple[Quantity, tuple[tuple[int, int], ...], str]) -> str:
        """Return one side of a computation: its cell as written, else its number."""
        made, used, _ = side
        return self._relation.text(*used[0]) if len(used) == 1 else arithmetic.written(made.value)

    def _timed(self, query: Query) -> bool:
        """True where the two sides are two periods: then the sign of the difference says which way it went."""
        columns = {side.column for side in query.operands}
        values = [value for side in query.operands for one in side.where for value in one.values]
        headed = len(columns) > 1 and all(self._relation.columns[column].years for column in columns)
        return headed or (len(columns) == 1 and len({v for v in values if is_year(v)}) > 1)

    def _side(self, operand: Operand) -> tuple[Quantity, tuple[tuple[int, int], ...], str]:
        rows = self.rows(operand.where, totals=False) or self.rows(operand.where)
        made, used = self._computed("sum", [(row, operand.column) for row in rows])
        names = list(dict.fromkeys(self._relation.label(row) for row, _ in used))
        given = [value for one in operand.where for value in one.values[:1]]
        return made, used, names[0] if len(names) == 1 else ", ".join(given)


def period_of(day: str, period: str) -> str:
    """Return the year, month or quarter of a date in ISO form, "" where it is not as exact."""
    if period == "year":
        return day[:4]
    month = day[5:7]
    if not month.isdigit():
        return day if period == "quarter" and "Q" in day else ""
    return day[:7] if period == "month" else f"{day[:4]}-Q{(int(month) + 2) // 3}"


def _in_order(query: Query, keyed: Sequence[tuple[Any, _Kept]]) -> list[_Kept]:
    """Return what stands behind its worth in order: all of the most or least, or as many as a rank asks for."""
    falls = query.operation == "max" or (query.operation == "rank" and query.descending)
    order = sorted(keyed, key=lambda one: one[0], reverse=falls)
    if query.operation == "rank":
        return [one for _, one in order[: query.limit or None]]
    return [one for worth, one in order if worth == order[0][0]]


def _dated(column: str, comparison: str, given: Iterable[str]) -> tuple[str, list[Any]]:
    """Compare ISO dates of any exactness: "2023" is every day of the year, after it comes 2024."""
    days = list(given)
    if comparison == "=":
        return "(" + " OR ".join(f"starts_with({column}, ?)" for _ in days) + ")", days
    first, last = min(days), max(days)
    if comparison == "between":
        return f"({column} >= ? AND {column} < ?)", [first, _behind(last)]
    bound = {">": (">=", _behind(last)), ">=": (">=", first), "<": ("<", first), "<=": ("<", _behind(last))}
    mark, day = bound[comparison]
    return f"{column} {mark} ?", [day]


def _behind(day: str) -> str:
    """Return a text that sorts behind all dates within a day, month or year: letters sort behind digits."""
    return day + "~"
