"""Markdown -> blocks: CommonMark with GitHub's tables and strikethrough, math kept as it is.

Inline markup is taken off, the words stay. HTML is read as text, never kept as HTML; images are not
fetched, their alternative text and address are noted.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from engine.model import Block, ParsedFile
from engine.parse.encoding import decode
from engine.parse.html import parse_html
from engine.parse.limits import check_blocks
from engine.parse.paragraphs import pieces
from engine.parse.picture import source_of, with_short_addresses
from engine.parse.table_text import Cell, table_block
from engine.parse.wrapped_lines import joined

MAX_NESTING = 60
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_KEY_VALUE = re.compile(r"^([\w-]+)[ \t]*:[ \t]*(\S.*)$", re.M)
_DOLLAR_MATH = re.compile(r"\$(?![\s$])(?:\\.|[^$\\\n])*?(?<!\s)\$(?!\d)")
_TAG = re.compile(r"<[^>]*>")
# The reading of a character stands beside it (ruby); it is no part of the text.
_READING = re.compile(r"<(/?)r[tp]\b", re.I)
_BRACKETS = re.compile(r"(?:!?\[){12,}")
_MATH_ENDS = {"$$": "$$", "\\(": "\\)", "\\[": "\\]"}
# Marks are matched within this much of a paragraph: what it takes grows with the square of the length.
LONGEST_INLINE = 8000
MOST_MATH_LINES = 100


def parse_markdown(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a Markdown file.

    A block's ``metadata["lines"]`` is its first and last line in the file, 1-based. Raises
    LimitExceededError when there are more blocks than a tree can hold.
    """
    decoded = decode(data)
    warnings = [f"Some characters could not be read as {decoded.encoding}."] if decoded.lossy else []
    walk = _Walk()
    text = decoded.text
    facts: dict[str, str] = {}
    if front := _FRONT_MATTER.match(text):
        facts = {key.lower(): value.strip("\"' ") for key, value in _KEY_VALUE.findall(front[1])}
        walk.first_line += front[0].count("\n")
        walk.add("paragraph", front[1].strip(), (1 - walk.first_line, 0), front_matter=True)
        text = text[front.end() :]
    walk.run(_parser().parse(with_short_addresses(text)), name)
    title = facts.get("title") or next(
        (b.text for b in walk.blocks if b.kind == "heading" and b.level == 1), ""
    )
    return ParsedFile("text/markdown", walk.blocks, title=title, warnings=warnings, metadata=facts)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.core.ruler.at("inline", _inline_in_pieces)
    parser.inline.ruler.before("escape", "math", _inline_math)
    parser.inline.ruler.before("link", "brackets", _brackets)
    parser.block.ruler.before(
        "fence", "math_block", _block_math, {"alt": ["paragraph", "blockquote", "list"]}
    )
    return parser


