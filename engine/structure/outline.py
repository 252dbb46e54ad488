"""Headings from the file's own bookmarks: each entry is found in the text of the page it points to."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.model import Block
from engine.structure.numbering import without_number
from engine.structure.sequences import grouped

NOISE = re.compile(r"[\W_]+")
# "II-A" before the title of what is printed as "A. Title".
COMPOUND = re.compile(r"^[A-Z]{1,5}(?:-[A-Z]{1,2}\d*)+\s+")


@dataclass(frozen=True, slots=True)
class Placed:
    """A bookmark in the text: its level and title, the index of the block where its section begins,
    and how many blocks its heading takes there (0 when its words are not on the page)."""

    level: int
    title: str
    page: int
    index: int
    blocks: int
    rest: str = ""


def normal(text: str) -> str:
    """Return a title for comparing: NFKC, without case, spaces and punctuation."""
    return NOISE.sub("", unicodedata.normalize("NFKC", text)).casefold()


def place_outline(blocks: Sequence[Block], outline: Sequence[Mapping[str, Any]]) -> list[Placed]:
    """Return the bookmarks that fit the text, in order of their places; several at one place keep their order."""
    by_page = grouped((block.page, index) for index, block in enumerate(blocks) if block.page is not None)
    placed = []
    last = -1
    for entry in outline:
        spot = _find(blocks, by_page, entry, last) or _fallback(blocks, by_page, entry)
        placed.append(spot)
        if spot.blocks:
            last = spot.index
    return sorted(placed, key=lambda spot: spot.index)


def _find(
    blocks: Sequence[Block], by_page: Mapping[int, list[int]], entry: Mapping[str, Any], last: int
) -> Placed | None:
    title, page, y = entry["title"], entry["page"], entry["y"]
    wanted = normal(title)
    bare = normal(without_number(COMPOUND.sub("", title)))
    found: list[tuple[tuple[int, bool, float], Placed]] = []
    for number in (page, page + 1, page - 1):
        for index in by_page.get(number, ()):
            block = blocks[index]
            readable = block.kind in ("paragraph", "list_item", "heading", "caption")
            if readable and (match := _match(blocks, index, wanted, bare)):
                quality, count, rest = match
                distance = abs((block.bbox[1] if block.bbox else 0) - y) if y is not None else 0.0
                rank = (quality + 2 * abs(number - page), index <= last, distance)
                found.append((rank, Placed(entry["level"], title, number, index, count, rest)))
    return min(found, key=lambda one: one[0])[1] if found else None


def _match(blocks: Sequence[Block], index: int, wanted: str, bare: str) -> tuple[int, int, str] | None:
    """Return (how bad, blocks taken, text left over) when the heading stands at a block, else None."""
    text = blocks[index].text
    have = normal(text[: 3 * len(wanted) + 80])
    if not have or not wanted:
        return None
    if have == wanted:
        return (0, 1, "")
    if len(text) < 300 and bare and normal(without_number(text)) == bare:
        return (0, 1, "")
    joined, count = have, 1
    while wanted.startswith(joined) and index + count < len(blocks) and count < 4:
        joined += normal(blocks[index + count].text[:300])
        count += 1
        if joined == wanted:
            return (0, count, "")
    if len(wanted) >= 4 and have.startswith(wanted):
        return (1, 1, after(text, len(wanted)))
    return None


def after(text: str, length: int) -> str:
    """Return what follows the first ``length`` letters (as :func:`normal` counts them)."""
    ends = (end for end in range(1, len(text) + 1) if len(normal(text[:end])) >= length)
    return text[next(ends, len(text)) :].lstrip(" .:：—–-)")


def _fallback(blocks: Sequence[Block], by_page: Mapping[int, list[int]], entry: Mapping[str, Any]) -> Placed:
    """Place a bookmark whose words are not on its page: at its height, else where its page begins."""
    page, y = entry["page"], entry["y"]
    later = (i for i, block in enumerate(blocks) if block.page is not None and block.page >= page)
    here = by_page.get(page) or [next(later, len(blocks))]
    below = (i for i in here if y and i < len(blocks) and (box := blocks[i].bbox) and box[3] >= y)
    index = next(below, here[0])
    return Placed(entry["level"], entry["title"], page, index, 0)
