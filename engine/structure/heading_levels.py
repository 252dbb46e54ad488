"""Which blocks are headings, and of what level: as the format states, from bookmarks, or inferred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block, ParsedFile
from engine.structure.headings import Heading, Style, find_headings, style_of
from engine.structure.levels import levels_of
from engine.structure.numbering import numbering_of
from engine.structure.outline import Placed, place_outline
from engine.structure.printed_contents import listed_headings

PAGES_PER_ENTRY = 12
LEAST_LOCATED = 0.5


def with_headings(parsed: ParsedFile) -> list[Block]:
    """Return the blocks with every heading as a ``heading`` block that has a level, all others as they were."""
    if any("size" in block.evidence for block in parsed.blocks):
        blocks = _from_bookmarks(parsed)
        return blocks if blocks is not None else _inferred(parsed)
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


def _inferred(parsed: ParsedFile) -> list[Block]:
    """Infer headings from looks and numbers, helped by a printed table of contents."""
    headings = find_headings(parsed.blocks)
    listed = listed_headings(parsed.blocks, parsed.metadata.get("contents", ()))
    if listed:
        return _marked(parsed.blocks, with_unlisted(parsed.blocks, listed, headings))
    levels = levels_of(headings)
    spots = [
        Placed(level, parsed.blocks[h.index].text, parsed.blocks[h.index].page or 0, h.index, 1)
        for h, level in zip(headings, levels, strict=True)
    ]
    return _marked(parsed.blocks, spots)


def with_unlisted(
    blocks: Sequence[Block], listed: Sequence[Placed], headings: Sequence[Heading]
) -> list[Placed]:
    """Add to the headings that a table of contents lists those that look the same, or carry numbers."""
    taken = {index for spot in listed for index in range(spot.index, spot.index + spot.blocks)}
    levels: dict[Style, Counter[int]] = {}
    for spot in listed:
        if not spot.rest:
            levels.setdefault(style_of(blocks[spot.index]), Counter())[spot.level] += 1
    depths = Counter(
        spot.level - number.depth
        for spot in listed
        if (number := numbering_of(spot.title)) and number.family == "decimal"
    )
    shift = depths.most_common(1)[0][0] if depths else 0
    added = []
    for heading in headings:
        if heading.index in taken:
            continue
        block = blocks[heading.index]
        if heading.number and heading.number.family == "decimal" and heading.number.kind == "decimal":
            level = heading.number.depth + shift
        elif heading.style in levels:
            level = levels[heading.style].most_common(1)[0][0]
        else:
            continue
        added.append(Placed(level, block.text, block.page or 0, heading.index, 1))
    return sorted([*listed, *added], key=lambda spot: spot.index)
