"""To which of several like values of a text do words belong?

"14% of patients on drug A and 5% on placebo": a sentence is cut into parts at marks and conjunctions, and a part's
words belong to the value in it. A part without a value goes with the next, a bracket with what it stands behind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from engine.answer.check.values import Spoken, Stated, Text

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
