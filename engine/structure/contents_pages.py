"""Printed tables of contents: their lines look like headings and are none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.model import Block

LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{5,}|(?:·\s?){4,}")
ENDS_IN_PAGE = re.compile(r"(?:[\s.…·_]|[^\d.,%$)])\s*(\d{1,4}|[ivxlc]{1,6}|[A-Z]-\d{1,3})$")
TITLE = re.compile(
    r"^(?:table\s+of\s+contents?|contents?|list\s+of\s+(?:figures|tables)|目\s*录|目\s*次|目\s*錄|inhalt(?:sverzeichnis)?"
    r"|table\s+des\s+mati[eè]res|sommaire|índice|contenido)$",
    re.IGNORECASE,
)


def is_contents_title(text: str) -> bool:
    """Tell whether a heading announces a table of contents."""
    return bool(TITLE.match(text.strip(" .:：")))


def contents_lines(blocks: Sequence[Block]) -> set[int]:
    """Return the indexes of blocks that are lines of a printed table of contents.

    A line with dot leaders is one; so is a line ending in a page number on a page where most lines do, or
    that follows the title of a table of contents.
    """
    found: set[int] = set()
    by_page: dict[int | None, list[int]] = {}
    for index, block in enumerate(blocks):
        if block.kind not in ("paragraph", "list_item", "heading"):
            continue
        by_page.setdefault(block.page, []).append(index)
        if LEADER.search(block.text):
            found.add(index)
    running_on = False
    for page in sorted(key for key in by_page if key is not None):
        indexes = by_page[page]
        ending = [i for i in indexes if ENDS_IN_PAGE.search(blocks[i].text) and len(blocks[i].text) < 250]
        title = next((i for i in indexes if is_contents_title(blocks[i].text)), None)
        many = len(ending) + len(found.intersection(indexes))
        started = title is not None or running_on
        running_on = False
        if many >= 4 and many >= (0.3 if started else 0.6) * len(indexes):
            found.update(_listed(indexes, set(ending) | found, title))
            running_on = many >= 0.5 * len(indexes)
    return found


def _listed(indexes: list[int], ending: set[int], title: int | None) -> list[int]:
    """Return what lies between the first and last entry: entries that wrap or lack a number are included."""
    entries = [i for i in indexes if i in ending and (title is None or i > title)]
    if not entries:
        return []
    first = entries[0] if title is None else title + 1
    return [i for i in indexes if first <= i <= entries[-1]]
