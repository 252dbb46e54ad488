"""Which of the values that a question seems to name are meant: those that rows have together.

A word of everyday language is now and then a value of some column: "based" of a name, "book" of a format. Conditions
that no row fulfils together are not all meant, so the least of them are given up and count as words left over.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from engine.answer.tables.links import Links, ValueLink
from engine.answer.tables.query import LABEL
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import cues

# Values of which less is said are named in part.
_FULL = 0.75
_MOST_GROUPS = 6


def holding_together(links: Links, relation: Relation) -> Links:
    """Return the links with those values only that rows have together, the most that the question says."""
    groups = [_joined(group, links) for group in by_column(links.values)]
    kept = [link for group in groups for link in group]
    if 1 < len(groups) <= _MOST_GROUPS and not any(link.negated for link in kept):
        kept = [link for group in _together(groups, links, relation) for link in group]
    if len(kept) == len(links.values):
        return links
    return replace(links, values=tuple(link for link in links.values if link in kept))


def by_column(values: Sequence[ValueLink]) -> list[list[ValueLink]]:
    """Return the values in groups: those of one column are alternatives of each other."""
    found: list[list[ValueLink]] = []
    for link in values:
        same = next((group for group in found if set(group[0].texts) & set(link.texts)), None)
        if same is None:
            found.append([link])
        else:
            same.append(link)
    return found


def _joined(group: list[ValueLink], links: Links) -> list[ValueLink]:
    """Return the alternatives of a column; of several that are only named in part those joined to the fullest.

    A row's label is a phrase, of which a question says one part here and another there.
    """
    if (
        LABEL in group[0].texts
        or len(group) < 2
        or any(link.share >= _FULL or link.negated for link in group)
    ):
        return group
    best = max(group, key=lambda link: link.share * links.weight(link.covered))
    return [link for link in group if link is best or _is_joined(link, best, links)]


def _is_joined(one: ValueLink, other: ValueLink, links: Links) -> bool:
    first, second = sorted((one, other), key=lambda link: link.start)
    gap = links.question[links.units[max(first.covered)].end : links.units[second.start].start]
    return bool(cues(gap, "joining"))


def _together(groups: list[list[ValueLink]], links: Links, relation: Relation) -> Sequence[list[ValueLink]]:
    """Return the groups of which some row has a value each: of several such choices the one that says most."""
    rows = [_rows_of(group, relation) for group in groups]
    said = [sum(link.share * links.weight(link.covered) for link in group) for group in groups]
    for size in range(len(groups), 1, -1):
        choices = [
            chosen for chosen in itertools.combinations(range(len(groups)), size)
            if set.intersection(*(rows[i] for i in chosen))
        ]  # fmt: skip
        if choices:
            best = max(choices, key=lambda chosen: sum(said[i] for i in chosen))
            return [groups[i] for i in best]
    return [groups[max(range(len(groups)), key=lambda i: said[i])]]


def _rows_of(group: Sequence[ValueLink], relation: Relation) -> set[int]:
    """Return the rows that have one of a group's values in a column of theirs."""
    found: set[int] = set()
    columns = {column for link in group for column in link.texts}
    for column in columns:
        texts = {text for link in group for text in link.texts.get(column, ())}
        if column == LABEL:
            found.update(i for i, row in enumerate(relation.rows) if not texts.isdisjoint(row.label))
        else:
            found.update(i for i, text in enumerate(relation.texts(column)) if text in texts)
    return found
