"""The tables of a sheet: filled cells are cut apart where a whole row or column between them is empty."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise, takewhile
from typing import Any, NamedTuple

from engine.errors import LimitExceededError
from engine.model import Block
from engine.model.sheet_columns import column_letters
from engine.parse.table_text import Cell, table_block

MAX_DEPTH = 30
MAX_AREA = 8_000_000
MAX_CELLS = 8_000_000
PART_ROWS = 200
PART_LENGTH = 12_000
HEADER_ROWS = 4
SENTENCE = 80
# So many empty columns may stand before amounts, of which at least this share belong to what is beside them.
_SPACER, _SHARE = 6, 0.9
NUMERIC = re.compile(r"[-+(]?\s?[^\w\s]{0,3}\d[\d.,:/\-\s]*\D{0,4}$")
DASHES = "-–—− "
YEAR = re.compile(r"(?:19|20)\d\d[A-Za-z年]?$")
_PLAIN_NAME = re.compile(r"[^\W\d]\w*$")


class Region(NamedTuple):
    """A range of a sheet, 1-based and inclusive."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def rows(self) -> range:
        """The numbers of its rows."""
        return range(self.top, self.bottom + 1)

    @property
    def columns(self) -> range:
        """The numbers of its columns."""
        return range(self.left, self.right + 1)


@dataclass(kw_only=True)
class Sheet:
    """A sheet: name, place among the sheets, cells as shown by row and column (from 1), merged ranges.

    ``beside`` are blocks beside its tables, ``not_read`` counts charts and pictures; ``hidden`` is one that is shown
    only on demand, ``unshowable`` one that only a program can show.
    """

    title: str = ""
    page: int | None = None
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merges: list[Region] = field(default_factory=list)
    beside: list[Block] = field(default_factory=list)
    not_read: Counter[str] = field(default_factory=Counter)
    hidden: bool = False
    unshowable: bool = False

    def comment(self, text: str, row: int, column: int) -> None:
        """Take a comment on a cell, of a thread of comments the words alone."""
        if text.startswith("[Threaded comment]"):
            text = text.partition("\nComment:")[2].strip() or text
        if text:
            cell = self.address(row, column)
            self.beside.append(Block("paragraph", text, self.page, cell=cell, metadata={"note": "comment"}))

    def texts(self, row: int, region: Region) -> list[str]:
        """Return what stands in a row of a region, "" for cells that are empty."""
        cells = self.rows.get(row, {})
        return [cells.get(column, "") for column in region.columns]

    def address(self, row: int, column: int, *end: int) -> str:
        """Return a range such as ``Sheet1!A1:D9``; ``end`` are its last row and column, if it is no single cell."""
        plain = not self.title or _PLAIN_NAME.match(self.title)
        name = self.title if plain else "'" + self.title.replace("'", "''") + "'"
        first = f"{column_letters(column)}{row}"
        last = f"{column_letters(end[1])}{end[0]}" if end else first
        place = first if first == last else f"{first}:{last}"
        return f"{name}!{place}" if name else place

    def spread_merges(self) -> None:
        """Mark the cells that merges cover as filled, within what is filled at all; keep the merges in use.

        A merge that claims whole columns is cut to the rows and columns in which something stands.
        """
        rows, merges, self.merges = self.rows, self.merges, []
        lowest = max(rows, default=0)
        rightmost = max((max(row) for row in rows.values()), default=0)
        covered = 0
        for merge in merges:
            if not rows.get(merge.top, {}).get(merge.left):
                continue
            cut = merge._replace(bottom=min(merge.bottom, lowest), right=min(merge.right, rightmost))
            covered += len(cut.rows) * len(cut.columns)
            if covered > MAX_CELLS // 4:
                break
            for number in cut.rows:
                row = rows.setdefault(number, {})
                for column in cut.columns:
                    row.setdefault(column, "")
            if cut[:2] != cut[2:]:
                self.merges.append(cut)


def regions_of(rows: Mapping[int, Mapping[int, str]]) -> list[Region]:
    """Return the regions of a sheet in reading order; a cell that a merge covers counts as filled."""
    filled = sorted(number for number, row in rows.items() if row)
    if not filled:
        return []
    left, right = min(min(rows[number]) for number in filled), max(max(rows[number]) for number in filled)
    return sorted(_cut(rows, filled, left, right, 0))


def _cut(
    rows: Mapping[int, Mapping[int, str]], numbers: Sequence[int], left: int, right: int, depth: int
) -> Iterator[Region]:
    for group in _groups(rows, numbers):
        used = set[int]().union(*(rows[number] for number in group))
        apart = list(runs_of(sorted(column for column in used if left <= column <= right)))
        runs = _joined(rows, group, [(run[0], run[-1]) for run in apart])
        for first, last in runs:
            if depth >= MAX_DEPTH:
                yield Region(group[0], first, group[-1], last)
            elif len(runs) == 1:
                yield from _cut_at_corners(rows, group, first, last, depth)
            else:
                inside = [number for number in group if any(first <= c <= last for c in rows[number])]
                yield from _cut(rows, inside, first, last, depth + 1)


