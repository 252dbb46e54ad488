"""Tables that a sheet sets with an empty row below the headers, as statements often are.

Words over a block of numbers are its headers when no more than one empty row lies between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from engine.parse.sheet_regions import HEADER_ROWS, NUMERIC, YEAR, Region, Sheet

FEWEST_ROWS = 2
# So much of a block's filled cells are numbers.
MOSTLY = 0.8
# Of a long block so many rows are looked at; a sheet of more blocks than this is no statement.
LOOKED_AT, MOST_REGIONS = 200, 400
_DASHES = "-–—− "


def joined(sheet: Sheet, regions: Sequence[Region]) -> list[tuple[Region, int | None]]:
    """Return the regions, those joined that are one table, in reading order.

    With each stands how many of its first filled rows are headers; None where its own words tell.
    """
    left = list(regions)
    made: list[tuple[Region, int | None]] = []
    for body in [one for one in regions if len(regions) <= MOST_REGIONS and _names_rows(sheet, one)]:
        if body not in left:
            continue
        headers = list(_above(sheet, body, left))
        table = reduce(Region.around, headers, body)
        inside = [region for region in left if region.meets(table)]
        if len(inside) > 1 and headers and all(region.around(table) == table for region in inside):
            left = [region for region in left if region not in inside]
            filled = sum(any(sheet.texts(row, table)) for row in range(table.top, body.top))
            made.append((table, filled))
    return sorted([*made, *((region, None) for region in left)], key=lambda one: one[0])


def _names_rows(sheet: Sheet, region: Region) -> bool:
    """True for a block whose first column is words and whose others are numbers from the first row on."""
    if len(region.rows) < FEWEST_ROWS or len(region.columns) < 2:
        return False
    names = [sheet.texts(row, region)[0] for row in region.rows[:LOOKED_AT]]
    are_words = sum(map(_is_number, names)) <= len(names) * (1 - MOSTLY)
    return are_words and _numbers(sheet, region._replace(left=region.left + 1))


def _numbers(sheet: Sheet, region: Region) -> bool:
    """True for a block of numbers alone, its first row not of years: these name columns."""
    cells = list(_cells(sheet, region))
    first = [text for row, text in cells if row == region.top]
    if not cells or not first or all(YEAR.match(text) for text in first):
        return False
    mostly = sum(_is_number(text) for _, text in cells) >= MOSTLY * len(cells)
    return mostly and any(map(_is_number, first))


def _above(sheet: Sheet, body: Region, regions: Sequence[Region]) -> Iterator[Region]:
    """Yield the regions of words whose last row stands over a body, one empty row between them, and beside these."""
    lowest = body.top - 2
    heads = [
        region
        for region in regions
        if lowest - HEADER_ROWS < region.top <= region.bottom <= lowest
        and body.left <= region.left <= region.right <= body.right
        and not any(_is_number(text) and not YEAR.match(text) for _, text in _cells(sheet, region))
    ]
    if any(region.bottom == lowest for region in heads):
        top = min(region.top for region in heads if region.bottom == lowest)
        yield from (region for region in heads if region.bottom >= top)


def _cells(sheet: Sheet, region: Region) -> Iterator[tuple[int, str]]:
    for row in region.rows[:LOOKED_AT]:
        yield from ((row, text) for raw in sheet.texts(row, region) if (text := raw.strip()))


def _is_number(text: str) -> bool:
    bare = text.strip()
    return bool(NUMERIC.match(bare)) or not bare.strip(_DASHES)
