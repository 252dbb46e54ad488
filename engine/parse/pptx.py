"""PowerPoint files (.pptx) -> blocks: a slide is a section; text, lists, tables, charts, pictures, notes.

Shapes are taken in the order of the file, as screen readers take them, groups opened.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from engine.model import Block, ParsedFile
from engine.parse.docx_numbering import formatted
from engine.parse.docx_parts import chart_block, diagram_text
from engine.parse.equations import write_equations
from engine.parse.html_text import collapsed
from engine.parse.limits import MAX_TITLE, check_blocks, check_slides
from engine.parse.ooxml import DIAGRAM, MC, A, C, M, Package, R, Relationship, integer, value
from engine.parse.table_text import Cell, table_block
from engine.structure.look import is_han
from engine.structure.sentences import split_long

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_TITLES = frozenset({"title", "ctrTitle"})
# What masters set with bullets.
_ITEMS = frozenset({"", "obj", "body"})
# What stands on every slide belongs to none; date and number say nothing.
_RUNNING = {"dt": "", "sldNum": "", "ftr": "footer", "hdr": "header"}
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
MAX_SPAN, MAX_GROUPS = 1000, 20
LARGE, LONGEST_TITLE = 1800, 100
_KINDS = frozenset({"sp", "pic", "graphicFrame", "cxnSp"})
_FORMS = {
    "arabic": "decimal", "romanUc": "upperRoman", "romanLc": "lowerRoman", "alphaUc": "upperLetter",
    "alphaLc": "lowerLetter",
    "ea1Chs": "chineseCounting", "ea1Cht": "taiwaneseCounting", "circleNum": "decimalEnclosedCircle",
}  # fmt: skip
_BULLETS = frozenset({f"{A}buNone", f"{A}buChar", f"{A}buAutoNum", f"{A}buBlip"})


class Paragraph(NamedTuple):
    """A paragraph's words, its 0-based level, its properties element."""

    text: str
    level: int
    properties: Any | None


def paragraphs_of(body: Any) -> list[Paragraph]:
    """Return the paragraphs of a text body that hold words."""
    found = []
    for element in body.iterchildren(f"{A}p"):
        properties = element.find(f"{A}pPr")
        level = min(max(integer(value(properties, "lvl")), 0), 8)
        if text := collapsed(_words(element)):
            found.append(Paragraph(text, level, properties))
    return found


def _words(paragraph: Any) -> Iterator[str]:
    for child in paragraph.iter(f"{A}t", f"{A}br", f"{M}oMath"):
        if child.tag == f"{A}br":
            yield "\v"
        elif child.tag == f"{A}t":
            yield (child.text or "").replace("\u000b", "\v").replace("_x000B_", "\v")
        else:
            yield child.text or ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a slide; ``placeholder`` is its type ("" for content, None for none)."""

    kind: str
    element: Any
    placeholder: str | None
    text: str

    @property
    def alt(self) -> str:
        """The words that stand for a picture."""
        named = _named(self.element)
        return " ".join((named.get("descr") or named.get("title") or "").split())

    @property
    def may_be_title(self) -> bool:
        """Whether it is a text box, not a figure with words in it, and holds one short line that is no sentence."""
        box = value(self.element.find(f"{P}nvSpPr/{P}cNvSpPr"), "txBox") in {"1", "true"}
        text = self.text
        short = len(text) * (1 + is_han(text)) <= LONGEST_TITLE and "\n" not in text
        return box and short and any(map(str.isalpha, text)) and text[-1] not in ".。"

    def size(self, usual: int) -> int:
        """The largest size of its letters that a shape names itself, else the usual one, in hundredths of points."""
        sizes = (part.get("sz") for part in self.element.iter(f"{A}rPr", f"{A}defRPr"))
        return max((integer(size) for size in sizes if size), default=usual)


def shapes_of(tree: Any, depth: int = 0) -> Iterator[Shape]:
    """Yield the shapes that a slide shows, those in groups too; hidden ones are left out."""
    for element in tree if depth <= MAX_GROUPS else ():
        tag = element.tag
        if tag == f"{MC}AlternateContent":
            branches = (
                list(shapes_of(branch, depth + 1)) for branch in element.iterchildren(f"{MC}Choice", f"{MC}Fallback")
            )
            yield from next(filter(None, branches), [])
        elif tag == f"{P}grpSp" and not _is_hidden(element):
            yield from shapes_of(element, depth + 1)
        elif tag.startswith(P) and tag.removeprefix(P) in _KINDS and not _is_hidden(element):
            place, body = next(element.iter(f"{P}ph"), None), element.find(f"{P}txBody")
            text = "" if body is None else "\n".join(paragraph.text for paragraph in paragraphs_of(body))
            yield Shape(tag.removeprefix(P), element, None if place is None else place.get("type", ""), text)


def title_among(shapes: Sequence[Shape], height: int, usual: int) -> Shape | None:
    """Return the text box that stands for a title on a slide that has none: one line in the upper half, larger than
    all other text, or as large as the largest, larger than text is by itself, and above all others. What stands alone
    is the title of nothing."""
    places = (integer(value(shape.element.find(f"{P}spPr/{A}xfrm/{A}off"), "y")) for shape in shapes)
    found = [(shape.size(usual), -top, shape) for shape, top in zip(shapes, places, strict=True) if shape.text]
    found.sort(key=itemgetter(0, 1), reverse=True)
    if len(found) < 2 or not found[0][2].may_be_title:
        return None
    (size, top, shape), others = found[0], found[1:]
    larger = size > others[0][0]
    above = size > LARGE and all(top > other[1] for other in others)
    return shape if (larger or above) and -2 * top < height else None


def _is_hidden(element: Any) -> bool:
    return _named(element).get("hidden") in {"1", "true"}


def _named(element: Any) -> Any:
    """Return the element with a shape's own name and description, an empty mapping without one."""
    return next(element.iter(f"{P}cNvPr"), {})  # its own comes before those inside it


