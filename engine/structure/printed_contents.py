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


def listed_headings(blocks: Sequence[Block], contents: Sequence[Mapping[str, Any]]) -> list[Placed]:
    """Return the entries of a printed table of contents at their places in the text, in order.

    ``contents`` are dicts with ``title``, ``label`` (the printed page number, 0 when roman), ``page`` (where
    the entry is printed), ``indent`` and ``size`` in points and ``bold``. Empty when fewer than half of the
    entries are found: the table is then of something else.
    """
    if len(contents) < FEWEST:
        return []
    offset = _offset(blocks, contents)
    if offset is None:
        return []
    last_page = max(entry["page"] for entry in contents)
    outline = [
        {
            "level": level,
            "title": entry["title"],
            "page": (entry["label"] + offset if entry["label"] else 0) or _page_of(blocks, entry, last_page),
            "y": None,
        }
        for entry, level in zip(contents, entry_levels(contents), strict=True)
    ]
    body = [entry for entry in outline if entry["page"]]
    usable = [block if not block.evidence.get("contents") else Block("code", "") for block in blocks]
    placed = [spot for spot in place_outline(usable, body) if spot.blocks]
    return placed if len(placed) >= max(FEWEST, LEAST_FOUND * len(contents)) else []


def _offset(blocks: Sequence[Block], contents: Sequence[Mapping[str, Any]]) -> int | None:
    """Return page minus printed page number, by the vote of entries whose titles stand alone on a page."""
    wanted: dict[str, list[int]] = {}
    for entry in contents:
        if entry["label"]:
            wanted.setdefault(normal(entry["title"]), []).append(entry["label"])
    votes: Counter[int] = Counter()
    for block in blocks:
        if block.page is None or len(block.text) > 250 or block.evidence.get("contents"):
            continue
        for label in wanted.get(normal(block.text), ()):
            votes[block.page - label] += 1
    return votes.most_common(1)[0][0] if votes else None


def _page_of(blocks: Sequence[Block], entry: Mapping[str, Any], after: int) -> int | None:
    wanted = normal(entry["title"])
    return next(
        (
            block.page
            for block in blocks
            if block.page and block.page > after and len(block.text) < 250 and normal(block.text) == wanted
        ),
        None,
    )


def entry_levels(contents: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the level of each entry: by its number where that tells, else by indent, size and weight."""
    numbers = [numbering_of(entry["title"]) for entry in contents]
    looks = [_look(entry) for entry in contents]
    ranks = {look: rank for rank, look in enumerate(sorted(set(looks)), 1)}
    levels = [ranks[look] for look in looks]
    decimal = [number.depth if number and number.family == "decimal" else 0 for number in numbers]
    shifts = Counter(level - depth for level, depth in zip(levels, decimal, strict=True) if depth)
    shift = max(0, shifts.most_common(1)[0][0]) if shifts else 0
    return [depth + shift if depth else level for level, depth in zip(levels, decimal, strict=True)]


def _look(entry: Mapping[str, Any]) -> tuple[int, float, bool]:
    return (round(entry["indent"] / 6), -entry["size"], not entry["bold"])
