"""How much of a question a reading explains (0..1): a table answers only questions that are about it."""

from collections.abc import Collection

from engine.answer.tables.lexis import forms, is_cjk
from engine.answer.tables.links import ColumnLink, Links, units_of
from engine.answer.tables.query import LABEL, TELLING, Query
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import cues
from engine.language import patterns

# What the title and headings of a table explain alone counts so far.
_BY_CONTEXT = 0.75
# What else an operation does: the highest total of a group adds up and compares.
_DONE = {operation: frozenset(others) for operation, others in patterns("tables")["done"].items()}
# What a single Chinese character between explained ones weighs of itself.
_ALONE = 0.4


def explained(
    query: Query, links: Links, relation: Relation, told: Collection[int], unsettled: Collection[int]
) -> float:
    """Return how much of the question a query explains; names and numbers that it leaves out weigh double.

    ``told`` are units that are explained besides what is linked, ``unsettled`` those of numbers that became no
    condition.
    """
    columns, idle = unused(query, links, relation)
    open_units = {*links.unexplained, *(set(unsettled) - links.context)} - {*told}
    lost = sum(links.units[i].weight * _gravity(i, open_units, links) for i in open_units)
    lost *= 2 if _is_unnamed(query, links, relation) else 1
    lost += sum(max(1.0, links.units[i].weight) for i in _not_done(query, links) - {*told})
    lost += sum(links.weight(link.covered - links.said) for link in columns)
    lost += links.weight(idle)
    # How far a match holds: less where only a part of a value or header is said.
    certain = {i: 0.5 + 0.5 * one.share for one in reversed(links.columns) for i in one.covered}
    certain |= {i: 0.3 + 0.7 * one.share for one in reversed(links.values) for i in one.covered}
    linked = links.linked
    known = sum(links.units[i].weight * certain.get(i, 1.0) for i in linked - set(unsettled) - idle)
    known += 0.5 * links.weight(links.context - links.linked - links.said)
    share = known / (known + lost) if known else 0.0
    # What only means something like a header is no name of it, where nothing is done with the column's cells.
    firm = links.values or links.periods or links.numbers or any(not one.in_other_words for one in links.columns)
    named = firm or (linked and query.operation not in TELLING and (query.columns or query.operands))
    return share if named else share * _BY_CONTEXT


def _is_unnamed(query: Query, links: Links, relation: Relation) -> bool:
    """True where of the columns looked up the question says what they stand under alone, a period, and no name."""
    own = [relation.columns[column].levels for column in query.columns]
    content = {form for place, form in enumerate(links.forms) if place not in links.said}
    return bool(own) and all(len(one) > 1 and content.isdisjoint(forms(one[-1])) for one in own)


def is_exact(links: Links, unit: int) -> bool:
    """True for a number and for a word that is written as a name."""
    one = links.units[unit]
    return one.form[0].isdigit() or (links.question[one.start].isupper() and one.start > 0)


def _gravity(unit: int, open_units: Collection[int], links: Links) -> float:
    """Return what leaving a unit out weighs beside its own weight.

    A single Chinese character between explained ones is a verb or a particle more often than a name.
    """
    alone = unit - 1 not in open_units and unit + 1 not in open_units and unit not in links.relative
    return 2.0 if is_exact(links, unit) else _ALONE if alone and is_cjk(links.units[unit].form) else 1.0


def _not_done(query: Query, links: Links) -> frozenset[int]:
    """Return the units that ask for an operation or a comparison which the reading does not make."""
    done = _DONE.get(query.operation, frozenset()) | {query.operation, "each"}
    if query.operation == "lookup" and any(LABEL in one.columns for one in query.where):
        done |= {"sum"}  # the row that adds up the others, or the one row asked for
    made = {cue.start for cue in links.operations if cue.kind == query.operation}
    asked = [cue for cue in links.operations if cue.kind not in done and cue.start not in made]
    asked += [] if query.period else cues(links.question, "periods")
    timed = any(one.comparison != "=" for one in query.where)
    compared = frozenset() if links.numbers and (timed or query.operands) else links.relative
    # What stands behind a number and compares with it was left out with the number.
    behind = links.at(*(cue for cue in cues(links.question, "behind") if not links.at(cue) & links.comparing))
    return (((links.at(*asked) | compared) - links.said) | behind) - links.linked


def unused(query: Query, links: Links, relation: Relation) -> tuple[list[ColumnLink], frozenset[int]]:
    """Return the columns that the query does nothing with, and the units of the values that it asks no row by.

    Names of rows need nothing done.
    """
    where = [*query.where, *(one for side in query.operands for one in side.where)]
    used = {*query.columns, *query.told, query.by, relation.key, *(side.column for side in query.operands)}
    used |= {c for one in where for c in one.used}
    open_links = (link for link in links.columns if used.isdisjoint(link.columns))
    idle = [link for link in open_links if not any(map(relation.tells_apart, link.columns))]
    said = {text for one in where for text in one.values}
    asked = units_of(*(one for one in links.values if any(said & set(texts) for texts in one.texts.values())))
    return idle, units_of(*links.values) - asked - units_of(*links.columns)
