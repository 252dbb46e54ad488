"""Rows that stand again below several others: "U.S." and "International" below "Sales" and again below "Profit".

What such a row is of, the row above it says, though it has figures of its own and is no heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.answer.tables.matching import plain, years_in

_FEWEST_RUNS = 2
_LONGEST_PARENT = 80
# What a row of shares is called that says of nothing itself what share it is.
_SHARE_OF = re.compile(
    r"\s*(?:as )?(?:an? )?(?:%|percent(?:age)?) of (?:total |net )?\w+(?: \w+)?\W*(?:\(\d\))?\s*$"
    r"|占\w*比[例重]?\s*$",
    re.IGNORECASE,
)


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


def parents_of_shares(names: Sequence[str]) -> dict[int, int]:
    """Return, by place, the place of the row right above each row of its shares: "As a percentage of revenues"."""
    shares = [_SHARE_OF.match(name.rsplit(" / ", 1)[-1]) is not None for name in names]
    return {
        place: place - 1
        for place in range(1, len(names))
        if shares[place] and not shares[place - 1] and _may_head(names[place - 1])
    }


def _may_head(name: str) -> bool:
    return bool(name) and not years_in(name) and len(name) <= _LONGEST_PARENT
