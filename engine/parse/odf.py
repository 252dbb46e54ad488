"""OpenDocument texts (.odt), presentations (.odp) and spreadsheets (.ods) -> blocks.

Texts and presentations go by way of a text that pandoc reads. It is written anew: shapes as they follow each other,
what pandoc would leave out as paragraphs. A paragraph before what stands in a place of its own tells which; it does not
come back as a block.
"""

import json
import posixpath
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from zipfile import ZipFile

from lxml import etree

from engine.errors import UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.docx_styles import title_in
from engine.parse.html_text import collapsed
from engine.parse.limits import MAX_TITLE, check_slides, protected
from engine.parse.ooxml import Package, integer
from engine.parse.other import BOLD, blocks_by_pandoc
from engine.parse.rtf import TITLE
from engine.parse.sheet_book import MAX_CELL_TEXT, MAX_COLUMN, MAX_MERGES, MAX_ROW, SheetBook
from engine.parse.sheet_regions import Region, Sheet

OFFICE, STYLE, TEXT, TABLE, DRAW, FO, SVG, PRESENTATION, CHART = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in (
        "office", "style", "text", "table", "drawing", "xsl-fo-compatible", "svg-compatible",
        "presentation", "chart",
    )
)  # fmt: skip
HREF = "{http://www.w3.org/1999/xlink}href"
MEDIA_TYPES = {name: f"application/vnd.oasis.opendocument.{name}" for name in ("text", "presentation", "spreadsheet")}
MAX_DEPTH = 20
_CLASS = f"{PRESENTATION}class"
_RUNNING = frozenset({"date-time", "footer", "page-number", "header", "page"})
_DOCTYPE = re.compile(rb"<!DOCTYPE[^>\[]*>")
_NO_STYLES = f'<document-styles xmlns="{OFFICE[1:-1]}"><styles/></document-styles>'
# A private character of Unicode begins the paragraphs that tell of a place.
_PLACE = "\ue000"
_BOLD = frozenset({"bold", "600", "700", "800", "900"})
_GROUPS = tuple(f"{TABLE}table-{name}" for name in ("rows", "row-group", "header-columns", "columns"))
_VALUES = tuple(f"{OFFICE}{name}" for name in ("string-value", "date-value", "time-value", "value"))
_CELLS = frozenset({f"{TABLE}table-cell", f"{TABLE}covered-table-cell"})
_DRAWN = frozenset(f"{DRAW}{name}" for name in ("custom-shape", "rect", "ellipse", "caption", "line"))


def content_of(package: Package, name: str, what: str) -> Any:
    """Return the root of the part that holds the document. Raises EncryptedFileError or UnreadableFileError."""
    if b"encryption-data" in (package.data("META-INF/manifest.xml") or b""):
        raise protected(name)
    root = package.xml("content.xml")
    if root is None or root.find(f"{OFFICE}body") is None:
        raise UnreadableFileError(
            f"{name} is an OpenDocument {what} without readable contents. Open it in the program that made it "
            "and save it again."
        )
    return root


