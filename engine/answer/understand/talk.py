"""Messages about the conversation or the app itself: thanks, "what can you do?", "are you sure?", 解释第二点."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, cast

from rapidfuzz import fuzz, process

from engine.language import CODES, language_data

Talk = Literal["", "greeting", "thanks", "about_app", "sure", "more", "point", "reworded"]
# What is said to the app itself; the others are about the answer before.
SMALL_TALK: frozenset[Talk] = frozenset({"greeting", "thanks", "about_app"})
# So like one of the known messages (0..100) is what asks for the same.
_LIKE = 82
_MARKS = re.compile(r"\[\d+\]")
# A paragraph, an item or a row begins so.
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s+", re.M)


def talk_of(message: str) -> Talk:
    """Return what a message asks for other than something in the documents; "" where it asks nothing of the kind."""
    said = _plain(message)
    found = process.extractOne(said, _known().keys(), scorer=fuzz.ratio, score_cutoff=_LIKE)
    return _known()[found[0]] if found else ""


def point_of(message: str, answer: str) -> str:
    """Return the point of an answer that a message names by its place: an item, else a paragraph; "" for none."""
    place = _place(_plain(message))
    items = _ITEM.split(answer)[1:] or re.split(r"\n\s*\n", answer.strip())
    if place is None or not -len(items) <= place < len(items):
        return ""
    return " ".join(_MARKS.sub("", items[place].split("\n\n")[0]).split())


def _place(message: str) -> int | None:
    """Return the place counted from 0, -1 for the last; None where none is named."""
    if digit := re.search(r"\b\d\b", message):
        return int(digit[0]) - 1
    for code in CODES:
        *places, last = language_data(code).talk["places"]
        named = [number for number, word in enumerate(places) if word in message]
        if named or last in message:
            return named[0] if named else -1
    return None


def _plain(message: str) -> str:
    return " ".join(re.findall(r"\w+", message.casefold()))


@lru_cache(maxsize=1)
def _known() -> dict[str, Talk]:
    return {
        _plain(said): cast(Talk, talk)
        for code in CODES
        for talk, messages in language_data(code).talk.items()
        for said in messages
        if talk != "places"
    }
