"""Headings that a printed table of contents lists: where they stand, and their levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.model import Block
from engine.structure.numbering import numbering_of
from engine.structure.outline import Placed, normal, place_outline

FEWEST = 4
LEAST_FOUND = 0.5
LONGEST = 250


def listed_headings(blocks: Sequence[Block], contents: Sequence[Mapping[str, Any]]) -> list[Placed]:
    """Return the entries of a printed table of contents at their places in the text, in order.

    ``contents`` are dicts with ``title``, ``label`` (the printed page number, 0 when roman), ``page`` (where
    the entry is printed), ``indent`` and ``size`` in points and ``bold``. Empty when fewer than half of the
    entries are found: the table is then of something else.
    """
    if len(contents) < FEWEST:
        return []
    shown: dict[str, list[int]] = {}
    for block in blocks:
        if block.page and len(block.text) < LONGEST and not block.evidence.get("contents"):
            shown.setdefault(normal(block.text), []).append(block.page)
    pages = [shown.get(normal(entry["title"]), []) for entry in contents]
    labelled = [(entry["label"], on) for entry, on in zip(contents, pages, strict=True) if entry["label"]]
    votes = Counter(page - label for label, on in labelled for page in on)
    if not votes:
        return []
    offset = votes.most_common(1)[0][0]
    last_page = max(entry["page"] for entry in contents)
    outline = []
    for entry, level, on in zip(contents, entry_levels(contents), pages, strict=True):
        after = next((page for page in on if page > last_page), None)
        if page := entry["label"] + offset if entry["label"] else after:
            outline.append({"level": level, "title": entry["title"], "page": page, "y": None})
    usable = [block if not block.evidence.get("contents") else Block("code", "") for block in blocks]
    placed = [spot for spot in place_outline(usable, outline) if spot.blocks]
    return placed if len(placed) >= max(FEWEST, LEAST_FOUND * len(contents)) else []


def entry_levels(contents: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the level of each entry: by its number where that tells, else by indent, size and weight."""
    numbers = [numbering_of(entry["title"]) for entry in contents]
    looks = [(round(one["indent"] / 6), -one["size"], not one["bold"]) for one in contents]
    ranks = {look: rank for rank, look in enumerate(sorted(set(looks)), 1)}
    levels = [ranks[look] for look in looks]
    decimal = [number.depth if number and number.family == "decimal" else 0 for number in numbers]
    shifts = Counter(level - depth for level, depth in zip(levels, decimal, strict=True) if depth)
    shift = max(0, shifts.most_common(1)[0][0]) if shifts else 0
    return [depth + shift if depth else level for level, depth in zip(levels, decimal, strict=True)]
