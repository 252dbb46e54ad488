"""Excel workbooks (.xlsx, .xlsm) -> blocks: a sheet is a section, its filled regions are tables.

Cells are read straight from the sheets' XML as a stream, values as their number formats show them, formulas as
their stored results. What a sheet claims about its size is not believed: only filled cells count.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from lxml import etree

from engine.model import Block, ParsedFile
from engine.model.sheet_columns import column_number
from engine.parse.docx_parts import chart_block, diagram_text
from engine.parse.limits import check_declarations, check_xml
from engine.parse.ooxml import Package, R, integer, parts_by_kind
from engine.parse.pptx import paragraphs_of
from engine.parse.sheet_book import MAX_CELL_TEXT, MAX_COLUMN, MAX_MERGES, MAX_ROW, SheetBook
from engine.parse.sheet_regions import Region, Sheet
from engine.parse.xlsx_formulas import Calculation, Formula, Place
from engine.parse.xlsx_number_formats import BUILT_IN, GENERAL, Formatter, formatter, general

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LONGEST_AMOUNT = 14
MAX_NAMES = 1000
_Formulas = dict[Place, tuple[Formula, str | None]]
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})$")
_CONSTANT = re.compile(r'-?[\d.]+%?$|"[^"]+"$')
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def parse_xlsx(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a workbook, ``cell`` a range such as ``Sheet1!A1:D9``. Raises as ``parse_file``."""
    with Package(path, name) as package:
        reader = _WorkbookReader(package, name)
        reader.read()
        # The first sheet's name says nothing of the workbook; the file's does.
        return reader.book.parsed(MEDIA_TYPE, package.stated_title() or Path(name).stem)


