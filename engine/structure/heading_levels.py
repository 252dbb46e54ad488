"""Which blocks are headings, and of what level: as the format states, from bookmarks, or inferred."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block, ParsedFile
from engine.structure.contents_title import is_contents_title
from engine.structure.headings import Heading, Style, find_headings, is_named, style_of
from engine.structure.levels import levels_of, number_order
from engine.structure.numbering import Numbering, numbering_of
from engine.structure.outline import Placed, place_outline
from engine.structure.printed_contents import listed_headings

FEWEST_BOOKMARKS = 3
PAGES_PER_ENTRY = 12
NUMBERED_SHARE = 0.8
LONG_SECTION = 10
LONGEST_LEAD = 200
STRUCTURAL = ("decimal", "chinese_unit", "word", "chinese", "chinese_paren", "roman")
NOT_A_TITLE = re.compile(
    r"\.(?:pdf|docx?|html?|xlsx?|pptx?|indd)$|^(?:page|slide|seite|sheet|blank)\s*\d*$", re.IGNORECASE
)


def with_headings(parsed: ParsedFile) -> list[Block]:
    """Return the blocks with every heading as a ``heading`` block that has a level, all others as they were."""
    if any("column" in block.evidence for block in parsed.blocks):
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
    """Use the bookmarks when they are titles and cover the document, else return None."""
    entries = parsed.outline
    if len(entries) < FEWEST_BOOKMARKS or (parsed.pages or 0) > PAGES_PER_ENTRY * len(entries):
        return None
    if sum(bool(NOT_A_TITLE.search(entry["title"])) for entry in entries) > 0.3 * len(entries):
        return None
    placed = place_outline(parsed.blocks, entries)
    return _marked(parsed.blocks, _with_levels_of_numbers(placed) if _is_flat(placed) else placed)


def _is_flat(placed: Sequence[Placed]) -> bool:
    """Tell whether bookmarks all have one level although their numbers nest (一、 above （一） above 1.)."""
    numbers = [numbering_of(spot.title) for spot in placed]
    orders = Counter(number_order(number) for number in numbers if number)
    often = [order for order, count in orders.items() if count >= FEWEST_BOOKMARKS]
    return (
        len({spot.level for spot in placed}) == 1
        and orders.total() >= NUMBERED_SHARE * len(placed)
        and len(often) > 1
    )


def _with_levels_of_numbers(placed: Sequence[Placed]) -> list[Placed]:
    plain: Style = (0.0, False, False, False, "", 0)
    headings = [Heading(spot.index, 0.0, numbering_of(spot.title), plain) for spot in placed]
    levels = levels_of(headings)
    return [replace(spot, level=level) for spot, level in zip(placed, levels, strict=True)]


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
        result.append(Block("heading", spot.title, spot.page, box, spot.level, evidence=evidence))
        if taken and spot.rest:
            result.append(_remainder(taken[-1], spot.rest))
    return result + list(blocks[cursor:])


def _remainder(block: Block, rest: str) -> Block:
    """The paragraph that is left of a block once its heading is taken off, where it stands itself."""
    spans = block.metadata.get("spans") or []
    taken = len(block.text) - len(rest)
    kept = []
    for span in spans if all("chars" in span for span in spans) else ():
        if taken < span["chars"]:
            kept.append({**span, "chars": span["chars"] - max(taken, 0)})
        taken -= span["chars"]
    if not kept:
        return replace(block, kind="paragraph", text=rest)
    metadata = {key: value for key, value in block.metadata.items() if key != "spans"}
    if len(kept) > 1:
        metadata["spans"] = kept
    page, box = kept[0]["page"], tuple(kept[0]["bbox"])
    return replace(block, kind="paragraph", text=rest, page=page, bbox=box, metadata=metadata)


def _inferred(parsed: ParsedFile) -> list[Block]:
    """Infer headings from looks and numbers, helped by a printed table of contents."""
    headings = find_headings(parsed.blocks)
    listed = listed_headings(parsed.blocks, parsed.metadata.get("contents", ()))
    if listed:
        spots = with_unlisted(parsed.blocks, listed, headings, parsed.pages or 1)
        starts = {index for spot in spots for index in range(spot.index, spot.index + spot.blocks)}
        minor = {heading.index for heading in headings} - starts
        blocks = [
            replace(block, evidence={**block.evidence, "minor": True}) if index in minor else block
            for index, block in enumerate(parsed.blocks)
        ]
        return _with_leads(_marked(blocks, spots))
    levels = levels_of(headings)
    spots = [
        Placed(level, parsed.blocks[h.index].text, parsed.blocks[h.index].page or 0, h.index, 1)
        for h, level in zip(headings, levels, strict=True)
    ]
    return _marked(parsed.blocks, spots)


def _with_leads(blocks: Sequence[Block]) -> list[Block]:
    """Put each minor heading, one that gets no section, at the head of the paragraph that it introduces."""
    result: list[Block] = []
    for block in blocks:
        before = result[-1] if result else None
        leads = before is not None and before.evidence.get("minor") and len(before.text) < LONGEST_LEAD
        if before is not None and leads and block.kind == "paragraph" and not block.evidence.get("minor"):
            result[-1] = _led(before, block)
            continue
        result.append(block)
    return result


def _led(lead: Block, block: Block) -> Block:
    spans = [*_spans(lead), *_spans(block)]
    boxes = [span["bbox"] for span in spans if span["page"] == lead.page]
    metadata = {**block.metadata, "lead": lead.text}
    if len({span["page"] for span in spans}) > 1 or "spans" in block.metadata:
        metadata["spans"] = spans
    box = (
        min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)
    ) if boxes else None  # fmt: skip
    return replace(block, text=f"{lead.text}\n{block.text}", page=lead.page, bbox=box, metadata=metadata)


def _spans(block: Block) -> list[dict[str, Any]]:
    if spans := block.metadata.get("spans"):
        return list(spans)
    return [{"page": block.page, "bbox": list(block.bbox), "chars": len(block.text)}] if block.bbox else []


def with_unlisted(
    blocks: Sequence[Block], listed: Sequence[Placed], headings: Sequence[Heading], pages: int
) -> list[Placed]:
    """Add to the headings that a table of contents lists the others that belong into the tree.

    These are headings with structural numbers, those in a look that mostly marks listed ones, and, where the
    table has one level only or leaves more than ten pages to one section, all. They come below the listed
    section that they are in.
    """
    taken = {index for spot in listed for index in range(spot.index, spot.index + spot.blocks)}
    others = [heading for heading in headings if heading.index not in taken]
    levels: dict[Style, Counter[int]] = {}
    for spot in listed:
        if not spot.rest:
            levels.setdefault(style_of(blocks[spot.index]), Counter())[spot.level] += 1
    shift = decimal_shift(listed)
    words = {
        number_order(number): spot.level
        for spot in listed
        if (number := numbering_of(spot.title)) and number.kind == "word"
    }
    flat = len({spot.level for spot in listed}) == 1
    by_word = {
        style_of(blocks[spot.index])
        for spot in listed
        if (number := numbering_of(spot.title)) and number.kind == "word"
    }
    alike = Counter(heading.style for heading in others)
    added: list[Placed] = []
    below: list[tuple[Heading, int]] = []
    begin = min((spot.index for spot in listed), default=0)
    front = max((i for i, block in enumerate(blocks[:begin]) if block.evidence.get("contents")), default=0)
    for heading in others:
        block = blocks[heading.index]
        if heading.index < front and not (is_named(block.text) or is_contents_title(block.text)):
            continue
        above, length = _section_around(listed, heading.index, block.page or 0, pages)
        kind = heading.number.kind if heading.number else ""
        if kind == "decimal" and heading.number and shift is not None:
            level = heading.number.depth + shift
        elif kind == "word" and heading.number and (known := _word_level(heading.number, words)) is not None:
            level = known
        elif heading.style in levels and alike[heading.style] <= 2 * levels[heading.style].total():
            level = levels[heading.style].most_common(1)[0][0] + int(not kind and heading.style in by_word)
        elif flat or length > LONG_SECTION or kind in STRUCTURAL:
            below.append((heading, above))
            continue
        else:
            continue
        added.append(Placed(level, block.text, block.page or 0, heading.index, 1))
    for (heading, above), rank in zip(below, levels_of([heading for heading, _ in below]), strict=True):
        block = blocks[heading.index]
        added.append(Placed(above + rank, block.text, block.page or 0, heading.index, 1))
    spots = sorted([*listed, *added], key=lambda spot: spot.index)
    highest = min((spot.level for spot in spots), default=1)
    return [replace(spot, level=spot.level - highest + 1) for spot in spots]


def decimal_shift(listed: Sequence[Placed]) -> int | None:
    """Return level minus decimal depth ("2.1" has depth 2) of the listed headings, None without numbers."""
    depths = Counter(
        spot.level - number.depth
        for spot in listed
        if (number := numbering_of(spot.title)) and number.family == "decimal"
    )
    return depths.most_common(1)[0][0] if depths else None


def _word_level(number: Numbering, known: Mapping[tuple[int, int] | None, int]) -> int | None:
    """Return the level for "Part II" beside listed items or chapters: theirs, or one off, None without any."""
    order = number_order(number)
    if not known or order is None:
        return None
    if order in known:
        return known[order]
    below = [level for other, level in known.items() if other is not None and other > order]
    return min(below) - 1 if below else max(known.values()) + 1


def _section_around(listed: Sequence[Placed], index: int, page: int, pages: int) -> tuple[int, int]:
    """Return the level of the listed section that a block is in (0 for none), and its length in pages."""
    before = [spot for spot in listed if spot.index < index]
    after = next((spot.page for spot in listed if spot.index > index), pages)
    return (before[-1].level, after - before[-1].page) if before else (0, after)
