"""Footnotes: which blocks they are, and the text that refers to each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Block, Edge, Node
from engine.structure.look import look_of

SMALLER = 0.93
LOWER_PART = 0.5
LONGEST = 1500
SYMBOLS = "*†‡§¶#※"
_MARK = re.compile(
    rf"(?P<mark>\d{{1,3}}|[{SYMBOLS}]{{1,3}}|[①-⑳]|[¹²³⁰-⁹]{{1,3}}|[a-z](?=\s[A-Z]))[\s.)）]*(?=[^\s\d.,%)])"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def with_footnotes(blocks: Sequence[Block], heights: Sequence[float]) -> list[Block]:
    """Return the blocks with the kind "footnote" and their ``marker`` set where a block is one.

    A format's own notes have ``metadata["note"]``; on a page (``heights`` in points, page 1 first) it is what
    begins with a mark, is set smaller than the text, and has no text of usual size below it.
    """
    result = [_stated(block) for block in blocks]
    if not any("size" in block.evidence for block in blocks):
        return result
    size = look_of(blocks).size
    lowest: dict[int, float] = {}
    for block in blocks:
        usual = block.evidence.get("size", 0.0) > SMALLER * size
        if block.page and block.bbox and usual and len(block.text) > 60:
            lowest[block.page] = max(lowest.get(block.page, 0.0), block.bbox[1])
    for index, block in enumerate(result):
        if not (block.page and block.bbox and block.kind in ("paragraph", "list_item")):
            continue
        height = heights[block.page - 1] if block.page <= len(heights) else 0.0
        small = 0 < block.evidence.get("size", 0.0) <= SMALLER * size and len(block.text) <= LONGEST
        low = block.bbox[1] >= max(LOWER_PART * height, lowest.get(block.page, 0.0))
        if small and low and (match := _MARK.match(block.text)):
            facts = {**block.metadata, "kind": "footnote", "marker": match["mark"].translate(_RAISED)}
            result[index] = replace(block, kind="paragraph", metadata=facts)
    return result


def footnote_edges(nodes: Sequence[Node]) -> list[Edge]:
    """Return an edge ``footnote_of``, labelled with the mark, from each footnote to the text that bears its mark.

    On a page that is the last text above with the mark right behind a word; a format's own note stands right
    after its paragraph. A footnote whose mark is nowhere has no edge.
    """
    edges: list[Edge] = []
    for index, node in enumerate(nodes):
        if node.metadata.get("kind") != "footnote":
            continue
        mark = str(node.metadata.get("marker") or "")
        if owner := _owner(nodes, index, mark):
            edges.append(Edge(node.node_id, owner, "footnote_of", mark or None))
    return edges


def _owner(nodes: Sequence[Node], index: int, mark: str) -> str | None:
    note = nodes[index]
    raised = re.compile(
        rf"(?<=[^\W\d_]|[.,;:!?)\]”’\"'。，；：！？）”]){re.escape(mark)}(?![\w%.])|{re.escape(mark)}(?=$)"
    )
    for other in reversed(nodes[max(0, index - 200) : index]):
        if other.metadata.get("kind") == "footnote" or other.role not in ("paragraph", "list", "table"):
            continue
        if note.metadata.get("note"):
            return other.node_id
        pages = {other.page, *(span["page"] for span in other.metadata.get("spans", ()))}
        if note.page in pages and mark and raised.search(other.text):
            return other.node_id
        if other.page is not None and note.page is not None and max(p or 0 for p in pages) < note.page:
            return None
    return None


def _stated(block: Block) -> Block:
    if not block.metadata.get("note"):
        return block
    facts = {"kind": "footnote", "marker": str(block.metadata.get("number", ""))}
    return replace(block, metadata=block.metadata | facts)
