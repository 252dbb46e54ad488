"""The tables of a sheet: filled cells are cut apart where a whole row or column between them is empty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from engine.errors import LimitExceededError
from engine.model import Block
from engine.model.sheet_columns import column_letters
from engine.parse.table_text import Cell, table_block

Rows = Mapping[int, Mapping[int, str]]
MAX_DEPTH = 30
MAX_AREA = 8_000_000
MAX_CELLS = 8_000_000
PART_ROWS = 200
PART_LENGTH = 12_000
HEADER_ROWS = 4
SENTENCE = 80
NUMERIC = re.compile(r"[-+(]?\s?[^\w\s]{0,3}\d[\d.,:/\-\s]*\D{0,4}$")
YEAR = re.compile(r"(?:19|20)\d\d[A-Za-z年]?$")
PERIOD = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PLAIN_NAME = re.compile(r"[^\W\d]\w*$")


class Region(NamedTuple):
    """A range of a sheet, 1-based and inclusive."""

    top: int
    left: int
    bottom: int
    right: int

    def meets(self, other: Region) -> bool:
        """Tell whether the two share a cell."""
        return (
            self.top <= other.bottom and other.top <= self.bottom
            and self.left <= other.right and other.left <= self.right
        )  # fmt: skip

    def around(self, other: Region) -> Region:
        """Return the range that holds both."""
        return Region(*map(min, self[:2], other[:2]), *map(max, self[2:], other[2:]))


def with_merges(rows: dict[int, dict[int, str]], merges: list[Region]) -> list[Region]:
    """Mark the cells that merges cover as filled, within what is filled at all; return the merges in use.

    A merge that claims whole columns is cut to the rows and columns in which something stands.
    """
    if not rows:
        return []
    lowest = max(rows)
    rightmost = max(max(row) for row in rows.values())
    used: list[Region] = []
    covered = 0
    for merge in merges:
        if not rows.get(merge.top, {}).get(merge.left):
            continue
        cut = Region(merge.top, merge.left, min(merge.bottom, lowest), min(merge.right, rightmost))
        covered += (cut.bottom - cut.top + 1) * (cut.right - cut.left + 1)
        if covered > MAX_CELLS // 4:
            break
        for number in range(cut.top, cut.bottom + 1):
            row = rows.setdefault(number, {})
            for column in range(cut.left, cut.right + 1):
                row.setdefault(column, "")
        if cut[:2] != cut[2:]:
            used.append(cut)
    return used


def regions_of(rows: Rows) -> list[Region]:
    """Return the regions of a sheet in reading order; a cell that a merge covers counts as filled."""
    if not rows:
        return []
    left = min(min(row) for row in rows.values() if row)
    right = max(max(row) for row in rows.values() if row)
    found = _cut(rows, sorted(number for number, row in rows.items() if row), left, right, 0)
    return sorted(found)


def _cut(rows: Rows, numbers: Sequence[int], left: int, right: int, depth: int) -> Iterator[Region]:
    for group in _consecutive(numbers):
        used: set[int] = set()
        for number in group:
            used.update(rows[number])
        columns = [list(run) for run in _consecutive(sorted(c for c in used if left <= c <= right))]
        for run in columns:
            first, last = run[0], run[-1]
            if depth >= MAX_DEPTH:
                yield Region(group[0], first, group[-1], last)
                continue
            if len(columns) == 1:
                yield from _cut_at_corners(rows, group, first, last, depth)
                continue
            inside = [number for number in group if any(first <= c <= last for c in rows[number])]
            yield from _cut(rows, inside, first, last, depth + 1)


def _cut_at_corners(
    rows: Rows, numbers: Sequence[int], left: int, right: int, depth: int
) -> Iterator[Region]:
    """Cut where what stands above and what stands below have no column in common: they touch at a corner."""
    extents = [_extent(rows[number], left, right) for number in numbers]
    below = list(accumulate(reversed(extents), _united))[::-1]
    above = extents[0]
    for index in range(1, len(numbers)):
        if above[1] < below[index][0] or below[index][1] < above[0]:
            yield from _cut(rows, numbers[:index], *above, depth + 1)
            yield from _cut(rows, numbers[index:], *below[index], depth + 1)
            return
        above = _united(above, extents[index])
    yield Region(numbers[0], left, numbers[-1], right)


def _extent(row: Mapping[int, str], left: int, right: int) -> tuple[int, int]:
    inside = [column for column in row if left <= column <= right]
    return min(inside), max(inside)


def _united(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


def _consecutive(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    start = 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or numbers[index] != numbers[index - 1] + 1:
            yield numbers[start:index]
            start = index


def address(sheet: str, top: int, left: int, bottom: int, right: int) -> str:
    """Return a range such as ``Sheet1!A1:D9``, the sheet's name, if any, quoted as formulas quote it."""
    name = sheet if not sheet or _PLAIN_NAME.match(sheet) else "'" + sheet.replace("'", "''") + "'"
    first, last = f"{column_letters(left)}{top}", f"{column_letters(right)}{bottom}"
    place = first if first == last else f"{first}:{last}"
    return f"{name}!{place}" if name else place


