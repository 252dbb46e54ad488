"""Bounds the length of a paragraph, so that an endless line stays manageable for every later step."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_LENGTH = 2000
_SENTENCE_END = re.compile(r"[。！？!?…][”’」』）)\"']*|\.[\"')\]”’]*(?=\s)|\n")


def pieces(text: str, limit: int = MAX_LENGTH) -> Iterator[str]:
    """Yield the text in about even pieces of at most ``limit`` characters.

    A cut falls after a sentence where there is one, else after a word. Takes time linear in the length.
    """
    start, left = 0, len(text)
    while left > limit:
        even = left // -(-left // limit) + 1
        low, high = start + even * 3 // 4, start + min(limit, even * 9 // 8)
        end = max((match.end() for match in _SENTENCE_END.finditer(text, low, high)), default=0)
        end = end or text.rfind(" ", low, high) + 1 or start + even
        if piece := text[start:end].strip():
            yield piece
        start, left = end, len(text) - end
    if piece := text[start:].strip():
        yield piece
