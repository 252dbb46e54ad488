"""Plain text -> blocks: lines become paragraphs by the shape of the file.

It has groups between blank lines, lines that a program wrapped, or one paragraph a line. Headings are told by
numbering, underlines, capitals and the title line.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from engine.model import Block, ParsedFile
from engine.parse.encoding import decode
from engine.parse.limits import check_blocks
from engine.parse.pdf_text import spaced
from engine.structure.heading_levels import levels_of
from engine.structure.headings import Heading
from engine.structure.numbering import bullet, list_marker, numbering_of
from engine.structure.sentences import split_long

MAX_HEADING = 100
MAX_TITLE = 120
SAMPLE = 512 * 1024
MIN_WIDTH, MAX_WIDTH = 40, 130
# A group is looked at as a whole; one that never ends is taken in parts.
MAX_GROUP = 250
HEADING_KINDS = frozenset({"decimal", "number", "roman", "chinese", "chinese_paren", "letter"})
_LISTED = frozenset({"decimal", "number", "chinese", "chinese_paren", "letter", "roman"})
_PROMINENCE = {"title": 2.0, "=": 1.0}
_ENDINGS = tuple(".。!！;；,，、:：…")
_STOPS = tuple("。！？；：:;")
_RULES = frozenset("=-~*_^#+")
_COLUMNS = {" ": 1, "\t": 4, "\u3000": 2}
_BLANK = " \t\u3000\v\x1c\x85\xa0"


class Layout(NamedTuple):
    """``width`` is where lines were wrapped, in columns, 0 when they were not; ``blank_separated`` tells
    that blank lines set paragraphs off."""

    width: int
    blank_separated: bool


class Line(NamedTuple):
    """A line: where it starts, in columns, and its words."""

    indent: int
    text: str


def parse_text(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a plain text file. Raises LimitExceededError when there are more than a tree can hold."""
    decoded = decode(data)
    layout = layout_of(decoded.text)
    blocks: list[Block] = []
    for group in _groups(decoded.text):
        blocks += _blocks_of(group, layout, first=not blocks)
        check_blocks(len(blocks), name)
    title = blocks[0].text if blocks and _kind(blocks[0]) == "title" else ""
    blocks = _with_levels(_without_lists(blocks))
    return ParsedFile("text/plain", blocks, title=title, warnings=decoded.warnings)


def _groups(text: str) -> Iterator[list[Line]]:
    """Yield the groups of lines between blank lines and page feeds."""
    group: list[Line] = []
    for raw in text.split("\n"):
        stripped = raw.replace("\f", " ").strip(_BLANK)
        if group and ("\f" in raw or not stripped or len(group) == MAX_GROUP):
            yield group
            group = []
        if stripped:
            indent = sum(_COLUMNS[character] for character in takewhile(_COLUMNS.__contains__, raw))
            group.append(Line(indent, stripped))
    if group:
        yield group


def _blocks_of(group: list[Line], layout: Layout, first: bool) -> Iterator[Block]:
    alone = len(group) == 1
    while group:
        line, following = group[0], group[1] if len(group) > 1 else None
        if _is_rule(line.text):
            group = group[1:]
        elif following and _underlines(following.text, line.text):
            yield Block("heading", line.text, evidence={"kind": following.text[0]})
            group = group[2:]
        elif kind := _heading_kind(group, layout, first, alone):
            yield Block("heading", line.text, evidence={"kind": kind})
            group = group[1:]
        else:
            size = _paragraph_size(group, layout)
            yield from _paragraph(group[:size], layout)
            group = group[size:]
        first = False


def _is_rule(text: str) -> bool:
    return len(text) >= 3 and text[0] in _RULES and not text.strip(text[0] + " ")


def _underlines(rule: str, text: str) -> bool:
    long_enough = len(text) <= MAX_TITLE and len(rule) >= min(4, len(text)) // 2
    return _is_rule(rule) and rule[0] in "=-~^*_" and long_enough


def _heading_kind(group: list[Line], layout: Layout, first: bool, alone: bool) -> str:
    """Return "title", "division", "capitals" or the kind of number that makes the group's first line a heading.

    "" for a line that is none; ``alone``: between blank lines.
    """
    text = group[0].text
    if len(text) > MAX_TITLE or (text.endswith(_ENDINGS) and not numbering_of(text)):
        return ""
    if first and _is_title(group, layout):
        return "title"
    goes_on = len(group) > 1 and not list_marker(group[1].text) and _is_full(group[0], group[1], layout)
    if len(text) > MAX_HEADING or goes_on:
        return ""
    if not alone and (layout.blank_separated or layout.width) and not _sure_number(text):
        return ""
    found = numbering_of(text)
    if found and (found.divides or found.kind in HEADING_KINDS) and not _is_sentence(found.rest):
        # In running text "I" and "A" are words unless a mark follows.
        marked = found.kind not in ("roman", "letter") or found.text[-1] in ".、"
        if not found.divides and not (found.rest and marked):
            return ""
        return "division" if found.divides else found.kind
    letters = [char for char in text if char.isalpha()] if alone and layout.blank_separated and len(text) <= 80 else ()
    return "capitals" if len(letters) >= 3 and all(char.isupper() for char in letters) else ""


