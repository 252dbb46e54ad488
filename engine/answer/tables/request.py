"""What a question asks to be done with a table: the operation, its direction and how many results are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from engine.answer.tables.links import Links
from engine.answer.tables.query import Operation
from engine.answer.tables.vocabulary import Cue, cues, number_words

# Of several operations that a question names the first here is the one asked for.
_ORDER: tuple[Operation, ...] = (
    "trend", "percent_change", "share", "diff", "divide", "rank", "max", "min", "average", "count", "sum", "distinct",
    "compare",
)  # fmt: skip
_MOST = 100


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: the operations, the likeliest first, a look-up last.

    ``by`` is true for "by region", "each". ``limit`` is 0 where no count is named, ``limit_at`` the unit that names it.
    ``listing`` is for "which" and "list", ``different`` for distinct things; ``averaged`` and ``totalled`` tell what an
    extreme is of, ``temporal`` that it is one of time. ``quantity`` is true where a number is asked for, ``falling``
    where a difference downwards is, ``joined`` where several things are named side by side.
    """

    operations: tuple[Operation, ...]
    cue: Cue | None
    by: bool
    limit: int
    limit_at: int
    descending: bool
    listing: bool
    different: bool
    averaged: bool
    totalled: bool
    temporal: bool
    quantity: bool
    falling: bool
    joined: bool


def request(links: Links) -> Request:
    """Return what a question asks for, by the phrases in it that name no column or value."""
    kinds = {cue.kind: cue for cue in reversed(links.operations)}
    limit, limit_at = _limit(links)
    operations: list[Operation] = [kind for kind in _ORDER if kind in kinds]
    if limit and (not operations or operations[0] in ("max", "min", "rank")):
        operations.insert(0, "rank")
    return Request(
        (*operations, "lookup"),
        next((kinds[kind] for kind in operations if kind in kinds), None),
        by="group" in kinds,
        limit=limit,
        limit_at=limit_at,
        descending=not cues(links.question, "ascending"),
        listing="each" in kinds or "distinct" in kinds,
        different="distinct" in kinds,
        averaged="average" in kinds,
        totalled="sum" in kinds,
        temporal=bool(cues(links.question, "temporal")),
        falling=bool(cues(links.question, "falling")),
        joined=bool(cues(links.question, "joining")),
        quantity=bool(cues(links.question, "quantity")),
    )


def _limit(links: Links) -> tuple[int, int]:
    """Return how many are asked for ("top 3", "three largest", 前五名), and where; (0, -1) where that is not said."""
    words, free = number_words(), links.linked
    ends = (*cues(links.question, "descending"), *cues(links.question, "ascending"))
    for place, unit in enumerate(links.units):
        if place in free:
            continue
        if unit.form in words and ends:
            return words[unit.form], place
        beside = any(0 <= unit.start - cue.end <= 1 or 0 <= cue.start - unit.end <= 1 for cue in ends)
        if unit.form.isdigit() and int(unit.form) <= _MOST and beside:
            return int(unit.form), place
    return 0, -1
