"""Tables that a sheet sets with room inside them: an empty row below the headers, empty columns between groups.

Statements are often laid out so. A block of numbers that names neither its rows nor its columns belongs to the
table at its left, and words over a block of numbers are its headers, when no more than one empty column or row
lies between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from engine.model import Block
from engine.parse.sheet_regions import (
    HEADER_ROWS,
    NUMERIC,
    YEAR,
    Region,
    address,
    region_blocks,
    regions_of,
)

Rows = Mapping[int, Mapping[int, str]]
FEWEST_ROWS = 2
# So much of a block's filled cells are numbers.
MOSTLY = 0.8
# Of a long block so many rows are looked at; a sheet of more blocks than this is no statement.
LOOKED_AT, MOST_REGIONS = 200, 400
_DASHES = "-–—− "


@dataclass(frozen=True, slots=True)
class Joined:
    """A region, and how many of its first filled rows are headers; None where its own words tell."""

    region: Region
    header_rows: int | None = None


def sheet_blocks(rows: Rows, merges: Sequence[Region], sheet: str, page: int, name: str) -> Iterator[Block]:
    """Yield the blocks of a sheet's filled regions. Raises as :func:`region_blocks`."""
    for one in joined(rows, regions_of(rows)):
        yield from region_blocks(
            rows, one.region, merges, sheet=sheet, page=page, name=name, header_rows=one.header_rows
        )


def comment_block(text: str, sheet: str, page: int, row: int, column: int) -> Block | None:
    """Return a comment on a cell, of a thread of comments the words alone; None without any."""
    if text.startswith("[Threaded comment]"):
        text = text.partition("\nComment:")[2].strip() or text
    cell = address(sheet, row, column, row, column)
    return Block("paragraph", text, page, cell=cell, metadata={"note": "comment"}) if text else None


def not_read(sheet: str, what: str, count: int) -> str:
    """Return the warning that so many charts or pictures of a sheet were not read."""
    many = f"{count} {what}s that were" if count > 1 else f"a {what} that was"
    return f"Sheet “{sheet}” has {many} not read."


def joined(rows: Rows, regions: Sequence[Region]) -> list[Joined]:
    """Return the regions, those joined that are one table, in reading order."""
    if len(regions) > MOST_REGIONS:
        return [Joined(region) for region in regions]
    left = list(regions)
    made: list[Joined] = []
    for body in [region for region in regions if _names_rows(rows, region)]:
        if body not in left:
            continue
        parts = [body, *_at_the_right(rows, body, left)]
        whole = reduce(Region.around, parts)
        headers = list(_above(rows, whole, left))
        table = reduce(Region.around, headers, whole)
        inside = [region for region in left if region.meets(table)]
        if len(inside) > 1 and headers and all(region.around(table) == table for region in inside):
            left = [region for region in left if region not in inside]
            filled = sum(1 for row in range(table.top, whole.top) if _filled(rows, row, table))
            made.append(Joined(table, filled))
    return sorted([*made, *(Joined(region) for region in left)], key=lambda one: one.region)


def _names_rows(rows: Rows, region: Region) -> bool:
    """True for a block whose first column is words and whose others are numbers from the first row on."""
    if region.bottom - region.top + 1 < FEWEST_ROWS:
        return False
    names = [rows[row].get(region.left, "") for row in _looked_at(region)]
    if sum(_is_number(name) for name in names) > len(names) * (1 - MOSTLY):
        return False
    values = region._replace(left=region.left + 1)
    return region.right > region.left and _numbers(rows, values)


def _numbers(rows: Rows, region: Region) -> bool:
    """True for a block of numbers alone, its first row not of years: these name columns."""
    cells = list(_cells(rows, region))
    first = [text for row, _, text in cells if row == region.top]
    if not cells or not first or all(YEAR.match(text) for text in first):
        return False
    return sum(_is_number(text) for _, _, text in cells) >= MOSTLY * len(cells) and any(
        _is_number(text) for text in first
    )


def _at_the_right(rows: Rows, body: Region, regions: Sequence[Region]) -> Iterator[Region]:
    """Yield the blocks of numbers that follow a body on the very same rows, one empty column between them."""
    end = body.right
    for region in sorted(regions, key=lambda one: one.left):
        same_rows = (region.top, region.bottom) == (body.top, body.bottom)
        if same_rows and region.left == end + 2 and _numbers(rows, region) and not _counts(rows, region):
            yield region
            end = region.right


def _counts(rows: Rows, region: Region) -> bool:
    """True where the first column counts on, or holds years: it names rows of its own."""
    texts = [rows[row].get(region.left, "") for row in _looked_at(region)]
    if all(YEAR.match(text) for text in texts):
        return True
    return all(text.isdigit() for text in texts) and all(int(b) == int(a) + 1 for a, b in pairwise(texts))


def _above(rows: Rows, body: Region, regions: Sequence[Region]) -> Iterator[Region]:
    """Yield the regions of words whose last row stands over a body, one empty row between them, and beside these."""
    lowest = body.top - 2
    heads = [
        region
        for region in regions
        if lowest - HEADER_ROWS < region.top <= region.bottom <= lowest
        and body.left <= region.left <= region.right <= body.right
        and not any(_is_number(text) and not YEAR.match(text) for _, _, text in _cells(rows, region))
    ]
    if any(region.bottom == lowest for region in heads):
        top = min(region.top for region in heads if region.bottom == lowest)
        yield from (region for region in heads if region.bottom >= top)


def _cells(rows: Rows, region: Region) -> Iterator[tuple[int, int, str]]:
    for row in _looked_at(region):
        for column in range(region.left, region.right + 1):
            if text := rows.get(row, {}).get(column, "").strip():
                yield row, column, text


def _looked_at(region: Region) -> range:
    return range(region.top, min(region.bottom, region.top + LOOKED_AT - 1) + 1)


def _is_number(text: str) -> bool:
    bare = text.strip()
    return bool(NUMERIC.match(bare)) or not bare.strip(_DASHES)


def _filled(rows: Rows, row: int, region: Region) -> bool:
    return any(rows.get(row, {}).get(column) for column in range(region.left, region.right + 1))
