"""A table as a relation: typed columns with header paths, rows with labels, and cells that keep their address.

Everything is read from the metadata of the table's node (:mod:`engine.enrich.tables` puts it there). The parts of a
long sheet make one relation. Rows and columns are numbered from 0 in the order of the table, header rows left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from string import digits
from typing import Any, NamedTuple

from engine.answer.tables.quantity import Quantity, quantity_of
from engine.answer.tables.vocabulary import is_total
from engine.enrich.cell_places import CellRef, address_of, cell_of, lines_of
from engine.enrich.cell_values import CellValue, is_year, parse_cell, say_day_first
from engine.enrich.table_shape import is_group_row
from engine.enrich.tables import enrich_table, read_cell
from engine.enrich.units import is_unit, without_unit
from engine.model import Node

NUMERIC = frozenset({"number", "percent", "currency"})
_DECIMAL, _PLAIN = re.compile(r"[-+]?\d{1,15}\.\d{1,10}"), re.compile(r"[-+]?\d{1,15}(?:\.\d{1,10})?")
# A year in a header, also with its digits set apart ("2 0 1 8").
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|2[01]\d\d|1 [5-9] \d \d|2 [01] \d \d)(?!\d)")
# One number between words; behind 第 it says which one it is, not how many.
_AFFIXED, _ORDINAL = re.compile(r"(\D*?)\s*(\d[\d,]{0,15}(?:\.\d{1,9})?)\s*([^\W\d][^\d]{0,20})"), "第"
# So many cells at least have to be alike.
_ALIKE = 3
_LEVELS = " / "
# What rows are called differs in at least this share of them: people may be called alike.
_DIFFERENT = 0.7
# Longer tables are lists of records: the names of their rows are not looked at one by one.
LONG = 2000


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a relation.

    ``path`` are the header's texts from the top, ``unit`` is canonical ("%", "USD"), ``scale`` what its numbers are
    multiplied by (1000 for thousands), ``dtype`` number, percent, currency, date, time or text. ``names_rows`` is
    true for the columns in front that say what the rows are about. ``letters`` are those a sheet calls it by.
    """

    index: int
    path: tuple[str, ...]
    unit: str | None
    scale: int
    dtype: str
    names_rows: bool
    letters: str

    @property
    def numeric(self) -> bool:
        """True where the cells are numbers, percentages or money."""
        return self.dtype in NUMERIC

    @property
    def plain(self) -> bool:
        """True for numbers without a unit and a scale, which may be names as well: districts, grades, codes."""
        return self.dtype == "number" and self.unit is None and self.scale == 1

    @property
    def levels(self) -> tuple[str, ...]:
        """The header's levels without remarks on the unit at their end."""
        return tuple(without_unit(part) for part in self.path)

    @property
    def years(self) -> tuple[int, ...]:
        """The years that the header names, in its order, years over two ("2018/19", "2018/2019") as both."""
        found = (year.replace(" ", "") for part in self.path for year in _YEAR.findall(part))
        return tuple(dict.fromkeys(map(int, found)))

    @property
    def name(self) -> str:
        """The header's levels, joined."""
        return _LEVELS.join(self.levels)


class Row(NamedTuple):
    """A row with values: where it stands in its node, and its label with the groups above it, the outermost first."""

    node: int
    place: int
    label: tuple[str, ...]
    total: bool