def region_blocks(
    rows: Rows,
    region: Region,
    merges: Sequence[Region],
    *,
    sheet: str,
    page: int | None,
    name: str,
    header_rows: int | None = None,
) -> Iterator[Block]:
    """Yield the blocks of a region: a table in parts of at most 200 rows, or a paragraph for a lone cell.

    ``header_rows`` says how many filled rows on top name the columns, None that the cells are to tell; empty rows
    are left out of such a table, and a first row of a few words over a full one is its caption.
    A part repeats the header rows in ``metadata["rows"]``; ``metadata["row_numbers"]`` has the sheet's row
    number of each of them, ``Block.cell`` the range of its own rows. Raises LimitExceededError for a region
    that is nearly all empty and too large.
    """
    height, width = region.bottom - region.top + 1, region.right - region.left + 1
    if height * width > MAX_AREA:
        raise LimitExceededError(
            f"{name} has a table of {height:,} by {width:,} cells; the limit is {MAX_AREA:,} cells. "
            "Split it into smaller sheets."
        )
    inner = [
        m for m in merges if region.top <= m.top <= region.bottom and region.left <= m.left <= region.right
    ]
    if header_rows is not None:
        if (sparse := _sparse_row(rows, region, header_rows)) is not None:
            place = address(sheet, region.top, region.left, region.top, region.right)
            yield _title(sparse, page, place)
            region, header_rows = _below(rows, region), header_rows - 1
        yield from table_parts(rows, region, inner, sheet=sheet, page=page, header_rows=header_rows)
        return
    if width == 1 and _is_prose(rows, region):
        for number in range(region.top, region.bottom + 1):
            if text := rows[number].get(region.left, ""):
                place = address(sheet, number, region.left, number, region.left)
                yield Block("paragraph", text, page, cell=place)
        return
    if height > 2 and _is_title_row(rows, region, inner):
        place = address(sheet, region.top, region.left, region.top, region.left)
        yield _title(rows[region.top][region.left], page, place)
        region = region._replace(top=region.top + 1)
        inner = [merge for merge in inner if merge.top >= region.top]
    yield from table_parts(rows, region, inner, sheet=sheet, page=page)


def _title(text: str, page: int | None, place: str) -> Block:
    return Block("caption", text, page, cell=place, metadata={"table_below": True})


def _sparse_row(rows: Rows, region: Region, header_rows: int) -> str | None:
    """Return the words of a first row that says what the whole table is, else None.

    That is what stands in its corner (a unit, a title) and at most one period elsewhere: a period that has no
    other beside it holds for every column, wherever over them it is set.
    """
    if header_rows < 2:
        return None
    row, below = rows.get(region.top, {}), rows.get(_below(rows, region).top, {})
    columns = range(region.left + 1, region.right + 1)
    corner = row.get(region.left, "").strip()
    beside = [text for column in columns if (text := row.get(column, "").strip())]
    named = sum(bool(below.get(column, "").strip()) for column in columns)
    if len(beside) > 1 or named < 2 or not (corner or beside) or below.get(region.left, "").strip():
        return None
    if beside and not PERIOD.search(beside[0]):
        return None
    return "\n".join(" ".join(text.split()) for text in [corner, *beside] if text)


def _below(rows: Rows, region: Region) -> Region:
    """Return the region from its second filled row on."""
    columns = range(region.left, region.right + 1)
    top = next(
        row
        for row in range(region.top + 1, region.bottom + 1)
        if any(rows.get(row, {}).get(c) for c in columns)
    )
    return region._replace(top=top)


def _is_prose(rows: Rows, region: Region) -> bool:
    texts = [rows[number].get(region.left, "") for number in range(region.top, region.bottom + 1)]
    return len(texts) == 1 or max(map(len, texts)) > SENTENCE


