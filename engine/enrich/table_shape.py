"""Which rows of a table are its header, which columns name its rows, and what each row is called.

A row is a header row when it says text, years or dates where the column below says numbers. Judged on the
first rows and a sample of the others, so that a sheet of 100,000 rows costs no more than a small table.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from engine.enrich.cell_values import NUMERIC, column_values, is_year, parse_cell
from engine.enrich.units import measure_of

Rows = Sequence[Sequence[str]]
MOST_HEADER_ROWS, MOST_TITLE_ROWS, MOST_HEADER_COLUMNS, SAMPLE = 8, 6, 3, 60
# Longer tables are databases: their rows are named by their first column alone.
MOST_NAMED_ROWS = 2000
MOSTLY = 0.6
# The rows of a form above a list tell at most this share of what the list's header tells.
MORE_THAN = 0.75
_DATED = re.compile(r"\s*(?:19|20)\d\d(?!\d)(?![.,]\d)\s*\D")
# "16 weeks" above a column of numbers names a period.
CALENDAR = frozenset({"day", "week", "month", "year"})
# The kinds of columns that names can be told from.
FIGURES = frozenset({"number", "date", "year"})
_TOTAL = re.compile(r"\s*(?:total|sub-?total|合\s*计|小\s*计|总\s*计)", re.IGNORECASE)
# What marks a row as the name of the rows below it, where some rows are so marked: "Current assets:", "一、收入".
_GROUP_MARK = re.compile(r"[:：]\s*$|^\s*[（(]?[一二三四五六七八九十]{1,3}[)）、.．]")
# "Client:", 填表人：周敏, and no time of day.
_LABELLED = re.compile(r"[:：](?!\d)")
_SUBTOTAL = re.compile(r"\s*(?:sub-?total|小\s*计)", re.IGNORECASE)
_SUM = re.compile(r"(?:\btotal|合\s*计|总\s*计|小\s*计|合\s*計|總\s*計)\s*$", re.IGNORECASE)
_NOTE = re.compile(r"\s*(?:notes?\b|source|\*|†|注|资料来源|来源|说明|数据来源|\(?[a-z1-9]\)\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a table is laid out. The header rows are the first ``header_rows``, ``title_rows`` of them included
    that hold one text over the whole table; ``header_columns`` leading columns name the rows; the last
    ``note_rows`` are notes."""

    header_rows: int = 0
    title_rows: int = 0
    header_columns: int = 0
    note_rows: int = 0


def shape_of(rows: Rows, given_header_rows: int = 0, by_hand: int | None = None) -> Shape:
    """Return the layout of a table; ``given_header_rows`` is what its format says (0: nothing).

    ``by_hand`` is what somebody says, which holds.
    """
    width = max(map(len, rows), default=0)
    if not width:
        return Shape()
    notes = note_rows(rows, width)
    body = rows[: len(rows) - notes]
    grid = _Grid(body, width)
    titles = grid.form_rows() or grid.title_rows()
    if by_hand is not None:
        header = max(0, min(by_hand, len(body) - 1))
        return Shape(header, max(0, min(titles, header - 1)), grid.header_columns(header), notes)
    header, given = grid.header_rows(titles), grid.given_rows(given_header_rows)
    if given > 0 and (header <= given or grid.is_named(given)):
        titles, header = min(titles, given - 1), given
    header += header > titles and grid.numbers_columns(header)
    return Shape(header, titles, grid.header_columns(header), notes)


def row_names(rows: Rows, shape: Shape) -> list[str]:
    """Return what each row is called, "" for header rows: "Sales / Cloud / 2023" below the group row "Sales".

    Where some groups are marked as such, another row without values is an item that there is nothing to say of.
    The list is empty where the first column alone names the rows.
    """
    if not shape.header_columns or len(rows) > MOST_NAMED_ROWS:
        return []
    # A running number in front names nothing.
    start = int(shape.header_columns > 1 and _numbered(rows[shape.header_rows :]))
    body = range(shape.header_rows, len(rows) - shape.note_rows)
    levels = _levels(rows, body, slice(start, shape.header_columns))
    several = any(len(parts) > 1 for parts in levels.values())
    if not several and (not start or all(is_group_row(rows[index]) for index in body)):
        return []
    return [" / ".join(dict.fromkeys(levels.get(index, ()))) for index in range(len(rows))]


