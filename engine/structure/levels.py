"""Levels of inferred headings: from their looks and their numbers, the same all over the document.

Every heading gets a rank: its look (size, weight, capitals, the more prominent first) and, within a look, the order
of its kind of number. Nesting by rank gives each heading a depth; headings of one rank take the depth that most of
them have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from engine.structure.headings import Heading

# Size (negative points), plain and small (0 where prominent).
Look = tuple[float, int, int]
# Where a heading stands, smaller is higher: its look, the order and the depth of its number.
Rank = tuple[float, int, int, int, int]


def levels_of(headings: Sequence[Heading]) -> list[int]:
    """Return a level for each heading, 1 the highest."""
    ranks = _ranks(headings)
    votes: dict[Rank, Counter[int]] = defaultdict(Counter)
    for rank, depth in zip(ranks, _nested(ranks), strict=True):
        votes[rank][depth] += 1
    usual = {rank: depths.most_common(1)[0][0] for rank, depths in votes.items()}
    used = {value: index for index, value in enumerate(sorted(set(usual.values())), 1)}
    return [used[usual[rank]] for rank in ranks]


def _nested(ranks: Sequence[Rank]) -> list[int]:
    """Return how deep each heading lies when every heading holds the lower-ranked ones that follow it."""
    stack: list[Rank] = []
    depths = []
    for rank in ranks:
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        depths.append(len(stack))
    return depths


def _ranks(headings: Sequence[Heading]) -> list[Rank]:
    """Return the rank of each heading; one without a number ranks as the highest number of its look."""
    pairs = [(_look(heading), heading.number.order if heading.number else None) for heading in headings]
    top: dict[Look, tuple[int, int]] = {}
    for look, order in pairs:
        if order is not None:
            top[look] = min(top.get(look, order), order)
    return [(*look, *(order or top.get(look, (0, 0)))) for look, order in pairs]


def _look(heading: Heading) -> Look:
    size, bold, _italic, caps, _font, _color = heading.style
    return (-size, int(not bold), int(not caps))