class _WorkbookReader:
    """Reads the sheets in their order; knows the shared texts and number formats."""

    def __init__(self, package: Package, name: str) -> None:
        self.book = SheetBook(name)
        self.warnings = self.book.warnings
        self._package = package
        self._name = name
        what = "is an Excel file without a readable workbook"
        part, self._root = package.document("xl/workbook.xml", what, "Excel")
        self._relationships = package.relationships(part)
        kinds = parts_by_kind(self._relationships)
        settings = self._root.find("{*}workbookPr")
        self._from_1904 = settings is not None and settings.get("date1904") in {"1", "true", "on"}
        texts = kinds.get("sharedStrings", "xl/sharedStrings.xml")
        has_texts = package.data(texts) is not None
        self._texts = [_rich_text(item) for item in self._stream(texts, "si")] if has_texts else []
        self._formats = self._formatters(kinds.get("styles", "xl/styles.xml"))

    def read(self) -> None:
        """Read all sheets into the book."""
        for item in self._root.iterfind("{*}sheets/{*}sheet"):
            state = item.get("state", "visible")
            sheet = self.book.begin(item.get("name", ""), state != "visible", state == "veryHidden")
            relationship = self._relationships.get(item.get(f"{R}id", ""))
            if not relationship or not relationship.part:
                self.warnings.append(f"Sheet “{sheet.title}” is missing in this workbook.")
                continue
            self._rows(relationship.part, sheet)
            related = self._package.relationships(relationship.part).values()
            for kind, read in (("comments", self._comments), ("drawing", self._drawn)):
                for one in related:
                    if one.kind == kind:
                        read(one.part, sheet)
            sheet.beside += self._names(sheet)
            self.book.end(sheet)

    def _names(self, sheet: Sheet) -> Iterator[Block]:
        """Yield the names of cells and ranges of a sheet with what they stand for, those of constants on the first."""
        for item in self._root.findall("{*}definedNames/{*}definedName")[:MAX_NAMES]:
            meant, cell = _meant(item.text or "", sheet)
            name = item.get("name", "_")
            if meant and name[:1] != "_" and not item.get("hidden"):
                yield Block("list_item", f"{name}: {meant}", sheet.page, level=1, cell=cell)

    def _rows(self, part: str, sheet: Sheet) -> None:
        formulas: _Formulas = {}
        shared: dict[str, tuple[str, Place]] = {}
        number = 0
        for element in self._stream(part, "row", "mergeCell"):
            if etree.QName(element).localname == "mergeCell":
                if len(sheet.merges) < MAX_MERGES and (merge := _merge(element.get("ref", ""))):
                    sheet.merges.append(merge)
                continue
            number = integer(element.get("r"), number + 1)
            if not 1 <= number <= MAX_ROW:
                continue
            for cell in element:
                if len(cell) and cell[0].tag.endswith("}f"):
                    formulas.update(_without_result(cell, shared))
            if cells := self._row(element):
                sheet.rows[number] = cells
                self.book.count(len(cells))
        if formulas:
            self._compute(formulas, part, sheet)

    def _compute(self, formulas: _Formulas, part: str, sheet: Sheet) -> None:
        """Take in the results of formulas that have none stored; those that cannot be told as written."""
        written = {place: formula for place, (formula, _) in formulas.items()}
        calculation = Calculation(written, dict(self._numbers(part)))
        unknown = 0
        for (row, column), (formula, style) in formulas.items():
            result = calculation.result((row, column))
            unknown += result is None
            shown = f"={formula.text}" if result is None else self._formats.get(style or "0", general)(result)
            sheet.rows.setdefault(row, {})[column] = shown[:MAX_CELL_TEXT]
        self.warnings.append(
            f"Sheet “{sheet.title}” holds {len(formulas)} formulas without stored results: {len(formulas) - unknown} "
            f"were computed, {unknown} are shown as formulas. Open the workbook in Excel and save it to store them."
        )
        sheet.rows = dict(sorted(sheet.rows.items()))

    def _numbers(self, part: str) -> Iterator[tuple[Place, float | None]]:
        for cell in self._stream(part, "c"):
            value, kind = cell.findtext("{*}v"), cell.get("t", "n")
            place = _place(cell.get("r", ""))
            if place and (value or kind == "inlineStr"):
                with suppress(ValueError):
                    yield place, float(value) if kind == "n" else None

    def _row(self, row: Any) -> dict[int, str]:
        cells: dict[int, str] = {}
        column = 0
        for cell in row:
            reference = cell.get("r")
            column = _column_of(reference) if reference else column + 1
            if 1 <= column <= MAX_COLUMN and (text := self._shown(cell)):
                cells[column] = text
        return cells

    def _shown(self, cell: Any) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _rich_text(cell)
        value = next((child.text for child in cell if child.tag.endswith("}v")), None)
        if value is None:
            return ""
        if kind == "s":
            index = integer(value, -1)
            return self._texts[index] if 0 <= index < len(self._texts) else ""
        if kind == "n":
            return self._number(value, cell.get("s"))
        if kind == "b":
            return "TRUE" if value.strip() in {"1", "true"} else "FALSE"
        if kind == "d":
            return value.strip().removesuffix("T00:00:00").replace("T", " ")
        return _clean(value)

    def _number(self, value: str, style: str | None) -> str:
        show = self._formats.get(style or "0", general)
        # Long numbers are names of things (cards, accounts); Excel itself would round them.
        if value.isdigit() and (show is general or len(value) > LONGEST_AMOUNT):
            return value[:MAX_CELL_TEXT]
        with suppress(ValueError, OverflowError):
            if abs(number := float(value)) < 1e300:
                return show(number)
        return value.strip()[:MAX_CELL_TEXT]

    def _stream(self, part: str, *tags: str) -> Iterator[Any]:
        """Yield the elements of a part as they are read and drop them; a part that breaks off ends early."""
        data = self._package.data(part)
        if data is None:
            self.warnings.append(f"The part {part} of this workbook is missing or damaged.")
            return
        check_xml(data, self._name)
        stream = etree.iterparse(
            BytesIO(data), tag=[f"{{*}}{tag}" for tag in tags], resolve_entities=False, no_network=True,
            load_dtd=False, remove_comments=True, remove_pis=True,
        )  # fmt: skip
        try:
            for number, (_, element) in enumerate(stream):
                if not number:
                    check_declarations(element, self._name)
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
        except etree.XMLSyntaxError:
            self.warnings.append(f"The part {part} of this workbook is damaged; what stands before was read.")

    def _formatters(self, part: str) -> dict[str, Formatter]:
        root = self._package.xml(part)
        if root is None:
            return {}
        codes = dict(BUILT_IN)
        for item in root.iterfind("{*}numFmts/{*}numFmt"):
            codes[integer(item.get("numFmtId"), -1)] = item.get("formatCode", GENERAL)
        return {
            str(index): formatter(codes.get(integer(item.get("numFmtId")), GENERAL), self._from_1904)
            for index, item in enumerate(root.iterfind("{*}cellXfs/{*}xf"))
        }

    def _comments(self, part: str, sheet: Sheet) -> None:
        root = self._package.xml(part)
        for note in root.iter("{*}comment") if root is not None else ():
            if place := _place(note.get("ref", "")):
                sheet.comment(_rich_text(note.find("{*}text")), *place)

    def _drawn(self, drawing: str, sheet: Sheet) -> None:
        """Take the text boxes and diagrams of a sheet, and its charts where there are no cells to chart."""
        root = self._package.xml(drawing)
        for body in root.iter("{*}txBody") if root is not None else ():
            if shown := _clean("\n".join(paragraph.text for paragraph in paragraphs_of(body))):
                cell, facts = _anchor(body, sheet), {"box": True}
                sheet.beside.append(Block("paragraph", shown, sheet.page, cell=cell, metadata=facts))
        for item in self._package.relationships(drawing).values():
            part = self._package.xml(item.target) if item.kind in {"diagramData", "chart"} else None
            if item.kind == "diagramData" and (text := diagram_text(part)):
                sheet.beside.append(Block("paragraph", text, sheet.page, metadata={"diagram": True}))
            elif item.kind == "chart" and not sheet.rows and (block := chart_block(part)):
                sheet.beside.append(replace(block, page=sheet.page))
            elif item.kind in {"chart", "image"}:
                sheet.not_read["picture" if item.kind == "image" else "chart"] += 1