def _levels(rows: Rows, body: Sequence[int], columns: slice) -> dict[int, list[str]]:
    """Return what rows are called, the outermost level first: below a group's name by their cells in ``columns``.

    A subtotal is the last row of its group.
    """
    groups = _group_names(rows, body, columns)
    # Where nothing marks a group, all are.
    marks = _GROUP_MARK if any(map(_GROUP_MARK.search, groups.values())) else None
    found: dict[int, list[str]] = {}
    group, above = "", [""] * MOST_HEADER_COLUMNS
    for index in body:
        if text := groups.get(index):
            found[index] = [text.rstrip(":：")]
            if marks is None or marks.search(text):
                group, above = found[index][0], [""] * MOST_HEADER_COLUMNS
        elif any(own := [cell.strip().rstrip(":：") for cell in rows[index][columns]]):
            name = next(filter(None, own))
            above = [*above[: own.index(name)], *own[own.index(name) :]]
            ends = _ends_group(name, marks)
            found[index] = [*filter(None, ("" if ends and not _SUBTOTAL.match(name) else group, *above))]
            group = "" if ends else group
    return found


def _group_names(rows: Rows, body: Sequence[int], columns: slice) -> dict[int, str]:
    """Return the names of groups of rows, by the places of the rows that bear them.

    A group may be named in several columns where the rows below it have no text in the first of these.
    """
    found = {index: _filled(rows[index])[0].strip() for index in body if is_group_row(rows[index])}
    for index, below in pairwise(body):
        own, others = rows[index][columns], rows[index][columns.stop :]
        if len(own) > 1 and all(map(str.strip, own)) and not _filled(others) and not rows[below][columns][0].strip():
            found[index] = " / ".join(map(str.strip, own))
    return found


def counts(cells: Sequence[str]) -> bool:
    """True for three or more cells that count from one, with or without brackets: "1 | 2 | 3"."""
    return len(cells) > 2 and [cell.strip(" ()（）") for cell in cells] == [str(n + 1) for n in range(len(cells))]


def _ends_group(text: str, marks: re.Pattern[str] | None) -> bool:
    """True for the name of a row that is in no group of rows: a total, or what else is marked like a group."""
    return bool(_TOTAL.match(text) or _SUM.search(text) or (marks and marks.search(text)))


def is_group_row(row: Sequence[str]) -> bool:
    """True for a row of a single text, or of one text merged over the row, that names the rows below it.

    A lone text in the last of several columns is a piece of a header or a note, and names no rows.
    """
    filled = _filled(row)
    if not filled or len(row) < 2:
        return False
    lone = len(filled) == 1 and (bool(row[0].strip()) or (len(row) > 2 and not row[-1].strip()))
    merged = len(filled) == len(row) > 2 and len(set(filled)) == 1
    return (lone or merged) and parse_cell(filled[0]).dtype == "text"


def _numbered(rows: Rows) -> bool:
    return all(parse_cell(row[0]).dtype in ("number", "empty") and not is_year(row[0]) for row in rows if row)


def _filled(row: Sequence[str]) -> list[str]:
    return [cell for cell in row if cell.strip()]


def note_rows(rows: Rows, width: int) -> int:
    """Return how many rows at the end of a table are notes: one text each that begins like a note, or none."""
    said = (set(_filled(row)) for row in reversed(rows[2:]))
    notes = takewhile(lambda texts: len(texts) < 2 and all(map(_NOTE.match, texts)), said)
    return sum(1 for _ in notes) if width > 1 else 0


def _is_figure(kind: str, profile: str) -> bool:
    """True for a cell of a kind that the figures below it have: a number, a year among years, a date among dates."""
    dated = profile == "date" and kind in ("date", "time")
    return dated or kind in NUMERIC or kind == profile == "year"


def _is_upper_level(first: Sequence[str], below: Sequence[str]) -> bool:
    """True for texts merged over columns, a header's upper level, where those of one column are merged downwards."""
    if len(set(first)) == len(first):
        return False
    around = zip([None, *first], [*first[1:], None], first, below, strict=False)
    merged = all(cell in (left, right) or under.strip() in ("", cell) for left, right, cell, under in around)
    return merged and len(set(zip(first, below, strict=True))) == len(first)


