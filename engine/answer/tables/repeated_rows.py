"""Rows that stand again below several others: "U.S." and "International" below "Sales" and again below "Profit".

What such a row is of, the row above it says, though it has figures of its own and is no heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.answer.tables.matching import plain, years_in

_FEWEST_RUNS = 2
_LONGEST_PARENT = 80


def parents_of_repeated(names: Sequence[str], totals: Sequence[bool]) -> dict[int, int]:
    """Return, by place, the place of the row above that each repeated row is a part of.

    ``names`` are those of the rows of a table from top to bottom, ``totals`` tell which are called so. Nothing is
    returned where a run of repeated rows has nothing above it, a total or a row of a year: then what stands below
    the runs, or their years, tell them apart. In a group of their own, rows are told apart already.
    """
    bare = [plain(name) for name in names]
    count = Counter(bare)
    again = [count[name] > 1 and bool(name) for name in bare]
    if not any(again) or any(" / " in name for name, told in zip(names, again, strict=True) if told):
        return {}
    found: dict[int, int] = {}
    parents: list[int] = []
    for place, repeated in enumerate(again):
        if not repeated:
            continue
        if place and again[place - 1]:
            parents.append(parents[-1])
        elif place and not totals[place - 1] and _may_head(names[place - 1]):
            parents.append(place - 1)
        else:
            return {}
        found[place] = parents[-1]
    runs = Counter(found.values())
    called = [(parent, bare[place]) for place, parent in found.items()]
    return found if len(runs) >= _FEWEST_RUNS and len(set(called)) == len(called) else {}


def _may_head(name: str) -> bool:
    return bool(name) and not years_in(name) and len(name) <= _LONGEST_PARENT
