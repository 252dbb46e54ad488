"""A table node as typed cells: values with unit and scale, and the names of their rows and columns.

Everything is read from the node's metadata (:mod:`engine.enrich.tables` puts it there). Rows and columns are
0-based places in ``metadata["rows"]``, header rows included, so that a cell's place is the same everywhere.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.answer.tables.converted import unit_of, value_of
from engine.answer.tables.dated_names import is_only_period
from engine.answer.tables.header_blocks import texts_over_blocks
from engine.answer.tables.matching import with_whole_years
from engine.answer.tables.repeated_rows import parents_of_repeated, parents_of_shares
from engine.answer.tables.sums import sums_among
from engine.enrich.cell_values import NUMERIC, CellValue, is_year, parse_cell
from engine.enrich.table_shape import is_group_row
from engine.enrich.tables import enrich_table, read_cell
from engine.enrich.units import measure_of
from engine.model import BBox, Node, Value
from engine.model.sheet_columns import column_letters, column_number

_TOTAL = re.compile(
    r"\s*(?:grand\s+)?(?:sub-?\s?)?totals?\b|[\w ]{1,20}\bTTL$"
    r"|(?:career|season|overall|aggregate|combined|club|full[- ]year|year)\s+totals?$"
    r"|\s*(?:majority|turnout|registered electors|(?:rejected|spoil(?:t|ed)) (?:ballots|votes)|invalid/blank votes)$"
    r"|\s*(?:合\s*计|小\s*计|总\s*计|總\s*計|合\s*計)",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_LETTER, _WORD = re.compile(r"[^\W\d_]"), re.compile(r"[^\W_]")
_MOST_HEADINGS = 2
_FEWEST_OF_ALL = 4
_SEVERAL = 2
_UNIT_REMARK = re.compile(
    r"[(（][^()（）]*(?:\bin (?:thousands|millions|billions)\b|unaudited|单位)[^()（）]*[)）]", re.IGNORECASE
)
_REMARK = re.compile(r"[(（].*[)）]")
_LONG_REMARK = 40
# The last row of an election: who holds the seat, and the swing.
_SWING, _HELD = (
    re.compile(r"swing", re.IGNORECASE),
    re.compile(r".+ (?:hold|win|gain(?: from .+)?)", re.IGNORECASE),
)
# What a sum is called that has no name of its own.
_SUM = "Total"
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# The day and the month of a date in digits, in either order.
_TWO_PARTS = re.compile(r"(?P<a>\d{1,2})(?P<mark>[/-])(?P<b>\d{1,2})(?P=mark)(?:\d{4}|\d\d)(?!\d)")
_LAST_MONTH = 12
_RANGE = re.compile(r"^(?:(?P<sheet>.*)!)?\$?(?P<column>[A-Z]{1,3})\$?(?P<row>\d+)(?::|$)")


@dataclass(frozen=True, slots=True)
class CellRef(Value):
    """Where a value stands: the evidence of an operator.

    ``row`` and ``column`` are 0-based places in the node's rows. ``address`` is the sheet's own ("Sheet1!B4") where
    the table is part of a sheet, else it counts the table's own columns and rows, header included ("B4"). ``bbox`` is
    the cell's where its edges are known, else its table's.
    """

    node_id: str
    row: int
    column: int
    row_header: str
    column_header: str
    text: str
    page: int | None = None
    bbox: BBox | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name ("2023 / Q1", levels joined), unit, scale (1000 for thousands) and dtype."""

    index: int
    name: str
    unit: str | None
    scale: int
    dtype: str


@dataclass(frozen=True, slots=True)
class Row:
    """A body row: its name with the groups above it ("Sales / Cloud"), and whether it is a total.

    ``period`` is the first level of its name where that is a year or day that stands alone above the rows.
    """

    index: int
    name: str
    total: bool
    period: str = ""

    @property
    def leaf(self) -> str:
        """The row's own name, without its groups."""
        return self.name.rsplit(" / ", 1)[-1]

    @property
    def group(self) -> str:
        """The groups that the row stands in, "" for none; a period alone is none."""
        group = self.name.rpartition(" / ")[0]
        return group.removeprefix(self.period).removeprefix(" / ") if self.period else group