def parse_odt(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a text; one without headings has them told by bold lines. Raises as ``parse_file``."""
    with Package(path, name) as package:
        root = content_of(package, name, "text")
        layout = _styles_of(package)
        body = next(iter(root.find(f"{OFFICE}body")), root)  # an empty one holds no text
        _mark_looks(body, (layout, root))
        _set_free(body, package)
        body.extend(_asides(body, layout))
        blocks = _placed(blocks_by_pandoc(_text(package, root, layout), "odt", name))
        stated = package.stated_title()
    return ParsedFile(MEDIA_TYPES["text"], blocks, title=title_in(blocks, stated))


def _styles_of(package: Package) -> Any:
    """Return the root of the part with the styles, an empty one where there is none."""
    found = package.xml("styles.xml")
    return etree.XML(_NO_STYLES) if found is None else found


def _mark_looks(body: Any, parts: tuple[Any, ...]) -> None:
    """Mark the paragraphs that are titles by their style or the one that it builds on, and those that it makes bold."""
    styles = {style.get(f"{STYLE}name"): style for part in parts for style in part.iter(f"{STYLE}style")}
    for paragraph in body.iterchildren(f"{TEXT}p"):
        name = paragraph.get(f"{TEXT}style-name")
        if (style := styles.get(name)) is None or not "".join(paragraph.itertext()).strip():
            continue
        is_title = "Title" in {name, style.get(f"{STYLE}parent-style-name")}
        weights = {properties.get(f"{FO}font-weight") for properties in style.iter(f"{STYLE}text-properties")}
        paragraph.text = (TITLE if is_title else BOLD if weights & _BOLD else "") + (paragraph.text or "")


def _set_free(body: Any, package: Package) -> None:
    """Put the words in shapes, the data of charts and what text boxes hold behind the paragraphs that they hang on.

    Boxes around a picture are its captions, which pandoc reads.
    """
    etree.strip_tags(body, f"{DRAW}a", *_GROUPS)
    for index in body.iter(f"{TEXT}bibliography"):  # pandoc leaves out what it takes for generated
        etree.strip_tags(index, f"{TEXT}index-body", f"{TEXT}index-title")
    etree.strip_tags(body, f"{TEXT}bibliography")
    for image in body.iter(f"{DRAW}image"):
        words = image.getparent().findtext(f"{SVG}desc") or image.getparent().findtext(f"{SVG}title") or ""
        # pandoc keeps the address alone
        image.set(HREF, f"{image.get(HREF, '')}#{quote(' '.join(words.split()))}")
    boxes = [f"{DRAW}text-box"] if body.tag == f"{OFFICE}text" else []
    for shape in list(body.iter(*_DRAWN, f"{DRAW}object", *boxes)):
        place = next(shape.iterancestors(f"{TEXT}p", f"{TEXT}h"), shape)
        if shape.tag in boxes:
            place = shape.getparent() if place is shape else place
            parts = iter(()) if next(shape.iter(f"{DRAW}image"), None) is not None else iter(shape)
        else:
            is_object = shape.tag == f"{DRAW}object"
            parts = _chart(shape, package) if is_object else map(deepcopy, shape.iterchildren(f"{TEXT}p"))
        for part in reversed(list(parts)):
            place.addnext(part)


def _chart(shape: Any, package: Package) -> Iterator[Any]:
    """Yield the data of a chart as a table."""
    part = posixpath.normpath(posixpath.join("/", shape.get(HREF, ""), "content.xml")).lstrip("/")
    contents = package.xml(part) if shape.get(HREF) else None
    for chart in () if contents is None else contents.iter(f"{CHART}chart"):
        etree.strip_tags(chart, *_GROUPS)
        yield from chart.iter(f"{TABLE}table")


def _text(package: Package, root: Any, layout: Any) -> bytes:
    """Return a package for pandoc: the contents, the styles, and formulas without the document type of old ones."""
    out = BytesIO()
    with ZipFile(out, "w") as written:
        written.writestr("mimetype", MEDIA_TYPES["text"])
        written.writestr("content.xml", etree.tostring(root, encoding="utf-8", xml_declaration=True))
        written.writestr("styles.xml", etree.tostring(layout))
        for part in package.parts():
            if part.endswith("/content.xml"):
                written.writestr(part, _DOCTYPE.sub(b"", package.data(part) or b""))
    return out.getvalue()


def _asides(body: Any, layout: Any) -> Iterator[Any]:
    """Yield comments, then headers and footers, as paragraphs with their places."""
    for note in list(body.iter(f"{OFFICE}annotation")):
        yield from _with_place(note.iter(f"{TEXT}p"), note="comment")
    for zone in ("header", "footer"):
        for element in layout.iter(f"{STYLE}{zone}"):
            yield from _with_place(element.iterchildren(f"{TEXT}p", f"{TABLE}table"), running=zone)


def _with_place(elements: Iterator[Any], **facts: Any) -> Iterator[Any]:
    yield _paragraph(_PLACE + json.dumps(facts))
    yield from (deepcopy(element) for element in elements)


def _paragraph(text: str, tag: str = "p") -> Any:
    element = etree.Element(f"{TEXT}{tag}")
    element.text = text
    return element


def _placed(blocks: list[Block]) -> list[Block]:
    """Return the blocks with page and facts as the paragraphs before them tell."""
    found: list[Block] = []
    page, facts = None, {}
    for block in blocks:
        if block.text.startswith(_PLACE):
            facts = json.loads(block.text[1:])
            page = facts.pop("page", None)
            continue
        if block.kind == "image":
            source, _, words = str(block.metadata.get("source", "")).partition("#")
            alt = unquote(words) or block.text
            block = replace(block, text=alt, metadata=block.metadata | {"alt": alt, "source": source})
        found.append(replace(block, page=page, metadata=block.metadata | facts))
    return found


def parse_odp(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a presentation, ``page`` the number of the slide. Raises as ``parse_file``."""
    with Package(path, name) as package:
        root = content_of(package, name, "presentation")
        layout = _styles_of(package)
        body = root.find(f"{OFFICE}body")
        _set_free(body, package)
        slides = list(body.iter(f"{DRAW}page"))
        check_slides(len(slides), name)
        text = etree.SubElement(body, f"{OFFICE}text")
        unseen = f".//{STYLE}style/{STYLE}drawing-page-properties[@{PRESENTATION}visibility='hidden']"
        invisible = {properties.getparent().get(f"{STYLE}name", "") for properties in root.iterfind(unseen)}
        hidden = {n for n, slide in enumerate(slides, 1) if slide.get(f"{DRAW}style-name") in invisible}
        for number, slide in enumerate(slides, 1):
            text.extend(_slide(slide, number, {"hidden": True} if number in hidden else {}))
        body[:] = [text]
        blocks = _placed(blocks_by_pandoc(_text(package, root, layout), "odt", name))
        stated = package.stated_title()
    first = blocks[0] if blocks else None
    title = first.text if first and not first.metadata.get("generated") else stated or Path(name).stem
    return ParsedFile(
        MEDIA_TYPES["presentation"], blocks, title=title, pages=len(slides),
        warnings=[f"Slide {number} is hidden in the presentation; it was read." for number in sorted(hidden)],
    )  # fmt: skip


def _slide(slide: Any, number: int, facts: dict[str, Any]) -> Iterator[Any]:
    """Yield a slide as a heading and what stands below it, nothing for an empty one."""
    shapes = list(_shapes(slide))
    title = next((s for s in shapes if s.get(_CLASS) == "title" and _words(s)), None)
    found: list[Any] = []
    for shape in shapes:
        if shape is not title and (contents := list(_contents(shape))):
            found += _with_place(iter(contents), page=number)
    for note in slide.iterchildren(f"{OFFICE}annotation"):
        found += _with_place(note.iter(f"{TEXT}p"), page=number, note="comment")
    for shape in (s for notes in slide.iterchildren(f"{PRESENTATION}notes") for s in _shapes(notes)):
        if shape.get(f"{PRESENTATION}placeholder") != "true":
            found += _with_place(shape.iter(f"{TEXT}p"), page=number, note="speaker")
    if title is None and not found:
        return
    facts |= {} if title is not None else {"generated": True, "title_generated": True}
    heading = f"Slide {number}" if title is None else " ".join(_words(title).split())[:MAX_TITLE]
    yield from _with_place(iter([_paragraph(heading, "h")]), page=number, **facts)
    yield from found


def _shapes(container: Any, depth: int = 0) -> Iterator[Any]:
    """Yield the shapes of a slide in the order of the file, without what stands on every slide."""
    for element in container:
        if element.tag == f"{DRAW}g" and depth < MAX_DEPTH:
            yield from _shapes(element, depth + 1)
        elif element.tag.startswith(DRAW) and element.get(_CLASS) not in _RUNNING:
            yield element


def _words(element: Any) -> str:
    """Return the text of a shape that holds nothing but paragraphs, else ""."""
    if next(element.iter(f"{DRAW}image", f"{DRAW}object"), None) is not None:
        return ""
    return " ".join("".join(part.itertext()) for part in element.iter(f"{TEXT}p", f"{TEXT}h")).strip()


def _contents(shape: Any) -> Iterator[Any]:
    """Yield what a shape holds as parts of a text; headings are paragraphs on a slide."""
    for heading in list(shape.iter(f"{TEXT}h")):
        heading.tag = f"{TEXT}p"
    parts = [part for box in (shape, *shape.iterchildren(f"{DRAW}text-box")) for part in box
             if part.tag in {f"{TEXT}p", f"{TEXT}list", f"{TABLE}table"}]  # fmt: skip
    if any("".join(part.itertext()).strip() for part in parts):
        yield from parts
    elif shape.find(f"{DRAW}image") is not None:
        paragraph = _paragraph("")
        paragraph.append(deepcopy(shape))
        yield paragraph


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
        return book.parsed(MEDIA_TYPES["spreadsheet"], package.stated_title() or Path(name).stem)


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
