"""Corrections by hand, brought in where a file is read again, in this version or a newer one.

A place is what a line of a block says as its beginning, without case, spaces and signs, and how many lines before it
say the same: "text:1:introduction" is the second one. Of a table its first row counts. It is told the same of the
blocks of a file and of the nodes that were made of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from unicodedata import category

from engine.config import StructureNormalizationSettings
from engine.model import Block, Correction, Node
from engine.structure.normalization import paragraph_parts
from engine.structure.outline import after, normal
from engine.structure.sentences import split_long

LETTERS, READ = 120, 400
_KINDS = ("heading", "section", "paragraph", "list_item", "list", "caption", "table")
_MADE_UP = ("generated", "title_generated")


def with_corrections(
    blocks: Sequence[Block], corrections: Sequence[Correction], settings: StructureNormalizationSettings
) -> list[Block]:
    """Return the blocks as corrections have them; what is corrected has the place in ``metadata["correction"]``.

    Parts of a divided table have its correction. What is not found in this version changes nothing. ``settings`` tell
    into which parts a long paragraph falls.
    """
    by_place = {one.place: one for one in corrections}
    if not by_place:
        return list(blocks)
    places = _Places()

    def brought_in(block: Block) -> list[Block]:
        for start, end in _lines(block, settings):
            if found := by_place.get(places.next(block.kind, block.text[start:end], block.metadata)):
                lines = [block.part(0, len(block.text[:start].rstrip()))] if start else []
                below = block.part(start, len(block.text)) if start else block
                before, first, rest = _corrected(below, end - start, found)
                return [*lines, *(one for part in before for one in brought_in(part)), first,
                        *(one for part in rest for one in brought_in(part))]  # fmt: skip
        return [block]

    made = (corrected for block in blocks for corrected in brought_in(block))
    # A bookmark whose words are not on the page is no text of the document's.
    return [one for one in made if one.kind == "heading" or "unprinted" not in one.metadata]


def _lines(block: Block, settings: StructureNormalizationSettings) -> list[tuple[int, int]]:
    """Return where the lines of a block stand that :func:`lines_of` the nodes made of it gives; before several of them
    the whole text, of which corrections were made once."""
    whole = [(0, len(block.text))]
    if block.kind not in ("paragraph", "list_item"):
        return whole
    paragraph = block.kind == "paragraph"
    found, end = list[tuple[int, int]](), 0
    for part in paragraph_parts(block.text, settings) if paragraph else split_long(block.text):
        for line in filter(None, map(str.strip, part.split("\n"))):
            start = block.text.index(line, end)
            found.append((start, end := start + len(line)))
    own = [_anchor(block.text[start:end]) for start, end in (*found[:1], *whole)]
    return found if own[0] == own[-1] or not paragraph else whole + found


def places_in(nodes: Sequence[Node]) -> dict[str, list[str]]:
    """Return the place of each of :func:`lines_of` a node, by its id; "" for what has none."""
    places = _Places()
    return {node.node_id: [places.next(node.role, line, node.metadata) for line in lines_of(node)] for node in nodes}


def lines_of(node: Node) -> list[str]:
    """Return what a node says that can be corrected: each line of a text, else its title as printed, or its text."""
    if node.role in ("list", "paragraph"):
        return list(filter(None, map(str.strip, node.text.split("\n"))))
    return [" ".join(str(node.metadata.get("original_title") or node.title or node.text).split())]


class _Places:
    """Gives what stands in a document its places, one after the other."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._table = ""

    def next(self, kind: str, text: str, facts: Mapping[str, Any]) -> str:
        """Return the place of what comes next; "" for what cannot be corrected."""
        if kind != "table":
            return self._place("text", text, facts) if kind in _KINDS else ""
        if facts.get("part", (1, 1))[0] == 1:
            rows = map(" ".join, facts.get("rows") or ())
            self._table = self._place("table", next(filter(str.strip, rows), ""), facts)
        return self._table

    def _place(self, group: str, text: str, facts: Mapping[str, Any]) -> str:
        for known in filter(None, (facts.get("before"), facts.get("correction"))):
            own, number, said = str(known).split(":", 2)
            self._seen[own + said] = max(self._seen[own + said], int(number) + 1)
        anchor = _anchor(text)
        if not anchor or facts.get("generated") or facts.get("kind") in ("header", "footer"):
            return ""
        if "correction" in facts:
            return str(facts["correction"])
        self._seen[group + anchor] += 1
        return f"{group}:{self._seen[group + anchor] - 1}:{anchor}"


def _anchor(text: str) -> str:
    return normal(text[:READ])[:LETTERS]


def _corrected(block: Block, end: int, correction: Correction) -> tuple[list[Block], Block, list[Block]]:
    """Return what a correction makes of the first line of a block, which is so long, with the text before and after:
    of a heading in the midst of a paragraph both."""
    begin, stop, kind, level, more = 0, end, block.kind, block.level, dict[str, Any]()
    if correction.kind == "header_rows":
        more = {"header_by_hand": correction.rows}
    elif correction.kind == "text":
        kind, level = "paragraph", None
    else:
        kind, level = "heading", correction.level
        begin, stop = _place_of(correction.text, block.text[:end], inside=block.kind != "heading")
    start = len(block.text) - len(block.text[stop:].lstrip(" .:：\n"))
    whole = not begin and start == len(block.text)
    opening = block if whole else block.part(begin, stop)
    facts = {name: fact for name, fact in opening.metadata.items() if name not in _MADE_UP}
    text = correction.text if kind == "heading" and correction.text else opening.text
    made = replace(opening, kind=kind, text=text, level=level, metadata=facts | more | {"correction": correction.place})
    before = block.part(0, len(block.text[:begin].rstrip()))
    before = replace(before, metadata=before.metadata | {"before": correction.place})
    rest = replace(block.part(start, len(block.text)), kind="paragraph", level=None)
    return [before] if begin else [], made, [] if whole or not rest.text else [rest]


def _place_of(title: str, text: str, *, inside: bool) -> tuple[int, int]:
    """Return where a title stands in a text, at its beginning or ``inside`` it; all of the text where it does not."""
    wanted = normal(title)
    at = normal(text).find(wanted) if wanted else -1
    begin = len(text) - len(after(text, at)) if at > 0 else 0
    if at < 0 or (at and (not inside or all(map(_of_a_word, text[begin - 1 : begin + 1])))):
        return 0, len(text)
    stop = len(text) - len(after(text, at + len(wanted)))
    while stop < len(text) and all(map(_of_a_word, text[stop - 1 : stop + 1])):
        stop += 1
    return begin, stop


def _of_a_word(char: str) -> bool:
    """Tell whether a character is one of a word's: not a sign, nor a Chinese one, which is a word by itself."""
    return char.isalnum() and category(char) != "Lo"
