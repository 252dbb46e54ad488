"""The words of a statement as its source may say them, in its language or in translation, and how near they stand.

To which of several like values they belong (:class:`Parts`): "14% of patients on drug A and 5% on placebo" is cut into
parts at marks and conjunctions, and a part's words belong to the value in it. A part without a value goes with the
next, a bracket with what it stands behind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from engine.answer.check.reading import Spoken, Stated, Text, read
from engine.index.tokenize import tokens
from engine.retrieve.translation import ways_of_saying
from engine.structure.sentences import is_cjk


@lru_cache(maxsize=512)
def spoken(statement: str, foreign: bool) -> tuple[Spoken, ...]:
    """Return the words of a statement; ``foreign`` where its source is in the other language.

    Then every word has its translations as keys, too; a word that no dictionary knows is left out, names and codes
    excepted.
    """
    words = read(statement).words
    if not foreign:
        return words
    return tuple(_translated(statement, words))


def _translated(statement: str, words: Iterable[Spoken]) -> Iterable[Spoken]:
    chinese = is_cjk(statement)
    own = read(statement)
    for word in words:
        if (
            word.name
            or any(key.startswith("@") or any(map(str.isdigit, key)) for key in word.keys)
            or (chinese and word.text.isascii())
        ):
            yield word
    for way, worth in ways_of_saying(statement, to_english=chinese):
        at = next((own.places[key][0] for key in tokens(way.word) if key in own.places), None)
        if at is not None and worth > 0:
            yield Spoken(
                way.word, at, min(1.0, worth), frozenset(max(one, key=len) for one in way.ways if one)
            )


def covered(words: Iterable[Spoken], keys: Collection[str]) -> float:
    """Return which share (0..1) of the words' worth a source has; 0 where they say nothing."""
    total = held = 0.0
    for word in words:
        total += word.worth
        held += word.worth if not word.keys.isdisjoint(keys) else 0.0
    return held / total if total else 0.0


_ENDS = frozenset(".。!?！？\n")
_BRACKETS = frozenset("(（")
# What a word is worth to a value by where it stands.
_OWN, _OF_ANOTHER, _AFTER, _LAST_SENTENCE = 1.0, 0.5, 0.15, 0.2


class Parts:
    """The parts of a text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._starts = [0.0, *(at for at, _ in text.breaks)]
        self._bracketed = [False, *(mark in _BRACKETS for _, mark in text.breaks)]
        self._sentence = [0]
        for _, mark in text.breaks:
            self._sentence.append(self._sentence[-1] + (mark in _ENDS))

    def belonging(self, words: Sequence[Spoken], there: Stated) -> float:
        """Return how much of the words, by worth, belongs to the value ``there``."""
        own = self._part(there.at)
        total = 0.0
        for word in words:
            places = {self._part(at) for key in word.keys for at in self._text.places.get(key, ())}
            total += word.worth * max((self._share(part, own) for part in places), default=0.0)
        return total

    def _part(self, at: float) -> int:
        return max(0, bisect_right(self._starts, at) - 1)

    def _share(self, part: int, own: int) -> float:
        sentence = self._sentence[own]
        if part == own:
            return _OWN
        if self._sentence[part] == sentence:
            if self._bracketed[own] and part == own - 1:
                return _OWN
            if part < own:
                return _OF_ANOTHER
            return _AFTER
        return _LAST_SENTENCE if self._sentence[part] == sentence - 1 else 0.0
