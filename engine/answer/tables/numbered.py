"""Numbers that a question gives for a column: "3 silver medals", "rank 14", "first position".

A number right before or behind a word of a column's header is a condition on that column, where a cell says it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.tables.matching import features
from engine.answer.tables.question import is_asking
from engine.answer.tables.typed_table import Column, TypedTable
from engine.answer.tables.word_families import alike

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10,
}  # fmt: skip
_NUMBERS = {
    "no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
}  # fmt: skip
_PLACED = features("position pos place placing rank ranking finish standing")
_ORDINAL = re.compile(
    r"\b(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,3}(?:st|nd|rd|th))\s+(?P<noun>[a-z]+)"
)
_TWO_PLACES = re.compile(
    r"\b(?:\w+(?:st|nd|rd|th)|first|second|third) (?:and|or|to) (?:\w+(?:st|nd|rd|th)|second|third)\b"
)
# "Finished second" is a place, too.
_FINISHED = re.compile(
    r"\b(?P<noun>finish(?:ed)?|placed?|rank(?:ed)?|c[ao]me|end(?:ed)?(?: up)?)(?: in)?"
    r" (?P<word>first|second|third|fourth|fifth|\d{1,3}(?:st|nd|rd|th))\b"
)
_COUNTED = re.compile(
    r"(?<![\d.,$-])\b(?P<number>\d{1,3}|no|zero|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"\s+(?P<nouns>[a-z]+(?:\s+[a-z]+)?)\b"
)
_NUMBERED = re.compile(r"\b(?P<noun>[a-z]+)\s+(?:number\s+|no\.?\s*|#)?(?P<number>\d{1,3})\b(?![.,:/-]\d|%)")
# "In 4th place", "came in first": the noun is no name of a column.
_ENDED = frozenset({"come", "came", "end", "ended"})
# A place with more behind it: "4th, Western".
_PLACE_CELL = re.compile(r"(\d{1,3})(?:st|nd|rd|th)\b")
_CELL = re.compile(r"#?(\d{1,3})(?:st|nd|rd|th)?\.?")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A column, the cell's text or number that it must hold, or one of several texts, and where it is said."""

    column: int
    value: str | int | list[str]
    start: int
    end: int


def numbered(table: TypedTable, text: str, taken: Sequence[tuple[int, int]]) -> list[Numbered]:
    """Return the numbers that a question (lower case) gives for columns, outside the stretches already ``taken``."""
    found: list[Numbered] = []
    for pattern in (_ORDINAL, _FINISHED, _COUNTED, _NUMBERED):
        for match in pattern.finditer(text):
            spans = [*taken, *((one.start, one.end) for one in found)]
            if _TWO_PLACES.search(text) and pattern is _ORDINAL:
                continue
            if any(match.start() < end and start < match.end() for start, end in spans):
                continue
            one = _condition(table, match, pattern)
            if one is not None:
                found.append(one)
    return found


def _condition(table: TypedTable, match: re.Match[str], pattern: re.Pattern[str]) -> Numbered | None:
    groups = match.groupdict()
    nouns = (groups.get("nouns") or groups.get("noun") or "").split()
    nouns = ["place"] if nouns and nouns[0] in _ENDED else nouns
    said = groups.get("number") or groups.get("word") or ""
    digits = re.match(r"\d+", said)
    number = int(digits[0]) if digits else _NUMBERS.get(said, _ORDINALS.get(said, -1))
    for column in _called(table, nouns, ordered=pattern in (_ORDINAL, _FINISHED)):
        value = _value(table, column, number)
        # A count is one of many: a column of names or years is none.
        if value is not None and (pattern is not _COUNTED or column.dtype == "number"):
            end = match.end() if len(nouns) == 1 else match.start("nouns") + len(" ".join(nouns))
            return Numbered(column.index, value, match.start(), end)
    return None


def _called(table: TypedTable, nouns: Sequence[str], ordered: bool) -> list[Column]:
    """Return the one column whose header says the nouns; for an ordinal one of places, too."""
    asked = {f for noun in nouns for f in features(noun) if not is_asking(f)}
    for one in sorted(asked, key=lambda f: [f in features(noun) for noun in nouns], reverse=True):
        holding = [c for c in table.columns if one in features(c.name)]
        holding = [c for c in holding if len(features(c.name)) == 1] or holding
        if len(holding) == 1:
            return holding
    if ordered and asked & (_PLACED | frozenset().union(*map(alike, _PLACED))):
        placed = [c for c in table.columns if features(c.name) & _PLACED]
        placed = placed or [c for c in table.columns if _holds_places(table, c)]
        return placed if len(placed) == 1 else []
    return []


def _holds_places(table: TypedTable, column: Column) -> bool:
    """True for a column most of whose cells begin with a place: "4th, Western"."""
    texts = [text for row in table.rows if (text := table.text(row.index, column.index))]
    return 2 * sum(bool(_PLACE_CELL.match(text)) for text in texts) > len(texts) > 1


def _value(table: TypedTable, column: Column, number: int) -> str | int | list[str] | None:
    """Return the number as the column's cells write it, or None where none says it or too few are numbers."""
    texts = [text for row in table.rows if (text := table.text(row.index, column.index))]
    matches = [(text, match) for text in texts if (match := _CELL.fullmatch(text) or _PLACE_CELL.match(text))]
    if 2 * len(matches) < len(texts):
        return None
    same = list(dict.fromkeys(text for text, match in matches if int(match[1]) == number))
    if not same:
        return None
    if len(same) > 1:
        return same
    return number if same[0].isdigit() else same[0]