class Relation:
    """One table, or one sheet of several parts. Immutable; what is expensive is computed once."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = [node if "columns" in node.metadata else enrich_table(node) for node in nodes]
        facts = self.nodes[0].metadata
        self.header_rows = int(facts.get("header_rows") or 0)
        self.header_columns = self._naming_columns(facts)
        self.caption = " / ".join(dict.fromkeys([str(facts.get("caption") or ""), *(facts.get("titles") or [])]))
        self.sheet = str(facts.get("sheet") or "")
        self._quantities: dict[tuple[int, int], Quantity | None] = {}
        self._texts: dict[int, list[str]] = {}
        self._lines: dict[int, dict[int, tuple[int, int]]] = {}
        self._affixed = self._with_affixes(facts)
        self.columns = self._columns(facts)

    def _naming_columns(self, facts: dict[str, Any]) -> int:
        """Return how many columns in front name the rows; none where these are numbers filled up with zeros.

        "0012" tells records apart, and another column says who or what they are.
        """
        told = int(facts.get("header_columns") or 0)
        cells = (facts.get("rows") or [])[self.header_rows : self.header_rows + LONG]
        texts = [text for row in cells if (text := "".join(map(str, row[:1])).strip()) and not is_total(text)]
        return 0 if told == 1 and _filled_up(texts) else told

    def _columns(self, facts: dict[str, Any]) -> list[Column]:
        found = []
        for index, told in enumerate(facts.get("columns") or []):
            parts = [part.strip() for part in str(told.get("name") or "").split(_LEVELS) if part.strip()]
            path = tuple(part for part in parts if len(parts) == 1 or not is_unit(part))
            if index < self.header_columns:  # what spans columns of values names no rows
                path = path[-1:]
            dtype = "number" if index in self._affixed else str(told.get("dtype") or "text")
            letters = address_of(self.nodes[0], 0, index).rpartition("!")[2].rstrip(digits)
            names_rows, scale = index < self.header_columns, int(told.get("scale") or 1)
            found.append(Column(index, path, told.get("unit"), scale, dtype, names_rows, letters))
        return found

    def _with_affixes(self, facts: dict[str, Any]) -> frozenset[int]:
        """Return the columns all of whose texts are one number between the same words ("107 visits", 共245次带看)."""
        told = facts.get("columns") or []
        texts = [c for c in range(self.header_columns, len(told)) if told[c].get("dtype") == "text"]
        return frozenset(c for c in texts if _are_affixed([text for text in self.texts(c)[:LONG] if text]))

    @cached_property
    def rows(self) -> list[Row]:
        """The rows that hold values, in order: no header, group or empty rows, and no notes."""
        found: list[Row] = []
        for number, node in enumerate(self.nodes):
            facts = node.metadata
            cells: list[list[Any]] = facts.get("rows") or []
            names: list[str] = (facts.get("row_names") or []) if self.header_columns else []
            end = len(cells) - int(facts.get("note_rows") or 0)
            period = ""
            for place in range(int(facts.get("header_rows") or 0), end):
                row = [str(cell).strip() for cell in cells[place]]
                filled = [text for text in row if text]
                alone = _alone(row) if self.header_columns else ""
                if alone and (is_year(alone) or parse_cell(alone).dtype == "date"):
                    period = alone
                elif filled and not (alone and is_group_row(row)):
                    name = names[place] if place < len(names) else ""
                    parts = (period, *(name.split(_LEVELS) if name else row[: self.header_columns]))
                    label = tuple(told for part in parts if (told := " ".join(part.split())))
                    label = label or tuple(filter(is_total, filled[:1]))
                    found.append(Row(number, place, label, any(map(is_total, {*label, filled[0]}))))
        return found

    def text(self, row: int, column: int) -> str:
        """Return what a cell says, its white space made plain."""
        return self.texts(column)[row]

    def texts(self, column: int) -> list[str]:
        """Return what the cells of a column say, row by row, their white space made plain."""
        if column not in self._texts:
            rows = (self.nodes[row.node].metadata["rows"][row.place] for row in self.rows)
            cells = (row[column] if column < len(row) else "" for row in rows)
            self._texts[column] = [" ".join(str(cell).split()) for cell in cells]
        return self._texts[column]

    def value(self, row: int, column: int) -> CellValue:
        """Return a cell's value with the unit and scale of its row, column or table."""
        where, typed, text = self.rows[row], self.columns[column], self.text(row, column)
        if column in self._affixed and (number := _AFFIXED.fullmatch(text)):
            return CellValue("number", Decimal(number[2].replace(",", "")))
        if typed.numeric and (self.is_list or _DECIMAL.fullmatch(text)):
            return _number(text, typed)
        value = read_cell(self.nodes[where.node].metadata, where.place, column)
        if value.dtype == "date" and column in self._day_first:
            return parse_cell(self.text(row, column), day_first=True)
        return value

    def quantity(self, row: int, column: int) -> Quantity | None:
        """Return a cell's number with its unit and scale, None where it has none, and in a column of dates."""
        if (row, column) not in self._quantities:
            dated = self.columns[column].dtype == "date"
            value = self.value(row, column) if self.text(row, column) and not dated else None
            self._quantities[row, column] = quantity_of(value) if value else None
        return self._quantities[row, column]

    def amounts(self, column: int) -> list[float | None]:
        """Return the numbers of a column of numbers, row by row, scales multiplied in, None where a cell has none."""
        quick = self.is_list and self.columns[column].scale == 1
        found: list[float | None] = []
        for row, text in enumerate(self.texts(column)):
            if quick and _PLAIN.fullmatch(text):
                found.append(float(text))
            else:
                one = self.quantity(row, column)
                found.append(None if one is None else float(one.amount))
        return found

    def dates(self, column: int) -> list[str | None]:
        """Return the dates of a column in ISO form, as exact as written ("2023", "2023-04", "2023-Q1")."""
        read: dict[str, str | None] = {"": None}
        for row, text in enumerate(self.texts(column)):
            if text not in read:
                read[text] = self.value(row, column).date
        return [read[text] for text in self.texts(column)]

    @cached_property
    def _day_first(self) -> frozenset[int]:
        dated = [column.index for column in self.columns if column.dtype == "date"]
        return frozenset(column for column in dated if say_day_first(self.texts(column)[:LONG]))

    @cached_property
    def key(self) -> int | None:
        """The column that says what a row is about: the last naming one, else the first whose texts differ.

        A naming column most of whose cells are empty holds remarks; a name says it better than a number.
        """
        half = len(self.rows[:LONG]) / 2
        if naming := [column.index for column in self.columns[: self.header_columns]]:
            filled = [column for column in naming if sum(map(bool, self.texts(column)[:LONG])) >= half]
            return (filled or naming)[-1]
        told = [column.index for column in self.columns if column.dtype == "text"]
        different = [c for c in told if self.tells_apart(c)]
        named = [c for c in different if not all(map(str.isdecimal, self._names_in(c)))]
        return next(iter((*named, *different, *told)), None)

    def _names_in(self, column: int) -> list[str]:
        return [text for text in self.texts(column)[:LONG] if text and not is_total(text)]

    def tells_apart(self, column: int) -> bool:
        """True for a column of texts that most rows have and nearly all of which differ: it names the rows."""
        texts = self._names_in(column) if self.columns[column].dtype == "text" else []
        filled = 2 * len(texts) >= len(self.rows[:LONG])
        return bool(texts) and filled and len(set(texts)) >= _DIFFERENT * len(texts)

    def label(self, row: int) -> str:
        """Return what a row is called: its label with its groups, else the text of its key column."""
        if self.rows[row].label:
            return _LEVELS.join(self.rows[row].label)
        return self.text(row, self.key) if self.key is not None else ""

    def short_label(self, row: int) -> str:
        """Return a row's own name where no other row has it, else with the groups above it."""
        told = self.rows[row].label
        return told[-1] if told and self._own_names[told[-1]] == 1 else self.label(row)

    @cached_property
    def _own_names(self) -> Counter[str]:
        return Counter(row.label[-1] for row in self.rows if row.label)

    @cached_property
    def called(self) -> list[str]:
        """What each column is called, no two alike: its header, with the unit where "Height (ft)" is beside it.

        Letters that a sheet calls it by stand for a header, and tell columns apart that nothing else does.
        """
        names = [column.name or column.letters for column in self.columns]
        told = [n if names.count(n) == 1 else _LEVELS.join(c.path) for n, c in zip(names, self.columns, strict=True)]
        return [
            one if told.count(one) == 1 else f"{one} ({column.letters})"
            for one, column in zip(told, self.columns, strict=True)
        ]

    def short_name(self, column: int) -> str:
        """Return a column's header without the levels that all columns of values have."""
        others = [c for c in self.columns if not c.names_rows and c.index != column]
        own = self.columns[column].levels
        kept = [part for part in own if not others or any(part not in c.levels for c in others)]
        return _LEVELS.join(kept or own) or ("" if self.header_rows else self.columns[column].letters)

    @cached_property
    def is_list(self) -> bool:
        """True for a list of records, each column of its own kind; false for a statement, whose rows are measures.

        A statement has columns of one kind, or for periods, behind the names of its rows. One figure behind several
        columns that are named is a record's, and so are rows with a running number.
        """
        values = [column for column in self.columns if not column.names_rows and column.path]
        if len(self.rows) > LONG or not self.header_columns or not values:
            return True
        periods = Counter(column.years for column in values if column.years and column.numeric)
        most = 2 * periods.total() >= len(values)
        if most and len(periods) >= 2 and 2 * max(periods.values()) <= periods.total():
            return False
        naming = self.columns[: self.header_columns]
        if len(values) == 1 and len(naming) > 1 and not values[0].years and all(c.path for c in naming):
            return True
        kinds = Counter((column.dtype, column.unit) for column in values)
        return len(kinds) > 1 or not values[0].numeric or any(self.is_serial(c.index) for c in naming)

    def is_serial(self, column: int) -> bool:
        """True for a column that numbers the rows one by one: things are numbered, measures are not."""
        texts = [text for place, text in enumerate(self.texts(column)) if not self.rows[place].total]
        numbers = [int(text) for text in texts if text.isdecimal()]
        return len(numbers) == len(texts) > 1 and all(b - a == 1 for a, b in pairwise(numbers))

    def ref(self, row: int, column: int) -> CellRef:
        """Return the reference to a cell."""
        where = self.rows[row]
        cell = cell_of(self.nodes[where.node], where.place, column)
        return replace(cell, row_header=self.label(row), column_header=self.columns[column].name)

    def line(self, row: int) -> tuple[int, int] | None:
        """Return where a row stands in its node's text, (start, end), or None where that cannot be told."""
        where = self.rows[row]
        if where.node not in self._lines:
            self._lines[where.node] = lines_of(self.nodes[where.node])
        return self._lines[where.node].get(where.place)


