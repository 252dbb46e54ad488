"""Corrections by hand, brought in where a file is read again, in this version or a newer one.

A place is what a block says as its beginning, without case, spaces and signs, and how many blocks before it say the
same: "text:1:introduction" is the second one. Of a table its first row counts. It is told the same of the blocks of a
file and of the nodes that were made of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from unicodedata import category

from engine.model import Block, Correction, Node
from engine.structure.outline import after, normal
from engine.structure.spans import part_of

LETTERS, READ = 120, 400
_KINDS = ("heading", "section", "paragraph", "list_item", "list", "caption", "table")
_MADE_UP = ("generated", "title_generated")


def with_corrections(blocks: Sequence[Block], corrections: Sequence[Correction]) -> list[Block]:
    """Return the blocks as corrections have them; what is corrected has the place in ``metadata["correction"]``.

    Parts of a divided table have its correction. What is not found in this version changes nothing.
    """
    by_place = {one.place: one for one in corrections}
    if not by_place:
        return list(blocks)
    places = _Places()

    def brought_in(block: Block) -> list[Block]:
        correction = by_place.get(places.next(block.kind, block.text, block.metadata))
        first, *rest = _corrected(block, correction) if correction else [block]
        return [first, *(one for part in rest for one in brought_in(part))]

    made = (corrected for block in blocks for corrected in brought_in(block))
    # A bookmark whose words are not on the page is no text of the document's.
    return [one for one in made if one.kind == "heading" or "unprinted" not in one.metadata]


def places_in(nodes: Sequence[Node]) -> dict[str, list[str]]:
    """Return the place of each of :func:`lines_of` a node, by its id; "" for what has none."""
    places = _Places()
    return {node.node_id: [places.next(node.role, line, node.metadata) for line in lines_of(node)] for node in nodes}


def lines_of(node: Node) -> list[str]:
    """Return what a node says that can be corrected: each item of a list, else its title as printed, or its text."""
    if node.role == "list":
        return [line.strip() for line in node.text.split("\n")]
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
        anchor = normal(text[:READ])[:LETTERS]
        at = self._seen[group + anchor]
        if known := facts.get("correction"):
            number, anchor = str(known).split(":", 2)[1:]
            at = int(number)
        if not anchor or facts.get("generated") or facts.get("kind") in ("header", "footer"):
            return ""
        self._seen[group + anchor] = at + 1
        return f"{group}:{at}:{anchor}"


def _corrected(block: Block, correction: Correction) -> list[Block]:
    """Return what a correction makes of a block: where it begins with its heading, that and the rest."""
    facts = {name: fact for name, fact in block.metadata.items() if name not in _MADE_UP}
    facts["correction"] = correction.place
    if correction.kind == "header_rows":
        return [replace(block, metadata=facts | {"header_by_hand": correction.rows})]
    if correction.kind == "text":
        return [replace(block, kind="paragraph", level=None, metadata=facts)]
    cut, start = _apart(block.text, correction.text)
    opening = part_of(block, 0, cut) if start < len(block.text) else block
    title = correction.text or block.text
    heading = replace(opening, kind="heading", text=title, level=correction.level, metadata=facts)
    text = replace(part_of(block, start, len(block.text)), kind="paragraph", level=None)
    return [heading, text] if text.text else [heading]


def _apart(text: str, title: str) -> tuple[int, int]:
    """Return where a text's title ends and where the rest begins: at its end where it does not begin with the title."""
    wanted = normal(title)
    cut = len(text)
    if wanted and normal(text).startswith(wanted) and (rest := after(text, len(wanted))):
        cut -= len(rest)
        while cut < len(text) and all(map(_of_a_word, text[cut - 1 : cut + 1])):
            cut += 1
    return cut, len(text) - len(text[cut:].lstrip(" .:："))


def _of_a_word(char: str) -> bool:
    """Tell whether a character is one of a word's: not a sign, nor a Chinese one, which is a word by itself."""
    return char.isalnum() and category(char) != "Lo"
