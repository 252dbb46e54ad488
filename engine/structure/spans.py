"""Where the text of a block stands: the spans of a block over several pages, and those of a part of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block


def spans_of(block: Block) -> list[dict[str, Any]]:
    """Return the spans of a block: page, box, and letters where they are known; none without a page."""
    if spans := block.metadata.get("spans"):
        return list(spans)
    if block.page and block.bbox:
        return [{"page": block.page, "bbox": block.bbox, "chars": len(block.text)}]
    return []


def part_of(block: Block, start: int, end: int) -> Block:
    """Return a block with characters ``start`` to ``end`` of a block's text, at the pages where these stand."""
    spans = _between(spans_of(block), start, end)
    facts = {key: value for key, value in block.metadata.items() if key != "spans"}
    if len(spans) > 1:
        facts["spans"] = spans
    page, box = (spans[0]["page"], spans[0]["bbox"]) if spans else (block.page, block.bbox)
    return replace(block, text=block.text[start:end], page=page, bbox=tuple(box) if box else None, metadata=facts)


def _between(spans: Sequence[dict[str, Any]], start: int, end: int) -> list[dict[str, Any]]:
    """Return the spans that hold characters ``start`` to ``end``; all of them where lengths are unknown."""
    if not all("chars" in span for span in spans):
        return list(spans)
    kept, at = [], 0
    for span in spans:
        low, high = max(start, at), min(end, at + span["chars"])
        at += span["chars"]
        if low < high:
            kept.append({**span, "chars": high - low})
    return kept or list(spans[-1:])
