"""Rows that are called the same in several groups: "Load factor" of the main line and of the whole.

They are one item, however each group shortens its name, so that the question names all of them or none. Which is
meant, the group tells that the question says; where it says none, the row that stands in no group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from engine.answer.tables.matching import features
from engine.answer.tables.short_forms import ShortForms, without_asides
from engine.answer.tables.typed_table import Row

# What a row loses when the question says the group of a namesake, and what one without a group gains.
_OTHER_GROUP, _UNGROUPED = 0.15, 0.09
_FEWEST = 2


def namesakes(rows: Sequence[Row], forms: ShortForms) -> list[list[Row]]:
    """Return the rows that mean the same item in different groups of one period, item by item."""
    found: dict[tuple[str, frozenset[str]], list[Row]] = defaultdict(list)
    for row in rows:
        if own := forms.closed(features(without_asides(row.leaf))):
            found[row.period, own].append(row)
    return [
        same
        for same in found.values()
        if len(same) >= _FEWEST and len({row.group for row in same}) == len(same)
    ]


def group_rise(same: Sequence[Row], asked: frozenset[str]) -> Mapping[int, float]:
    """Return, by place, what namesakes gain or lose by their groups; ``asked`` are the features of the question."""
    groups = {row.index: features(row.group) - features(row.leaf) for row in same}
    common = frozenset.intersection(*groups.values())
    said = {place: len((own - common) & asked) / (len(own - common) or 1) for place, own in groups.items()}
    best = max(said.values())
    if best:
        return {place: -_OTHER_GROUP * (best - share) for place, share in said.items()}
    return {row.index: 0.0 if row.group else _UNGROUPED for row in same}
