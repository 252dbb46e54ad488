"""A text as words and values with their places: what a statement and its source, or two statements, are compared by.

Values are amounts with unit and scale, dates, and codes that name a thing ("AQ-60S", "B204"). Places count words;
marks that set clauses apart count for several, so that what stands in one clause is nearer than what stands in the
next.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from engine.answer.understand.terms import weight
from engine.enrich.text_values import DATE, NUMBER, Amount, When, agrees, amount_of, date_of
from engine.index.tokenize import tokens

TokenKind = Literal["word", "character", "value", "mark"]
_CODE = r"(?<![A-Za-z0-9_.$€£¥-])(?:[A-Z][A-Za-z]{0,9}(?:[-–][A-Za-z]{1,9})?[-–]?\d[\dA-Za-z]*(?:[-–.][\dA-Za-z]+)*)"
_SCAN = re.compile(
    rf"(?P<date>{DATE})|(?P<code>{_CODE})|(?P<number>{NUMBER})"
    r"|(?P<word>[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’·-][^\W\d_\u3400-\u9fff]+)*)"
    r"|(?P<character>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<mark>[^\s\w]|\n)",
    re.I,
)
_CODE_EXACT, _NUMBER = re.compile(_CODE), re.compile(NUMBER, re.I)
_TIMES = frozenset({"month", "s"})
# "One week" is as much as 1 week.
_ONE = re.compile(r"\bone(?=[ -](?:minute|hour|day|week|month|quarter|year)s?\b)", re.I)
# A bare number behind such a word names a thing, it counts nothing: "Table 3", "Version 2.1", 第三条.
_LABEL = re.compile(r"(?:\b[A-Z][a-z]+\.?|§|[第表图本录])\s?[(（]?$")
# Marks that end a clause or a sentence set apart what stands before and behind them.
_APART = {**dict.fromkeys(",，:：()（）", 2.0), **dict.fromkeys(".。!?！？;；\n", 8.0)}
# So far from a value, in words, a word has nothing to do with it.
_NEAR = 12.0
_CHARACTER = 0.5


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a Chinese character, a mark or a value at ``start``; a value is an amount, a date or a code.

    ``at`` is the place of a value among the words of its text; ``label`` tells a number that may name a thing.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    amount: Amount | None = None
    when: When | None = None
    code: str = ""
    at: float = 0.0
    label: bool = False


# A value at its place.
Stated = Token


@dataclass(frozen=True, slots=True)
class Spoken:
    """A word at its place: any of its ``keys`` is the word."""

    text: str
    at: float
    worth: float
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was read: its words, its values, and where each key stands."""

    words: tuple[Spoken, ...]
    values: tuple[Stated, ...]
    places: dict[str, tuple[float, ...]]

    def belonging(self, words: Sequence[Spoken], there: Stated) -> float:
        """Return how much of the words, by worth, belongs to the value ``there``: the nearer to it the more."""
        total = 0.0
        for word in words:
            apart = min((_apart(self.places.get(key, ()), there.at) for key in word.keys), default=_NEAR)
            total += word.worth * max(0.0, 1 - apart / _NEAR)
        return total


def _apart(places: Sequence[float], at: float) -> float:
    """Return how far the nearest of some places, in order, is from another one."""
    right = bisect_left(places, at)
    return min((abs(one - at) for one in places[max(0, right - 1) : right + 1]), default=_NEAR)