def text_blocks(shape: Any, items: bool) -> Iterator[Block]:
    """Yield the paragraphs and list items of a shape; ``items``: without a mark of their own they are items."""
    body = shape.find(f"{P}txBody")
    if body is None:
        return
    counts: dict[int, int] = {}
    for text, level, properties in paragraphs_of(body):
        bullet = None if properties is None else next(properties.iterchildren(*_BULLETS), None)  # what marks it
        before = counts.get(level)
        counts = {higher: count for higher, count in counts.items() if higher < level}
        if not items if bullet is None else bullet.tag == f"{A}buNone":
            yield from (Block("paragraph", piece) for piece in split_long(text))
            continue
        if bullet is not None and bullet.tag == f"{A}buAutoNum":
            counts[level] = integer(bullet.get("startAt"), 1) if before is None else before + 1
            text = f"{_numbered(counts[level], bullet.get('type', ''))} {text}"
        yield Block("list_item", text, level=level + 1)


def _numbered(number: int, kind: str) -> str:
    form = next((form for name, form in _FORMS.items() if kind.startswith(name)), "decimal")
    shown = formatted(max(number, 1), form)
    if kind.endswith("ParenBoth"):
        return f"({shown})"
    return f"{shown})" if kind.endswith("ParenR") else shown if kind.endswith("Plain") else f"{shown}."


def table_of(table: Any) -> Block | None:
    """Return a slide's table with its merged cells; the first row is the header where the table says so."""
    cells: list[Cell] = []
    rows = table.findall(f"{A}tr")
    for number, row in enumerate(rows):
        for column, cell in enumerate(row.findall(f"{A}tc")[:MAX_SPAN]):
            if {cell.get("hMerge"), cell.get("vMerge")} & {"1", "true"}:
                continue
            body = cell.find(f"{A}txBody")
            text = "" if body is None else "\n".join(paragraph.text for paragraph in paragraphs_of(body))
            high = min(max(integer(cell.get("rowSpan"), 1), 1), len(rows) - number)
            wide = min(max(integer(cell.get("gridSpan"), 1), 1), MAX_SPAN)
            cells.append(Cell(text, number, column, high, wide))
    first = value(table.find(f"{A}tblPr"), "firstRow") in {"1", "true"}
    high = max((cell.row_span for cell in cells if cell.row == 0), default=1)
    return table_block(cells, header_rows=0 if not first else high if high < len(rows) else 1)