def _are_affixed(texts: Sequence[str]) -> bool:
    """True for several numbers with the same words before and behind; words before alone make a code ("A-17")."""
    first = _AFFIXED.fullmatch(texts[0]) if len(texts) >= _ALIKE else None
    if first is None or first[1] == _ORDINAL:
        return False
    found = map(_AFFIXED.fullmatch, texts)
    return all(one is not None and (one[1], one[3]) == (first[1], first[3]) for one in found)


def _number(text: str, column: Column) -> CellValue:
    """Return a cell of a column of numbers: "1997.6" is no date there; the cell's own unit goes before the column's."""
    if _PLAIN.fullmatch(text):
        return CellValue(column.dtype, Decimal(text), column.unit, column.scale)  # type: ignore[arg-type]
    cell = parse_cell(text)
    if not cell.numeric:
        return cell
    scale = cell.scale if cell.scale != 1 or cell.unit == "%" else column.scale
    return replace(cell, unit=cell.unit or column.unit, scale=scale)


def _alone(row: Sequence[str]) -> str:
    """Return the text of a row that has nothing else, in front or merged over all columns; "" for other rows."""
    lone = len(row) > 1 and not any(row[1:])
    merged = len(row) > 2 and len(set(row)) == 1
    return row[0] if lone or merged else ""


def _filled_up(texts: Sequence[str]) -> bool:
    """True for numbers that begin with zeros, one of them at least: "0012"."""
    return any(len(text) > 1 and text[0] == "0" for text in texts) and all(map(str.isdecimal, texts))