def _inline_in_pieces(state: StateCore) -> None:
    """Read the marks inside every block of text, long ones piece by piece."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        if token.children is None:
            token.children = []
        start = 0
        while start < len(token.content):
            end = _piece_end(token.content, start)
            state.md.inline.parse(token.content[start:end], state.md, state.env, token.children)
            start = end


def _piece_end(text: str, start: int) -> int:
    end = start + LONGEST_INLINE
    if end >= len(text):
        return len(text)
    cut = max(text.rfind("\n", start, end), text.rfind(" ", start, end)) + 1
    return cut if cut > start else end


def _inline_math(state: StateInline, silent: bool) -> bool:
    end = _math_end(state.src, state.pos)
    if end < 0:
        return False
    if not silent:
        state.push("text", "", 0).content = state.src[state.pos : end]
    state.pos = end
    return True


def _brackets(state: StateInline, silent: bool) -> bool:
    """Take a run of opening brackets as it is: no link is nested so deep."""
    match = _BRACKETS.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.pending += match[0]
    state.pos = match.end()
    return True


def _math_end(text: str, start: int) -> int:
    """Return the place after the formula that begins at ``start``, -1 where none does."""
    if text[start] not in "$\\":
        return -1
    closing = _MATH_ENDS.get(text[start : start + 2])
    if closing is not None:
        end = text.find(closing, start + 3)
        return end + 2 if end > 0 else -1
    match = _DOLLAR_MATH.match(text, start)
    return match.end() if match else -1


def _block_math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = _line(state, start)
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    last = start
    if not (len(first) > 4 and first.endswith("$$")):
        lines = range(start + 1, min(end, start + MOST_MATH_LINES))
        last = next((n for n in lines if _line(state, n).endswith("$$")), -1)
        if last < 0:
            return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.content = "\n".join(_line(state, n) for n in range(start, last + 1)).strip("$").strip()
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


@dataclass
class _Item:
    """A list item that is open: its marker, its depth and whether its first text was seen."""

    marker: str
    level: int
    ordered: bool
    started: bool = False


@dataclass
class _Walk:
    """Turns the token stream into blocks, keeping track of what is open."""

    blocks: list[Block] = field(default_factory=list)
    first_line: int = 1
    items: list[_Item] = field(default_factory=list)
    counters: list[int | None] = field(default_factory=list)
    quotes: int = 0

    def run(self, tokens: list[Token], name: str) -> None:
        stream = iter(tokens)
        for token in stream:
            check_blocks(len(self.blocks), name)
            self._take(token, stream)

    def add(self, kind: Any, text: str, lines: Any, level: int | None = None, **metadata: Any) -> None:
        if lines:
            metadata["lines"] = [lines[0] + self.first_line, lines[1] + self.first_line - 1]
        if self.quotes:
            metadata["quote"] = True
        self.blocks.append(Block(kind, text, level=level, metadata=metadata))

    def _take(self, token: Token, stream: Iterator[Token]) -> None:
        match token.type:
            case "heading_open":
                self._heading(token, next(stream))
            case "inline":
                self._inline(token)
            case "bullet_list_open":
                self.counters.append(None)
            case "ordered_list_open":
                self.counters.append(int(token.attrGet("start") or 1) if token.attrs else 1)
            case "bullet_list_close" | "ordered_list_close":
                self.counters.pop()
            case "list_item_open":
                self._open_item(token)
            case "list_item_close":
                self.items.pop()
            case "blockquote_open":
                self.quotes += 1
            case "blockquote_close":
                self.quotes -= 1
            case "fence" | "code_block":
                if token.content.strip():
                    self.add("code", token.content.rstrip("\n"), token.map, language=token.info.strip())
            case "math_block":
                self.add("equation", token.content, token.map)
            case "html_block":
                self._html(token)
            case "table_open":
                self._table(token, stream)

    def _open_item(self, token: Token) -> None:
        number = self.counters[-1]
        marker = "•" if number is None else f"{number}{token.markup}"
        if number is not None:
            self.counters[-1] = number + 1
        self.items.append(_Item(marker, len(self.counters), number is not None))

    def _heading(self, opening: Token, inline: Token) -> None:
        text, images = _plain(inline)
        if text and not self.quotes and not self.items:
            self.add("heading", text, opening.map, level=int(opening.tag[1]))
            self.blocks[-1].evidence["style"] = opening.markup
        elif text:
            self._text(text, opening.map)
        self._images(images, opening.map)

    def _inline(self, token: Token) -> None:
        text, images = _plain(token)
        if text:
            self._text(text, token.map)
        self._images(images, token.map)

    def _text(self, text: str, lines: Any) -> None:
        if not self.items:
            for piece in pieces(text):
                self.add("paragraph", piece, lines)
            return
        item = self.items[-1]
        if not item.started:
            item.started = True
            shown = f"{item.marker} {text}" if item.ordered else text
            self.add("list_item", shown, lines, item.level, marker=item.marker, ordered=item.ordered)
        elif self.blocks[-1].kind == "list_item" and self.blocks[-1].level == item.level:
            previous = self.blocks.pop()
            start = previous.metadata["lines"][0] - self.first_line
            kept = {k: v for k, v in previous.metadata.items() if k in {"marker", "ordered"}}
            self.add("list_item", f"{previous.text}\n{text}", (start, lines[1]), item.level, **kept)
        else:
            self.add("list_item", text, lines, item.level, marker="", ordered=item.ordered)

    def _images(self, images: list[Token], lines: Any) -> None:
        for image in images:
            alt = _TAG.sub("", image.content).strip()
            title = str(image.attrGet("title") or "")
            self.add("image", alt or title, lines, alt=alt, source=source_of(str(image.attrGet("src") or "")))

    def _html(self, token: Token) -> None:
        for block in parse_html(BOM_UTF8 + token.content.encode(), "").blocks:
            self.add(block.kind, block.text, token.map, block.level, **block.metadata)

    def _table(self, opening: Token, stream: Iterator[Token]) -> None:
        cells: list[Cell] = []
        images: list[Token] = []
        row, column = -1, 0
        for token in stream:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                row, column = row + 1, 0
            elif token.type == "inline":
                text, found = _plain(token)
                images += found
                cells.append(Cell(text, row, column))
                column += 1
        block = table_block(cells, header_rows=1)
        if block is not None:
            self.add("table", block.text, opening.map, **block.metadata)
        self._images(images, opening.map)


def _plain(inline: Token) -> tuple[str, list[Token]]:
    """Return an inline token's words without markup, and the images in it."""
    children = inline.children or []
    if len(children) == 1 and children[0].type == "text":
        return children[0].content.strip(), []
    images: list[Token] = []
    text = ""
    in_reading = False
    for child in children:
        if child.type == "html_inline" and (mark := _READING.match(child.content)):
            in_reading = not mark[1]
        if in_reading:
            continue
        match child.type:
            case "text" | "code_inline" | "text_special":
                text += child.content
            case "softbreak":
                text = text.rstrip() + "\v"
            case "hardbreak":
                text = text.rstrip() + "\n"
            case "image":
                images.append(child)
            case "html_inline" if child.content[:3].lower() == "<br":
                text += "\n"
    if "\v" in text:
        text = joined(text.split("\v"))
    return text.strip(), images
