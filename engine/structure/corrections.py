"""Corrections by hand, brought in where a file is read again, in this version or a newer one.

A place is what a block says as its beginning, without case, spaces and signs, and how many blocks before it say the
same: "text:1:introduction" is the second one. Of a table its first row counts. It is told the same of the blocks of a
file and of the nodes that were made of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block, Correction, Node
from engine.structure.outline import after, normal
from engine.structure.spans import part_of

LETTERS, READ = 120, 400
_TEXTS = ("heading", "section", "paragraph", "list_item", "caption")
_NOT_BY_HAND = ("generated", "title_generated")
_RUNNING = ("header", "footer")


def with_corrections(blocks: Sequence[Block], corrections: Sequence[Correction]) -> list[Block]:
    """Return the blocks as corrections have them; what is corrected has the place in ``metadata["correction"]``.

    Parts of a divided table have its correction. What is not found in this version changes nothing.
    """
    by_place = {one.place: one for one in corrections}
    places = _Places()

    def brought_in(block: Block) -> list[Block]:
        correction = by_place.get(places.next(block.kind, block.text, block.metadata))
        first, *rest = _corrected(block, correction) if correction else [block]
        return [first, *(one for part in rest for one in brought_in(part))]

    made = (corrected for block in blocks for corrected in brought_in(block))
    # A bookmark whose words are not on the page is no text of the document's.
    return [one for one in made if one.kind == "heading" or "unprinted" not in one.metadata]


def places_in(nodes: Sequence[Node]) -> dict[str, list[str]]:
    """Return the place of each node that can be corrected, by its id; of a list, that of each of its lines."""
    places = _Places()
    found: dict[str, list[str]] = {}
    for node in nodes:
        said = node.text
        if node.role == "section":
            said = str(node.metadata.get("original_title") or node.title)
        kind, lines = ("list_item", said.split("\n")) if node.role == "list" else (node.role, [said])
        told = [places.next(kind, line, node.metadata) for line in lines]
        if any(told) and node.metadata.get("kind") not in _RUNNING:
            found[node.node_id] = told
    return found


class _Places:
    """Gives what stands in a document its places, one after the other."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._table = ""

    def next(self, kind: str, text: str, metadata: Mapping[str, Any]) -> str:
        """Return the place of what comes next; "" for what cannot be corrected."""
        is_table = kind == "table"
        if is_table and metadata.get("part", (1, 1))[0] > 1:
            return self._table
        place = self._place(kind, text, metadata)
        if is_table:
            self._table = place
        return place

    def _place(self, kind: str, text: str, metadata: Mapping[str, Any]) -> str:
        if place := str(metadata.get("correction") or ""):
            group, before, anchor = place.split(":", 2)
            self._seen[f"{group}:{anchor}"] = max(self._seen[f"{group}:{anchor}"], int(before) + 1)
            return place
        group = "table" if kind == "table" else "text"
        if group == "table":
            text = next(filter(str.strip, map(" ".join, metadata.get("rows") or ())), "")
        elif kind not in _TEXTS or metadata.get("generated"):
            return ""
        anchor = normal(text[:READ])[:LETTERS]
        if not anchor:
            return ""
        self._seen[f"{group}:{anchor}"] += 1
        return f"{group}:{self._seen[f'{group}:{anchor}'] - 1}:{anchor}"


def _corrected(block: Block, correction: Correction) -> list[Block]:
    """Return what a correction makes of a block: where it begins with its heading, that and the rest."""
    facts = {name: fact for name, fact in block.metadata.items() if name not in _NOT_BY_HAND}
    facts["correction"] = correction.place
    if correction.kind == "header_rows":
        return [replace(block, metadata=facts | {"header_by_hand": correction.rows})]
    if correction.kind == "text":
        return [replace(block, kind="paragraph", level=None, metadata=facts)]
    wanted, whole = normal(correction.text), len(block.text)
    rest = after(block.text, len(wanted)) if wanted and normal(block.text).startswith(wanted) else ""
    opening = part_of(block, 0, whole - len(rest)) if rest else block
    heading = replace(
        opening, kind="heading", text=correction.text or block.text, level=correction.level, metadata=facts
    )
    text = replace(part_of(block, whole - len(rest), whole), kind="paragraph", level=None)
    return [heading, text] if rest else [heading]
