"""Which blocks are headings, and of what level: as the format states, from bookmarks, or inferred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block, ParsedFile
from engine.structure.headings import find_headings
from engine.structure.levels import levels_of
from engine.structure.numbering import numbering_of
from engine.structure.outline import Placed, place_outline

PAGES_PER_ENTRY = 12
LEAST_LOCATED = 0.5


def with_headings(parsed: ParsedFile) -> list[Block]:
    """Return the blocks with every heading as a ``heading`` block that has a level, all others as they were."""
    if any("size" in block.evidence for block in parsed.blocks):
        blocks = _from_bookmarks(parsed)
        return blocks if blocks is not None else _inferred(parsed.blocks)
    return _stated(parsed.blocks)


def _stated(blocks: Sequence[Block]) -> list[Block]:
    """Give headings without a stated level the depth of their number, else one below the last stated level."""
    result = []
    last = 0
    for block in blocks:
        if block.kind == "heading":
            if block.level is None:
                number = numbering_of(block.text)
                block = replace(block, level=number.depth if number else max(1, last))
            last = block.level or 1
        result.append(block)
    return result


def _from_bookmarks(parsed: ParsedFile) -> list[Block] | None:
    """Use the bookmarks when most of them are found in the text and they cover the document, else None."""
    if len(parsed.outline) < 2 or (parsed.pages or 0) > PAGES_PER_ENTRY * len(parsed.outline):
        return None
    placed = place_outline(parsed.blocks, parsed.outline)
    if sum(spot.blocks > 0 for spot in placed) < LEAST_LOCATED * len(placed):
        return None
    return _marked(parsed.blocks, placed)


def _marked(blocks: Sequence[Block], placed: Sequence[Placed]) -> list[Block]:
    result: list[Block] = []
    cursor = 0
    for spot in placed:
        result += blocks[cursor : spot.index]
        start = max(cursor, spot.index)
        taken = blocks[start : spot.index + spot.blocks]
        cursor = max(cursor, spot.index + spot.blocks)
        box = taken[0].bbox if taken else None
        evidence: dict[str, Any] = {"outline": True}
        result.append(Block("heading", spot.title, spot.page, box, spot.level, evidence=evidence))
        if taken and spot.rest:
            result.append(replace(taken[-1], kind="paragraph", text=spot.rest))
    return result + list(blocks[cursor:])


def _inferred(blocks: Sequence[Block]) -> list[Block]:
    headings = find_headings(blocks)
    levels = dict(zip((heading.index for heading in headings), levels_of(headings), strict=True))
    return [
        replace(block, kind="heading", level=levels[index]) if index in levels else block
        for index, block in enumerate(blocks)
    ]
