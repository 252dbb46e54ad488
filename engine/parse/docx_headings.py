"""Headings of a Word document that uses no heading styles, told by how they look: bold, larger, numbered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

from engine.model import Block
from engine.parse.docx_styles import Style
from engine.parse.ooxml import W, integer, is_on, value
from engine.parse.wrapped_lines import display_width
from engine.structure.numbering import numbering

MAX_WIDTH = 90
THRESHOLD = 2.0
OFTEN = 4
LARGE = 1.25
STRONG_RANKS = frozenset({1, 2, 3})
_ENDINGS = tuple(".。!！;；,，、:：…")
TYPEWRITER = (
    "courier", "consolas", "menlo", "monaco", "lucida console", "source code", "dejavu sans mono", "jetbrains",
    "fira code", "fira mono", "cascadia", "liberation mono", "ubuntu mono", "roboto mono", "sf mono", "inconsolata",
)  # fmt: skip
_STRONG = frozenset({"part", "chapter", "section"})
_NUMBERED = frozenset({"decimal", "number", "roman", "chinese", "chinese_paren"})


class Look(NamedTuple):
    """How a paragraph looks: size in points, all bold, centred, in a typewriter font."""

    size: float
    bold: bool
    centred: bool
    typewriter: bool


def look_of(paragraph: Any, style: Style, default_size: float) -> Look:
    """Return the look of a paragraph's text, from its runs, else its style."""
    bold, size, seen = True, 0.0, False
    fonts = set()
    for run in paragraph.iter(f"{W}r"):
        switch = size_of = font = None
        said = False
        for child in run.iterchildren(f"{W}t", f"{W}rPr"):
            if child.tag == f"{W}t":
                said = True
                continue
            for item in child.iterchildren(f"{W}b", f"{W}sz", f"{W}rFonts"):
                if item.tag == f"{W}b":
                    switch = item
                elif item.tag == f"{W}sz":
                    size_of = item
                else:
                    font = item.get(f"{W}ascii")
        if not said:
            continue
        seen = True
        fonts.add(font.lower() if font else style.font)
        bold = bold and (style.bold if switch is None else is_on(switch))
        size = max(size, integer(value(size_of)) / 2 if size_of is not None else 0.0)
    alignment = value(paragraph.find(f"{W}pPr/{W}jc"))
    typewriter = bool(fonts) and all(font.startswith(TYPEWRITER) for font in fonts)
    return Look(size or style.size or default_size, bold and seen, alignment == "center", typewriter)


def inferred_headings(blocks: list[Block], looks: dict[int, Look]) -> list[Block]:
    """Return the blocks with those made headings, level included, that look like headings.

    ``looks`` gives the look of paragraphs and list items by index. One bold line is emphasis; a look that
    sets off short lines again and again is a heading's, and so are larger lines in a document that has such.
    """
    sizes: Counter[float] = Counter()
    bold = 0
    for index, look in looks.items():
        sizes[look.size] += len(blocks[index].text)
        bold += len(blocks[index].text) if look.bold else 0
    if not sizes:
        return blocks
    body = sizes.most_common(1)[0][0]
    bold_is_plain = bold > 0.4 * sizes.total()
    found = {
        index: look
        for index, look in looks.items()
        if _heads_something(index, blocks) and _score(blocks[index], look, body, bold_is_plain) >= THRESHOLD
    }
    found = _repeated(_without_runs(found, blocks), blocks, body)
    keys = {index: _key(blocks[index], look) for index, look in found.items()}
    order = {key: level for level, key in enumerate(sorted(set(keys.values())), 1)}
    result = list(blocks)
    for index, look in found.items():
        evidence = {"font_size": look.size, "bold": look.bold, "centred": look.centred}
        facts = {k: v for k, v in blocks[index].metadata.items() if k not in {"marker", "ordered"}}
        level = min(order[keys[index]], 9)
        result[index] = replace(blocks[index], kind="heading", level=level, evidence=evidence, metadata=facts)
    return result


def _heads_something(index: int, blocks: list[Block]) -> bool:
    """Tell whether text follows; a list item must also be numbered and stand by itself."""
    if index + 1 == len(blocks):
        return False
    if blocks[index].kind != "list_item":
        return True
    alone = blocks[index + 1].kind != "list_item" or blocks[index + 1].level != blocks[index].level
    return bool(blocks[index].metadata.get("ordered")) and alone


def _often(key: tuple[float, int, int], body: float) -> int:
    """Return how often a look must occur: 第一章 speaks for itself, bold lines only in numbers."""
    if key[1] in STRONG_RANKS:
        return 1
    return 2 if -key[0] >= LARGE * body else OFTEN


def _repeated(found: dict[int, Look], blocks: list[Block], body: float) -> dict[int, Look]:
    keys = {index: _key(blocks[index], look) for index, look in found.items()}
    counts = Counter(keys.values())
    usual = [key for key, count in counts.items() if count >= _often(key, body)]
    if not usual:
        return {}
    smallest = max(usual)
    return {index: look for index, look in found.items() if keys[index] in usual or keys[index] < smallest}


def _score(block: Block, look: Look, body: float, bold_is_plain: bool) -> float:
    text = block.text
    if display_width(text) > MAX_WIDTH or "\n" in text or not any(c.isalpha() for c in text):
        return 0.0
    found = numbering(text)
    if text.endswith(_ENDINGS) or (found and found.division == "article"):
        return 0.0
    score = 0.0
    if look.bold and not bold_is_plain:
        score += 2.0
    if look.size >= body * LARGE:
        score += 2.0
    elif look.size > body * 1.05:
        score += 1.0
    if found and found.rest:
        score += 2.0 if found.division in _STRONG else 1.0 if found.kind in _NUMBERED else 0.0
    if look.centred:
        score += 0.5
    if text.isupper():
        score += 0.5
    return score


def _without_runs(found: dict[int, Look], blocks: list[Block]) -> dict[int, Look]:
    """Leave out runs of more than three candidates without text between: those are addresses or lists."""
    kept: dict[int, Look] = {}
    indexes = sorted(found)
    start = 0
    while start < len(indexes):
        end = start + 1
        while end < len(indexes) and indexes[end] == indexes[end - 1] + 1:
            end += 1
        run = indexes[start:end]
        if len(run) <= 3 and run[-1] + 1 < len(blocks):
            kept.update({index: found[index] for index in run})
        start = end
    return kept


def _key(block: Block, look: Look) -> tuple[float, int, int]:
    number = numbering(block.text)
    return (-look.size, number.rank if number else 0, number.depth if number else 0)
