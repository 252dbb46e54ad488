"""How much of a question a reading explains (0..1): a table answers only questions that are about it."""

from __future__ import annotations

from collections.abc import Collection

from engine.answer.tables.lexis import is_cjk
from engine.answer.tables.links import ColumnLink, Links, units_of
from engine.answer.tables.query import LABEL, Query
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import CHANGES, cues

# What the title and headings of a table explain alone counts so far.
_BY_CONTEXT = 0.75
# What else an operation does: the highest total of a group adds up and compares.
_DONE: dict[str, frozenset[str]] = {
    "max": frozenset({"sum", "average", "group", "compare", "rank", "count"}),
    "min": frozenset({"sum", "average", "group", "compare", "rank", "count"}),
    "rank": frozenset({"sum", "average", "group", "max", "min", "compare", "count"}),
    "count": frozenset({"distinct", "sum", "group", "trend"}),
    "sum": frozenset({"group", "count"}),
    "average": frozenset({"group"}),
    "distinct": frozenset({"count"}),
    "share": frozenset({"sum", "percent_change", "divide"}),
    "diff": CHANGES | {"compare", "count", "sum", "max", "min"},
    "percent_change": CHANGES | {"diff", "compare", "share", "sum"},
    "compare": frozenset({"max", "min", "sum"}),
    "divide": frozenset({"compare", "sum", "share"}),
    "trend": CHANGES | {"diff", "percent_change"},
    "lookup": frozenset({"distinct"}),
    "filter": frozenset({"distinct", "group"}),
}
# What a single Chinese character between explained ones weighs of itself.
_ALONE = 0.4


def explained(
    query: Query,
    links: Links,
    relation: Relation,
    told: Collection[int],
    unsettled: Collection[int],
) -> float:
    """Return how much of the question a query explains; names and numbers that it leaves out weigh double.

    ``told`` are units that are explained besides what is linked, ``unsettled`` those of numbers that became no
    condition.
    """
    open_units = {*links.unexplained, *(set(unsettled) - links.context)} - {
        *told,
        *_noun_of_rows(query, links),
    }
    lost = sum(
        links.units[i].weight
        * (2 if is_exact(links, i) else _ALONE if _is_alone(i, open_units, links) else 1)
        for i in open_units
    )
    lost += sum(max(1.0, links.units[i].weight) for i in _not_done(query, links) - {*told})
    lost += sum(links.weight(link.covered - links.said) for link in _unused(query, links, relation))
    lost += sum(
        links.weight(link.covered) * (1 - link.share) for link in links.columns if link.in_other_words
    )
    idle = _unused_values(query, links)
    lost += links.weight(idle)
    # "smallest" asks for the least: that a Small Business Administration stands in the table explains nothing.
    asking = frozenset().union(*(links.at(cue) for cue in links.operations))
    linked = links.linked - units_of(
        *(one for one in links.values if one.share < 1 and one.covered <= asking)
    )
    known = sum(links.units[i].weight * _certainty(links, i) for i in linked - set(unsettled) - idle)
    known += 0.5 * links.weight(links.context - links.linked - links.said)
    share = known / (known + lost) if known else 0.0
    return share if linked else share * _BY_CONTEXT


def _is_alone(unit: int, open_units: Collection[int], links: Links) -> bool:
    """True for a single Chinese character between explained ones: a verb or a particle more often than a name."""
    alone = unit - 1 not in open_units and unit + 1 not in open_units
    return alone and is_cjk(links.units[unit].form) and unit not in links.relative


def is_exact(links: Links, unit: int) -> bool:
    """True for a number and for a word that is written as a name."""
    one = links.units[unit]
    return one.form[0].isdigit() or (links.question[one.start].isupper() and one.start > 0)


def _noun_of_rows(query: Query, links: Links) -> set[int]:
    """Return the units of the noun behind "which" where an extreme is asked for: a list seldom says "company"."""
    if query.operation not in ("max", "min", "rank") or query.by is not None:
        return set()
    behind = [max(links.at(cue), default=-1) + 1 for cue in links.operations if cue.kind == "each"]
    return {i for at in behind for i in (at, at + 1) if i < len(links.units) and not is_exact(links, i)}


def _not_done(query: Query, links: Links) -> frozenset[int]:
    """Return the units that ask for an operation or a comparison which the reading does not make."""
    done = _DONE.get(query.operation, frozenset())
    if query.operation == "lookup" and any(LABEL in one.columns for one in query.where):
        done |= {"sum"}  # the row that adds up the others, or the one row asked for
    made = {cue.start for cue in links.operations if cue.kind == query.operation}
    asked = [
        cue for cue in links.operations
        if cue.kind not in done | {query.operation, "each"} and cue.start not in made
    ]  # fmt: skip
    if not query.period:
        asked += cues(links.question, "periods")
    numbers = units_of(*links.numbers)
    timed = any(one.comparison != "=" for one in query.where)
    compared = frozenset() if links.numbers and (timed or query.operands) else links.relative
    # What stands behind a number and compares with it was left out with the number.
    behind = links.at(*(cue for cue in cues(links.question, "behind") if not links.at(cue) & links.comparing))
    return (((links.at(*asked) | compared) - links.said) | behind) - links.linked - numbers


def _certainty(links: Links, unit: int) -> float:
    """Return how far the match of a unit holds: less where only a part of a value or header is said."""
    for value in links.values:
        if unit in value.covered:
            return 0.3 + 0.7 * value.share
    return next((0.5 + 0.5 * one.share for one in links.columns if unit in one.covered), 1.0)


def _unused_values(query: Query, links: Links) -> frozenset[int]:
    """Return the units of the values which the question names and the query asks no row by."""
    asked = [*query.where, *(one for side in query.operands for one in side.where)]
    said = {text for one in asked for text in one.values}
    used = units_of(*(one for one in links.values if any(said & set(texts) for texts in one.texts.values())))
    return units_of(*links.values) - used - units_of(*links.columns)


def _unused(query: Query, links: Links, relation: Relation) -> list[ColumnLink]:
    """Return the columns of the question that the query does nothing with; names of rows need nothing done."""
    used = {*query.columns, *query.told, query.by, relation.key}
    used |= {c for one in query.where for c in one.used}
    used |= {
        c for side in query.operands for c in (side.column, *(c for one in side.where for c in one.used))
    }
    used |= {c for link in links.columns for c in link.columns if relation.tells_apart(c)}
    return [link for link in links.columns if not set(link.columns) & used]
