"""The contents of an OpenDocument text, text box or slide -> blocks, in order.

Headings are those that the document states, with the numbers that it shows; the generated tables of contents
and deleted text are left out. Notes follow the paragraph, list or table that they hang on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.model import Block
from engine.parse.docx_headings import Look
from engine.parse.limits import check_blocks
from engine.parse.list_marker import bullet
from engine.parse.odf_inline import Inline, Note, read_inline
from engine.parse.odf_looks import look_of
from engine.parse.odf_numbering import Counter, Label
from engine.parse.odf_objects import description, formula_of, object_blocks, picture_of
from engine.parse.odf_package import DRAW, OFFICE, STYLE, TABLE, TEXT, Styles, whole
from engine.parse.odf_table import nested_text, read_table, single_cell
from engine.parse.ooxml import Package
from engine.parse.paragraphs import pieces

MAX_HEADING = 300
MAX_DEPTH = 40
_ITEMS = frozenset({f"{TEXT}list-item", f"{TEXT}list-header"})
_CONTAINERS = frozenset({
    f"{TEXT}section", f"{TEXT}index-body", f"{TEXT}bibliography", f"{DRAW}text-box", f"{DRAW}g",
    f"{TEXT}numbered-paragraph", f"{OFFICE}text", f"{TABLE}table-cell",
})  # fmt: skip
_SHAPES = frozenset(f"{DRAW}{name}" for name in ("frame", "custom-shape", "rect", "ellipse", "caption"))
_CAPTIONS = frozenset({"caption", "illustration", "figure", "drawing"})
# Styles that programs make for changes to a single paragraph.
_AUTOMATIC = re.compile(r"p\d+$")
_CODE = frozenset({"preformatted text", "source code", "html preformatted"})


class BodyReader:
    """Walks containers and gathers blocks; ``headings`` off takes headings for paragraphs, as slides need."""

    def __init__(self, package: Package, styles: Styles, name: str, headings: bool = True) -> None:
        self.blocks: list[Block] = []
        self.looks: dict[int, Look] = {}
        self._package = package
        self._styles = styles
        self._name = name
        self._headings = headings
        self._notes: list[Note] = []
        self._outline = Counter(styles.outline)
        self._counters: dict[str, Counter] = {}
        self._last_counter: dict[str, Counter] = {}

    def walk(self, container: Any, depth: int = 0) -> None:
        """Read what a container holds, in order."""
        if depth > MAX_DEPTH:
            return
        for element in container:
            self._take(element, depth)

    def finish(self) -> list[Block]:
        """Return all blocks, the last notes included."""
        self._flush_notes()
        return self.blocks

    def _take(self, element: Any, depth: int) -> None:
        tag = element.tag
        if tag == f"{TEXT}h":
            self._heading(element, depth)
        elif tag == f"{TEXT}p":
            self._paragraph(element, depth)
        elif tag == f"{TEXT}list":
            self._list(element, depth)
        elif tag == f"{TABLE}table":
            self._table(element, depth)
        elif tag in _SHAPES:
            self.shape(element, depth)
        elif tag in _CONTAINERS:
            self.walk(element, depth + 1)

    def _read(self, paragraph: Any) -> Inline:
        return read_inline(paragraph, lambda frame: formula_of(frame, self._package))

    def _heading(self, element: Any, depth: int, label: str = "") -> None:
        inline = self._read(element)
        text = " ".join(inline.text.split())
        level = max(whole(element.get(f"{TEXT}outline-level"), 1), 1)
        style = element.get(f"{TEXT}style-name")
        if text and self._headings and len(text) <= MAX_HEADING:
            uncounted = element.get(f"{TEXT}is-list-header") in {"true", "1"}
            number = label or ("" if uncounted else self._outline_number(element, level))
            evidence = {"style": f"heading {level}"} | ({"numbering": number} if number else {})
            self._add(Block("heading", f"{number} {text}".strip(), level=level, evidence=evidence))
        elif text:
            self._prose(inline.text, self._styles.names(style))
        self._extras(inline, depth)

    def _outline_number(self, element: Any, level: int) -> str:
        start = (
            whole(element.get(f"{TEXT}start-value"), 1) if element.get(f"{TEXT}restart-numbering") else None
        )
        label = self._outline.next(level, start)
        return label.text if label.ordered else ""

    def _paragraph(self, element: Any, depth: int) -> None:
        inline = self._read(element)
        if text := inline.text:
            style = element.get(f"{TEXT}style-name")
            names = self._styles.names(style)
            level = self._styles.first(style, f"{STYLE}default-outline-level")
            if inline.formulas and text == " ".join(" ".join(inline.formulas).split()):
                for formula in inline.formulas:
                    self._add(Block("equation", formula))
            elif self._headings and _is_title(names) and len(text) <= MAX_HEADING:
                evidence = {"style": "title", "title": True}
                self._add(Block("heading", " ".join(text.split()), level=1, evidence=evidence))
            elif self._headings and level and level.isdigit() and len(text) <= MAX_HEADING:
                evidence = {"style": f"heading {level}"}
                self._add(Block("heading", " ".join(text.split()), level=int(level), evidence=evidence))
            else:
                self._prose(text, names)
                if self._headings and self.blocks[-1].kind == "paragraph":
                    self.looks[len(self.blocks) - 1] = look_of(element, self._styles)
        self._extras(inline, depth)

    def _prose(self, text: str, names: list[str]) -> None:
        if not _CODE.isdisjoint(names):
            last = self.blocks[-1] if self.blocks else None
            if last is not None and last.kind == "code":
                self.blocks[-1] = Block("code", f"{last.text}\n{text}")
            else:
                self._add(Block("code", text))
        elif not _CAPTIONS.isdisjoint(names) or ("table" in names and len(text) <= MAX_HEADING):
            self._add(Block("caption", text))
        elif marker := bullet(text):
            self._add(Block("list_item", marker.rest, level=1, metadata={"marker": "•", "ordered": False}))
        else:
            for piece in pieces(text):
                self._add(Block("paragraph", piece))

    def _list(self, element: Any, depth: int, level: int = 1, counter: Counter | None = None) -> None:
        """Read a list; one inside an item is one level deeper and counted with it."""
        if depth > MAX_DEPTH:
            return
        if counter is None:
            counter = self._counter(element)
        for item in element:
            if item.tag not in _ITEMS:
                continue
            self._item(item, depth, level, counter)

    def _counter(self, element: Any) -> Counter:
        """Return what counts a list: that of the list it continues, else a new one."""
        name = element.get(f"{TEXT}style-name") or ""
        continued = element.get(f"{TEXT}continue-list")
        found = self._counters.get(continued or "")
        if found is None and element.get(f"{TEXT}continue-numbering") == "true":
            found = self._last_counter.get(name)
        counter = found or Counter(self._styles.lists.get(name, {}))
        self._last_counter[name] = counter
        if list_id := element.get("{http://www.w3.org/XML/1998/namespace}id"):
            self._counters[list_id] = counter
        return counter

    def _item(self, item: Any, depth: int, level: int, counter: Counter) -> None:
        label: Label | None = None
        start = item.get(f"{TEXT}start-value")
        for child in item:
            if child.tag == f"{TEXT}list":
                self._list(child, depth + 1, level + 1, counter if self._same_style(child) else None)
                continue
            if child.tag not in {f"{TEXT}p", f"{TEXT}h"}:
                self._take(child, depth + 1)
                continue
            if label is None and item.tag == f"{TEXT}list-item":
                label = counter.next(level, whole(start, 1) if start else None)
            else:
                label = label and Label("", label.ordered)
            if child.tag == f"{TEXT}h" and self._headings:
                self._heading(child, depth, label.text if label and label.ordered else "")
            else:
                self._item_text(child, depth, level, label)

    def _same_style(self, nested: Any) -> bool:
        """Tell whether a list in a list has no style of its own; it is then counted with the outer one."""
        return nested.get(f"{TEXT}style-name") is None

    def _item_text(self, paragraph: Any, depth: int, level: int, label: Label | None) -> None:
        inline = self._read(paragraph)
        text = inline.text
        last = self.blocks[-1] if self.blocks else None
        if not text:
            pass
        elif label is not None and label.text:
            facts = {"marker": label.text, "ordered": label.ordered}
            self._add(
                Block(
                    "list_item",
                    f"{label.text} {text}" if label.ordered else text,
                    level=level,
                    metadata=facts,
                )
            )
        elif last is not None and last.kind == "list_item" and last.level == level and label is not None:
            self.blocks[-1] = Block("list_item", f"{last.text}\n{text}", level=level, metadata=last.metadata)
        else:
            self._prose(text, self._styles.names(paragraph.get(f"{TEXT}style-name")))
        self._extras(inline, depth)

    def _table(self, element: Any, depth: int) -> None:
        cell = single_cell(element)
        if cell is not None:
            self.walk(cell, depth + 1)
            return
        hanging: list[Inline] = []
        block = read_table(element, lambda cell, deep: self._cell_text(cell, deep, hanging), self._name)
        if block is not None:
            self._add(block)
        for inline in hanging:
            self._extras(inline, depth)

    def _cell_text(self, cell: Any, depth: int, hanging: list[Inline]) -> str:
        lines = list(self._cell_lines(cell, depth, hanging))
        return "\n".join(line for line in lines if line)

    def _cell_lines(self, container: Any, depth: int, hanging: list[Inline]) -> Iterator[str]:
        for element in container:
            if element.tag in {f"{TEXT}p", f"{TEXT}h"}:
                inline = self._read(element)
                hanging.append(inline)
                yield inline.text
            elif element.tag == f"{TABLE}table":
                yield nested_text(element, lambda cell, deep: self._cell_text(cell, deep, hanging), depth)
            elif element.tag == f"{TEXT}list":
                yield from self._cell_items(element, depth, hanging)
            elif element.tag in _CONTAINERS and depth < MAX_DEPTH:
                yield from self._cell_lines(element, depth + 1, hanging)

    def _cell_items(self, element: Any, depth: int, hanging: list[Inline]) -> Iterator[str]:
        counter = self._counter(element)
        for item in element.iterchildren(*_ITEMS):
            label = counter.next(1).text
            for index, line in enumerate(
                self._cell_lines(item, depth + 1, hanging) if depth < MAX_DEPTH else ()
            ):
                yield f"{label} {line}".strip() if not index and line else line

    def _extras(self, inline: Inline, depth: int) -> None:
        for frame in inline.frames:
            if frame.tag in _SHAPES:
                self.shape(frame, depth)
            else:
                self.walk(frame, depth + 1)
        self._notes += inline.notes

    def shape(self, frame: Any, depth: int = 0) -> None:
        """Read a frame or shape: its text, table, object or picture."""
        if depth > MAX_DEPTH:
            return
        before = len(self.blocks)
        box = frame.find(f"{DRAW}text-box")
        self.walk(box if box is not None else frame, depth + 1)
        if len(self.blocks) == before:
            for block in object_blocks(frame, self._package):
                self._add(block)
        if len(self.blocks) == before:
            if (picture := picture_of(frame)) is not None:
                self._add(picture)
            elif frame.find(f"{DRAW}object") is not None or frame.find(f"{DRAW}object-ole") is not None:
                alt = description(frame)
                self._add(Block("image", alt, metadata={"alt": alt}))

    def _add(self, block: Block) -> None:
        if block.kind != "list_item":
            self._flush_notes()
        self.blocks.append(block)
        if len(self.blocks) % 1000 == 0:
            check_blocks(len(self.blocks), self._name)

    def _flush_notes(self) -> None:
        waiting, self._notes = self._notes, []
        for note in waiting:
            words = (read_inline(p).text for p in note.element.iter(f"{TEXT}p", f"{TEXT}h"))
            if text := "\n".join(line for line in words if line):
                facts = {"note": note.kind} | ({"number": note.mark} if note.mark else {})
                self.blocks.append(Block("paragraph", text, metadata=facts))


def _is_title(names: list[str]) -> bool:
    """Tell whether a paragraph is a title, or a heading of no level, which stands in for one."""
    own = next((name for name in names if not _AUTOMATIC.match(name)), "")
    return "title" in names or own == "heading"
