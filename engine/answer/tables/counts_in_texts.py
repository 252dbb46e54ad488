"""A number that a note of a row says: "how many episodes of X was she in" where the note is "4 Episodes"."""

from __future__ import annotations

import re

from engine.answer.tables.matching import features
from engine.answer.tables.question import is_asking
from engine.answer.tables.typed_table import TypedTable

_COUNTED = re.compile(r"\W*(?P<number>\d+)\s+(?P<noun>[^\W\d_]+)\W*")
_COUNTED_ZH = re.compile(r"\W*(?P<number>\d+)\s*(?P<noun>[集场次首章]).{0,2}")


COUNTED_NOUN = re.compile(
    r"\b(?:how many (?:more|fewer)?|(?:the )?(?:most|fewest|more|fewer)|(?:total )?number of) ?(?P<noun>[a-z]{4,})\b"
)
_EPISODE = re.compile(r"\W*episodes?\b\W*\w|.{0,2}第?[\d一二三四五六七八九十]+集", re.IGNORECASE)


def episode_told(table: TypedTable, row: int) -> int | None:
    """Return the column of the one cell of a row that tells an episode: "Episode: The Long Goodbye"."""
    found = [c.index for c in table.columns if _EPISODE.match(table.text(row, c.index))]
    return found[0] if len(found) == 1 else None


def column_of_counts(table: TypedTable, noun: str) -> int | None:
    """Return the one column in which several cells say how many there are of what is counted: "22 episodes"."""
    found = []
    for column in table.columns:
        told = [
            row for row in table.records if count_in(table.text(row.index, column.index), noun) is not None
        ]
        if len(told) > 1:
            found.append(column.index)
    return found[0] if len(found) == 1 else None


def count_in(text: str, noun: str) -> int | None:
    """Return the number of what is counted where a text says nothing else."""
    match = _COUNTED.fullmatch(text)
    asked = {f for f in features(noun) if not is_asking(f)}
    return int(match["number"]) if match and asked & features(match["noun"]) else None


def count_told(table: TypedTable, row: int, noun: str) -> int | None:
    """Return the column of the one cell of a row that says nothing but how many there are of what is counted."""
    asked = {f for f in features(noun) if not is_asking(f)}
    found = []
    for column in table.columns:
        text = table.text(row, column.index)
        match = _COUNTED.fullmatch(text) or _COUNTED_ZH.fullmatch(text)
        if match and (asked & features(match["noun"]) or match["noun"] == noun.strip()[:1]):
            found.append(column.index)
    return found[0] if len(found) == 1 else None
