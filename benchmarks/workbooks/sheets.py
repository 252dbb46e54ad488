"""Writes sheets as people keep them and returns what their cells mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl

from workbooks.tables import ListTable, made_table

_TO_READ_AT_ONCE = 20_000


@dataclass
class Sheet:
    """A list to write: its header names and rows, and what stands around and in between.

    ``above`` are lines over the header, ``groups`` the first of two header rows by how many columns each name spans,
    ``totals`` rows to write after the row with that place in ``rows``, ``merge`` the places of columns in which equal
    neighbours become one merged cell, ``first`` the sheet's column (1-based) in which the list begins.
    ``aliases`` are other words for columns, ``label`` the column that rows are called by, ``noun`` what a row is.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    label: str
    noun: str
    above: Sequence[str] = ()
    groups: Sequence[tuple[str, int]] = ()
    totals: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    merge: Sequence[int] = ()
    first: int = 1
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def write(path: Path, sheets: Sequence[Sheet]) -> list[ListTable]:
    """Write a workbook and return its lists."""
    book = openpyxl.Workbook(write_only=max(len(sheet.rows) for sheet in sheets) > _TO_READ_AT_ONCE)
    if not book.write_only:
        book.remove(book.active)
    tables = []
    for sheet in sheets:
        lines, numbers = _lines(sheet)
        page = book.create_sheet(sheet.title)
        for line in lines:
            page.append([None] * (sheet.first - 1) + list(line))
        if not book.write_only:
            _merge(page, sheet, numbers)
        tables.append(_known(path.name, sheet, numbers))
    book.save(path)
    names = [{name for name in sheet.header if name} for sheet in sheets]
    for place, table in enumerate(tables):
        table.named_elsewhere = set().union(*names[:place], *names[place + 1 :])
    return tables


def _lines(sheet: Sheet) -> tuple[list[Sequence[Any]], list[int]]:
    """Return all lines of a sheet and the 1-based number of each row of the list."""
    lines: list[Sequence[Any]] = [[text] for text in sheet.above]
    if sheet.groups:
        lines.append([cell for name, width in sheet.groups for cell in [name or None, *[None] * (width - 1)]])
    lines.append(sheet.header)
    numbers = []
    for place, row in enumerate(sheet.rows):
        lines.append(row)
        numbers.append(len(lines))
        if place in sheet.totals:
            lines.append(sheet.totals[place])
    return lines, numbers


def _merge(page: Any, sheet: Sheet, numbers: Sequence[int]) -> None:
    header = len(sheet.above) + (1 if sheet.groups else 0) + 1
    if sheet.above:
        page.merge_cells(
            start_row=1, end_row=1, start_column=sheet.first, end_column=sheet.first + len(sheet.header) - 1
        )
    left = sheet.first
    for name, width in sheet.groups:
        if width > 1 and name:
            page.merge_cells(start_row=header - 1, end_row=header - 1, start_column=left, end_column=left + width - 1)
        left += width
    for column in sheet.merge:
        start = 0
        for place in range(1, len(sheet.rows) + 1):
            ended = place == len(sheet.rows) or sheet.rows[place][column] != sheet.rows[start][column]
            if ended or numbers[place] != numbers[place - 1] + 1:
                if place - start > 1:
                    at = sheet.first + column
                    page.merge_cells(
                        start_row=numbers[start], end_row=numbers[place - 1], start_column=at, end_column=at
                    )
                start = place


def _known(workbook: str, sheet: Sheet, numbers: Sequence[int]) -> ListTable:
    places = list(range(sheet.first, sheet.first + len(sheet.header)))
    groups: dict[int, str] = {}
    left = sheet.first
    for name, width in sheet.groups:
        groups |= dict.fromkeys(range(left, left + width), name)
        left += width
    body = {number: list(row) for number, row in zip(numbers, sheet.rows, strict=True)}
    table = made_table(
        workbook,
        sheet.title,
        places,
        list(sheet.header),
        body,
        groups,
        dict(sheet.aliases),
        sheet.label,
        sheet.noun,
    )
    if table is None:
        raise ValueError(f"{workbook}, {sheet.title}: no column names its rows")
    return table
