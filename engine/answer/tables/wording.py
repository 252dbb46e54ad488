"""Results in words: a sentence with its unit, or a short list, in the question's language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from engine.answer.phrases import CHINESE, ENGLISH
from engine.answer.tables.quantity import Quantity, shown
from engine.answer.tables.query import AGGREGATES, LABEL, Condition, Operand, Query
from engine.answer.tables.relation import Relation
from engine.answer.tables.run import Entry, Result
from engine.enrich.cell_values import is_year
from engine.enrich.units import written_unit

MOST_LISTED = 20
# So many cells of one row are told in a line, more as a list.
_MOST_IN_LINE = 6
# A value that says nothing without its column.
_SHORT = re.compile(r"[ -~]{1,3}|.")


def _few(values: Sequence[str]) -> str:
    """Return the first three values, and of years one after the other the first and the last."""
    if (
        len(values) > 2
        and all(one.isdecimal() and is_year(one) for one in values)
        and int(values[-1]) - int(values[0]) == len(values) - 1
    ):
        return f"{values[0]} – {values[-1]}"
    return ", ".join(value or "–" for value in values[:3])


def sentence(result: Result, relation: Relation, chinese: bool) -> str:
    """Return what a result says, in one sentence or a list, without citation marks."""
    return _Wording(result, relation, chinese).said()


class _Wording:
    def __init__(self, result: Result, relation: Relation, chinese: bool) -> None:
        self._result, self._relation, self._chinese = result, relation, chinese
        self._words = (CHINESE if chinese else ENGLISH).table_words
        self._mark = "、" if chinese else ", "

    def said(self) -> str:
        query, entries = self._result.query, self._result.entries
        if not entries:
            return self._words["none"]
        if query.operation == "compare" and len(entries) > 1:
            return self._compared(entries[0], entries[1])
        lists = query.by is not None or query.operation in ("rank", "trend", "distinct", "filter")
        return self._listed(query, entries) if lists or len(entries) > 1 else self._single(query, entries[0])

    def value(self, entry: Entry) -> str:
        """Return what an entry says with its unit: as the cell writes it, or as it was computed."""
        if entry.quantity is None:
            return entry.said
        if not entry.said or entry.row is None:
            return shown(entry.quantity, self._chinese, near=self._near(entry))
        if entry.column is None:
            return entry.said
        return _with_unit(entry.said, entry.quantity, self._chinese, self._near(entry))

    def _near(self, entry: Entry) -> str:
        """Return the header and the label of an entry's first cell, which may have a word for its unit."""
        cells = [(entry.row, entry.column)] if entry.row is not None else list(entry.cells)[:1]
        return " ".join(
            f"{' '.join(self._relation.columns[column].path)} {self._relation.label(row)}"
            for row, column in cells
            if row is not None and column is not None
        )

    @property
    def _by_rows(self) -> bool:
        """True where rows are told apart and a column is measured; false for the rows of a statement."""
        query = self._result.query
        where = [*query.where, *(one for side in query.operands for one in side.where)]
        labelled = any(LABEL in one.columns for one in where)
        return self._relation.is_list or not labelled

    def _single(self, query: Query, entry: Entry) -> str:
        value, measure = self.value(entry), self._measure(query, entry)
        if query.operation == "lookup":
            return self._looked_up(query, entry, measure, value)
        if query.operation == "count":
            told = self._told_where(query)
            counted = self._words["counted"].format(count=value, where=told)
            return counted if told else self._ended(self._words["rows"].format(count=value)[:-1])
        if query.operation in ("max", "min"):
            name = self._name(entry)
            if len(query.columns) == 1 and entry.column is not None:  # the rows are told apart
                name, measure = entry.name, self._relation.short_name(entry.column)
            close = self._chinese and not measure.isascii()  # "2018" and a number would run into one
            told = f"{measure}{'' if close else ' '}{value}" if measure else value
            return self._ended(self._words["ties"].format(name=name, value=told) if name else told)
        what = self._told(query, measure or "")
        if query.operation in ("sum", "average") and self._result.matched > 1:
            what = self._words["of_rows"].format(what=what, count=f"{self._result.matched:,}")
        made = self._stated(what, value)
        return f"{made} ({self._result.derivation})" if self._result.derivation else made

    def _told(self, query: Query, measure: str) -> str:
        """Return what was computed, and for which rows or columns."""
        columns = list(dict.fromkeys(side.column for side in query.operands))
        if len(columns) > 1:  # the rows are what is measured
            measure = ", ".join(self._labels(query))
        if query.operation == "share" and len(query.operands) == 2 and len(columns) == 1:
            first, second = (self._side(side) for side in query.operands)
            return self._words["part"].format(first=first, second=second)
        if len(columns) == 1 and not self._relation.is_list:  # its rows are the two sides
            measure = self._relation.short_name(columns[0])
        what = self._words.get(query.operation, "{measure}").format(measure=measure)
        where = self._sides(query) if query.operands else self._where(query)
        joined = self._words["share_of" if query.operation == "share" else "for"]
        return joined.format(what=what, where=where) if where else what

    def _side(self, side: Operand) -> str:
        return self._mark.join(one.values[0] for one in side.where) or self._relation.short_name(side.column)

    def _looked_up(self, query: Query, entry: Entry, measure: str, value: str) -> str:
        name = self._name(entry)
        where = name if name == value else self._with_conditions(name)
        if where == value:
            return self._stated(measure, value) if measure else self._ended(value)
        if not measure or measure == where:
            return self._ended(f"{where}: {value}" if where else value)
        if not where:
            return self._stated(measure, value)
        # Whether rows or columns of a statement are what is measured, only periods tell.
        dated = entry.column is None or self._by_rows or self._relation.columns[entry.column].years
        where += "年" if self._chinese and is_year(where) else ""
        joined = self._words["for" if dated else "beside"].format(what=measure, where=where)
        return self._stated(joined, value)

    def _with_conditions(self, name: str) -> str:
        """Return a list's row with the values that chose it, its name last: "Main bearing, NL-150"."""
        if not self._relation.is_list:
            return name
        where = self._result.query.where
        values = [one.values[0] for one in where if one.comparison == "=" and len(one.values) == 1]
        kept = [value for value in values if value not in name]
        return self._mark.join(filter(None, [*kept, name]))

    def _stated(self, what: str, value: str) -> str:
        made = self._words["is"].format(what=what, value=value)
        return made if self._chinese else made[:1].upper() + made[1:]

    def _ended(self, text: str) -> str:
        return text if text.endswith((".", "。")) else text + ("。" if self._chinese else ".")

    def _compared(self, first: Entry, second: Entry) -> str:
        word = "larger" if self._result.query.descending else "smaller"
        if first.quantity and second.quantity and first.quantity.amount == second.quantity.amount:
            word = "same"
        return self._words[word].format(
            first=first.name, second=second.name, value=self.value(first), other=self.value(second)
        )

    def _listed(self, query: Query, entries: Sequence[Entry]) -> str:
        head = ""
        if whole := self._whole_row(query, entries):
            return whole
        lines = self._row_lines(query, entries)
        count = len(lines) or len(entries)
        if count > 1:
            head = self._words["rows"].format(count=f"{count:,}")
            if not lines and (measure := self._listed_measure(query, entries[0])):
                measure = measure[:1].upper() + measure[1:]
                head = f"{measure}{'，' if self._chinese else ', '}{head}"
        lines = lines or list(dict.fromkeys(self._line(query, entry) for entry in entries[:MOST_LISTED]))
        if count > MOST_LISTED:
            lines[MOST_LISTED:] = [self._words["more"].format(count=f"{count - MOST_LISTED:,}")]
        if len(lines) == 1:
            measure = self._listed_measure(query, entries[0]) if query.by is not None else ""
            told = f"（{measure}）" if self._chinese else f" ({measure})"
            return self._ended(lines[0] + (told if measure else ""))
        return "\n".join([*([head, ""] if head else []), *(f"- {line}" for line in lines)])

    def _listed_measure(self, query: Query, entry: Entry) -> str:
        """Return what a list is of: a measure, with how it was computed and for what where rows were put together."""
        measure = self._measure(query, entry)
        if query.by is None:
            return measure
        aggregate = query.operation if query.operation in AGGREGATES - {"min", "max"} else query.aggregate
        what = self._words[aggregate].format(measure=measure) if aggregate in self._words else measure
        told = self._words["by"].format(what=what, by=self._relation.short_name(query.by))
        # For which of the groups, their names say.
        others = tuple(one for one in query.where if one.comparison != "=" or query.by not in one.columns)
        if where := self._where(replace(query, where=others)):
            told = self._words["for"].format(what=told, where=where)
        return told[:1].upper() + told[1:]

    def _whole_row(self, query: Query, entries: Sequence[Entry]) -> str:
        """Return the many cells of one row as a list below its name, "" where a line tells them or more rows."""
        if not self._tells_columns(query, entries) or len({one.row for one in entries}) > 1:
            return ""
        if len(entries) <= _MOST_IN_LINE:
            return ""
        head = self._words["ties"].format(name=entries[0].name, value="").rstrip()
        return "\n".join([head, "", *(f"- {self._cell(one)}" for one in entries)])

    def _row_lines(self, query: Query, entries: Sequence[Entry]) -> list[str]:
        """Return a line for each row of a list of which several columns are told; nothing where that is not so."""
        if not self._tells_columns(query, entries):
            return []
        rows: dict[int | None, list[Entry]] = {}
        for one in entries:
            rows.setdefault(one.row, []).append(one)
        return [
            self._words["ties"].format(name=cells[0].name, value=self._mark.join(map(self._cell, cells)))
            for cells in rows.values()
        ]

    def _tells_columns(self, query: Query, entries: Sequence[Entry]) -> bool:
        """True where several columns are told of the rows of a list."""
        return (
            query.operation in ("lookup", "filter")
            and (self._relation.is_list or query.operation == "filter")
            and len({one.column for one in entries}) > 1
        )

    def _cell(self, entry: Entry) -> str:
        """Return a cell of a row that is told whole, after its column."""
        header = "" if entry.column is None else self._relation.short_name(entry.column)
        return f"{header} {self.value(entry)}".strip()

    def _line(self, query: Query, entry: Entry) -> str:
        value = self.value(entry)
        told = entry.name
        columns = {one.column for one in self._result.entries}
        if len(columns) > 1 and entry.column is not None:
            rows = {one.row for one in self._result.entries}
            header = self._relation.short_name(entry.column)
            parts = (told if len(rows) > 1 else "", header)
            told = ", ".join(part for part in parts if part and part != value)
        if not told or told == value or query.operation == "distinct":
            return value
        return self._words["ties"].format(name=told, value=value)

    def _measure(self, query: Query, entry: Entry) -> str:
        """Return what is measured: a list's column, or the rows of a statement that the conditions name."""
        if not self._by_rows and (labels := self._labels(query)):
            return ", ".join(labels)
        columns = [entry.column] if entry.column is not None else list(query.columns)
        if not columns and query.operands:
            columns = list(dict.fromkeys(side.column for side in query.operands))
        names = (self._relation.short_name(column) for column in columns)
        return ", ".join(dict.fromkeys(filter(None, names)))

    def _labels(self, query: Query) -> list[str]:
        if not (query.where or query.operands):
            return []
        return list(dict.fromkeys(self._relation.short_label(row) for row, _ in self._result.cells))[:3]

    def _name(self, entry: Entry) -> str:
        """Return what an entry is told apart by: a list's row, or the column of a statement whose row is measured."""
        if entry.row is None or entry.column is None or self._by_rows:
            return entry.name
        return self._relation.short_name(entry.column)

    def _sides(self, query: Query) -> str:
        """Return the two sides of a comparison: their columns where these differ, else their rows."""
        columns = list(dict.fromkeys(side.column for side in query.operands))
        if len(columns) > 1:
            return " – ".join(self._relation.short_name(c) for c in columns)
        values = [one.values[0] for side in query.operands for one in side.where]
        shared = [v for v in dict.fromkeys(values) if values.count(v) == len(query.operands)]
        own = [v for v in dict.fromkeys(values) if v not in shared]
        return self._mark.join(filter(None, (self._mark.join(shared), " – ".join(own))))

    def _where(self, query: Query) -> str:
        """Return the values of the conditions, and the columns computed with, where rows and columns are measured."""
        if not self._by_rows:
            told = [self._relation.short_name(c) for c in query.columns[:4]]
        else:
            told = [
                self._condition(one)
                if one.comparison not in ("=", "contains") or any(map(_SHORT.fullmatch, one.values))
                else _few(one.values)
                for one in query.where
            ]
        return self._mark.join(told)

    def _told_where(self, query: Query) -> str:
        """Return the conditions in words: "Status cancelled, Amount > 500"."""
        parts = [self._relation.short_name(column) for column in query.columns[:1]]
        return self._mark.join([*parts, *map(self._condition, query.where)])

    def _condition(self, one: Condition) -> str:
        header = next((self._relation.short_name(c) for c in one.columns if c != LABEL), "")
        if one.other is not None:
            return f"{header} {one.comparison} {self._relation.short_name(one.other)}"
        values = " – ".join(one.values) if one.comparison == "between" else _few(one.values)
        if one.columns[0] != LABEL and self._relation.columns[one.columns[0]].numeric:
            values = " – ".join(self._in_unit(v, one.columns[0]) if v else "–" for v in one.values)
        mark = "" if one.comparison in ("=", "between", "contains") else f"{one.comparison} "
        return f"{header} {mark}{values}".strip()

    def _in_unit(self, amount: str, column: int) -> str:
        told = self._relation.columns[column]
        return shown(Quantity(Decimal(amount) / told.scale, told.unit, told.scale), self._chinese)


def _with_unit(said: str, quantity: Quantity, chinese: bool, near: str = "") -> str:
    """Return a cell's text with the unit and scale that its header states, unless it says them itself."""
    unit = written_unit(quantity.unit, quantity.scale, chinese)
    if not unit:
        return said
    bare = not any(character.isalpha() or character in "%$€£¥₹" for character in said)
    if bare and quantity.unit == "%":
        return f"{said}%"
    if bare:
        return f"{said} {unit}" if said.startswith("(") else shown(quantity, chinese, 6, near)
    scale = written_unit(None, quantity.scale, chinese)
    return f"{said} {scale}" if scale and scale not in said and said[-1:].isdigit() else said
