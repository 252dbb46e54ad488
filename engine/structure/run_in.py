"""Headings that run into their paragraph: bold, italic or underlined words that begin it, up to a full stop or colon.

They lie below the heading that stands above them, or beside the headings that are numbered like them.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.model import Block
from engine.structure.captions import caption_label
from engine.structure.heading_features import kind_of
from engine.structure.look import is_han
from engine.structure.numbering import bullet, counted_by_word, numbering_of

# Whether letters are bold, italic, underlined.
Marks = tuple[bool, bool, bool]
# A word, not the number or letter of an item.
WORD = re.compile("[^\\W\\d_]{3}|[\u3400-\u9fff]")
FEWEST, LONGEST, SHORTEST_TEXT, SHORTEST_ITEM = 3, 100, 30, 120
STOPS, SIGNS = tuple(".。!?！？:：;；"), " .:：。—–-"
ENDS = re.compile(r"\s*(?:[.:](?=\s)|[：。—]|[-–]\s)\s*")


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
    """Return the blocks, headings among them marked, with the headings that run into paragraphs as blocks of theirs.

    Fewer than three are none in a document, nor is what comes again in one section (who speaks, "Note"), nor the first
    words of short items of lists.
    """
    section = 0
    found: dict[int, tuple[str, int]] = {}
    for n, block in enumerate(blocks):
        section += block.kind == "heading"
        if end := _end_of_title(block):
            found[n] = block.text[:end].casefold(), section
    again = {name for (name, _), times in Counter(found.values()).items() if times > 1}
    items = [len(blocks[n].text) * (1 + is_han(blocks[n].text)) for n in found if blocks[n].kind == "list_item"]
    short = sum(items) < SHORTEST_ITEM * len(items)
    kept = {n: len(name) for n, (name, _) in found.items()
            if name not in again and not (short and blocks[n].kind == "list_item")}  # fmt: skip
    return list(_split(blocks, kept)) if len({found[n][0] for n in kept}) >= FEWEST else list(blocks)


def _end_of_title(block: Block) -> int:
    """Return how many characters of a block are a heading that runs into it; 0 where none are."""
    text, lead = block.text, block.evidence.get("lead", 0)
    own = block.kind in ("paragraph", "list_item") or block.metadata.get("found_by") == "look"
    if not own or not 0 < lead < len(text) or bullet(text) or caption_label(text) is not None:
        return 0
    title = text[:lead].rstrip(SIGNS)
    number = numbering_of(title) or counted_by_word(title)  # "Lemma 2" says no more than a number
    name, after = (number.rest if number else title).strip(SIGNS + "[【"), ENDS.match(text, len(title))
    if not after or len(title) > LONGEST or len(text) - after.end() < SHORTEST_TEXT or text[-1] not in STOPS:
        return 0
    return len(title) if WORD.search(name) and (name[0].isupper() or not name[0].isascii()) else 0


def _split(blocks: Sequence[Block], titles: Mapping[int, int]) -> Iterator[Block]:
    """Yield the blocks; of those with a title of the length told, the title and the text after it."""
    above, counted = 0, dict[str, tuple[int, int]]()
    for n, block in enumerate(blocks):
        if block.kind != "heading" and n not in titles:
            yield block
            continue
        title = block.part(0, titles[n]) if n in titles else block
        number = numbering_of(title.text)
        kind, value = kind_of(number), number.value or 0 if number else 0
        level, before = counted.get(kind, (0, -1))
        if block.kind == "heading":
            above = level = block.level or 1
        elif number and value == before + 1:
            above = min(above, level)
        else:
            level = min(above + 1, 9)
        counted[kind] = level, value
        if n not in titles:
            yield block
            continue
        found = {"found_by": "look", "run_in": True} | title.metadata
        yield replace(title, kind="heading", level=level, metadata=found)
        after = ENDS.match(block.text, titles[n])
        text = block.part(after.end() if after else titles[n], len(block.text))
        yield replace(text, kind="paragraph", level=None)
