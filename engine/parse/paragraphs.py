"""Bounds the length of a paragraph, so that an endless line stays manageable for every later step."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_LENGTH = 20_000
_SENTENCE_END = re.compile(r"[。！？!?…][”’」』）)\"']*|\.[\"')\]”’]*(?=\s)|\n")


def pieces(text: str, limit: int = MAX_LENGTH) -> Iterator[str]:
    """Yield the text in pieces of at most ``limit`` characters, cut after a sentence where there is one."""
    start = 0
    while len(text) - start > limit:
        window = text[start : start + limit]
        end = 0
        for match in _SENTENCE_END.finditer(text, start + limit * 3 // 4, start + limit):
            end = match.end() - start
        end = end or window.rfind(" ", limit // 2) + 1 or limit
        if piece := window[:end].strip():
            yield piece
        start += end
    if piece := text[start:].strip():
        yield piece