class _Grid:
    """The kinds of the cells of a table's first rows and of a sample of its body."""

    def __init__(self, rows: Rows, width: int) -> None:
        self.rows = rows
        self.height, self.width = len(rows), width
        start = min(6, self.height // 2)
        self._sample = range(start, self.height, max(1, (self.height - start) // SAMPLE))
        self._columns = [self._profile(column, self._sample) for column in range(width)]
        figures = [column for column, profile in enumerate(self._columns) if profile in FIGURES]
        self._figures = [column for column in figures if column] or figures

    def kind(self, row: int, column: int) -> str:
        cells = self.rows[row]
        text = cells[column] if column < len(cells) else ""
        value = parse_cell(text)
        if value.numeric and _DATED.match(text):
            return "year"
        if value.unit in CALENDAR:
            return "date"
        return "year" if value.dtype == "number" and is_year(text) else value.dtype

    def _kinds(self, row: int) -> list[str]:
        return [self.kind(row, column) for column in range(self.width)]

    def _profile(self, column: int, rows: Sequence[int]) -> str:
        """Return "number", "year", "date", "text" or "empty": what most cells of a column are."""
        texts = [self.rows[row][column] if column < len(self.rows[row]) else "" for row in rows]
        kinds = Counter(
            "text" if value.dtype == "text" else self.kind(row, column)
            for row, value in zip(rows, column_values(texts), strict=True)
        )
        kinds.pop("empty", None)
        filled = sum(kinds.values())
        if not filled:
            return "empty"
        if kinds["year"] >= MOSTLY * filled:
            return "year"
        numeric = sum(kinds[kind] for kind in (*NUMERIC, "year"))
        if numeric >= MOSTLY * filled:
            return "number"
        return "date" if kinds["date"] + kinds["time"] + kinds["year"] >= MOSTLY * filled else "text"

    def form_rows(self) -> int:
        """Return how many rows of names with their values ("Client: | … | Date: 3 May") stand above a list's header.

        The header is a row of texts, none of them empty, that names more columns than any row above it tells.
        """
        told = [len(set(map(str.strip, _filled(row)))) for row in self.rows[: MOST_HEADER_ROWS + 1]]
        for row in range(1, min(len(told), self.height - 1)):
            more = told[row] > 3 and 1 < max(told[:row]) <= MORE_THAN * told[row]
            colons = [any(_LABELLED.search(cell) for cell in line) for line in self.rows[: row + 1]]
            if more and any(colons) and not colons[row] and set(self._kinds(row)) == {"text"}:
                return row
        return 0

    def title_rows(self) -> int:
        count = 0
        while count < min(MOST_TITLE_ROWS, self.height - 2):
            row = self.rows[count]
            filled = set(_filled(row))
            named = not filled or row[0].strip() or self._is_unit_row(count)
            if self.width < 2 or len(filled) > 1 or not named:
                break
            count += 1
        # A lone text above the first data row is a group, not a title.
        while count and not self._is_header(count, complete=False) and not self._leads(count):
            count -= 1
        return count

    def _leads(self, row: int) -> bool:
        """True when a row of several texts without numbers begins here."""
        kinds = self._kinds(row)
        return sum(kind != "empty" for kind in kinds) > 1 and NUMERIC.isdisjoint(kinds)

    def header_rows(self, titles: int) -> int:
        if FIGURES.isdisjoint(self._columns):
            return titles + self._text_header(titles)
        return self._prefix(titles)

    def given_rows(self, given: int) -> int:
        """Return how many header rows a format gives, 0 where they are empty, or the first line of a form."""
        rows = min(given, self.height - 1) if any(map(_filled, self.rows[:given])) else 0
        return 0 if rows == 1 and self.is_keyed(0) else rows

    def is_named(self, given: int) -> bool:
        """True when the header rows that a format gives tell all columns behind the first from each other.

        Formats often mark the first row alone, though the names of the columns follow below it.
        """
        names = [
            tuple(row[column].strip() if column < len(row) else "" for row in self.rows[:given])
            for column in range(1, self.width)
        ]
        return all(map(any, names)) and len(set(names)) == len(names)

    def _first(self, row: int) -> str:
        """Return what a row says in its first column, "" where that is the text above it, merged downwards."""
        first, above = (self.rows[place][0].strip() if self.rows[place] else "" for place in (row, row - 1))
        return "" if first == above else first

    def _prefix(self, start: int) -> int:
        complete, end = False, min(self.height - 1, start + MOST_HEADER_ROWS)
        for row in range(start, end):
            if not self._is_header(row, complete) and not self._spans(row, complete):
                return row
            complete = complete or self._complete(row)
        return max(start, end)

    def _spans(self, row: int, complete: bool) -> bool:
        """True for a lone text above a header row, over a column of texts."""
        kinds = self._kinds(row)
        lone = sum(kind != "empty" for kind in kinds) == 1 and kinds[0] == "empty"
        return lone and not complete and row + 2 < self.height and self._is_header(row + 1, complete)

    def _is_header(self, row: int, complete: bool) -> bool:
        """True when the row names columns; below a ``complete`` header only units and years do."""
        if self._is_unit_row(row):
            return True
        kinds = self._kinds(row)
        over = [
            _is_figure(kind, profile)
            for kind, profile in zip(kinds, self._columns, strict=True)
            if kind != "empty" and profile in FIGURES
        ]
        # "1–30 | 31–90 | >90" and "100s | 50s": a few names look like figures.
        if 4 * sum(over) > len(over):
            return False
        if complete:
            return bool(over) and self._names_more(row, kinds)
        return bool(over) or (row == 0 and kinds.count("text") > 1)

    def _names_more(self, row: int, kinds: Sequence[str]) -> bool:
        """True for a row that names columns which have names already, and no group of rows."""
        filled = _filled(self.rows[row])
        # One text repeated over all columns but the first is a level of the header, else it names a group of rows.
        if len(set(filled)) == 1 and self.width > 2 and (self.rows[row][0].strip() or len(filled) == 1):
            return False
        dated = all(kind in ("empty", "year", "date") for kind in kinds[1:])
        below_names = not self._first(row - 1) and self._complete(row)  # the first line of wrapped names is above
        return not self._first(row) or dated or below_names

    def numbers_columns(self, row: int) -> bool:
        """True for a row below a header that counts the columns, of which one at least holds no numbers."""
        kinds = self._kinds(row)
        counted = any(kind in NUMERIC and kind != own for kind, own in zip(kinds, self._columns, strict=True))
        return row < self.height - 1 and counted and counts(self.rows[row])

    def _complete(self, row: int) -> bool:
        named = [column for column in self._figures if self.kind(row, column) != "empty"]
        # One text over several columns does not tell them apart.
        told_apart = len(self._figures) == 1 or len({self.rows[row][column].strip() for column in named}) > 1
        return told_apart and len(named) >= MOSTLY * len(self._figures)

    def _is_unit_row(self, row: int) -> bool:
        filled = set(_filled(self.rows[row]))
        return bool(filled) and all(measure_of(cell) is not None for cell in filled)

    def _text_header(self, start: int) -> int:
        """Return how many rows above a table of texts look like names of columns: 0, 1 or 2."""
        if self.height - start < 2:
            return 0
        first = [cell.strip() for cell in self.rows[start]]
        filled = _filled(first)
        few = len(set(filled)) < 2 or len(filled) < MOSTLY * self.width
        if few or max(map(len, filled)) > 80 or self.is_keyed(start):
            return 0
        return 2 if self.height - start > 2 and _is_upper_level(first, self.rows[start + 1]) else 1

    def is_keyed(self, row: int) -> bool:
        """True for the first of two columns of texts that are a name and its value: "Revision | C-14"."""
        if self.width != 2 or not FIGURES.isdisjoint(self._columns):
            return False
        name, value = (cell.strip() for cell in self.rows[row])
        return name.endswith((":", "：")) or (any(map(str.isdigit, value)) and not is_year(value))

    def header_columns(self, header_rows: int) -> int:
        if self.width < 2:
            return 0
        step = max(1, (self.height - header_rows) // SAMPLE)
        rows = range(header_rows, self.height, step)
        profiles = [self._profile(column, rows) for column in range(self.width)]
        if "number" not in profiles:
            return int(self._unique(rows, 1))
        most = min(profiles.index("number"), MOST_HEADER_COLUMNS)
        if most:
            return next((count for count in range(1, most) if self._unique(rows, count)), most)
        return self._behind_index(rows, profiles)

    def _behind_index(self, rows: Sequence[int], profiles: Sequence[str]) -> int:
        """Return how many columns name the rows where the first one numbers them, 0 where it does not."""
        text = next((at for at, kind in enumerate(profiles[:MOST_HEADER_COLUMNS]) if kind == "text"), 0)
        named = text and self._is_index(rows) and self._tells_apart(rows, text)
        return text + 1 if named else 0

    def _unique(self, rows: Sequence[int], columns: int) -> bool:
        keys = [
            tuple(cell.strip() for cell in self.rows[row][:columns])
            for row in rows
            if _filled(self.rows[row]) and not is_group_row(self.rows[row])
        ]
        return bool(keys) and len(set(keys)) >= 0.9 * len(keys) and all(any(key) for key in keys)

    def _tells_apart(self, rows: Sequence[int], column: int) -> bool:
        """True where most texts of a column differ; a department behind a running number names no row."""
        texts = [text for row in rows if (text := "".join(self.rows[row][column : column + 1]).strip())]
        return len(set(texts)) >= MOSTLY * len(texts)

    def _is_index(self, rows: Sequence[int]) -> bool:
        """True for running numbers in the first column, and for few of them at all: lines referred to elsewhere."""
        values = [parse_cell(self.rows[row][0]).value for row in rows if self.rows[row]]
        numbers = [value for value in values if value is not None]
        if 2 * len(numbers) < len(values):
            return True
        return len(numbers) > 1 and numbers[0] in (0, 1) and numbers == sorted(numbers)
