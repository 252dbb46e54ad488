"""The page and box of the part of a node that was found: a table may go on over several pages."""

from __future__ import annotations

from engine.model import BBox, Node
from engine.retrieve.snippet import Passage


def place_of(node: Node, passage: Passage) -> tuple[int | None, BBox | None]:
    """Return the page (from 1) and the box of a node's part that holds most of the question; None where unknown."""
    spans = node.metadata.get("spans")
    if not spans or passage.text != node.text or not all("chars" in span for span in spans):
        return node.page, node.bbox
    at, end = passage.best_at, 0
    for span in spans:
        end += span["chars"]
        if at < end:
            break
    x0, y0, x1, y1 = span["bbox"]
    return span["page"], (x0, y0, x1, y1)
