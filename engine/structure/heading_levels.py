"""Which blocks are headings, and of what level: as the format states, from bookmarks, or inferred."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block, ParsedFile
from engine.structure.headings import Heading, find_headings
from engine.structure.levels import levels_of
from engine.structure.look import is_named
from engine.structure.numbering import numbering_of
from engine.structure.outline import Placed, place_outline
from engine.structure.printed_contents import listed_headings
from engine.structure.section_kinds import is_contents_title
from engine.structure.spans import part_of

FEWEST_BOOKMARKS = 3
PAGES_PER_ENTRY = 12
NOT_A_TITLE = re.compile(
    r"\.(?:pdf|docx?|html?|xlsx?|pptx?|indd)$|^(?:page|slide|seite|sheet|blank)\s*\d*$", re.IGNORECASE
)


def with_headings(parsed: ParsedFile) -> list[Block]:
    """Return the blocks with every heading as a ``heading`` block that has a level, all others as they were."""
    if any("column" in block.evidence for block in parsed.blocks):
        return _from_bookmarks(parsed) or _inferred(parsed)
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
    """Use the bookmarks when they are titles and cover the document, else return None."""
    entries = parsed.outline
    if len(entries) < FEWEST_BOOKMARKS or (parsed.pages or 0) > PAGES_PER_ENTRY * len(entries):
        return None
    if sum(bool(NOT_A_TITLE.search(entry["title"])) for entry in entries) > 0.3 * len(entries):
        return None
    return _marked(parsed.blocks, place_outline(parsed.blocks, entries))


def _marked(blocks: Sequence[Block], placed: Sequence[Placed]) -> list[Block]:
    result: list[Block] = []
    cursor = 0
    for spot in placed:
        result += blocks[cursor : spot.index]
        start = max(cursor, spot.index)
        taken = blocks[start : spot.index + spot.blocks]
        cursor = max(cursor, spot.index + spot.blocks)
        box = taken[0].bbox if taken else None
        evidence: dict[str, Any] = dict(taken[0].evidence) if taken else {}
        result.append(Block("heading", spot.title, spot.page or None, box, spot.level, evidence=evidence))
        if taken and spot.rest:
            whole = len(taken[-1].text)
            rest = part_of(taken[-1], whole - len(spot.rest), whole)
            result.append(replace(rest, kind="paragraph"))
    return result + list(blocks[cursor:])


def _inferred(parsed: ParsedFile) -> list[Block]:
    """Infer headings from looks and numbers, helped by a printed table of contents."""
    headings = find_headings(parsed.blocks)
    listed = listed_headings(parsed.blocks, parsed.contents)
    if listed:
        return _marked(parsed.blocks, with_unlisted(parsed.blocks, listed, headings))
    below_title = any(block.kind == "heading" for block in parsed.blocks)
    levels = levels_of(headings)
    found = zip(headings, levels, strict=True)
    return _marked(parsed.blocks, [_placed(parsed.blocks, h, level + below_title) for h, level in found])


def _placed(blocks: Sequence[Block], heading: Heading, level: int) -> Placed:
    block = blocks[heading.index]
    return Placed(level, block.text, block.page or 0, heading.index, 1)


def with_unlisted(
    blocks: Sequence[Block], listed: Sequence[Placed], headings: Sequence[Heading]
) -> list[Placed]:
    """Add to the headings that a table of contents lists all others, at the level of their number or their look.

    Others come below the listed section that they are in, nested by their own looks and numbers.
    """
    taken = {index for spot in listed for index in range(spot.index, spot.index + spot.blocks)}
    begin = min((spot.index for spot in listed), default=0)
    front = max((i for i, block in enumerate(blocks[:begin]) if block.evidence.get("contents")), default=0)
    shift = decimal_shift(listed)
    spots = list(listed)
    below: list[Heading] = []
    for heading in headings:
        text, number = blocks[heading.index].text, heading.number
        announced = heading.index >= front or is_named(text) or is_contents_title(text)
        if heading.index in taken or not announced:
            continue
        if number and number.kind == "decimal" and shift is not None:
            spots.append(_placed(blocks, heading, number.depth + shift))
        else:
            below.append(heading)
    above = sorted(spots, key=lambda spot: spot.index)
    for heading, rank in zip(below, levels_of(below), strict=True):
        level = next((spot.level for spot in reversed(above) if spot.index < heading.index), 0)
        spots.append(_placed(blocks, heading, level + rank))
    highest = min((spot.level for spot in spots), default=1)
    spots.sort(key=lambda spot: spot.index)
    return [replace(spot, level=spot.level - highest + 1) for spot in spots]


def decimal_shift(listed: Sequence[Placed]) -> int | None:
    """Return level minus decimal depth ("2.1" has depth 2) of the listed headings, None without numbers."""
    numbers = [(spot.level, numbering_of(spot.title)) for spot in listed]
    depths = Counter(level - n.depth for level, n in numbers if n and n.family == "decimal")
    return depths.most_common(1)[0][0] if depths else None