def parse_pptx(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a presentation, ``page`` the number of the slide. Raises as ``parse_file``."""
    with Package(path, name) as package:
        reader = _SlidesReader(package, name)
        blocks = reader.blocks()
        stated = package.stated_title()
    titles = [b.text for b in blocks if b.kind == "heading" and not b.metadata.get("generated")]
    # Templates leave a title of their own in the properties; the first slide's is the one that is shown.
    title = titles[0] if titles and blocks[0].text == titles[0] else stated or Path(name).stem
    return ParsedFile(MEDIA_TYPE, blocks + reader.running, title=title, pages=reader.slides, warnings=reader.warnings)


class _SlidesReader:
    """Reads the slides in their order."""

    def __init__(self, package: Package, name: str) -> None:
        self.warnings: list[str] = []
        self.running: list[Block] = []
        self.slides = 0
        self._package = package
        self._name = name
        what = "is a PowerPoint file without a readable presentation"
        part, self._root = package.document("ppt/presentation.xml", what, "PowerPoint")
        self._relationships = package.relationships(part)
        self._height = integer(value(self._root.find(f"{P}sldSz"), "cy"), 6858000)
        usual = self._root.find(f"{P}defaultTextStyle/{A}lvl1pPr/{A}defRPr")
        self._letters = integer(value(usual, "sz"), 1800)

    def blocks(self) -> list[Block]:
        """Return the blocks of all slides."""
        entries = self._root.findall(f"{P}sldIdLst/{P}sldId")
        check_slides(len(entries), self._name)
        blocks: list[Block] = []
        for entry in entries:
            self.slides += 1
            relationship = self._relationships.get(entry.get(f"{R}id", ""))
            part = relationship.part if relationship else ""
            root = self._package.xml(part)
            if root is None:
                self.warnings.append(f"Slide {self.slides} is missing or damaged.")
                continue
            write_equations(root)
            blocks += self._slide(root, part)
            check_blocks(len(blocks), self._name)
        return blocks

    def _slide(self, root: Any, part: str) -> list[Block]:
        page = self.slides
        related = self._package.relationships(part)
        tree = root.find(f"{P}cSld/{P}spTree")
        shapes = [] if tree is None else list(shapes_of(tree))
        title = next((s for s in shapes if s.placeholder in _TITLES and s.text), None)
        if title is None:
            own = (shape for shape in shapes if shape.placeholder not in _RUNNING)
            title = title_among([s for s in own if s.element.getparent() is tree], self._height, self._letters)
        facts: dict[str, Any] = {}
        if root.get("show") in {"0", "false"}:
            facts["hidden"] = True
            self.warnings.append(f"Slide {page} is hidden in PowerPoint; it was read.")
        found: list[Block] = []
        for shape in (s for s in shapes if s is not title):
            if shape.placeholder not in _RUNNING:
                found += [replace(block, page=page) for block in self._of_shape(shape, related)]
            elif (zone := _RUNNING[shape.placeholder]) and shape.text:
                self.running.append(Block("paragraph", shape.text, page, metadata={"running": zone}))
        found += [replace(block, page=page) for block in self._notes(related)]
        if title is None and not found:
            return []
        text = " ".join(title.text.split())[:MAX_TITLE] if title is not None else f"Slide {page}"
        if title is None:
            facts |= {"generated": True, "title_generated": True}
        return [Block("heading", text, page, level=1, metadata=facts), *found]

    def _of_shape(self, shape: Shape, related: dict[str, Relationship]) -> Iterator[Block]:
        if shape.kind == "pic":
            picture = related.get(value(shape.element.find(f"{P}blipFill/{A}blip"), f"{R}embed") or "")
            source = picture.part[:500] if picture else ""
            yield Block("image", shape.alt, metadata={"alt": shape.alt, "source": source})
        elif shape.kind == "graphicFrame":
            yield from self._graphic(shape.element, related)
        else:
            yield from text_blocks(shape.element, items=shape.placeholder in _ITEMS)

    def _graphic(self, element: Any, related: dict[str, Relationship]) -> Iterator[Block]:
        table = element.find(f".//{A}tbl")
        if table is not None:
            if block := table_of(table):
                yield block
            return
        for reference in element.iter(f"{C}chart"):
            if block := chart_block(self._package.related(related, reference.get(f"{R}id", ""))):
                if caption := block.metadata.get("caption"):
                    yield Block("caption", caption)
                yield block
            else:
                self.warnings.append(f"A chart on slide {self.slides} holds no data.")
        for reference in element.iter(DIAGRAM):
            if text := diagram_text(self._package.related(related, reference.get(f"{R}dm", ""))):
                yield Block("paragraph", text, metadata={"diagram": True})

    def _notes(self, related: dict[str, Relationship]) -> Iterator[Block]:
        for item in related.values():
            root = self._package.xml(item.part) if item.kind in {"notesSlide", "comments"} else None
            if root is None:
                continue
            if item.kind == "notesSlide":
                bodies = root.iterfind(f".//{P}sp/{P}nvSpPr/{P}nvPr/{P}ph[@type='body']/../../../{P}txBody")
                for paragraph in (one for body in bodies for one in paragraphs_of(body)):
                    yield Block("paragraph", paragraph.text, metadata={"note": "speaker"})
                continue
            for comment in root:
                found = (one.text for body in comment.iter("{*}txBody") for one in paragraphs_of(body))
                if words := (comment.findtext(f"{P}text") or "\n".join(found)).strip():
                    yield Block("paragraph", words, metadata={"note": "comment"})
