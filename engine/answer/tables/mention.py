"""Where a question names the table itself: "in the grad students file", 行政区划代码表里.

Words of a file's or a table's name often stand in its headers, too. Where they say in what to look, they ask for no
column of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.lexis import Unit, forms, is_cjk
from engine.answer.tables.vocabulary import cues

# A shorter run stands in names by chance: words, and Chinese characters.
_LEAST, _LEAST_CHINESE = 2, 4


def mention_of(question: str, units: Sequence[Unit], context: Sequence[str]) -> frozenset[int]:
    """Return the units of a question that name what holds the table, with the word for it ("file", 表里).

    ``context`` are the names that the table stands under, of which the question says a stretch.
    """
    named = [forms(text) for text in context]
    asked = tuple(unit.form for unit in units)
    found: set[int] = set()
    for cue in cues(question, "containers"):
        end = next((i for i, unit in enumerate(units) if unit.start >= cue.start), len(units))
        first = end
        while first > 0 and any(_holds(name, asked[first - 1 : end]) for name in named):
            first -= 1
        least = _LEAST_CHINESE if first < end and is_cjk(asked[end - 1]) else _LEAST
        if end - first >= least:
            found |= {i for i in range(first, len(units)) if units[i].start < cue.end}
    return frozenset(found)


def _holds(name: Sequence[str], run: Sequence[str]) -> bool:
    size = len(run)
    return any(tuple(name[i : i + size]) == tuple(run) for i in range(len(name) - size + 1))
