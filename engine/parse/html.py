"""Web pages (.html) -> blocks: headings, paragraphs, lists, tables, figures, code; nothing is run or fetched.

Where a page marks its main content (``main``, a single ``article``), only that is read, without navigation and
footers; else the whole body.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.model import Block, ParsedFile
from engine.parse.docx_numbering import formatted
from engine.parse.encoding import Decoded, decode
from engine.parse.html_table import is_layout, line_of, read_table, rows_of
from engine.parse.html_text import (
    ENDS_PAGE,
    INVISIBLE,
    Look,
    bounded,
    collapsed,
    evidence_of,
    is_hidden,
    look_within,
    math_text,
    plain_text,
)
from engine.parse.limits import check_blocks
from engine.parse.ooxml import integer
from engine.parse.picture import source_of
from engine.structure.numbering import bullet
from engine.structure.running_texts import PAGE_NUMBER, without_pages
from engine.structure.sentences import split_long

MEDIA_TYPE = "text/html"
MAX_DEPTH = 150
MAX_HEADING = 500
# A picture in its own address that is larger than an icon is content even without a name.
LARGE_DATA = 4000
_NUMBERS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_BLOCKS = (
    "address article body center details dialog div fieldset figure footer form header hgroup li main nav p search "
    "section summary legend tbody thead tfoot tr td th dl"
).split()
_IN_LINES = frozenset({"img", "math"})
_AROUND_MAIN = frozenset({"nav", "footer"})
_MAIN_SHARE = 0.2
_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w.:-]{2,30})""", re.I
)


