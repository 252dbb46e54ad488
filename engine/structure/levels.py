"""Levels of inferred headings: from their numbers, and from their styles where there are none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from engine.structure.headings import Heading, Style


def levels_of(headings: Sequence[Heading]) -> list[int]:
    """Return a level (1 = top) for each heading, the same for headings alike all over the document.

    A decimal number states its depth. Other headings are ranked by style, largest first; a style that mostly
    carries numbers of one depth takes that depth.
    """
    ranks = _style_ranks(headings)
    levels = [ranks[heading.style] for heading in headings]
    stated: dict[Style, list[int]] = defaultdict(list)
    for heading in headings:
        if heading.number and heading.number.family == "decimal":
            stated[heading.style].append(heading.number.depth)
    offsets = [ranks[style] - round(median(depths)) for style, depths in stated.items() for _ in depths]
    offset = max(0, round(median(offsets))) if offsets else 0
    for index, heading in enumerate(headings):
        if heading.number and heading.number.family == "decimal":
            levels[index] = heading.number.depth + offset
        elif heading.style in stated:
            levels[index] = round(median(stated[heading.style])) + offset
    return _chinese(headings, _without_gaps(levels))


def _style_ranks(headings: Sequence[Heading]) -> dict[Style, int]:
    """Rank the styles: larger before smaller; at one size bold and capitals before plain."""
    styles = {heading.style for heading in headings}
    keys = sorted({_key(style) for style in styles}, reverse=True)
    order = {key: rank for rank, key in enumerate(keys, 1)}
    return {style: order[_key(style)] for style in styles}


def _key(style: Style) -> tuple[float, bool, bool]:
    size, bold, _italic, caps, _font, _color = style
    return (size, bold, caps)


def _chinese(headings: Sequence[Heading], levels: list[int]) -> list[int]:
    """Let 编, 章, 节 state their order wherever they occur: each kind one level, none skipped."""
    kinds = [h.number.depth if h.number and h.number.kind == "chinese_unit" else 0 for h in headings]
    present = sorted({kind for kind in kinds if kind})
    if not present:
        return levels
    first = next(i for i, kind in enumerate(kinds) if kind)
    base = min(level for level, kind in zip(levels, kinds, strict=True) if kind)
    base = min(base, 1 + bool(first))
    return [base + present.index(kind) if kind else level for level, kind in zip(levels, kinds, strict=True)]


def _without_gaps(levels: list[int]) -> list[int]:
    used = {level: rank for rank, level in enumerate(sorted(set(levels)), 1)}
    return [used[level] for level in levels]