def plain(text: str) -> str:
    """Return a text without Markdown's marks, in one form of width, its units beside their numbers."""
    bare = unicodedata.normalize("NFKC", re.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", "", text))
    return _ONE.sub("1", bare)


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a :func:`plain` text, however long, in order."""
    at = 0
    while match := _SCAN.search(text, at):
        token, at = _token(match)
        if token is not None:
            yield token


def _token(match: re.Match[str]) -> tuple[Token | None, int]:
    """Return what a match stands for, and where to go on."""
    text, written, start, end = match.string, match[0], match.start(), match.end()
    if match["date"] and not written.strip(" .").islower() and (when := date_of(match)):
        return Token("value", written, start, end, when=when), end
    if match["code"] and _CODE_EXACT.match(written):
        return Token("value", written, start, end, code=written.replace("–", "-").casefold()), end
    if match["date"] or match["number"] or match["code"]:
        number = _NUMBER.match(text, start)
        found = amount_of(number) if number else None
        which = found is not None and found[0].unit in _TIMES and text[:start].endswith("第")  # 第二年 is no duration
        if number is None or found is None or which:
            return None, max(start + 1, number.end() if number else 0)
        amount, end = found
        written = text[start:end].rstrip(" .,")  # a stop behind it is a mark of its own, not the unit's
        return Token("value", written, start, start + len(written), amount), start + len(written)
    kind: TokenKind = "word" if match["word"] else "character" if match["character"] else "mark"
    return Token(kind, written, start, end), end


@lru_cache(maxsize=1024)
def read(text: str) -> Text:
    """Read a text, however long."""
    words: list[Spoken] = []
    values: list[Stated] = []
    place, before, bare = 0.0, Token("mark", "\n", -1, -1), plain(text)
    for token in tokens_of(bare):
        if token.kind == "mark":
            place += _APART.get(token.text, 0.0)
        elif token.kind == "character":
            place += _CHARACTER
            words += _character(token, before, place)
        else:
            place += 1.0
            words += _words(token, place)
            if token.kind == "value":
                values.append(replace(token, at=place, label=token.amount is not None and names(token, bare)))
        before = token
    places: defaultdict[str, list[float]] = defaultdict(list)
    for word in words:
        for key in word.keys:
            places[key].append(word.at)
    return Text(tuple(words), tuple(values), {key: tuple(at) for key, at in places.items()})


def names(token: Token, text: str) -> bool:
    """True where a number or date of a text names a thing and counts nothing: 3 in "Table 3" and 第三条."""
    before, amount = text[max(0, token.start - 14) : token.start], token.amount
    counts = amount is None or amount.measured or amount.rounded
    return bool(_LABEL.search(before)) and (not counts or before[-1] == "第")


def _character(token: Token, before: Token, place: float) -> list[Spoken]:
    """Return the pair of characters that ends here; of a run's first one nothing."""
    if before.kind == "character" and before.end == token.start:
        pair = before.text + token.text
        return [Spoken(pair, place, weight(pair) * _CHARACTER, frozenset([pair]))]
    return []


def _words(token: Token, place: float) -> list[Spoken]:
    """Return a word, a code as the word that it is, or the year, the month and the day of a date."""
    if token.code:
        return [Spoken(token.text, place, 2.0, frozenset([token.code]))]
    if token.when is not None:
        parts = zip("ymd", (1.2, 0.5, 0.7), token.when.readings[0], strict=True)
        return [
            Spoken(token.text, place, worth if isinstance(said, int) else 1.2, frozenset([f"@{part}{said}"]))
            for part, worth, said in parts
            if said is not None
        ]
    stems = tokens(token.text) if token.kind == "word" else []
    worth = min(1.0, sum(weight(stem) for stem in stems))
    return [Spoken(token.text, place, worth, frozenset(stems))] if worth > 0 else []


def same(stated: Token, there: Token) -> bool:
    """True where both may be the same value."""
    if stated.amount and there.amount:
        of = there.amount.unit or ""  # "$1.05" for "$1.05 per share"
        per = "/" in of and "/" not in (stated.amount.unit or "/")
        return agrees(stated.amount, replace(there.amount, unit=of.partition("/")[0]) if per else there.amount)
    if stated.when and there.when:
        return stated.when.agrees(there.when)
    return bool(stated.code) and stated.code == there.code


def alike(stated: Stated, there: Stated) -> bool:
    """True for values of one kind, which may stand in each other's place."""
    if stated.amount and there.amount:
        mine, theirs = ((one.unit or "").partition("/")[0] for one in (stated.amount, there.amount))
        return mine == theirs
    if stated.when and there.when:
        return stated.when.comparable(there.when)
    return bool(stated.code and there.code)
