"""Which blocks are headings, and of what level: as the format states, from bookmarks, or inferred."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

from engine.model import Block, ParsedFile
from engine.structure.heading_features import kind_of
from engine.structure.headings import Heading, find_headings
from engine.structure.look import is_named
from engine.structure.outline import Placed, normal, place_outline
from engine.structure.run_in import with_run_ins
from engine.structure.section_kinds import LONGEST_ENTRY, NOT_A_TITLE, is_contents_title
from engine.structure.sequences import grouped, heaviest

# Evidence of blocks of a file inside another one: their headings are told.
ATTACHED = {"attached": True}
FEWEST_BOOKMARKS = 3
PAGES_PER_ENTRY = 12
DIGITS = "0123456789. "
# Size (negative points), plain, small and slanted (0 where prominent).
Look = tuple[float, int, int, int]
# Where a heading stands, smaller is higher: its look, the order and the depth of its number.
Rank = tuple[float, int, int, int, int, int]


def with_headings(parsed: ParsedFile) -> list[Block]:
    """Return the blocks with every heading as a ``heading`` block that has a level, all others as they were."""
    if any("column" in block.evidence for block in parsed.blocks):
        attached = [block for block in parsed.blocks if ATTACHED.items() <= block.evidence.items()]
        own = replace(parsed, blocks=[block for block in parsed.blocks if block not in attached])
        return with_run_ins(_inferred(replace(own, blocks=_from_bookmarks(own) or own.blocks))) + attached
    return parsed.blocks


def _from_bookmarks(parsed: ParsedFile) -> list[Block] | None:
    """Use the bookmarks when they are titles and cover the document, else return None; sentences are no titles."""
    entries = [entry for entry in parsed.outline if entry["title"][-1] not in "。；"]
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
        facts = {"found_by": "bookmark"} | ({} if taken else {"unprinted": True})
        result.append(Block("heading", spot.title, spot.page or None, box, spot.level, None, evidence, facts))
        if taken and spot.rest:
            whole = len(taken[-1].text)
            rest = taken[-1].part(whole - len(spot.rest), whole)
            result.append(replace(rest, kind="paragraph"))
    return result + list(blocks[cursor:])


def _inferred(parsed: ParsedFile) -> list[Block]:
    """Infer headings from looks and numbers; above the end of printed contents only their words tell them."""
    blocks = parsed.blocks
    front = _contents_end(blocks)
    headings = [
        heading
        for heading in find_headings(blocks)
        if heading.index >= front or is_named(text := blocks[heading.index].text) or is_contents_title(text)
    ]
    if any(block.kind == "heading" and not block.evidence.get("title") for block in blocks):
        return _completed(blocks, headings)
    below = any(block.kind == "heading" for block in blocks)
    result = list(blocks)
    for heading, level in zip(headings, levels_of(headings), strict=True):
        result[heading.index] = replace(
            blocks[heading.index], kind="heading", level=level + below, metadata={"found_by": "look"}
        )
    return result


def _completed(blocks: Sequence[Block], headings: Sequence[Heading]) -> list[Block]:
    """Return the blocks with headings beside those that the format or bookmarks state: on the level of those that look
    or are numbered like them, else below the last more prominent one. Where bookmarks state none, there is none."""
    ranked = list(zip(headings, _ranks(headings), strict=True))
    levels = _stated_levels(blocks, ranked)
    named = {_said(block) for block in blocks if block.metadata.get("found_by") == "bookmark"}
    result, above = list(blocks), [(min(levels.values(), default=1) - 1, (-inf, 0, 0, 0, 0, 0))]
    levels[""] = 0  # what has no number has no level by it
    for heading, rank in ranked:
        block = blocks[heading.index]
        if block.kind != "heading":
            higher, over = next(filter(lambda one: one[1] < rank, reversed(above)))
            known = levels.get(kind_of(heading.number)) or levels.get(rank)
            if named and (_said(block) in named or not (known or over > above[0][1])):
                continue
            level = known or levels.setdefault(rank, min(higher + 1, 9))
            facts = block.metadata | {"found_by": "look"}
            block = result[heading.index] = replace(block, kind="heading", level=level, metadata=facts)
        above.append((block.level or 1, rank))
    return result


def _said(block: Block) -> tuple[int | None, str]:
    """Return what a heading says and where, whatever its number."""
    return block.page, normal(block.text.lstrip(DIGITS))


def _stated_levels(blocks: Sequence[Block], ranked: Sequence[tuple[Heading, Rank]]) -> dict[str | Rank, int]:
    """Return the levels that the format or bookmarks state, by rank and kind of number; those of the first."""
    levels: dict[str | Rank, int] = {}
    for heading, rank in reversed(ranked):
        if blocks[heading.index].kind == "heading":
            levels |= dict.fromkeys([rank, kind_of(heading.number)], blocks[heading.index].level or 1)
    return levels


def _contents_end(blocks: Sequence[Block]) -> int:
    """Return where printed contents end, 0 where there are none; what is farther back is some other list."""
    entries = [n for n, block in enumerate(blocks) if block.evidence.get("contents")]
    listed = entries[-1] if entries else _unnumbered_end(blocks)
    return listed if 2 * listed < len(blocks) else 0


def _unnumbered_end(blocks: Sequence[Block]) -> int:
    """Return where contents without page numbers end: before any long text their first entry comes again; else 0."""
    words = [normal(block.text) for block in blocks]
    after = next((n for n, block in enumerate(blocks, 1) if is_contents_title(block.text)), len(blocks))
    rest = range(after + 1, len(blocks))
    end = next((n for n in rest if words[n] == words[after] or len(words[n]) > LONGEST_ENTRY), 0)
    return end if end and words[end] == words[after] else 0


def levels_of(headings: Sequence[Heading]) -> list[int]:
    """Return a level for each inferred heading, 1 the highest, the same all over the document.

    Every heading gets a rank: its look (size, weight, capitals, the more prominent first) and, within a look, the
    order of its kind of number. Nesting by rank gives each a depth; those of one rank take the depth that most have.
    """
    ranks = _ranks(headings)
    votes = grouped(zip(ranks, _nested(ranks), strict=True))
    usual = {rank: heaviest(((depth, 1) for depth in depths), 1) for rank, depths in votes.items()}
    used = {value: index for index, value in enumerate(sorted(set(usual.values())), 1)}
    return [used[usual[rank]] for rank in ranks]


def _nested(ranks: Sequence[Rank]) -> list[int]:
    """Return how deep each heading lies when every heading holds the lower-ranked ones that follow it."""
    stack: list[Rank] = []
    depths = []
    for rank in ranks:
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        depths.append(len(stack))
    return depths


def _ranks(headings: Sequence[Heading]) -> list[Rank]:
    """Return the rank of each heading; one without a number ranks as :func:`_unnumbered` ones of its look do."""
    looks: list[Look] = [(-one.style[0], int(not one.style[1]), int(not one.style[3]), one.style[2] % 2)
                         for one in headings]  # fmt: skip
    orders = [one.number.order if one.number else None for one in headings]
    bare = {look: _unnumbered(own) for look, own in grouped(zip(looks, orders, strict=True)).items()}
    return [(*look, *(order or bare[look])) for look, order in zip(looks, orders, strict=True)]


def _unnumbered(orders: Sequence[tuple[int, int] | None]) -> tuple[int, int]:
    """Return the order of headings without a number among others of their look: of the highest numbers (Abstract,
    1 Introduction), but where many stand between numbers, below them all (Item 1, General, Competition, Item 2)."""
    given = [(n, order) for n, order in enumerate(orders) if order]
    if not given:
        return (0, 0)
    highest, lowest = (which(order for _, order in given) for which in (min, max))
    between = orders[given[0][0] : given[-1][0]].count(None)
    return (lowest[0] + 1, 0) if 2 * between > len(given) else highest