def _groups(rows: Mapping[int, Mapping[int, str]], numbers: Sequence[int]) -> list[list[int]]:
    """Return the stretches of filled rows; words over one empty row go with what is below it, as heads of its amounts.

    So do the first rows of all that hold one text each: they are the table's titles.
    """
    found: list[list[int]] = []
    for group in runs_of(numbers):
        above = found[-1] if found and group[0] - found[-1][-1] == 2 else []
        told = [list(filter(None, rows[number].values())) for number in above]
        words = [text for texts in told for text in texts]
        first = [text for text in rows[group[0]].values() if text]
        amounts = sum(not text.strip(DASHES) or bool(NUMERIC.match(text)) for text in first)
        titles = len(found) == 1 and max(map(len, told), default=2) < 2 < len(first)
        heads = len(above) <= HEADER_ROWS and (titles or (len(words) > 1 and 2 * amounts >= len(first) > 1))
        if heads and _no_amounts(words):
            above += group
        else:
            found.append(group)
    return found


def _joined(
    rows: Mapping[int, Mapping[int, str]], numbers: Sequence[int], runs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the runs of columns, one of amounts alone with the run whose rows it says something of.

    Names and their amounts are one table, whatever columns between them are empty: a long name is shown over these.
    """
    found: list[tuple[int, int]] = []
    for run in runs:
        if found and run[0] - found[-1][1] <= _SPACER + 1 and _belong(rows, numbers, found[-1], run):
            found[-1] = found[-1][0], run[1]
        else:
            found.append(run)
    return found


def _belong(
    rows: Mapping[int, Mapping[int, str]], numbers: Sequence[int], names: tuple[int, int], run: tuple[int, int]
) -> bool:
    """True where a run of columns holds amounts below its header, in rows that have something in another run."""
    told = {n: [text for c, text in rows[n].items() if run[0] <= c <= run[1] and text] for n in numbers}
    filled = [number for number in numbers if told[number]]
    named = sum(any(names[0] <= c <= names[1] and text for c, text in rows[n].items()) for n in filled)
    header = sum(1 for _ in takewhile(_no_amounts, (told[n] for n in filled[:HEADER_ROWS])))
    header = max(header % HEADER_ROWS, int(len(filled) > 1 and filled[0] == numbers[0]))
    below = [text for n in filled[header:] for text in told[n]]
    amounts = sum(bool(NUMERIC.match(text)) for text in below)
    if not below or named < _SHARE * len(filled) or amounts < _SHARE * len(below):
        return False
    return not _counts([rows[number].get(run[0], "") for number in filled])


def _no_amounts(texts: Sequence[str]) -> bool:
    return not any(NUMERIC.match(text) and not YEAR.match(text) for text in texts)


def _counts(texts: Sequence[str]) -> bool:
    """True for numbers that count on, or years: they name rows of their own."""
    if all(YEAR.match(text) for text in texts):
        return True
    return all(text.isdigit() for text in texts) and all(int(b) == int(a) + 1 for a, b in pairwise(texts))


def _cut_at_corners(
    rows: Mapping[int, Mapping[int, str]], numbers: Sequence[int], left: int, right: int, depth: int
) -> Iterator[Region]:
    """Cut where what stands above and what stands below have no column in common: they touch at a corner."""
    inside = [[column for column in rows[number] if left <= column <= right] for number in numbers]
    extents = [(min(columns), max(columns)) for columns in inside]
    above, below = accumulate(extents, _united), list(accumulate(reversed(extents), _united))[::-1]
    for index, (upper, lower) in enumerate(zip(above, below[1:], strict=False), 1):
        if upper[1] < lower[0] or lower[1] < upper[0]:
            yield from _cut(rows, numbers[:index], *upper, depth + 1)
            yield from _cut(rows, numbers[index:], *lower, depth + 1)
            return
    yield Region(numbers[0], left, numbers[-1], right)


def _united(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


def runs_of(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the stretches in which each number follows the one before."""
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        yield [number for _, number in run]


def region_blocks(sheet: Sheet, region: Region, name: str) -> Iterator[Block]:
    """Yield the blocks of a region: a table in parts of at most 200 rows, or paragraphs for cells alone in their rows.

    A part repeats the header rows in ``metadata["rows"]``; ``metadata["row_numbers"]`` are their rows in the sheet,
    ``Block.cell`` is the range of its own. Raises LimitExceededError for a region that is too large.
    """
    height, width = len(region.rows), len(region.columns)
    if height * width > MAX_AREA:
        raise LimitExceededError(
            f"{name} has a table of {height:,} by {width:,} cells; the limit is {MAX_AREA:,} cells. "
            "Split it into smaller sheets."
        )
    if all(sum(map(bool, sheet.texts(number, region))) < 2 for number in region.rows):
        told = [(n, c, text) for n in region.rows for c, text in sheet.rows.get(n, {}).items() if text]
        lone = [one for one in told if one[1] in region.columns]
        words = width > 1 and not any(NUMERIC.match(text) for *_, text in lone)
        if words or height == 1 or max(len(text) for *_, text in lone) > SENTENCE:
            yield from (Block("paragraph", text, sheet.page, cell=sheet.address(*place)) for *place, text in lone)
            return
    if height > 2 and _is_title_row(sheet, region):
        place = sheet.address(region.top, region.left)
        title = sheet.rows[region.top][region.left]
        yield Block("caption", title, sheet.page, cell=place, metadata={"table_below": True})
        region = region._replace(top=region.top + 1)
    yield from table_parts(sheet, region)


def _is_title_row(sheet: Sheet, region: Region) -> bool:
    """Tell whether the first row is one text, alone or merged over the whole width, above a table of words."""
    first, *others = sheet.texts(region.top, region)
    below = sum(map(bool, sheet.texts(region.top + 1, region)))
    if not first or any(others) or below < 2 or NUMERIC.match(first):
        return False
    merges = _merges_in(sheet, region)
    over = [merge for merge in merges if merge.top == region.top]
    if over:
        return over == [Region(region.top, region.left, region.top, region.right)]
    return below > 2 and all(merge.top > region.top + 1 for merge in merges)


def _merges_in(sheet: Sheet, region: Region) -> list[Region]:
    return [merge for merge in sheet.merges if merge.top in region.rows and merge.left in region.columns]


def _header_rows(sheet: Sheet, region: Region, merges: Sequence[Region]) -> int:
    """Return how many first rows name the columns: all filled, with words or years; merged ones on top count."""
    if len(region.rows) < 2 or len(region.columns) < 2:
        return 0
    spanning = {m.top: max(m.bottom, m.top + (m.right > m.left)) for m in merges}
    last = region.top
    while (below := spanning.get(last, last)) > last and below - region.top < HEADER_ROWS:
        last = below
    # The last header row has a text for most columns, its own or one merged down to it.
    down = {column for m in merges if m.top < last <= m.bottom for column in m.columns}
    told = sum(c in down or bool(text) for c, text in zip(region.columns, sheet.texts(last, region), strict=True))
    if last >= region.bottom or 2 * told < len(region.columns):
        return 0
    empty = {c for c in region.columns if not any(sheet.rows.get(row, {}).get(c) for row in region.rows)}
    for number in range(region.top, last + 1):
        texts = [text for c, text in zip(region.columns, sheet.texts(number, region), strict=True) if c not in empty]
        # Only the corner over the row names may be empty.
        if last == region.top and (not all(texts[1:]) or not any(c.isalnum() for c in "".join(texts))):
            return 0
        if any(NUMERIC.match(text) and not YEAR.match(text) for text in texts):
            return 0
    return last - region.top + 1


def table_parts(sheet: Sheet, region: Region) -> Iterator[Block]:
    """Yield a table in parts, each with the header rows."""
    merges = _merges_in(sheet, region)
    header = _header_rows(sheet, region, merges)
    filled = [row for row in region.rows if any(sheet.texts(row, region))]
    parts = list(_parts(sheet, filled[header:]))
    for index, rows in enumerate(parts):
        numbers = [*filled[:header], *rows]
        facts: dict[str, Any] = {"sheet": sheet.title, "row_numbers": numbers}
        if len(parts) > 1:
            facts["part"] = [index + 1, len(parts)]
        place = sheet.address(rows[0] if index else region.top, region.left, rows[-1], region.right)
        block = table_block(_cells(sheet, region, numbers, merges), header, **facts)
        if block is not None:
            yield Block("table", block.text, sheet.page, cell=place, metadata=block.metadata)


def _parts(sheet: Sheet, numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the rows of each part."""
    part, length = list[int](), 0
    for number in numbers:
        size = sum(map(len, sheet.rows.get(number, {}).values()))
        if part and (number - part[0] >= PART_ROWS or length + size > PART_LENGTH):
            yield part
            part, length = [], 0
        part.append(number)
        length += size
    if part:
        yield part


def _cells(sheet: Sheet, region: Region, numbers: Sequence[int], merges: Sequence[Region]) -> list[Cell]:
    places = {number: index for index, number in enumerate(numbers)}
    covered: dict[tuple[int, int], Cell | None] = {}
    corners: dict[tuple[int, int], Cell | None] = {}
    for m in merges:
        inside = [places[number] for number in m.rows if number in places]
        if inside:
            columns = range(m.left, min(m.right, region.right) + 1)
            covered |= dict.fromkeys((row, column) for row in inside for column in columns)
            place = (sheet.rows[m.top].get(m.left, ""), inside[0], m.left - region.left)
            corners[inside[0], m.left] = Cell(*place, len(inside), len(columns))
    merged = covered | corners
    cells = (
        merged.get((row, column), Cell(text, row, column - region.left))
        for row, number in enumerate(numbers)
        for column, text in zip(region.columns, sheet.texts(number, region), strict=True)
    )
    return [cell for cell in cells if cell is not None]
