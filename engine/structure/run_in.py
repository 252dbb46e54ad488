"""Headings that run into their paragraph: bold, italic or underlined words that begin it, up to a full stop or colon.

They lie below the heading that stands above them, or beside the headings that are numbered like them.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.model import Block
from engine.structure.captions import caption_label
from engine.structure.heading_features import kind_of
from engine.structure.numbering import bullet, numbering_of
from engine.structure.spans import part_of

# Whether letters are bold, italic, underlined.
Marks = tuple[bool, bool, bool]
# A word, not the number or letter of an item.
WORD = re.compile("[^\\W\\d_]{3}|[\u3400-\u9fff]")
FEWEST, LONGEST, SHORTEST_TEXT = 2, 100, 20
ENDS = re.compile(r"\s*(?:[.:：。—]|[-–]\s)")


def lead_of(text: str, marks: Sequence[tuple[str, Marks]]) -> int:
    """Return how many characters of a text, given in its parts, too, are marked as its first word is; 0 where that
    is not. Its number need not be, nor the signs after it.
    """
    first = next((n for n, (part, _) in enumerate(marks) if WORD.search(part)), 0)
    own = marks[first][1] if marks else (False,)
    rest = itertools.takewhile(lambda one: one[1] == own or not any(map(str.isalnum, one[0])), marks[first:])
    lead = " ".join("".join(part for part, _ in (*marks[:first], *rest)).split())
    return len(lead) if any(own) and text.startswith(lead) else 0


def with_run_ins(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks, headings among them marked, with the headings that run into paragraphs as blocks of theirs."""
    found = {n: end for n, block in enumerate(blocks) if (end := _end_of_title(block))}
    names = Counter(block.text[:end].casefold() for n, end in found.items() for block in [blocks[n]])
    if len(names) < FEWEST:
        return list(blocks)
    return list(_split(blocks, found))


def _end_of_title(block: Block) -> int:
    """Return how many characters of a block are a heading that it runs in after; 0 where none are."""
    text, lead = block.text, block.evidence.get("lead", 0)
    if block.kind not in ("paragraph", "list_item", "heading") or not 0 < lead < len(text) or bullet(text):
        return 0
    title = text[:lead].rstrip(" .:：。—–-")
    after = ENDS.match(text, len(title))
    number = numbering_of(title)
    named = number.rest if number else title
    if not after or len(title) > LONGEST or len(text) - after.end() < SHORTEST_TEXT or caption_label(text) is not None:
        return 0
    return len(title) if WORD.search(named) and (named[0].isupper() or not named[0].isascii()) else 0


def _split(blocks: Sequence[Block], found: dict[int, int]) -> Iterator[Block]:
    levels: dict[str, int] = {}
    above = 0
    for n, block in enumerate(blocks):
        end = found.get(n, 0)
        if block.kind == "heading":
            above = block.level or 1
            levels[kind_of(numbering_of(block.text))] = above
        if not end:
            yield block
            continue
        title = part_of(block, 0, end)
        level = levels.get(kind_of(numbering_of(title.text)) or " ", above + 1)
        if block.kind == "heading":
            yield replace(title, kind="heading")
        else:
            yield replace(title, kind="heading", level=min(level, 9), metadata=title.metadata | {"found_by": "look"})
        match = ENDS.match(block.text, end)
        start = match.end() if match else end
        start += len(block.text[start:]) - len(block.text[start:].lstrip())
        yield replace(part_of(block, start, len(block.text)), kind="paragraph", level=None)
