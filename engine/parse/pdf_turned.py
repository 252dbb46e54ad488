"""Pages whose text runs sideways or upside down: turned upright for reading, boxes turned back afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import BBox, Block
from engine.parse.pdf_text import rotate_box

Matrix = tuple[float, float, float, float, float, float]


def turn_of(page_dict: dict[str, Any], matrix: Matrix | None, size: tuple[float, float]) -> Matrix | None:
    """Return what turns a page so that most of its letters run to the right, None when they do.

    ``page_dict`` is PyMuPDF's ``dict`` output, ``matrix`` the page's rotation, ``size`` its displayed size.
    """
    letters: Counter[tuple[int, int]] = Counter()
    for block in page_dict["blocks"]:
        for line in block.get("lines", ()):
            x, y = line["dir"]
            if matrix is not None:
                x, y = x * matrix[0] + y * matrix[2], x * matrix[1] + y * matrix[3]
            letters[round(x), round(y)] += sum(len(span["text"]) for span in line["spans"])
    if not letters:
        return None
    width, height = size
    return {
        (0, -1): (0.0, 1.0, -1.0, 0.0, height, 0.0),
        (0, 1): (0.0, -1.0, 1.0, 0.0, 0.0, width),
        (-1, 0): (-1.0, 0.0, 0.0, -1.0, width, height),
    }.get(letters.most_common(1)[0][0])


def then(first: Matrix | None, second: Matrix | None) -> Matrix | None:
    """Return the matrix that does both, one after the other; None is no change."""
    if first is None or second is None:
        return first or second
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def inverse(matrix: Matrix) -> Matrix:
    """Return the matrix that undoes a turn by a multiple of 90 degrees."""
    a, b, c, d, e, f = matrix
    return (a, c, b, d, -(e * a + f * b), -(e * c + f * d))


def turned_back(blocks: Sequence[Block], back: dict[int, Matrix]) -> list[Block]:
    """Return the blocks with the boxes of turned pages (by page number) as on the page as displayed."""
    if not back:
        return list(blocks)
    result = []
    for block in blocks:
        spans = block.metadata.get("spans")
        if spans:
            turned = [{**span, "bbox": list(_box(span["bbox"], back.get(span["page"])))} for span in spans]
            block = replace(block, metadata={**block.metadata, "spans": turned})
        if block.bbox is not None and block.page in back:
            # The edges of a table's cells hold for the page as it was turned for reading only.
            facts = {key: value for key, value in block.metadata.items() if key != "edges"}
            block = replace(block, bbox=_box(block.bbox, back[block.page]), metadata=facts)
        result.append(block)
    return result


def _box(box: Sequence[float], matrix: Matrix | None) -> BBox:
    x0, y0, x1, y1 = rotate_box(box, matrix) if matrix is not None else box
    return (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
