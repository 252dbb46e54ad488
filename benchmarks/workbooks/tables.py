"""Lists in real workbooks: where their header stands, what their columns hold, which rows are totals.

Read by openpyxl, or from CSV, apart from the product's own reading. What is no plain list (forms, blank sheets,
lists without a column to name a row by) is left out.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import openpyxl
import pandas

from workbooks import values

Kind = Literal["text", "number", "share", "year", "date"]
_TOTAL = re.compile(r"^(?:grand |sub-?)?totals?\b|合\s*计|总\s*计|小\s*计|^其中", re.IGNORECASE)
_UNIT_COLUMN = re.compile(r"^(?:计量)?单位$|^(?:unit|currency)s?$|币种", re.IGNORECASE)
_LONGEST_KEY, _MOST_CATEGORIES = 110, 60


@dataclass(frozen=True)
class Column:
    """A column of a list. ``aliases`` are other words for it, ``period`` what a wide table's header says of time."""

    name: str
    at: int
    kind: Kind
    aliases: tuple[str, ...] = ()
    measure: str = ""
    period: str = ""
    names_rows: bool = False

    @property
    def plain(self) -> str:
        """The name without the unit in brackets at its end."""
        return values.plain_name(self.name)


@dataclass
class ListTable:
    """A list of a workbook with the meaning of its cells, columns and rows by their 1-based place in the sheet.

    ``frame`` has the column letters' numbers as columns and the sheet's row numbers as index. Rows that hold
    totals are left out of it. ``raw`` has the cells' texts as shown.
    """

    workbook: str
    sheet: str
    columns: list[Column]
    frame: pandas.DataFrame
    raw: pandas.DataFrame
    language: Literal["en", "zh"]
    noun: str = ""
    named_elsewhere: set[str] = field(default_factory=set)

    def of_kind(self, *kinds: Kind) -> list[Column]:
        """Return the columns of these kinds."""
        return [column for column in self.columns if column.kind in kinds]

    def keys(self) -> list[Column]:
        """Return the columns that name nearly every row, the one meant to first."""
        found = [c for c in self.of_kind("text") if self._distinct(c) >= 0.9 * len(self.frame)]
        return sorted(found, key=lambda column: not column.names_rows)

    def categories(self) -> list[Column]:
        """Return the columns with few values that come again."""
        most = min(_MOST_CATEGORIES, len(self.frame) // 2)
        return [c for c in self.of_kind("text") if 2 <= self._distinct(c) <= most]

    def label(self) -> Column | None:
        """Return the column that rows are called by."""
        named = [column for column in self.of_kind("text") if column.names_rows]
        years = [column for column in self.of_kind("year") if self._distinct(column) == len(self.frame)]
        first = [column for column in self.columns[:1] if column.kind == "text" and self._distinct(column) > 3]
        first = [column for column in first if self._distinct(column) >= 0.6 * len(self.frame)]
        return next(iter([*named, *self.keys(), *years, *first]), None)

    @property
    def of_one_unit(self) -> bool:
        """False where a column tells the unit of each row, and rows differ in it: nothing can be added up."""
        return not any(_UNIT_COLUMN.search(c.name) and self._distinct(c) > 1 for c in self.of_kind("text"))

    def _distinct(self, column: Column) -> int:
        return int(self.raw[column.at].replace("", None).nunique())


def read_tables(path: Path) -> list[ListTable]:
    """Return the lists of a workbook or CSV file."""
    grids: dict[str, tuple[list[list[Any]], list[tuple[int, int, int, int]]]] = {}
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            grids[""] = [[cell or None for cell in row] for row in csv.reader(file)], []
    else:
        book = openpyxl.load_workbook(path, data_only=True)
        for sheet in book.worksheets:
            merged = [(m.min_row, m.min_col, m.max_row, m.max_col) for m in sheet.merged_cells.ranges]
            last = min(sheet.max_row, 200_000)
            grids[sheet.title] = (
                [list(row) for row in sheet.iter_rows(max_row=last, values_only=True)],
                merged,
            )
    tables = [table for name, (rows, merged) in grids.items() if (table := list_in(path.name, name, rows, merged))]
    heads = {
        name: {values.shown(cell) for row in rows[:12] for cell in row if isinstance(cell, str)}
        for name, (rows, _) in grids.items()
    }
    for table in tables:
        table.named_elsewhere = set().union(*(head for name, head in heads.items() if name != table.sheet))
    return tables


def list_in(
    workbook: str, sheet: str, rows: list[list[Any]], merged: Sequence[tuple[int, int, int, int]]
) -> ListTable | None:
    """Return the first list of a sheet: at least four rows under a header of at least two names."""
    for top, row in enumerate(rows[:15]):
        groups = _group_row(rows[top - 1], top, merged) if top else {}
        places = _header_places(row, rows[top + 1 : top + 7], groups)
        wide = {m[1] - 1 for m in merged if m[0] == top + 1 and m[3] > m[1]}
        if not places or wide & set(places) or _more_names(rows[top + 1], len(places)):
            continue  # names over several columns are the upper of two header rows
        above = [values.shown(rows[top - 1][place]) for place in places if top and place < len(rows[top - 1])]
        if not groups and sum(map(bool, above)) > 1:
            break  # in the midst of something that is no plain list
        found = _table(workbook, sheet, rows, top, places, groups)
        if found is not None:
            return found
    return None


def _header_places(row: list[Any], below: list[list[Any]], groups: dict[int, str]) -> list[int]:
    """Return the 0-based places of the header's columns, where the row looks like one; else nothing.

    A single empty column between two is stepped over; the column of the rows' names needs no name itself. Two
    columns have one name only where ``groups``, the names above by 1-based column, tell them apart.
    """
    own_names = [values.shown(cell) for cell in row]
    names = [name and f"{groups.get(place + 1, '')} {name}".strip() for place, name in enumerate(own_names)]
    filled = [place for place, name in enumerate(names) if name]
    if len(filled) < 2 or len(below) < 4:
        return []
    places = [filled[0]]
    for place in filled[1:]:
        if place - places[-1] > 2 or (place - places[-1] == 2 and names[place] in names[:place]):
            break  # another list beside this one
        places.append(place)
    before = places[0] - 1
    if before >= 0 and sum(bool(values.shown(line[before])) for line in below if before < len(line)) > 2:
        places.insert(0, before)
    own = [name for place in places if (name := names[place])]
    if not all(any(letter.isalnum() for letter in name) for name in own):
        return []
    shown = [own_names[place] for place in places]
    numbers = [n for n in shown[1:] if values.number(n) is not None and values.year(n) is None]
    dense = [sum(place < len(line) and bool(values.shown(line[place])) for place in places) for line in below]
    if len(own) < 2 or len(set(own)) < len(own) or numbers or sum(cells >= 2 for cells in dense) < 3:
        return []
    return places


def _more_names(row: list[Any], than: int) -> bool:
    """True for a row of nothing but texts, more than so many: it is itself a header."""
    filled = [cell for cell in row if values.shown(cell)]
    return len(filled) > than and all(isinstance(cell, str) and values.number(cell) is None for cell in filled)


def _group_row(row: list[Any], number: int, merged: Sequence[tuple[int, int, int, int]]) -> dict[int, str]:
    """Return the names that merged cells of row ``number`` (1-based) give to the columns below them."""
    names: dict[int, str] = {}
    for top, left, bottom, right in merged:
        if top == bottom == number and right > left and (name := values.shown(row[left - 1])):
            names |= dict.fromkeys(range(left, right + 1), name)
    return names


def _table(
    workbook: str, sheet: str, rows: list[list[Any]], top: int, at: Sequence[int], groups: dict[int, str]
) -> ListTable | None:
    """Return the list under the header in row ``top`` (0-based) with its columns ``at`` (0-based)."""
    body: dict[int, list[Any]] = {}
    for number, row in enumerate(rows[top + 1 :], top + 2):
        cells = [row[place] if place < len(row) else None for place in at]
        if not any(values.shown(cell) for cell in cells):
            if body:
                break
            continue
        total = any(_TOTAL.search(values.shown(cell)) for cell in cells if isinstance(cell, str))
        if not total and sum(bool(values.shown(cell)) for cell in cells) > 1:
            body[number] = cells
    if len(body) < 4:
        return None
    names = [values.shown(rows[top][place]) for place in at]
    names[0] = names[0] if values.number(names[0]) is None else ""
    return made_table(workbook, sheet, [place + 1 for place in at], names, body, groups)


def made_table(
    workbook: str,
    sheet: str,
    places: list[int],
    names: list[str],
    body: dict[int, list[Any]],
    groups: dict[int, str] | None = None,
    aliases: dict[str, tuple[str, ...]] | None = None,
    label: str | None = None,
    noun: str = "",
) -> ListTable | None:
    """Return the table of rows by their number in the sheet; None where no column names or sorts its rows.

    ``groups`` are the names above the header by column, ``aliases`` other words for a column by its name, ``label``
    the name of the column that rows are called by, ``noun`` what a row is.
    """  # fmt: skip
    raw = pandas.DataFrame.from_dict(
        {number: [values.shown(cell) for cell in cells] for number, cells in body.items()}, "index", columns=places
    )  # fmt: skip
    columns: list[Column] = []
    data: dict[int, list[Any]] = {}
    for offset, place in enumerate(places):
        cells = [row[offset] for row in body.values()]
        kind = _kind(names[offset], cells)
        if kind is None:
            continue
        data[place] = _typed(kind, cells)
        columns.append(
            _column(
                names[offset],
                place,
                kind,
                (groups or {}).get(place, ""),
                aliases or {},
                names[offset] == label,
            )
        )
    frame = pandas.DataFrame(data, index=list(body), dtype=object)
    chinese = sum("\u4e00" <= letter <= "\u9fff" for name in names for letter in name)
    language: Literal["en", "zh"] = "zh" if chinese > 3 else "en"
    table = ListTable(workbook, sheet, columns, frame, raw, language, noun)
    return table if table.label() is not None or table.categories() else None


def _column(
    name: str, place: int, kind: Kind, group: str, aliases: dict[str, tuple[str, ...]], names_rows: bool
) -> Column:
    measure, period = name, ""
    if kind in ("number", "share"):
        if values.is_period(name):
            measure, period = group, name
        elif group and values.is_period(group):
            measure, period = name, group
    full = " ".join(part for part in (group, name) if part) if not period else name
    return Column(full, place, kind, aliases.get(name, ()), measure, period, names_rows)


def _kind(name: str, cells: list[Any]) -> Kind | None:
    """Return what a column holds; None for numbered rows, links, long texts and what is nearly empty."""
    filled = [cell for cell in cells if values.shown(cell)]
    if len(filled) < max(3, len(cells) // 3):
        return None
    if sum(values.date(cell) is not None for cell in filled) >= 0.95 * len(filled):
        return "date"
    if sum(values.year(cell) is not None for cell in filled) >= 0.8 * len(filled):
        return "year"
    numbers = [found for cell in filled if (found := values.number(cell)) is not None]
    if len(numbers) >= 0.9 * len(filled):
        steps = {b - a for a, b in itertools.pairwise(numbers)}
        if (steps == {1.0} and len(numbers) > 3) or not name:
            return None
        as_code = all(isinstance(cell, str) and re.fullmatch(r"\d{4,}", cell) for cell in filled)
        return "text" if as_code else "share" if all(map(values.is_share, filled)) else "number"
    texts = [values.shown(cell) for cell in filled]
    if any(text.startswith(("http://", "https://")) for text in texts[:20]):
        return None
    return "text" if sorted(map(len, texts))[len(texts) * 9 // 10] <= _LONGEST_KEY else None


def _typed(kind: Kind, cells: list[Any]) -> list[Any]:
    read = {"date": values.date, "year": values.year, "number": values.number, "share": values.number}.get(kind)
    return [read(cell) if read else values.shown(cell) or None for cell in cells]