class TypedTable:
    """One table. Immutable; what is expensive is computed once."""

    def __init__(self, node: Node) -> None:
        self.node = node if "header_rows" in node.metadata else enrich_table(node)
        facts = self.node.metadata
        self.cells: list[list[str]] = [[str(cell) for cell in row] for row in facts.get("rows") or []]
        self.header_rows = int(facts.get("header_rows") or 0)
        known = int(facts.get("header_columns") or 0)
        self.header_columns = known and self._naming(known)
        self._levels_found = range(known, self.header_columns)
        self.caption = str(facts.get("caption") or "")
        self.label = str(facts.get("label") or "")

    def _naming(self, known: int) -> int:
        """Return how many columns name the rows: those known, and columns of names without a header behind them.

        Such a column holds the innermost level of some rows' names and is empty in the others.
        """
        columns = self.columns
        while known < len(columns) - 1 and not columns[known].name and columns[known].dtype == "text":
            below = [row[known].strip() for row in self.cells[self.header_rows :] if known < len(row)]
            if not any(map(_LETTER.search, below)) or any(parse_cell(text).numeric for text in below if text):
                break
            known += 1
        return known

    @property
    def node_id(self) -> str:
        """The id of the table's node."""
        return self.node.node_id

    @cached_property
    def _headings_below(self) -> list[int]:
        """The places of rows right below the header that say texts over columns of numbers: more of the header."""
        facts = self.node.metadata
        known = int(facts.get("header_columns") or 0)
        numeric = [
            i for i, c in enumerate(facts.get("columns") or []) if c.get("dtype") in NUMERIC and i >= known
        ]
        width = len(facts.get("columns") or []) - known
        found: list[int] = []
        for place in range(self.header_rows, min(self.header_rows + _MOST_HEADINGS, len(self.cells) - 2)):
            kinds = [_kind_of_heading(self.text(place, column)) for column in numeric]
            told = sum(kind in ("text", "date") for kind in kinds)
            if not known or 2 * len(numeric) <= width or not told or any(kind in NUMERIC for kind in kinds):
                break
            if (
                self.text(place, 0)
                and not _REMARK.fullmatch(self.text(place, 0))
                and self._has_figures(place)
            ):
                break  # "Area (m²) | 20-35 | 35-60" is a row of its own
            found.append(place)
        return found

    def _has_figures(self, row: int) -> bool:
        """True where most cells of a row say digits that are no years: ranges, codes and ratings."""
        texts = [self.text(row, column) for column in range(1, len(self.cells[row]))]
        figured = [text for text in texts if _DIGIT.search(_YEAR.sub("", text))]
        return _kind_of_heading(texts[-1]) == "text" and 2 * len(figured) > sum(map(bool, texts))

    @cached_property
    def _over_blocks(self) -> dict[int, dict[int, str]]:
        first = int(self.node.metadata.get("header_columns") or 0)
        return texts_over_blocks(self.cells[: self.header_rows], first)

    def _heading(self, name: str, column: int) -> str:
        """Return a column's name with what rows right below the header say of it, without remarks on its unit."""
        for texts in self._over_blocks.values():
            own, others = texts.get(column, ""), {*texts.values()}
            rest = [level for level in name.split(" / ") if level not in others]
            name = " / ".join([own, *rest]) if own else name
        name = " / ".join(level for level in name.split(" / ") if not _UNIT_REMARK.fullmatch(level))
        below = [text for place in self._headings_below if (text := self.text(place, column))]
        levels = [name, *(text for text in below if measure_of(text) is None and not _REMARK.fullmatch(text))]
        return with_whole_years(" / ".join(level for level in levels if level))

    @cached_property
    def columns(self) -> list[Column]:
        """All columns, those that name the rows included."""
        found = [
            Column(
                i,
                self._heading(str(c.get("name") or ""), i),
                c.get("unit"),
                int(c.get("scale") or 1),
                str(c.get("dtype") or "text"),
            )
            for i, c in enumerate(self.node.metadata.get("columns") or [])
        ]
        found = [self._converted(column) if column.dtype == "text" else column for column in found]
        return self._named_beside_marks(found)

    def _named_beside_marks(self, columns: list[Column]) -> list[Column]:
        """Return columns without a name with that of the column before them, where this holds nothing but marks."""
        named = list(columns)
        for left, right in itertools.pairwise(columns):
            body = [self.text(row, left.index) for row in range(self.header_rows, len(self.cells))]
            if left.name and not right.name and right.dtype in NUMERIC and not any(map(_WORD.search, body)):
                named[left.index] = replace(left, name="")
                named[right.index] = replace(right, name=left.name)
        return named

    def _converted(self, column: Column) -> Column:
        """Return a column of figures in two units as one of numbers."""
        unit = unit_of(self.text(row, column.index) for row in range(self.header_rows, len(self.cells)))
        return replace(column, unit=unit, dtype="number") if unit else column

    @cached_property
    def rows(self) -> list[Row]:
        """The body rows that hold values: no headers, group rows, empty rows or notes."""
        names = self.node.metadata.get("row_names") or []
        last = len(self.cells) - int(self.node.metadata.get("note_rows") or 0)
        found = []
        period = group = stale = ""
        headed, open_end = -1, False
        for index in range(self.header_rows, last):
            cells = self.cells[index]
            heading = index in self._headings_below
            alone = cells[0].strip() if heading else _alone(cells)
            if alone and (is_year(alone) or parse_cell(alone).dtype == "date" or is_only_period(alone)):
                # A bare year or day over the rows below it: the group above it has ended.
                period, stale = with_whole_years(alone), group
                continue
            if self.header_columns and is_group_row(cells) and alone:
                group, stale, headed = alone.rstrip(":："), "", index
                open_end = alone.endswith((":", "："))
            if heading:
                continue
            if not any(cell.strip() for cell in cells) or (self.header_columns and is_group_row(cells)):
                continue
            own = " / ".join(dict.fromkeys(c.strip() for c in cells[: self.header_columns] if c.strip()))
            name = " ".join(str(names[index] if index < len(names) and names[index] else own).split())
            if headed == index - 1 and (not name or (own[:1].islower() and not open_end)):
                name = f"{group} {own}".strip()  # its name began in the line above
            deeper = [text for at in self._levels_found if (text := self.text(index, at))]
            name = with_whole_years(" / ".join([name, *deeper]))
            name = name.removeprefix(f"{stale} / ") if stale else name
            own_period = "" if _YEAR.search(name) else period
            if own_period:
                name = f"{own_period} / {name}"
            first = next((cell for cell in cells if _WORD.search(cell)), "")
            found.append(
                Row(
                    index,
                    name,
                    bool(_TOTAL.match(name.rsplit(" / ", 1)[-1]) or _TOTAL.match(first)),
                    own_period,
                )
            )
        return self._with_sum_of_all(self._with_named_sums(_below_parents(found)))

    def _with_sum_of_all(self, rows: list[Row]) -> list[Row]:
        """Call the last row a total where it is the sum of all others, whatever its name: "All districts"."""
        if not self.header_columns or len(rows) < _FEWEST_OF_ALL or any(row.total for row in rows):
            return rows
        parts = self._sums_among(rows).get(rows[-1].index, ())
        return [*rows[:-1], replace(rows[-1], total=True)] if len(parts) == len(rows) - 1 else rows

    def _with_named_sums(self, rows: list[Row]) -> list[Row]:
        """Call a sum that has no name the total of the group that its parts are of."""
        if not self.header_columns or all(row.name for row in rows):
            return rows
        sums = self._sums_among(rows)
        names = {row.index: row.name for row in rows}
        named = []
        for row in rows:
            if row.name or row.index not in sums:
                named.append(row)
                continue
            groups = {names[part].rpartition(" / ")[0] for part in sums[row.index]}
            group = groups.pop() if len(groups) == 1 else ""
            named.append(Row(row.index, f"{group} / {_SUM}" if group else _SUM, True, row.period))
        return named

    def _sums_among(self, rows: Sequence[Row]) -> dict[int, tuple[int, ...]]:
        amounts = [
            (
                row.index,
                {
                    column.index: value
                    for column in self.value_columns
                    if (cell := self.value(row.index, column.index)).numeric
                    and cell.unit != "%"
                    and (value := cell.value) is not None
                },
            )
            for row in rows
        ]
        return sums_among(amounts)

    @cached_property
    def sums(self) -> dict[int, tuple[int, ...]]:
        """The rows that are sums of rows above them, each with its parts (places of rows)."""
        return self._sums_among(self.rows)

    @cached_property
    def period_rows(self) -> list[int]:
        """The places of the rows that hold nothing but the period of the rows below them."""
        below = {row.period for row in self.rows if row.period}
        last = len(self.cells) if below else 0
        return [
            place
            for place in range(self.header_rows, last)
            if with_whole_years(_alone(self.cells[place]) or self.cells[place][0].strip()) in below
        ]

    @cached_property
    def numbers_things(self) -> bool:
        """True where the first column has a bare number of its own in each row, by which the things are called."""
        first = [self.text(row.index, 0) for row in self.records]
        named = [column for column in self.columns[1:] if column.dtype == "text"]
        bare = all(text.isdigit() and len(text) > 1 and not is_year(text) for text in first)
        ordered = [int(text) for text in first] if bare else []
        counted = ordered == list(range(ordered[0], ordered[0] + len(ordered))) if ordered else True
        return bool(named) and bare and not counted and len(set(first)) == len(first) > _SEVERAL

    @cached_property
    def records(self) -> list[Row]:
        """The body rows that are no totals of others and no remark that stands across the columns."""
        return [row for row in self.rows if not row.total and not self._is_remark(row.index)]

    def _is_remark(self, row: int) -> bool:
        """True for a row that says the same long text in nearly all its columns: "Citation: For the mastery of …"."""
        texts = [text for column in self.columns if (text := self.text(row, column.index))]
        told = [text for text in texts if len(text) >= _LONG_REMARK and texts.count(text) > _SEVERAL]
        swing = any(_SWING.fullmatch(text) for text in texts) and any(map(_HELD.fullmatch, texts))
        return swing or (len(told) > _SEVERAL and len(told) >= len(texts) - 1)

    @cached_property
    def grouped(self) -> bool:
        """True where rows stand below rows that name groups of them; what several columns name is no group."""
        return self.header_columns < _SEVERAL and any(row.group for row in self.records)

    @cached_property
    def value_columns(self) -> list[Column]:
        """The columns that do not name the rows; those that hold nothing but marks ("$", ")") are none."""
        last = len(self.cells) - int(self.node.metadata.get("note_rows") or 0)
        return [
            column
            for column in self.columns[self.header_columns :]
            if column.name or any(_WORD.search(self.text(row, column.index)) for row in range(last))
        ]

    @cached_property
    def _values(self) -> dict[tuple[int, int], CellValue]:
        return {}

    @cached_property
    def _day_first(self) -> frozenset[int]:
        """The columns in whose dates the day comes first: beside "25/09/2025", "10/07/2025" is of July."""
        found = set()
        for column in self.columns:
            texts = (self.text(row, column.index) for row in range(self.header_rows, len(self.cells)))
            pairs = [(int(m["a"]), int(m["b"])) for text in texts if (m := _TWO_PARTS.match(text))]
            if any(a > _LAST_MONTH for a, _ in pairs) and all(b <= _LAST_MONTH for _, b in pairs):
                found.add(column.index)
        return frozenset(found)

    def text(self, row: int, column: int) -> str:
        """Return a cell's text with its white space made plain; "" outside the table."""
        inside = 0 <= row < len(self.cells) and 0 <= column < len(self.cells[row])
        return " ".join(self.cells[row][column].split()) if inside else ""

    def value(self, row: int, column: int) -> CellValue:
        """Return a cell's value with the unit and scale of its row, column or table."""
        key = (row, column)
        if key not in self._values:
            value = read_cell(self.node.metadata, row, column)
            if value.dtype == "date" and column in self._day_first:
                value = parse_cell(self.text(row, column), day_first=True)
            self._values[key] = value_of(self.text(row, column)) if value.dtype == "text" else value
        return self._values[key]

    def row(self, index: int) -> Row | None:
        """Return the body row at a place, or None."""
        return next((row for row in self.rows if row.index == index), None)

    def ref(self, row: int, column: int) -> CellRef:
        """Return the reference to a cell."""
        named, node = self.row(row), self.node
        header = self.columns[column].name if column < len(self.columns) else ""
        page, box = self._place(row, column)
        origins = node.metadata.get("row_nodes")
        node_id, place = origins[row] if origins else (node.node_id, row)
        return CellRef(
            node_id, place, column, named.name if named else "", header, self.text(row, column), page, box,
            self._address(row, column, place),
        )  # fmt: skip

    def range_of(self, first: int, last: int) -> str | None:
        """Return the address of whole rows ("A4:C4"), header rows included; None outside the table."""
        if not 0 <= first <= last < len(self.cells):
            return None
        left, right = self.ref(first, 0).address, self.ref(last, max(0, len(self.cells[last]) - 1)).address
        return left if left == right else f"{left}:{str(right).rpartition('!')[2]}"

    def line(self, row: int) -> tuple[int, int] | None:
        """Return where a row stands in the node's text, (start, end), or None when it cannot be told."""
        return self._lines.get(row)

    def rows_between(self, start: int, end: int) -> list[int]:
        """Return the rows, header rows included, that stand in a stretch of the node's text."""
        return [row for row, (first, last) in self._lines.items() if first < end and start < last]

    @cached_property
    def _lines(self) -> dict[int, tuple[int, int]]:
        lines = list(_lines_of(self.node.text))
        places: dict[int, tuple[int, int]] = {}
        at = 0
        for index, row in enumerate(self.cells):
            filled = [" ".join(cell.split()) for cell in row if cell.strip()]
            if not filled:
                continue
            for ahead in range(at, min(at + 4, len(lines))):
                start, end, plain = lines[ahead]
                if sum(cell in plain for cell in filled) >= 0.6 * len(filled):
                    places[index] = (start, end)
                    at = ahead + 1
                    break
        return places

    def _place(self, row: int, column: int) -> tuple[int | None, BBox | None]:
        """Return the page and box of a cell; where the edges of cells are not known, of its table on that page."""
        facts, node = self.node.metadata, self.node
        pages, spans = facts.get("row_pages") or [], facts.get("spans") or []
        page = int(pages[row]) if row < len(pages) and pages[row] else node.page
        first = 0
        edges, box = facts.get("edges") or {}, node.bbox
        if len(spans) > 1 and page is not None:
            part: dict[str, Any] = next((span for span in reversed(spans) if span.get("row", 0) <= row), {})
            first, edges = int(part.get("row", 0)), part.get("edges") or {}
            box = tuple(part["bbox"]) if part.get("bbox") else None
        xs, ys, line = edges.get("x") or [], edges.get("y") or [], row - first
        if column + 1 < len(xs) and line + 1 < len(ys):
            return page, (xs[column], ys[line], xs[column + 1], ys[line + 1])
        return page, box

    def _address(self, row: int, column: int, place: int) -> str:
        """Return a cell's address; ``place`` is its row in the node it stands in, where several were joined."""
        match = _RANGE.match(self.node.cell or "")
        numbers: Sequence[int] = self.node.metadata.get("row_numbers") or []
        if not match or row >= len(numbers):
            return f"{column_letters(column + 1)}{place + 1}"
        sheet = f"{match['sheet']}!" if match["sheet"] else ""
        return f"{sheet}{column_letters(column_number(match['column']) + column)}{numbers[row]}"


def _below_parents(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with what repeated ones are parts of in their names."""
    names = [row.name for row in rows]
    parents = parents_of_repeated(names, [row.total for row in rows]) or parents_of_shares(names)
    return [
        replace(row, name=f"{rows[parents[place]].name} / {row.name}") if place in parents else row
        for place, row in enumerate(rows)
    ]


def _kind_of_heading(text: str) -> str:
    """Return what a cell holds; a bare year is a date, as in a header."""
    return "year" if is_year(text) else parse_cell(text).dtype


def _alone(cells: Sequence[str]) -> str:
    """Return the text of a row that has nothing but one text in front or over all columns, else "".

    Units beside it do not count.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if len(filled) > 1 and cells[0].strip() and all(measure_of(text) for text in filled[1:]):
        return filled[0]  # with the units of the columns: "2018 | £m | £m"
    lone = len(filled) == 1 and bool(cells[0].strip()) and len(cells) > 1
    merged = len(filled) == len(cells) > 2 and len(set(filled)) == 1
    return filled[0] if lone or merged else ""


def _lines_of(text: str) -> Iterator[tuple[int, int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare:
            at = start + line.index(bare)
            yield at, at + len(bare), " ".join(bare.split())
        start += len(line)