def parse_html(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a web page. Raises LimitExceededError when there are more than a tree can hold."""
    decoded = _decoded(data)
    page = LexborHTMLParser(bounded(decoded.text))
    root, is_main = _content_of(page)
    walk = _Walk(name, _AROUND_MAIN if is_main else frozenset())
    blocks = _without_looks(without_pages(walk.read(root), walk.breaks))
    headings = page.css("h1")
    first = plain_text(headings[0]) if len(headings) == 1 else ""
    if is_main and first and not any(block.kind == "heading" and block.level == 1 for block in blocks):
        blocks.insert(0, Block("heading", first[:MAX_HEADING], level=1))
    stated = page.css_first("title")
    title = first if len(headings) == 1 else collapsed([stated.text()]) if stated is not None else ""
    return ParsedFile(MEDIA_TYPE, blocks, title=title, warnings=decoded.warnings)


def _decoded(data: bytes) -> Decoded:
    declared = (match.decode("ascii") for match in _CHARSET.findall(data[:4096])[:1])
    # UTF-8 proves itself, and no page in UTF-16 can say so in bytes.
    return decode(data, *(name for name in declared if not name.casefold().startswith("utf")))


def _without_looks(blocks: list[Block]) -> list[Block]:
    """Forget looks where tags tell the headings."""
    told = any(block.kind == "heading" and "running" not in block.metadata for block in blocks)
    return [replace(block, evidence={}) for block in blocks] if told else blocks


def blocks_of_page(page: str, name: str) -> list[Block]:
    """Return the blocks of a page that was written of another format, with the facts noted on its elements.

    ``data-mark`` stands behind an item's number, ``data-language`` is that of code, ``data-kind`` a kind of block,
    ``data-note`` and ``data-number`` make a note of an ``aside``.
    """
    return _Walk(name, frozenset(), noted=True).read(LexborHTMLParser(page).body)


def _content_of(page: LexborHTMLParser) -> tuple[LexborNode | None, bool]:
    body = page.body
    if body is None:
        return None, False
    found = page.css("main, [role=main]") or page.css("article")
    if len(found) == 1 and len(found[0].text()) >= _MAIN_SHARE * len(body.text()):
        return found[0], True
    return body, False


@dataclass
class _Item:
    """A list item that is open: the number still to be shown, its depth and whether its first text was seen."""

    number: str
    level: int
    started: bool = False


class _Walk:
    """Goes through the page in order, gathers inline text and turns it into blocks where a block ends."""

    def __init__(self, name: str, left_out: frozenset[str], noted: bool = False) -> None:
        self.blocks: list[Block] = []
        self._noted = noted
        self._name = name
        self._left_out = left_out
        self._parts: list[str] = []
        self._items: list[_Item] = []
        self._lists = 0
        self._quotes = 0
        self._facts: dict[str, Any] = {}
        self._held = False
        self._look = Look()
        self._marks: list[tuple[str, Look]] = []
        self.breaks: list[int] = []  # at which blocks a new printed page begins

    def read(self, root: LexborNode | None) -> list[Block]:
        """Return the blocks of an element."""
        if root is not None:
            self._inside(root, -1)
        return self.blocks

    def _inside(self, node: LexborNode, depth: int) -> None:
        """Read an element as blocks of its own."""
        self._flush()
        self._children(node, depth + 1)
        self._flush()

    def _children(self, node: LexborNode, depth: int) -> None:
        if depth > MAX_DEPTH:
            self._parts.append(node.text(deep=True))
            return
        for child in node.iter(include_text=True):
            self._take(child, depth)

    def _flush(self) -> None:
        """End the running text: it is a paragraph or part of the open list item."""
        if not self._parts:
            return
        if self._held:
            self._parts.append(" ")
            return
        text = collapsed(self._parts)
        marks, self._parts, self._marks = self._marks, [], []
        if not text:
            return
        if self._items:
            self._add_to_item(self._items[-1], text)
        elif not self._noted and (marker := bullet(text)) and marker.rest:
            self._add("list_item", marker.rest, 1)
        else:
            self._add_paragraph(text, {} if self._noted else evidence_of(text, marks))

    def _add_paragraph(self, text: str, evidence: dict[str, Any]) -> None:
        for piece in split_long(text):
            self._add("paragraph", piece, evidence=evidence)
            evidence = evidence and evidence | {"lead": 0}

    def _add_to_item(self, item: _Item, text: str) -> None:
        last = self.blocks[-1] if self.blocks and item.started else None
        if last is not None and last.kind == "list_item" and last.level == item.level:
            self.blocks[-1] = replace(last, text=f"{last.text}\n{text}")
            return
        shown = f"{item.number} {text}" if item.number else text
        item.number, item.started = "", True
        self._add("list_item", shown, item.level)

    def _add(
        self, kind: Any, text: str, level: int | None = None, evidence: dict[str, Any] | None = None, **facts: Any
    ) -> None:
        if self._quotes:
            facts["quote"] = True
        self.blocks.append(Block(kind, text, level=level, evidence=evidence or {}, metadata=facts | self._facts))
        check_blocks(len(self.blocks), self._name)

    def _take(self, node: LexborNode, depth: int) -> None:
        tag = node.tag
        if tag == "-text":
            self._parts.append(node.text_content or "")
            self._marks.append((node.text_content or "", self._look))
        elif tag == "br":
            self._parts.append("\v")
            self._marks.append((" ", self._look))
        elif tag not in INVISIBLE and tag not in self._left_out and not is_hidden(node):
            self._element(node, tag or "", depth)

    def _element(self, node: LexborNode, tag: str, depth: int) -> None:
        outer = self._look
        self._look = outer if self._noted else look_within(outer, node)
        ends = ENDS_PAGE.search(node.attributes.get("style") or "")
        if ends and ends[1].lower() == "before":
            self._page_ends()
        if handler := _HANDLERS.get(tag):
            if tag not in _IN_LINES:
                self._flush()
            handler(self, node, depth)
        else:
            self._children(node, depth + 1)
        self._look = outer
        if ends and ends[1].lower() == "after":
            self._page_ends()

    def _page_ends(self) -> None:
        self._flush()
        self.breaks.append(len(self.blocks))

    def _heading(self, node: LexborNode, depth: int) -> None:
        text = plain_text(node).replace("\n", " ")
        if self._items or self._quotes or len(text) > MAX_HEADING:
            self._inside(node, depth)
        elif text:
            self._add("heading", text, int((node.tag or "")[1:]))
        for picture in node.css("img"):
            self._image(picture, depth)

    def _list(self, node: LexborNode, depth: int) -> None:
        self._lists += 1
        ordered = node.tag == "ol"
        number = integer(node.attributes.get("start"), 1)
        form = _NUMBERS.get(node.attributes.get("type") or "", "decimal")
        for child in node.iter(include_text=True):
            if child.tag == "li" and not is_hidden(child):
                number = integer(child.attributes.get("value"), number)
                mark = (self._noted and child.attributes.get("data-mark")) or "."
                self._item(child, depth, f"{formatted(number, form)}{mark}" if ordered else "")
                number += 1
            else:
                self._take(child, depth + 1)
                self._flush()
        self._lists -= 1

    def _item(self, node: LexborNode, depth: int, number: str = "") -> None:
        self._items.append(_Item(number, self._lists))
        self._inside(node, depth)
        self._items.pop()

    def _term(self, node: LexborNode, depth: int) -> None:
        """Read a term as an item, and what it means as an item below it."""
        deeper = 1 if node.tag == "dt" else 2
        self._lists += deeper
        self._item(node, depth)
        self._lists -= deeper

    def _table(self, node: LexborNode, depth: int) -> None:
        if is_layout(node):
            for row in rows_of(node):
                self._inside(row.node, depth)
            return
        if cells := line_of(node):
            self._line(cells, depth)
            return
        table = read_table(node, self._name)
        if table.caption:
            self._add("caption", table.caption)
        if table.block is not None:
            self._add("table", table.block.text, **table.block.metadata)
        for picture in table.pictures:
            self._image(picture, depth)

    def _line(self, cells: Sequence[LexborNode], depth: int) -> None:
        """Read cells as one text: what a table of one row sets side by side."""
        self._held = True
        for cell in cells:
            self._take(cell, depth)
            self._parts.append(" ")
            self._marks.append((" ", self._look))
        self._held = False
        self._flush()

    def _rule(self, _node: LexborNode, _depth: int) -> None:
        if self.blocks and PAGE_NUMBER.match(self.blocks[-1].text):
            self._page_ends()

    def _pre(self, node: LexborNode, _depth: int) -> None:
        text = node.text(deep=True).replace("\r\n", "\n").strip("\n").rstrip()
        facts = node.attributes if self._noted else {}
        stated: dict[str, Any] = {"language": facts["data-language"] or ""} if "data-language" in facts else {}
        if text.strip():
            self._add(facts.get("data-kind") or "code", text, **stated)

    def _caption(self, node: LexborNode, _depth: int) -> None:
        if text := plain_text(node):
            self._add("caption", text)

    def _image(self, node: LexborNode, _depth: int) -> None:
        facts = node.attributes
        alt = " ".join((facts.get("alt") or facts.get("title") or "").split())
        in_figure = node.parent is not None and node.parent.tag in {"figure", "picture"}
        address = facts.get("src") or ""
        if alt or in_figure or (address.startswith("data:image/") and len(address) >= LARGE_DATA):
            self._add("image", alt, alt=alt, source=source_of(address))

    def _quote(self, node: LexborNode, depth: int) -> None:
        self._quotes += 1
        self._inside(node, depth)
        self._quotes -= 1

    def _aside(self, node: LexborNode, depth: int) -> None:
        said = node.attributes if self._noted else {}
        self._facts = {key: said[f"data-{key}"] for key in ("note", "number") if f"data-{key}" in said}
        self._inside(node, depth)
        self._facts = {}

    def _math(self, node: LexborNode, _depth: int) -> None:
        text = math_text(node)
        if node.attributes.get("display") == "block" and text and not self._items:
            self._flush()
            self._add("equation", text)
        else:
            self._parts.append(text)


_HANDLERS = {
    **dict.fromkeys(_BLOCKS, _Walk._inside), **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Walk._heading),
    "ul": _Walk._list, "ol": _Walk._list, "menu": _Walk._list, "dt": _Walk._term, "dd": _Walk._term,
    "table": _Walk._table, "pre": _Walk._pre, "figcaption": _Walk._caption, "img": _Walk._image,
    "aside": _Walk._aside, "blockquote": _Walk._quote, "math": _Walk._math, "hr": _Walk._rule,
}  # fmt: skip
