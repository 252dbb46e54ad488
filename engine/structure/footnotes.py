"""Footnotes: which blocks they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Block
from engine.structure.look import look_of

SMALLER = 0.93
LOWER_PART = 0.5
LONGEST = 1500
SYMBOLS = "*†‡§¶#※"
_MARK = re.compile(
    rf"(?:\d{{1,3}}|[{SYMBOLS}]{{1,3}}|[①-⑳]|[¹²³⁰-⁹]{{1,3}}|[a-z](?=\s[A-Z]))[\s.)）]*(?=[^\s\d.,%)])"
)


def with_footnotes(blocks: Sequence[Block], heights: Sequence[float]) -> list[Block]:
    """Return the blocks with the kind "footnote" where a block is one.

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
        if small and low and _MARK.match(block.text):
            facts = {**block.metadata, "kind": "footnote"}
            result[index] = replace(block, kind="paragraph", metadata=facts)
    return result


def _stated(block: Block) -> Block:
    return (
        replace(block, metadata=block.metadata | {"kind": "footnote"})
        if block.metadata.get("note")
        else block
    )
