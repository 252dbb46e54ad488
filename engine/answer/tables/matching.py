"""How far runs of units match names: the longest runs, and what sets a name apart from its siblings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.answer.tables.lexis import forms, is_cjk
from engine.enrich.cell_values import is_year


def header_forms(levels: Sequence[str], dated: bool) -> list[tuple[str, ...]]:
    """Return the units of a header's levels; years in them are for periods, which are linked for themselves."""
    found = [tuple(form for form in forms(level) if not (dated and is_year(form))) for level in levels]
    return [level for level in found if level]


def fullest(texts: dict[int, list[str]], size: int) -> tuple[dict[int, list[str]], float]:
    """Of values that hold a run of units, return those it says most of, and what share of them that is.

    The share is divided among several values: which of them is meant is not said.
    """
    lengths = {text: len(forms(text)) for one in texts.values() for text in one}
    shortest = min(lengths.values())
    kept = {c: [t for t in one if lengths[t] == shortest] for c, one in texts.items()}
    different = {text.casefold() for one in kept.values() for text in one}
    return {c: one for c, one in kept.items() if one}, size / shortest / max(1, len(different))


def apart(form: str, holding: int, size: int) -> float:
    """Return how far a unit sets a name apart from its siblings: little where all of them have it."""
    base = 0.5 if is_cjk(form) else 1.0
    return base * max(0.1, math.log((1 + size) / max(1, holding)) / math.log(1 + size)) if size > 1 else base


def runs(places: Sequence[int]) -> list[list[int]]:
    """Return runs of neighbouring places."""
    found: list[list[int]] = []
    for place in places:
        if found and found[-1][-1] == place - 1:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def inner(run: Sequence[int], held: Sequence[str], most: int) -> list[tuple[int, int]]:
    """Return the stretches of a run of at most so many units, (first, end), the longest first.

    Single Chinese characters are none.
    """
    found = []
    for size in range(min(most, len(run)), 0, -1):
        for at in range(len(run) - size + 1):
            if size == 1 and is_cjk(held[run[at]]):
                continue
            found.append((run[at], run[at] + size))
    return found
