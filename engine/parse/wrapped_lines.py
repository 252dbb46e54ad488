"""Lines that a program wrapped, put together again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Scripts that are written without spaces, and their punctuation.
_UNSPACED = re.compile(r"[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")


def joined(lines: Iterable[str]) -> str:
    """Join wrapped lines: with a space between words, with nothing between Chinese or Japanese."""
    text = ""
    for line in lines:
        line = line.strip(" \t\u3000")
        if text and line and not (_UNSPACED.match(text[-1]) and _UNSPACED.match(line[0])):
            text += " "
        text += line
    return text


def display_width(text: str) -> int:
    """Return how many columns of a fixed-width font the text takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
