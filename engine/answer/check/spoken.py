"""The words of a statement as its source may say them, in its language or in translation, and how near they stand."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache

from engine.answer.check.values import Spoken, Text, read
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
