"""What a reader is given of each piece of evidence: the units around the best one, as many as it reads at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from engine.answer.evidence.units import Unit, stretches_of
from engine.model import Evidence
from engine.providers.reading import Passage
from engine.structure.sentences import is_cjk

MOST = 12
# Letters of what is read at once: some 130 tokens.
LETTERS, LETTERS_CHINESE = 430, 200
# So many pieces of evidence are read in one place; a second place of the longest-lasting best ones fills the rest.
_FIRST = 9


class Window(NamedTuple):
    """The letters of a piece of evidence that are read at once."""

    evidence: int
    start: int
    end: int


def windows_of(units: Sequence[Unit], evidence: Sequence[Evidence]) -> list[Window]:
    """Return at most :data:`MOST` windows: one of each piece of evidence, of the best ones another place, too."""
    by_evidence: dict[int, list[Unit]] = defaultdict(list)
    for unit in units:
        by_evidence[unit.evidence].append(unit)
    first: list[Window] = []
    second: list[Window] = []
    for index, ones in by_evidence.items():
        text = evidence[index].text
        low, high = _around(ones, text)
        first.append(_window(index, ones[low : high + 1], text))
        rest = max(ones[:low], ones[high + 1 :], key=lambda left: max(map(_worth, left), default=-1.0))
        if rest:
            low, high = _around(rest, text)
            second.append(_window(index, rest[low : high + 1], text))
    chosen = first[:_FIRST]
    chosen += second[: MOST - len(chosen)]
    return sorted([*chosen, *first[_FIRST:][: MOST - len(chosen)]])


def passage_of(window: Window, evidence: Sequence[Evidence]) -> Passage:
    """Return a window as a reader takes it: under its title, rows under the header of their table."""
    item = evidence[window.evidence]
    title = item.title or (item.hit.path[-1] if item.hit.path else "")
    if item.hit.role == "table" and window.start > 0:
        header = stretches_of(item.text, "table")[0].text
        title = "\n".join(filter(None, (title, header[:LETTERS])))
    return Passage(title, item.text[window.start : window.end])


def _worth(unit: Unit) -> float:
    return unit.shared + 0.5 * unit.context + (0.0 if unit.cosine is None else unit.cosine)


def _around(ones: Sequence[Unit], text: str) -> tuple[int, int]:
    """Return the places of the first and last unit around the best one that are read at once."""
    most = LETTERS_CHINESE if is_cjk(text) else LETTERS
    first = last = max(range(len(ones)), key=lambda i: (_worth(ones[i]), -i))
    while True:
        wider = [
            (a, b)
            for a, b in ((first - 1, last), (first, last + 1))
            if a >= 0 and b < len(ones) and ones[b].end - ones[a].start <= most
        ]
        if not wider:
            return first, last
        first, last = max(wider, key=lambda ab: _worth(ones[ab[0] if ab[0] < first else ab[1]]))


def _window(index: int, ones: Sequence[Unit], text: str) -> Window:
    most = LETTERS_CHINESE if is_cjk(text) else LETTERS
    start = ones[0].start
    return Window(index, start, min(ones[-1].end, start + 2 * most))
