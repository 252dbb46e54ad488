"""The shape of a plain text file: how its paragraphs are set off, where a program wrapped its lines."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice, pairwise
from typing import NamedTuple

from engine.parse.wrapped_lines import display_width

SAMPLE = 512 * 1024
MIN_WIDTH, MAX_WIDTH = 40, 130
_DIGITS = re.compile(r"\d+")
_FEED = re.compile(r"\f")
_EDGE = 400


class Layout(NamedTuple):
    """``width`` is where lines were wrapped, in columns, 0 when they were not; ``blank_separated`` tells
    that blank lines set paragraphs off; ``running`` holds the heads and feet around page feeds, digits as #.
    """

    width: int
    blank_separated: bool
    running: frozenset[str]

    def is_running(self, line: str) -> bool:
        """Tell whether the line is a running head or foot."""
        return bool(self.running) and _shape(line) in self.running


def layout_of(text: str) -> Layout:
    """Return the layout, judged from the first half megabyte (running heads: from the whole text)."""
    lines = [line.rstrip() for line in text[:SAMPLE].split("\n")]
    filled = [line for line in lines if line.strip()]
    followed = [display_width(a) for a, b in pairwise(lines) if a.strip() and b.strip()]
    groups = sum(1 for a, b in pairwise(["", *lines]) if b.strip() and not a.strip())
    blank_separated = groups > 1 and groups >= len(filled) * 0.1
    return Layout(_wrap_width(followed), blank_separated, _running(text))


def _wrap_width(followed: list[int]) -> int:
    counts = Counter(followed)
    within = {
        width: sum(w * counts[w] for w in range(int(0.8 * width), width + 1))
        for width in range(MIN_WIDTH, MAX_WIDTH)
    }
    width = max(within, key=lambda width: (within[width], -width))
    return width if within[width] >= 0.5 * sum(followed) else 0


def _running(text: str) -> frozenset[str]:
    feeds = [match.start() for match in islice(_FEED.finditer(text), 5000)]
    if len(feeds) < 3:
        return frozenset()
    shapes: Counter[str] = Counter()
    for feed in feeds:
        before = [line for line in text[max(0, feed - _EDGE) : feed].split("\n") if line.strip()][-1:]
        after = [line for line in text[feed + 1 : feed + _EDGE].split("\n") if line.strip()][:1]
        shapes.update({_shape(line.strip()) for line in before + after})
    return frozenset(shape for shape, count in shapes.items() if count >= max(3, len(feeds) // 2))


def _shape(line: str) -> str:
    return _DIGITS.sub("#", " ".join(line.split()))
