"""Old Excel spreadsheets (.xls) where no LibreOffice is installed -> blocks, cells read by ``python-calamine``.

A sheet is a section, its filled regions are tables. Numbers are as stored, without the format of their cells; comments
and drawings are not read.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from engine.errors import UnreadableFileError
from engine.model import ParsedFile
from engine.parse.sheet_book import MAX_CELL_TEXT, MAX_MERGES, SheetBook
from engine.parse.sheet_joins import sheet_blocks
from engine.parse.sheet_regions import Region, with_merges
from engine.parse.xlsx_number_formats import general

MEDIA_TYPE = "application/vnd.ms-excel"


def parse_xls(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a spreadsheet; pages are sheets, ``Block.cell`` is a range such as ``Sheet1!A1:D9``.

    Raises UnreadableFileError when it is broken or locked, LimitExceededError for more cells than fit.
    """
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    book = SheetBook(name)
    try:
        with path.open("rb") as file:
            workbook = CalamineWorkbook.from_filelike(file)
        for index, sheet in enumerate(workbook.sheets_metadata):
            title = book.begin(sheet.name)
            rows, merges = _rows(workbook.get_sheet_by_index(index))
            book.count(sum(map(len, rows.values())))
            found = list(sheet_blocks(rows, merges, title, book.sheets, name))
            book.end(
                title, found, sheet.visible != SheetVisibleEnum.Visible,
                unshowable=sheet.visible == SheetVisibleEnum.VeryHidden,
            )  # fmt: skip
    except _broken() as error:
        raise UnreadableFileError(
            f"{name} is a damaged spreadsheet or one with a password. Open it in the program that made it, save it "
            "as .xlsx and add that."
        ) from error
    return book.parsed(MEDIA_TYPE, Path(name).stem)


def _broken() -> tuple[type[BaseException], ...]:
    """Return what a damaged workbook raises; where the library's own code fails, that can be imported from nowhere."""
    from python_calamine import CalamineError

    panics = [kind for kind in BaseException.__subclasses__() if kind.__name__ == "PanicException"]
    return (CalamineError, OSError, ValueError, *panics)


def _rows(sheet: Any) -> tuple[dict[int, dict[int, str]], list[Region]]:
    """Return the cells of a sheet as shown, by row and column from 1, and its merged ranges."""
    rows: dict[int, dict[int, str]] = {}
    if sheet.start is None:
        return rows, []
    for row, values in enumerate(sheet.to_python(skip_empty_area=False), 1):
        if found := {column: text for column, value in enumerate(values, 1) if (text := _shown(value))}:
            rows[row] = found
    ranges = (sheet.merged_cell_ranges or [])[:MAX_MERGES]
    merges = [Region(top + 1, left + 1, bottom + 1, right + 1) for (top, left), (bottom, right) in ranges]
    return rows, with_merges(rows, merges)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return general(value)
    if isinstance(value, datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, date | time | timedelta):
        return str(value)
    return "\n".join(line for raw in str(value).splitlines() if (line := raw.strip()))[:MAX_CELL_TEXT]