def _is_title(group: list[Line], layout: Layout) -> bool:
    if len(group) == 1 or list_marker(group[0].text):
        return not list_marker(group[0].text)
    if layout.width or layout.blank_separated:
        return False
    title, following = group[0], group[1]
    begins = following.indent > title.indent or _sure_number(following.text)
    return begins or following.text.endswith(_ENDINGS)


def _sure_number(text: str) -> bool:
    found = numbering_of(text)
    return found is not None and found.divides and len(found.rest) <= 40


def _is_sentence(rest: str) -> bool:
    if rest.endswith(_ENDINGS) or display_width(rest) > MAX_HEADING:
        return True
    return any(mark in rest for mark in "。；;") or rest[:1].islower()


def _paragraph_size(group: list[Line], layout: Layout) -> int:
    """Return how many lines of the group belong to the paragraph or list item that it starts with."""
    item = list_marker(group[0].text) is not None
    for index in range(1, len(group)):
        before, line = group[index - 1], group[index]
        full = _is_full(before, line, layout)
        numbered = list_marker(line.text) and (item or before.text.endswith((":", "：")) or not full)
        if _is_rule(line.text) or _sure_number(line.text) or bullet(line.text) or numbered:
            return index
        if index + 1 < len(group) and _underlines(group[index + 1].text, line.text):
            return index
        if item:
            ended = line.indent <= group[0].indent and not full
        elif not layout.width:
            ended = not layout.blank_separated or display_width(before.text) > MAX_HEADING
        else:
            ended = (line.indent > before.indent + 1 and index > 1) or not (layout.blank_separated or full)
        if ended:
            return index
    return len(group)


def _is_full(before: Line, line: Line, layout: Layout) -> bool:
    """Tell whether a line was broken because the next line's first word did not fit any more."""
    if not layout.width:
        return False
    if line.text[0].islower() and before.text[-1].isalpha():
        return True
    word = line.text.split(maxsplit=1)[0]
    room = 2 if not word.isascii() else display_width(word) + 1
    # Signs that hang over, digits, and indents of two wide letters that became narrow leave Chinese lines shorter.
    latin = before.text[-1].isascii() and line.text[0].isascii()
    spared = 2 if latin or before.text.endswith(_STOPS) else 6
    return before.indent + display_width(before.text) + room > layout.width - spared


def _paragraph(lines: list[Line], layout: Layout) -> Iterator[Block]:
    text = lines[0].text
    for before, line in pairwise(lines):
        text = spaced(text, line.text, True) if _is_full(before, line, layout) else f"{text}\n{line.text}"
    marker = list_marker(text)
    if marker is None:
        yield from (Block("paragraph", piece) for piece in split_long(text))
        return
    for number, piece in enumerate(split_long(marker.rest)):
        shown = f"{marker.label} {piece}" if marker.label and not number else piece
        yield Block("list_item", shown, level=1 + lines[0].indent // 4)


def layout_of(text: str) -> Layout:
    """Return the layout, judged from the first half megabyte."""
    lines = [line.rstrip() for line in text[:SAMPLE].split("\n")]
    followed = [display_width(a) for a, b in pairwise(lines) if a and b]
    groups = sum(bool(b) > bool(a) for a, b in pairwise(["", *lines]))
    blank_separated = groups > 1 and groups >= sum(map(bool, lines)) * 0.1
    return Layout(_wrap_width(followed), blank_separated)


def _wrap_width(followed: list[int]) -> int:
    counts = Counter(followed)
    widths = range(MIN_WIDTH, MAX_WIDTH)
    within = {width: sum(w * counts[w] for w in range(int(0.8 * width), width + 1)) for width in widths}
    width = max(within, key=lambda width: (within[width], -width))
    return width if within[width] >= 0.5 * sum(followed) else 0


def display_width(text: str) -> int:
    """Return how many columns of a fixed-width font the text takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _without_lists(blocks: list[Block]) -> list[Block]:
    """Turn numbered headings that follow each other without text between into list items."""
    follows = [False, *(_continues(before, block) for before, block in pairwise(blocks)), False]
    listed = [_kind(block) in _LISTED and any(pair) for block, pair in zip(blocks, pairwise(follows), strict=False)]
    return [Block("list_item", b.text, level=1) if item else b for b, item in zip(blocks, listed, strict=True)]


def _kind(block: Block) -> str:
    """Return what makes a block a heading: as :func:`_heading_kind` does, or the sign that underlines it."""
    return str(block.evidence.get("kind", ""))


def _continues(before: Block, block: Block) -> bool:
    if _kind(block) != _kind(before) or not _kind(block):
        return False
    first, second = numbering_of(before.text), numbering_of(block.text)
    if first is None or second is None or first.depth != second.depth or first.depth > 1:
        return False
    return first.value is not None and second.value == first.value + 1


def _with_levels(blocks: list[Block]) -> list[Block]:
    """Give headings their levels, by their numbers; titles and doubly underlined lines stand above all others."""
    headings = [
        Heading(index, numbering_of(block.text), (_PROMINENCE.get(_kind(block), 0.0), False, False, False, "", 0))
        for index, block in enumerate(blocks)
        if block.kind == "heading"
    ]
    levels = {heading.index: min(level, 9) for heading, level in zip(headings, levels_of(headings), strict=True)}
    return [replace(block, level=levels[n]) if n in levels else block for n, block in enumerate(blocks)]