def _is_title_row(rows: Rows, region: Region, merges: Sequence[Region]) -> bool:
    """Tell whether the first row is one text, alone or merged over the whole width, above a table of words."""
    first, second = rows[region.top], rows[region.top + 1]
    filled = [c for c in range(region.left, region.right + 1) if first.get(c)]
    below = sum(1 for c in range(region.left, region.right + 1) if second.get(c))
    if filled != [region.left] or below < 2 or NUMERIC.match(first[region.left]):
        return False
    over = [merge for merge in merges if merge.top == region.top]
    if over:
        return over == [Region(region.top, region.left, region.top, region.right)]
    return below > 2 and all(merge.top > region.top + 1 for merge in merges)


def _header_rows(rows: Rows, region: Region, merges: Sequence[Region]) -> int:
    """Return how many first rows name the columns: all filled, with words or years; merged ones on top count."""
    if region.bottom - region.top < 1 or region.left == region.right:
        return 0
    spanning = {m.top: max(m.bottom, m.top + (m.right > m.left)) for m in merges}
    last = region.top
    while (below := spanning.get(last, last)) > last and below - region.top < HEADER_ROWS:
        last = below
    if last >= region.bottom or not _tells_columns(rows, region, merges, last):
        return 0
    for number in range(region.top, last + 1):
        texts = [rows.get(number, {}).get(c) for c in range(region.left, region.right + 1)]
        shown = [text for text in texts if text]
        # Only the corner over the row names may be empty.
        if last == region.top and (not all(texts[1:]) or not any(c.isalnum() for c in "".join(shown))):
            return 0
        if any(NUMERIC.match(text) and not YEAR.match(text) for text in shown):
            return 0
    return last - region.top + 1


def _tells_columns(rows: Rows, region: Region, merges: Sequence[Region], last: int) -> bool:
    """True where the last header row has a text for most columns, its own or one merged down to it."""
    down = {c for m in merges if m.top < last <= m.bottom for c in range(m.left, m.right + 1)}
    columns = range(region.left, region.right + 1)
    return 2 * sum(c in down or bool(rows.get(last, {}).get(c)) for c in columns) >= len(columns)


def table_parts(
    rows: Rows,
    region: Region,
    merges: Sequence[Region] = (),
    *,
    sheet: str,
    page: int | None,
    header_rows: int | None = None,
) -> Iterator[Block]:
    """Yield a table in parts of at most 200 rows or 12,000 characters, each with the header rows.

    Where ``header_rows`` are given, empty rows are left out.
    """
    header = _header_rows(rows, region, merges) if header_rows is None else header_rows
    columns = range(region.left, region.right + 1)
    filled = [
        row
        for row in range(region.top, region.bottom + 1)
        if header_rows is None or any(rows.get(row, {}).get(column) for column in columns)
    ]
    head = filled[:header]
    spans = list(_spans(rows, filled[header:]))
    for index, (first, last) in enumerate(spans):
        numbers = [*head, *(row for row in filled[header:] if first <= row <= last)]
        facts: dict[str, Any] = {"sheet": sheet, "row_numbers": numbers}
        if len(spans) > 1:
            facts["part"] = [index + 1, len(spans)]
        top = region.top if index == 0 else first
        place = address(sheet, top, region.left, last, region.right)
        block = table_block(_cells(rows, region, numbers, merges), header, **facts)
        if block is not None:
            yield Block("table", block.text, page, cell=place, metadata=block.metadata)


def _spans(rows: Rows, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last row of each part."""
    if not numbers:
        return
    start = last = numbers[0]
    length = 0
    for number in numbers:
        size = sum(map(len, rows.get(number, {}).values())) if number in rows else 0
        if number > start and (number - start >= PART_ROWS or length + size > PART_LENGTH):
            yield start, last
            start, length = number, 0
        length += size
        last = number
    yield start, last


def _cells(rows: Rows, region: Region, numbers: Sequence[int], merges: Sequence[Region]) -> list[Cell]:
    places = {number: index for index, number in enumerate(numbers)}
    sizes: dict[tuple[int, int], tuple[int, int, str]] = {}
    covered: set[tuple[int, int]] = set()
    for m in merges:
        inside = [places[n] for n in range(m.top, m.bottom + 1) if n in places]
        if inside:
            right = min(m.right, region.right)
            sizes[inside[0], m.left] = (len(inside), right - m.left + 1, rows[m.top].get(m.left, ""))
            covered.update((row, column) for row in inside for column in range(m.left, right + 1))
    cells: list[Cell] = []
    columns = range(region.left, region.right + 1)
    for index, number in enumerate(numbers):
        row = rows.get(number, {})
        for column in columns:
            if not covered or (index, column) not in covered:
                cells.append(Cell(row.get(column, ""), index, column - region.left))
            elif (index, column) in sizes:
                high, wide, text = sizes[index, column]
                cells.append(Cell(text, index, column - region.left, high, wide))
    return cells
