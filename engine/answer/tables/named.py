"""Queries by name: what a model or an agent writes is resolved to the columns and values of a relation.

A name is found as it is written, else by the same base forms, else by the nearest spelling; where nothing is near
enough, the error says which names there are. Nothing is guessed by meaning: whoever wrote the query saw the schema.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz, process

from engine.answer.tables.lexis import forms
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.query import (
    AGGREGATES,
    COMPARISONS,
    LABEL,
    OPERATIONS,
    PERIODS,
    TWO_SIDED,
    Aggregate,
    Comparison,
    Condition,
    Operand,
    Query,
    RefusedOperationError,
)
from engine.enrich.cell_values import parse_cell

_NEAR = 88.0
# A model copies the unit with the name: "Amount (EUR)".
_REMARK = re.compile(r"(?<=\S)\s*[(（][^()（）]*[)）]$")
# So many columns are told of a row, and so many names of what there is.
_WIDE, _SHOWN = 8, 12
_OF_NUMBERS = frozenset({"sum", "average", "min", "max", "rank", "trend", "share"})
_OF_NAMES: tuple[Comparison, ...] = ("=", "!=", "contains")
_OTHER_SIGNS = {"==": "=", "eq": "=", "<>": "!=", "in": "=", "after": ">", "before": "<"}


class UnknownNameError(RefusedOperationError):
    """A column, row or value that the table does not have; the text says which it has."""

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        """``kind`` is "column", "value" or "operation"; ``known`` are the likeliest names first."""
        self.kind, self.name, self.known = kind, name, known
        listed = ", ".join(f"“{one}”" for one in known[:_SHOWN])
        super().__init__("unknown_name", kind=kind, name=name, known=listed or "–")


def query_of(plan: Mapping[str, Any], linked: LinkedRelation, asked: Sequence[int] = ()) -> Query:
    """Return the query that a plan's names mean; ``asked`` are the columns that the question names.

    Rows that are chosen, and of which nothing is named, are told whole: what is asked and what chooses them, else the
    first cells. Raises UnknownNameError and RefusedOperationError.
    """
    return _Named(linked).query(plan, asked)


class _Named:
    def __init__(self, linked: LinkedRelation) -> None:
        self._relation, self._values = linked.relation, linked.values

    def query(self, plan: Mapping[str, Any], asked: Sequence[int]) -> Query:
        operation: Any = self._one_of(OPERATIONS, plan.get("operation") or "", "operation")
        rows, where = _listed(_first(plan, "rows", "row")), self._where(plan)
        columns = [self.column(name) for name in _listed(_first(plan, "columns", "column"))]
        operands = self._operands(plan, rows, columns, where) if operation in TWO_SIDED else ()
        told = tuple(self.column(name) for name in _listed(plan.get("told")))
        if (operation == "filter" or (operation == "lookup" and len(rows) == 1)) and not columns and not told:
            cells = [c.index for c in self._relation.columns if not c.names_rows and c.index != self._relation.key]
            used = {c for one in where for c in one.used}
            columns = [c for c in cells if c in used.union(asked or cells[:_WIDE])]
        by = None if plan.get("by") in (None, "") else self.column(plan["by"])
        limit = plan.get("limit")
        aggregate: Aggregate = "sum"
        if by is not None and plan.get("order") and operation in AGGREGATES:
            operation, aggregate = "rank", operation  # groups in order of what they come to
        if operation in _OF_NUMBERS and not columns and aggregate != "count":
            columns = [c.index for c in self._relation.columns if c.numeric and not c.names_rows]
            columns = columns if len(columns) == 1 else []
            if not columns and by is not None and operation in ("max", "min", "rank"):
                aggregate = "count"  # the group with the most rows
        if operation in _OF_NUMBERS | {"distinct"} and not columns and aggregate != "count":
            raise RefusedOperationError("columns_missing")
        return Query(
            operation, tuple(columns), tuple(where), told, by,
            descending=str(plan.get("order") or "").casefold() not in ("asc", "ascending"),
            limit=limit if isinstance(limit, int) and limit > 0 else 0, operands=operands,
            minus=None if plan.get("minus") in (None, "") else self.column(plan["minus"]),
            aggregate=aggregate, period=self._one_of(("", *PERIODS), plan.get("per") or "", "value"),
        )  # fmt: skip

    def _one_of(self, known: Sequence[str], name: Any, kind: str) -> Any:
        plain = str(name).strip().casefold()
        if plain not in known:
            raise UnknownNameError(kind, str(name), known)
        return plain

    def column(self, name: Any) -> int:
        """Return the place of a column by its name, a level of it, or its number. Raises UnknownNameError."""
        columns = self._relation.columns
        if isinstance(name, int) and not isinstance(name, bool) and 0 <= name < len(columns):
            return name
        text = " ".join(str(name).split())
        names = self._relation.called
        alike: list[int] = []
        for holds in (
            lambda one: one.casefold() == text.casefold(),
            lambda one: forms(one) == forms(text) and bool(forms(text)),
            lambda one: text.casefold() in one.casefold().split(" / "),
        ):
            found = [index for index, one in enumerate(names) if holds(one)]
            if len(found) == 1:
                return found[0]
            alike = alike or found
        if not alike and (near := _nearest(text, names)) is not None:
            return names.index(near)
        known = [names[one] for one in alike] or list(filter(None, names))  # of several that are called so, these
        like = process.extract(text, known, limit=_SHOWN) if len(known) > _SHOWN else [(one,) for one in known]
        raise UnknownNameError("column", text, [one for one, *_ in like])

    def _where(self, told: Mapping[str, Any]) -> list[Condition]:
        """Return the conditions of a plan or a cell, those of its rows' names the last one."""
        where = [self._condition(one) for one in _listed(told.get("where")) if isinstance(one, Mapping)]
        rows = _listed(_first(told, "rows", "row"))
        return [*where, self._row(rows)] if rows else where

    def _row(self, names: Sequence[Any], comparison: Comparison = "=", column: int | None = None) -> Condition:
        """Return a condition on the values that texts name, of one column where that is told."""
        comparison = _one_known(comparison, _OF_NAMES)
        found: dict[int, list[str]] = {}
        for name in map(str, names):
            for place, texts in self._named(name, column).items():
                found.setdefault(place, []).extend(texts)
        columns = (LABEL,) if LABEL in found else tuple(found)
        every = tuple(dict.fromkeys(text for c in columns for text in found[c]))
        return Condition(columns, "!=" if comparison == "!=" else "=", every)

    def _named(self, value: str, column: int | None) -> dict[int, list[str]]:
        """Return the values that a text names, by column. Raises UnknownNameError with the nearest ones."""
        wanted = forms(value)
        for found in (self._values.named_by(wanted), self._values.holding(wanted)):
            kept = {c: texts for c, texts in found.items() if column is None or c == column}
            if kept:
                return kept
        every = {text: c for c, texts in self._values.texts.items() if column in (None, c) for text in texts}
        near = _nearest(value, list(every))
        if near is None:
            raise UnknownNameError("value", value, self._values_like(value, list(every)))
        return {every[near]: [near]}

    def _values_like(self, value: str, known: Sequence[str]) -> list[str]:
        """Return the values nearest to a text, those of one column: the nearest one's."""
        best = process.extractOne(value, known, scorer=fuzz.WRatio)
        columns = (self._relation.texts(column.index) for column in self._relation.columns)
        home = next((set(texts) for texts in columns if best and best[0] in texts), set(known))
        kept = [text for text in known if text in home]
        return [text for text, _, _ in process.extract(value, kept, scorer=fuzz.WRatio, limit=_SHOWN)]

    def _condition(self, told: Mapping[str, Any]) -> Condition:
        sign = str(told.get("is") or told.get("op") or "=")
        comparison = _one_known(_OTHER_SIGNS.get(sign, sign), COMPARISONS)
        given = [str(one) for one in _listed(told.get("value"))]
        name = told.get("column")
        if name not in (None, "") and told.get("other") not in (None, ""):
            return self._between_columns(self.column(name), comparison, self.column(told["other"]))
        if not given:
            raise RefusedOperationError("value_missing", name=name or "row")
        if name in (None, "", "row", "label"):
            return self._row(given, comparison)
        column = self.column(name)
        if (other := self._column_meant(given)) is not None:
            return self._between_columns(column, comparison, other)
        typed = self._relation.columns[column]
        if comparison in ("=", "!=") and not typed.numeric and typed.dtype != "date":
            # Values that name the rows of a statement are indexed as its labels.
            return self._row(given, comparison, column if column in self._values.texts else LABEL)
        values = tuple(self._comparable(value, column) for value in given)
        return Condition((column,), comparison, values)

    def _column_meant(self, given: Sequence[str]) -> int | None:
        """Return the column of numbers or dates whose name a plan gives as a value, None for a value."""
        if len(given) != 1 or parse_cell(given[0]).numeric or parse_cell(given[0]).date:
            return None
        named = [
            c.index for c in self._relation.columns
            if forms(c.name) == forms(given[0]) and (c.numeric or c.dtype == "date")
        ]  # fmt: skip
        return named[0] if len(named) == 1 else None

    def _between_columns(self, first: int, comparison: Comparison, second: int) -> Condition:
        """Return a condition on a row's own cells in two columns, both of numbers or both of dates."""
        a, b = self._relation.columns[first], self._relation.columns[second]
        alike = (a.numeric and b.numeric) or a.dtype == b.dtype == "date"
        if not alike or comparison in ("between", "contains"):
            raise RefusedOperationError("columns_unlike", first=a.name, second=b.name)
        return Condition((first,), comparison, other=second)

    def _comparable(self, value: str, column: int) -> str:
        typed, parsed = self._relation.columns[column], parse_cell(value)
        if typed.dtype == "date":
            return parsed.date or value
        if not typed.numeric:
            return value
        if parsed.amount is None:
            raise RefusedOperationError("no_number", cell=value, name=typed.name)
        return str(parsed.amount if parsed.scale != 1 else parsed.amount * typed.scale)

    def _operands(
        self, plan: Mapping[str, Any], rows: Sequence[Any], columns: Sequence[int], where: Sequence[Condition]
    ) -> tuple[Operand, ...]:
        """Return the two sides of a comparison: two cells, one row in two columns, or two rows of one column."""
        cells = [plan[side] for side in ("a", "b") if isinstance(plan.get(side), Mapping)]
        if len(cells) == 2:
            return tuple(Operand(self.column(cell.get("column")), (*where, *self._where(cell))) for cell in cells)
        if len(columns) == 2:
            return tuple(Operand(column, tuple(where)) for column in columns)
        if len(rows) == 2 and len(columns) == 1:
            return tuple(Operand(columns[0], (*where[:-1], self._row([name]))) for name in rows)
        raise RefusedOperationError("sides_missing")


def _one_known(name: str, known: Sequence[str]) -> Comparison:
    if name not in known:
        raise RefusedOperationError("comparison_unknown", operator="where", comparison=name, known=", ".join(known))
    return name  # type: ignore[return-value]


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that is spelled nearest, its numbers being the same; None where none is near."""
    alike = [one for one in known if _numbers(one) == _numbers(name)]
    plain = _REMARK.sub("", name).casefold()
    near = process.extractOne(plain, [one.casefold() for one in alike], scorer=fuzz.ratio, score_cutoff=_NEAR)
    return None if near is None or not plain else alike[near[2]]


def _numbers(name: str) -> list[str]:
    return [form for form in forms(name) if form[0].isdigit()]


def _first(plan: Mapping[str, Any], *names: str) -> Any:
    """Return what a plan says under the first of these names that it has."""
    return next((plan[name] for name in names if plan.get(name) not in (None, "", [])), None)


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]
