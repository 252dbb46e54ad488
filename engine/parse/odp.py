"""OpenDocument presentations (.odp) -> blocks: a slide is a section; text, lists, tables, pictures, notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import LimitExceededError
from engine.model import BBox, Block, ParsedFile
from engine.parse.limits import check_blocks
from engine.parse.odf_body import BodyReader
from engine.parse.odf_inline import read_inline
from engine.parse.odf_package import (
    DRAW,
    FO,
    OFFICE,
    PRESENTATION,
    STYLE,
    SVG,
    TEXT,
    Styles,
    content_of,
    points,
    stated_title,
    styles_of,
)  # fmt: skip
from engine.parse.ooxml import Package
from engine.parse.slide_order import in_reading_order

MEDIA_TYPE = "application/vnd.oasis.opendocument.presentation"
MAX_SLIDES = 5000
MAX_TITLE, MAX_LONE_TITLE = 300, 120
MAX_DEPTH = 20
_DEFAULT_SIZE = (720.0, 540.0)
_RUNNING = frozenset({"date-time", "footer", "page-number", "header", "page"})


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape with its box in points from the slide's top left, and its placeholder class."""

    element: Any
    box: BBox | None
    role: str


def parse_odp(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a presentation; pages are slides, boxes are in points from the slide's top left.

    Raises UnreadableFileError when its contents are missing or broken, EncryptedFileError when it is locked,
    LimitExceededError for a bomb or more slides or blocks than fit.
    """
    with Package(path, name) as package:
        root = content_of(package, name, "presentation")
        layout = package.xml("styles.xml")
        reader = _SlidesReader(package, styles_of(layout, root), _size_of(layout), name)
        blocks = reader.blocks(root)
        stated = stated_title(package)
    titles = [b.text for b in blocks if b.kind == "heading" and not b.metadata.get("generated")]
    title = titles[0] if titles and blocks[0].text == titles[0] else stated or Path(name).stem
    return ParsedFile(
        MEDIA_TYPE, blocks, title=title, pages=reader.slides, warnings=reader.warnings,
        page_sizes=[reader.size] * reader.slides,
    )  # fmt: skip


def _size_of(layout: Any | None) -> tuple[float, float]:
    """Return the size of the slides: that of the first master page's layout."""
    if layout is None:
        return _DEFAULT_SIZE
    master = next(layout.iter(f"{STYLE}master-page"), None)
    wanted = None if master is None else master.get(f"{STYLE}page-layout-name")
    for page in layout.iter(f"{STYLE}page-layout"):
        properties = page.find(f"{STYLE}page-layout-properties")
        if page.get(f"{STYLE}name") == wanted and properties is not None:
            width, height = (points(properties.get(f"{FO}page-{side}")) for side in ("width", "height"))
            if width and height and width > 0 and height > 0:
                return width, height
    return _DEFAULT_SIZE


class _SlidesReader:
    """Reads the slides in their order."""

    def __init__(self, package: Package, styles: Styles, size: tuple[float, float], name: str) -> None:
        self.warnings: list[str] = []
        self.slides = 0
        self.size = size
        self._package = package
        self._styles = styles
        self._name = name

    def blocks(self, root: Any) -> list[Block]:
        """Return the blocks of all slides."""
        pages = root.findall(f"{OFFICE}body/{OFFICE}presentation/{DRAW}page")
        if len(pages) > MAX_SLIDES:
            raise LimitExceededError(
                f"{self._name} has {len(pages):,} slides; the limit is {MAX_SLIDES:,}. Split it."
            )
        blocks: list[Block] = []
        for page in pages:
            self.slides += 1
            blocks += self._slide(page)
            check_blocks(len(blocks), self._name)
        return blocks

    def _slide(self, page: Any) -> list[Block]:
        facts: dict[str, Any] = {}
        style = page.get(f"{DRAW}style-name")
        if self._styles.property(style, f"{PRESENTATION}visibility", "drawing-page") == "hidden":
            facts["hidden"] = True
            self.warnings.append(f"Slide {self.slides} is hidden in the presentation; it was read.")
        shapes = [shape for shape in self._shapes(page, 0) if shape.role not in _RUNNING]
        ordered = in_reading_order(shapes, self.size)
        title = next((shape for shape in ordered if shape.role == "title" and _words(shape.element)), None)
        title = title or self._lone_title(ordered)
        found: list[Block] = []
        for shape in ordered:
            if shape is not title:
                reader = BodyReader(self._package, self._styles, self._name, headings=False)
                reader.shape(shape.element)
                box = _inside(shape.box, self.size)
                found += [replace(block, page=self.slides, bbox=box) for block in reader.finish()]
        found += [replace(block, page=self.slides) for block in self._notes(page)]
        if title is None and not found:
            return []
        text = " ".join(_words(title.element).split())[:MAX_TITLE] if title else f"Slide {self.slides}"
        facts |= {} if title else {"generated": True, "title_generated": True}
        box = _inside(title.box, self.size) if title else None
        return [
            Block("heading", text, self.slides, box, 1, evidence={"style": "title"}, metadata=facts),
            *found,
        ]

    def _shapes(self, container: Any, depth: int) -> Iterator[_Shape]:
        for element in container:
            if element.tag == f"{DRAW}g" and depth < MAX_DEPTH:
                yield from self._shapes(element, depth + 1)
            elif isinstance(element.tag, str) and element.tag.startswith(DRAW):
                role = element.get(f"{PRESENTATION}class", "")
                names = self._styles.names(element.get(f"{PRESENTATION}style-name"), "presentation")
                if not role and any(name.endswith("-title") for name in names):
                    role = "title"
                yield _Shape(element, _box(element), role)

    def _lone_title(self, shapes: list[_Shape]) -> _Shape | None:
        """Return the text that stands above all others when no placeholder is the title."""
        if len(shapes) < 2 or any(shape.box is None for shape in shapes):
            return None
        first, rest = shapes[0], shapes[1:]
        words = _words(first.element)
        bottom = first.box[3] if first.box else 0.0
        if not words or "\n" in words or len(words) > MAX_LONE_TITLE or bottom > self.size[1] / 2:
            return None
        above = all(shape.box and shape.box[1] >= bottom - self.size[1] * 0.02 for shape in rest)
        return first if above else None

    def _notes(self, page: Any) -> Iterator[Block]:
        for comment in page.iterchildren(f"{OFFICE}annotation"):
            words = (read_inline(paragraph).text for paragraph in comment.iter(f"{TEXT}p"))
            if text := "\n".join(line for line in words if line):
                yield Block("paragraph", text, metadata={"note": "comment"})
        for notes in page.iterchildren(f"{PRESENTATION}notes"):
            for shape in self._shapes(notes, 0):
                if shape.role in _RUNNING or shape.element.get(f"{PRESENTATION}placeholder") == "true":
                    continue
                for paragraph in shape.element.iter(f"{TEXT}p"):
                    if text := read_inline(paragraph).text:
                        yield Block("paragraph", text, metadata={"note": "speaker"})


def _words(element: Any) -> str:
    """Return the text of a shape that holds nothing but paragraphs, else ""."""
    if element.find(f".//{DRAW}image") is not None or element.find(f".//{DRAW}object") is not None:
        return ""
    texts = (read_inline(paragraph).text for paragraph in element.iter(f"{TEXT}p", f"{TEXT}h"))
    return "\n".join(text for text in texts if text)


def _box(element: Any) -> BBox | None:
    """Return where a shape stands; None for one that is turned or skewed."""
    x, y, width, height = (points(element.get(f"{SVG}{name}")) for name in ("x", "y", "width", "height"))
    if x is None or y is None or width is None or height is None:
        return None
    return (x, y, x + width, y + height)


def _inside(box: BBox | None, size: tuple[float, float]) -> BBox | None:
    if box is None:
        return None
    cut = (max(box[0], 0.0), max(box[1], 0.0), min(box[2], size[0]), min(box[3], size[1]))
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else None
