"""What a question asks to be done with a table: the operation, its direction and how many results are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from engine.answer.tables.links import Links
from engine.answer.tables.number_links import number_of_results
from engine.answer.tables.query import Operation
from engine.answer.tables.vocabulary import CHANGES, Cue, cues, number_words

# Of several operations that a question names the first here is the one asked for.
_ORDER: tuple[Operation, ...] = (
    "trend", "percent_change", "share", "diff", "divide", "rank", "max", "min", "average", "count", "sum", "distinct",
    "compare",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: the operations, the likeliest first, a look-up last.

    ``by`` is true for "by region", "each". ``limit`` is 0 where no count is named, ``limit_at`` the unit that names it.
    ``listing`` is for "which" and "list", ``different`` for distinct things; ``averaged`` tells what an
    extreme is of, ``superlative`` of what kind its words are. ``quantity`` is true where a number is asked for,
    ``falling`` where a difference downwards is. ``nearest`` is for the one
    word that is a least distance and a latest date.
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
    superlative: Cue | None
    quantity: bool
    falling: bool


def request(links: Links) -> Request:
    """Return what a question asks for, by the phrases in it that name no column or value."""
    kinds = {cue.kind: cue for cue in reversed(links.operations)}
    limit, limit_at = _limit(links)
    asked = set(kinds)
    if asked & CHANGES:
        asked.add("percent_change" if "share" in asked else "diff")
        asked.discard("share")
    operations: list[Operation] = [kind for kind in _ORDER if kind in asked]
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
        superlative=next(iter(cues(links.question, "superlatives")), None),
        falling="fall" in kinds,
        # 哪几所 asks which, not how many.
        quantity=any(links.question[: cue.start][-1:] != "哪" for cue in cues(links.question, "quantity")),
    )


def _limit(links: Links) -> tuple[int, int]:
    """Return how many are asked for ("top 3", "three largest", 前五名), and where; (0, -1) where that is not said."""
    place = number_of_results(links.question, links.units)
    if place is not None and place not in links.linked:
        return int(links.units[place].form), place
    words = number_words()
    if cues(links.question, "descending") or cues(links.question, "ascending"):
        for at, unit in enumerate(links.units):
            if unit.form in words and at not in links.linked:
                return words[unit.form], at
    return 0, -1
