"""Headings of a Word document that uses no heading styles, told by how they look: bold, larger, numbered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

from engine.model import Block
from engine.parse.docx_styles import Style
from engine.parse.numbering import numbering
from engine.parse.ooxml import W, integer, is_on, value
from engine.parse.wrapped_lines import display_width

MAX_WIDTH = 90
THRESHOLD = 2.0
_ENDINGS = tuple(".。!！;；,，、:：…")
_STRONG = frozenset({"part", "chapter", "section"})
_NUMBERED = frozenset({"decimal", "roman", "han", "han_paren"})


class Look(NamedTuple):
    """How a paragraph looks: size in points, all bold, centred."""

    size: float
    bold: bool
    centred: bool


def look_of(paragraph: Any, style: Style, default_size: float) -> Look:
    """Return the look of a paragraph's text, from its runs, else its style."""
    bold, size, seen = True, 0.0, False
    for run in paragraph.iter(f"{W}r"):
        if run.find(f"{W}t") is None:
            continue
        seen = True
        properties = run.find(f"{W}rPr")
        switch = size_of = None
        if properties is not None:
            switch, size_of = properties.find(f"{W}b"), properties.find(f"{W}sz")
        bold = bold and (style.bold if switch is None else is_on(switch))
        size = max(size, integer(value(size_of)) / 2 if size_of is not None else 0.0)
    alignment = value(paragraph.find(f"{W}pPr/{W}jc"))
    return Look(size or style.size or default_size, bold and seen, alignment == "center")


def inferred_headings(blocks: list[Block], looks: dict[int, Look]) -> list[Block]:
    """Return the blocks with those made headings, level included, that look like headings.

    ``looks`` gives the look of paragraphs and list items by index.
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
        if index + 1 < len(blocks) and _score(blocks[index], look, body, bold_is_plain) >= THRESHOLD
    }
    found = _without_runs(found, blocks)
    keys = {index: _key(blocks[index], look) for index, look in found.items()}
    order = {key: level for level, key in enumerate(sorted(set(keys.values())), 1)}
    result = list(blocks)
    for index, look in found.items():
        evidence = {"size": look.size, "bold": look.bold, "centred": look.centred}
        level = min(order[keys[index]], 9)
        facts = {k: v for k, v in blocks[index].metadata.items() if k not in {"marker", "ordered"}}
        result[index] = replace(blocks[index], kind="heading", level=level, evidence=evidence, metadata=facts)
    return result


def _score(block: Block, look: Look, body: float, bold_is_plain: bool) -> float:
    text = block.text
    if display_width(text) > MAX_WIDTH or "\n" in text or not any(c.isalpha() for c in text):
        return 0.0
    found = numbering(text)
    if text.endswith(_ENDINGS) or (found and found.kind == "article"):
        return 0.0
    score = 0.0
    if look.bold and not bold_is_plain:
        score += 2.0
    if look.size >= body * 1.25:
        score += 2.0
    elif look.size > body * 1.05:
        score += 1.0
    if found and found.rest:
        score += 2.0 if found.kind in _STRONG else 1.0 if found.kind in _NUMBERED else 0.0
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
