"""The part of a node's text that shows why it was found, word for word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.index.tokenize import tokens

SNIPPET_LETTERS = 320
# A full stop ends a sentence only before space: "3.5" and "e.g.x" go on.
_END = re.compile(r"""(?:[。！？；\n]+|[.!?;]+(?=["'”’)\]]*(?:\s|$)))["'”’」』)\]]*\s*""")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences and lines of a text, which they cover without gaps."""
    ends = [match.end() for match in _END.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return list(zip([0, *ends[:-1]], ends, strict=True))


def snippet(text: str, weights: Mapping[str, float], letters: int = SNIPPET_LETTERS) -> str:
    """Return the window of whole sentences, about ``letters`` long, that holds most of the weighted terms.

    ``weights`` maps terms to how much they tell. The window is a substring of ``text``; a sentence that
    is longer than the window is cut around its first telling term.
    """
    if len(text) <= letters:
        return text.strip()
    spans = sentences(text)
    gains = [{token for token in tokens(text[start:end]) if token in weights} for start, end in spans]
    best, best_score = (0, 0), -1.0
    last = 0
    for first in range(len(spans)):
        last = max(last, first)
        while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= letters:
            last += 1
        score = sum(weights[token] for token in set().union(*gains[first : last + 1]))
        if score > best_score:
            best, best_score = (first, last), score
    start, end = spans[best[0]][0], spans[best[1]][1]
    if end - start > letters:
        start, end = _inside(text, start, end, weights, letters)
    return text[start:end].strip()


def _inside(text: str, start: int, end: int, weights: Mapping[str, float], letters: int) -> tuple[int, int]:
    """Cut a long sentence: a window that begins a little before its most telling term."""
    lowered = text[start:end].lower()
    for term in sorted(weights, key=lambda term: -weights[term]):
        position = lowered.find(term)
        if position >= 0:
            start += max(0, min(position - letters // 4, end - start - letters))
            break
    return start, min(end, start + letters)
