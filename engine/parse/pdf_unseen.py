"""Signs that a page sets without painting them: spreadsheets pad the numbers of a column with dashes and brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.model import BBox
from engine.parse.pdf_text import hull

Unseen = tuple[str, BBox]
NEAR = 0.6


def take_unseen(content: dict[str, Any]) -> list[Unseen]:
    """Take unpainted signs out of PyMuPDF's ``dict`` output, but for a scan's text, and return them and their boxes."""
    lines = [line for block in content["blocks"] for line in block.get("lines", ())]
    letters = [bool(span["alpha"]) for line in lines for span in line["spans"] for _ in span["text"]]
    if 2 * sum(letters) < len(letters):
        return []
    taken = []
    for line in lines:
        unseen = [span for span in line["spans"] if not span["alpha"] and _is_sign(span["text"].strip())]
        if unseen:
            taken += [(span["text"].strip(), span["bbox"]) for span in unseen]
            seen = [span for span in line["spans"] if span not in unseen]
            line |= {"spans": seen, "bbox": hull(span["bbox"] for span in seen or unseen)}
    return taken


def _is_sign(text: str) -> bool:
    return bool(text) and not any(map(str.isalnum, text))


def without_unseen(words: Sequence[Sequence[Any]], unseen: Sequence[Unseen]) -> Iterator[Sequence[Any]]:
    """Yield PyMuPDF's ``words`` without the unpainted signs at their edges."""
    for x0, y0, x1, y1, text, *rest in words:
        for sign, (left, top, right, bottom) in unseen:
            if y0 <= (top + bottom) / 2 <= y1 and abs(left - x0) < NEAR and text.startswith(sign):
                text, x0 = text[len(sign) :], right
            elif y0 <= (top + bottom) / 2 <= y1 and abs(right - x1) < NEAR and text.endswith(sign):
                text, x1 = text[: -len(sign)], left
        yield x0, y0, x1, y1, text, *rest
