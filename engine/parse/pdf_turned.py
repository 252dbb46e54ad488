"""Pages whose text runs sideways or upside down: turned upright for reading, boxes turned back afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import BBox, Block
from engine.parse.pdf_text import box_around, rotate_box

Matrix = tuple[float, float, float, float, float, float]


def turn_of(page_dict: dict[str, Any], shown: Sequence[float]) -> int:
    """Return the degrees to turn a page clockwise so that most of its letters run to the right: 0, 90, 180 or 270.

    ``page_dict`` is PyMuPDF's ``dict`` output, ``shown`` the matrix of the page's rotation.
    """
    letters: Counter[tuple[int, int]] = Counter()
    for block in page_dict["blocks"]:
        for line in block.get("lines", ()):
            x, y = line["dir"]
            x, y = x * shown[0] + y * shown[2], x * shown[1] + y * shown[3]
            letters[round(x), round(y)] += sum(len(span["text"]) for span in line["spans"])
    if not letters:
        return 0
    return {(0, -1): 90, (-1, 0): 180, (0, 1): 270}.get(letters.most_common(1)[0][0], 0)


def turned_back(blocks: Sequence[Block], back: dict[int, Matrix]) -> list[Block]:
    """Return the blocks with the boxes of turned pages (by page number) as on the page as displayed."""
    if not back:
        return list(blocks)
    result = []
    for block in blocks:
        facts, box = dict(block.metadata), block.bbox
        if spans := facts.get("spans"):
            turned = (_turned(span["bbox"], back.get(span["page"])) for span in spans)
            facts["spans"] = [span | {"bbox": list(one)} for span, one in zip(spans, turned, strict=True)]
        if box is not None and block.page in back:
            box = _turned(box, back[block.page])
            # The edges of a table's cells hold for the page as it was turned for reading only.
            facts.pop("edges", None)
        result.append(replace(block, bbox=box, metadata=facts))
    return result


def _turned(box: Sequence[float], matrix: Matrix | None) -> BBox:
    return box_around([rotate_box(box, matrix)])