def _without_result(cell: Any, shared: dict[str, tuple[str, Place]]) -> _Formulas:
    """Return the formula of a cell that has no stored result, with its style; note what later cells share."""
    formula, place = cell[0], _place(cell.get("r", ""))
    if place is None:
        return {}
    text, key = (formula.text or "").strip(), formula.get("si", "")
    if text and formula.get("t") == "shared":
        shared[key] = (text, place)
    text, (top, left) = (text, place) if text else shared.get(key, ("", place))
    if not text or cell.findtext("{*}v") or cell.get("t") == "str":
        return {}
    return {place: (Formula(text, place[0] - top, place[1] - left), cell.get("s"))}


def _rich_text(element: Any | None) -> str:
    """Return the text of a string item without its reading aids (phonetic runs)."""
    texts = () if element is None else element.iter("{*}t")
    return _clean("".join(t.text or "" for t in texts if not t.getparent().tag.endswith("}rPh")))


def _clean(text: str) -> str:
    if "_x" in text:
        text = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if int(m[1], 16) in {9, 10, 13} else "", text)
    lines = map(str.strip, text.replace("\r", "\n").split("\n"))
    return "\n".join(filter(None, lines))[:MAX_CELL_TEXT]


def _column_of(reference: str) -> int:
    column = column_number(reference.rstrip("0123456789").upper())
    return column if column <= MAX_COLUMN else 0


def _place(reference: str) -> tuple[int, int] | None:
    match = _REFERENCE.match(reference)
    return (int(match[2]), _column_of(match[1])) if match else None


def _anchor(shape: Any, sheet: Sheet) -> str | None:
    """Return the cell at the upper left of a shape."""
    start = next((a.find("{*}from") for a in shape.iterancestors() if a.tag.endswith("Anchor")), None)
    if start is None:
        return None
    return sheet.address(*(integer(start.findtext(f"{{*}}{name}")) + 1 for name in ("row", "col")))


def _meant(formula: str, sheet: Sheet) -> tuple[str, str | None]:
    """Return what a name stands for and where that is: a cell or range of a sheet, on the first sheet a constant."""
    title, _, reference = formula.strip().rpartition("!")
    place = _merge(reference) or _merge(f"{reference}:{reference}")
    if place and title.strip("'").replace("''", "'") == sheet.title:
        cell = sheet.address(*place)
        value = sheet.rows.get(place.top, {}).get(place.left) if place[:2] == place[2:] else None
        return value or cell, cell
    constant = sheet.page == 1 and _CONSTANT.match(formula.strip())
    return formula.strip().strip('"') if constant else "", None


def _merge(reference: str) -> Region | None:
    first, _, last = reference.partition(":")
    start, end = _place(first), _place(last)
    if start is None or end is None or end < start or end[1] < start[1] or not start[1] or not end[1]:
        return None
    return Region(*start, *end)
