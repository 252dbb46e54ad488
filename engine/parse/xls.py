"""Old Excel spreadsheets (.xls) -> blocks, cells read by ``python-calamine``.

A sheet is a section, its filled regions are tables. Numbers are as stored, without the format of their cells; comments
and drawings are not read.
"""

from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

from engine.errors import UnreadableFileError
from engine.model import ParsedFile
from engine.parse.sheet_book import MAX_CELL_TEXT, MAX_MERGES, SheetBook
from engine.parse.sheet_regions import Region
from engine.parse.xlsx_number_formats import general

MEDIA_TYPE = "application/vnd.ms-excel"


def parse_xls(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a spreadsheet, ``cell`` a range such as ``Sheet1!A1:D9``. Raises as ``parse_file``."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    book = SheetBook(name)
    try:
        with path.open("rb") as file:
            workbook = CalamineWorkbook.from_filelike(file)
        for index, facts in enumerate(workbook.sheets_metadata):
            hidden, very = SheetVisibleEnum.Hidden, SheetVisibleEnum.VeryHidden
            sheet = book.begin(facts.name, facts.visible in (hidden, very), facts.visible == very)
            cells = workbook.get_sheet_by_index(index)
            for row, values in enumerate(cells.to_python(skip_empty_area=False) if cells.start else (), 1):
                shown = ((column, _shown(value)) for column, value in enumerate(values, 1))
                if found := {column: text for column, text in shown if text}:
                    sheet.rows[row] = found
            book.count(sum(map(len, sheet.rows.values())))
            ranges = (cells.merged_cell_ranges or [])[:MAX_MERGES]
            sheet.merges = [Region(*(edge + 1 for corner in merge for edge in corner)) for merge in ranges]
            book.end(sheet)
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


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return general(value)
    if isinstance(value, date | time | timedelta):
        return str(value).removesuffix(" 00:00:00")
    return "\n".join(line for raw in str(value).splitlines() if (line := raw.strip()))[:MAX_CELL_TEXT]
