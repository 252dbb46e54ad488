"""Headings that carry no level of their own: which of them are lists, and how deep the rest stand."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Block
from engine.parse.list_marker import list_marker
from engine.structure.numbering import numbering_of

_LISTED = frozenset({"decimal", "number", "chinese", "chinese_paren", "letter", "roman"})


def without_lists(blocks: list[Block]) -> list[Block]:
    """Turn numbered headings that follow each other without text between into list items."""
    result = list(blocks)
    start = 0
    while start < len(blocks):
        end = start + 1
        if _kind(blocks[start]) in _LISTED:
            while end < len(blocks) and _continues(blocks[end - 1], blocks[end]):
                end += 1
            if end - start > 1:
                result[start:end] = [_as_item(block) for block in blocks[start:end]]
        start = end
    return result


def _kind(block: Block) -> str:
    return str(block.evidence.get("kind", "")) if block.kind == "heading" else ""


def _continues(before: Block, block: Block) -> bool:
    if _kind(block) != _kind(before) or not _kind(block):
        return False
    first, second = numbering_of(before.text), numbering_of(block.text)
    if first is None or second is None or first.depth != second.depth or first.depth > 1:
        return False
    return first.value is not None and second.value == first.value + 1


def _as_item(block: Block) -> Block:
    marker = list_marker(block.text)
    facts = block.metadata | {"marker": marker.label if marker else "", "ordered": True}
    return Block("list_item", block.text, level=1, metadata=facts)


def with_levels(blocks: list[Block]) -> list[Block]:
    """Give headings without a level one: the ranks of their numberings that occur, counted from 1.

    A title stands above all others; headings without a number (capitals, underlines) rank as chapters do.
    """
    ranks = {index: _rank(block) for index, block in enumerate(blocks) if block.kind == "heading"}
    order = {rank: level for level, rank in enumerate(sorted(set(ranks.values())), 1)}
    return [
        replace(block, level=min(order[ranks[index]], 9)) if index in ranks and block.level is None else block
        for index, block in enumerate(blocks)
    ]


def _rank(block: Block) -> tuple[int, int]:
    if block.evidence.get("title"):
        return (-20, 0)
    if found := numbering_of(block.text):
        return found.order
    return (-10 if block.evidence.get("underline") == "=" else -7, 0)
