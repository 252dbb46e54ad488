"""The words of a statement as its source may say them, in its language or in translation, and how near they stand.

To which of several like values they belong (:class:`Parts`): "14% of patients on drug A and 5% on placebo" is cut into
parts at marks and conjunctions, and a part's words belong to the value in it. A part without a value goes with the
next, a bracket with what it stands behind.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from engine.answer.check.reading import Spoken, Stated, Text, read
from engine.index.tokenize import tokens
from engine.retrieve.translation import ways_of_saying
from engine.structure.sentences import is_cjk

# Nearness falls to 1/e over so many words of a source, or of a statement.
_REACH, _REACH_STATED = 5.0, 12.0


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


def nearness(words: Iterable[Spoken], stated_at: float, source: Text, at: float) -> float:
    """Return how near the words around a place of a statement stand to a place of its source.

    Every word counts by its worth, less the farther from either place.
    """
    near = 0.0
    for word in words:
        places = [place for key in word.keys for place in source.places.get(key, ())]
        if places:
            apart = min(abs(place - at) for place in places)
            near += word.worth * math.exp(-apart / _REACH - abs(word.at - stated_at) / _REACH_STATED)
    return near


def without(words: Iterable[Spoken], text: str) -> tuple[Spoken, ...]:
    """Return the words but for one written so: a value's own words say nothing of where it stands."""
    return tuple(replace(word) for word in words if word.text != text)


_ENDS = frozenset(".。!?！？\n")
_BRACKETS = frozenset("(（")
# What a word is worth to a value by where it stands.
_OWN, _BESIDE, _OF_ANOTHER, _AFTER, _LAST_SENTENCE = 1.0, 0.9, 0.5, 0.15, 0.2


class Parts:
    """The parts of a text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._starts = [0.0, *(at for at, _ in text.breaks)]
        self._bracketed = [False, *(mark in _BRACKETS for _, mark in text.breaks)]
        self._sentence = [0]
        for _, mark in text.breaks:
            self._sentence.append(self._sentence[-1] + (mark in _ENDS))

    def belonging(
        self, words: Sequence[Spoken], there: Stated, stated: Stated, alike: Callable[[Stated, Stated], bool]
    ) -> float:
        """Return how much of the words, by worth, belongs to the value ``there``; ``alike`` tells its like."""
        own = self._part(there.at)
        sentence = self._sentence[own]
        valued = sorted({self._part(v.at) for v in self._text.values if alike(stated, v)})
        beside = self._beside(own, valued)
        total = 0.0
        for word in words:
            places = {self._part(at) for key in word.keys for at in self._text.places.get(key, ())}
            total += word.worth * max((self._share(p, own, sentence, beside) for p in places), default=0.0)
        return total

    def _part(self, at: float) -> int:
        return max(0, bisect_right(self._starts, at) - 1)

    def _beside(self, own: int, valued: Sequence[int]) -> frozenset[int]:
        """Return the parts without a like value that go with a part: those before it, and behind the last."""
        sentence = self._sentence[own]
        before = max(
            (part for part in valued if part < own and self._sentence[part] == sentence), default=None
        )
        found = set(range(before + 1, own)) if before is not None else set()
        after = min(
            (part for part in valued if part > own and self._sentence[part] == sentence), default=None
        )
        if after is None:
            found |= {p for p in range(own + 1, len(self._starts)) if self._sentence[p] == sentence}
        return frozenset(found)

    def _share(self, part: int, own: int, sentence: int, beside: frozenset[int]) -> float:
        if part == own:
            return _OWN
        if part in beside:
            return _BESIDE
        if self._sentence[part] == sentence:
            if self._bracketed[own] and part == own - 1:
                return _OWN
            if part < own:
                return _OF_ANOTHER
            return _AFTER
        return _LAST_SENTENCE if self._sentence[part] == sentence - 1 else 0.0
