"""The titles and telling texts of a library's documents: where a phrase stands in them, and whether it stands whole.

Chinese marks no words, so a run of characters that comes again may begin or end within one. A phrase is whole where
some text has it begin, and some text has it end, at a mark, a particle or the end of a line; one that never
does, but always has the same neighbour, is part of a longer phrase, which is returned in its place (statistical
substring reduction; compare Frantzi, Ananiadou and Mima, "C-value", Int. J. Digit. Libr. 3, 2000). In languages with
spaces the same holds of words: "Angeles" is always preceded by "Los".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence

from engine.structure.terms import HAN, STOP_WORDS
from engine.topics.key_phrase import LONGEST_HAN
from storage.topics import TopicProfile

MOST_LOOKED_AT = 200
MOST_WORDS = 4
# A neighbour that a phrase has nearly always is part of it; where it has none, a line may be broken within a word.
NEARLY_ALWAYS = 0.8
# Chinese words of one character that link others, and are seldom part of one.
_PARTICLES = frozenset("的了是在与及或和等对而但并也都就把将从向以")
# A phrase may begin after this one, but what ends before it is half of 关于, 由于, 属于.
_BEFORE_ONLY = frozenset("于")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[ -]$")
_WORD_AFTER = re.compile(r"[ -]([^\W\d_]+)")
_LONGEST_WORD = 40
_Side = Callable[[str, int, int], str]


class LibraryText:
    """The texts of some documents, to look phrases up in. Phrases are compared without case."""

    def __init__(self, profiles: Sequence[TopicProfile]) -> None:
        self._starts: list[int] = []
        self._title_ends: list[int] = []
        shown, folded, length = [], [], 0
        for profile in profiles:
            text = f"{profile.title}\n{profile.text}\n"
            lower = text.lower()
            self._starts.append(length)
            self._title_ends.append(length + len(profile.title))
            # A few letters are longer in lower case; positions must agree.
            shown.append(text if len(text) == len(lower) else lower)
            folded.append(lower)
            length += len(lower)
        self._shown, self._folded = "".join(shown), "".join(folded)
        self._found: dict[str, list[int]] = {}

    def documents_with(self, phrase: str) -> int:
        """Return in how many documents a phrase stands."""
        return len({bisect_right(self._starts, at) for at in self._places(phrase.lower())})

    def in_a_title(self, phrase: str) -> bool:
        """Tell whether the title of any document has a phrase."""
        return any(self._in_title(at) for at in self._places(phrase.lower()))

    def in_a_text(self, phrase: str) -> bool:
        """Tell whether any document has a phrase elsewhere than in its title."""
        return any(not self._in_title(at) for at in self._places(phrase.lower()))

    def whole(self, phrase: str) -> str | None:
        """Return the shortest phrase around one that stands whole, as it is written first; None where none does."""
        key = phrase.lower()
        while _short_enough(key):
            places = self._places(key)
            before = self._neighbour(key, places, _before)
            after = self._neighbour(key, places, _after)
            if not places or before is None or after is None:
                return None
            if not before and not after:
                return self._shown[places[0] : places[0] + len(key)]
            key = before + key + after
        return None

    def _in_title(self, at: int) -> bool:
        return at < self._title_ends[bisect_right(self._starts, at) - 1]

    def _places(self, key: str) -> list[int]:
        if key not in self._found:
            found = self._found[key] = []
            at = self._folded.find(key)
            while at >= 0:
                if not (_joins(self._folded, at) or _joins(self._folded, at + len(key))):
                    found.append(at)
                at = self._folded.find(key, at + len(key))
        return self._found[key]

    def _neighbour(self, key: str, places: Sequence[int], side: _Side) -> str | None:
        """Return what belongs to a phrase on one side, "" for nothing, None where that varies."""
        beside = Counter(side(self._folded, at, at + len(key)) for at in places[:MOST_LOOKED_AT])
        if not beside or (len(places) == 1 and not HAN.search(key)):
            return ""
        neighbour, count = beside.most_common(1)[0]
        if count >= NEARLY_ALWAYS * beside.total():
            return neighbour
        return "" if beside[""] else None


def _before(text: str, start: int, _end: int) -> str:
    """Return the character or word before a place, with what parts them; "" where a phrase may begin there."""
    if HAN.match(text[start]):
        beside = text[start - 1 : start]
        return "" if beside in _BEFORE_ONLY else _character(beside)
    found = _WORD_BEFORE.search(text[max(0, start - _LONGEST_WORD) : start])
    return found[0] if found and found[1] not in STOP_WORDS else ""


def _after(text: str, _start: int, end: int) -> str:
    """Return the character or word after a place, with what parts them; "" where a phrase may end there."""
    if HAN.match(text[end - 1]):
        return _character(text[end : end + 1])
    found = _WORD_AFTER.match(text[end : end + _LONGEST_WORD])
    return found[0] if found and found[1] not in STOP_WORDS else ""


def _character(beside: str) -> str:
    return beside if HAN.fullmatch(beside) and beside not in _PARTICLES else ""


def _joins(text: str, at: int) -> bool:
    """Tell whether a place is within a word of a language with spaces."""
    pair = text[max(0, at - 1) : at + 1]
    return len(pair) == 2 and pair.isalnum() and not HAN.search(pair)


def _short_enough(key: str) -> bool:
    return sum(map(len, HAN.findall(key))) <= LONGEST_HAN and len(key.split()) <= MOST_WORDS
