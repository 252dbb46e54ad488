"""What a reader is given of each piece of evidence: the units around the best one, as many as it reads at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from engine.answer.evidence.units import Unit, beside, stretches_of
from engine.model import Evidence
from engine.providers.reading import Passage
from engine.structure.sentences import is_cjk

# So many windows of full length are read, short ones as a part of one.
MOST = 12
_LEAST_COST = 0.25
# Letters of what is read at once: some 130 tokens.
LETTERS, LETTERS_CHINESE = 430, 200
# So many windows are kept for a second place of long pieces among the best.
_SECOND = 2


class Window(NamedTuple):
    """The letters of a piece of evidence that are read at once."""

    evidence: int
    start: int
    end: int


def windows_of(units: Sequence[Unit], evidence: Sequence[Evidence], most: int = MOST) -> list[Window]:
    """Return what fills ``most`` windows: a place of each piece of evidence, another one of long pieces, too."""
    by_evidence: dict[int, list[Unit]] = defaultdict(list)
    for unit in units:
        by_evidence[unit.evidence].append(unit)
    first: list[Window] = []
    second: list[Window] = []
    for index, ones in by_evidence.items():
        window, rest = _best_window(ones, evidence[index])
        first.append(window)
        if rest:
            second.append(_best_window(rest, evidence[index])[0])
    chosen: list[Window] = []
    room, pieces = float(most), most - _SECOND
    for window in (*first[:pieces], *second, *first[pieces:]):
        cost = max(_LEAST_COST, (window.end - window.start) / _most(evidence[window.evidence].text))
        if room >= cost:
            chosen.append(window)
            room -= min(1.0, cost)
    return sorted(chosen)


def passage_of(window: Window, evidence: Sequence[Evidence]) -> Passage:
    """Return a window as a reader takes it: under its title, rows under the header of their table."""
    item = evidence[window.evidence]
    title = item.title or (item.hit.path[-1] if item.hit.path else "")
    below = item.hit.role == "table" and window.start > 0
    header = stretches_of(item.text, "table")[0].text[:LETTERS] if below else ""
    above = "\n".join(filter(None, (title, beside(window.evidence, evidence), header)))
    return Passage(above, item.text[window.start : window.end])


def _most(text: str) -> int:
    return LETTERS_CHINESE if is_cjk(text) else LETTERS


def _worth(unit: Unit) -> float:
    return unit.shared + 0.5 * unit.context + (0.0 if unit.cosine is None else unit.cosine)


def _best_window(ones: Sequence[Unit], item: Evidence) -> tuple[Window, Sequence[Unit]]:
    """Return the units around the best one that are read at once, and those on the better side of them.

    Of a table one row is read at once: those beside it are about other things.
    """
    first = last = max(range(len(ones)), key=lambda i: (_worth(ones[i]), -i))
    most = _most(item.text)
    while item.hit.role != "table":
        wider = [
            (a, b)
            for a, b in ((first - 1, last), (first, last + 1))
            if a >= 0 and b < len(ones) and ones[b].end - ones[a].start <= most
        ]
        if not wider:
            break
        first, last = max(wider, key=lambda ab: _worth(ones[ab[0] if ab[0] < first else ab[1]]))
    start = ones[first].start
    window = Window(ones[first].evidence, start, min(ones[last].end, start + 2 * most))
    sides = ones[:first], ones[last + 1 :]
    return window, max(sides, key=lambda side: max(map(_worth, side), default=-1.0))
