"""OpenDocument spreadsheets (.ods) -> blocks: a sheet is a section, its filled regions are tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.model import ParsedFile
from engine.parse.html_text import collapsed
from engine.parse.odf import DRAW, OFFICE, STYLE, TABLE, TEXT, content_of
from engine.parse.ooxml import Package, integer
from engine.parse.sheet_book import MAX_CELL_TEXT, MAX_COLUMN, MAX_MERGES, MAX_ROW, SheetBook
from engine.parse.sheet_regions import Region, Sheet

MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_VALUES = tuple(f"{OFFICE}{name}" for name in ("string-value", "date-value", "time-value", "value"))
_CELLS = frozenset({f"{TABLE}table-cell", f"{TABLE}covered-table-cell"})


def parse_ods(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a spreadsheet, ``cell`` a range such as ``Sheet1!A1:D9``. Raises as ``parse_file``."""
    book = SheetBook(name)
    with Package(path, name) as package:
        root = content_of(package, name, "spreadsheet")
        for blank in root.iter(f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"):
            blank.text = "\v" if blank.tag == f"{TEXT}line-break" else " "
        unseen = root.iterfind(f".//{STYLE}style/{STYLE}table-properties[@{TABLE}display='false']")
        hidden = {properties.getparent().get(f"{STYLE}name") for properties in unseen}
        for element in root.iterfind(f"{OFFICE}body/*/{TABLE}table"):
            sheet = book.begin(element.get(f"{TABLE}name", ""), element.get(f"{TABLE}style-name") in hidden)
            row = 1
            for item in element.iter(f"{TABLE}table-row"):
                row += _read_row(item, book, sheet, row)
            for shapes in element.iterchildren(f"{TABLE}shapes"):
                _count_frames(shapes, sheet)
            book.end(sheet)
        return book.parsed(MEDIA_TYPE, package.stated_title() or Path(name).stem)


def _read_row(element: Any, book: SheetBook, sheet: Sheet, first: int) -> int:
    """Read a row and return how many rows it stands for."""
    cells = _cells_of(element, sheet, first)
    repeated = max(integer(element.get(f"{TABLE}number-rows-repeated"), 1), 1)
    if cells and first <= MAX_ROW:
        book.count(len(cells) * min(repeated, MAX_ROW))
        for number in range(first, min(first + repeated, MAX_ROW + 1)):
            sheet.rows[number] = dict(cells)
    return repeated


def _cells_of(row: Any, sheet: Sheet, number: int) -> dict[int, str]:
    cells: dict[int, str] = {}
    column = 1
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        repeated = max(integer(cell.get(f"{TABLE}number-columns-repeated"), 1), 1)
        text = _shown(cell) if len(cell) or cell.get(f"{OFFICE}value-type") else ""
        if text and cell.tag == f"{TABLE}table-cell":
            for place in range(column, min(column + repeated, MAX_COLUMN + 1)):
                cells[place] = text
        if len(cell) and column <= MAX_COLUMN:
            for note in cell.iterchildren(f"{OFFICE}annotation"):
                words = (collapsed(paragraph.itertext()) for paragraph in note.iter(f"{TEXT}p"))
                sheet.comment("\n".join(line for line in words if line), number, column)
            _count_frames(cell, sheet)
        high, wide = (integer(cell.get(f"{TABLE}number-{way}-spanned"), 1) for way in ("rows", "columns"))
        if max(high, wide) > 1 and min(high, wide) > 0 and len(sheet.merges) < MAX_MERGES:
            sheet.merges.append(Region(number, column, number + high - 1, column + wide - 1))
        column += repeated
    return cells


def _count_frames(element: Any, sheet: Sheet) -> None:
    for frame in element.iter(f"{DRAW}frame"):
        for what, tag in (("chart", "object"), ("picture", "image")):
            if frame.find(f"{DRAW}{tag}") is not None:
                sheet.not_read[what] += 1
                break


def _shown(cell: Any) -> str:
    """Return a cell's text as it is shown, else its stored value."""
    lines = [collapsed(paragraph.itertext()) for paragraph in cell.iterchildren(f"{TEXT}p")]
    text = "\n".join(line for line in lines if line)
    if not lines and cell.get(f"{OFFICE}value-type"):
        text = next((value for name in _VALUES if (value := cell.get(name))), "")
    return text[:MAX_CELL_TEXT]
