"""A text as words and values with their places: what a statement and its source are compared by.

Values are amounts with unit and scale, dates, and codes that name a thing ("AQ-60S", "B204"). Places count words;
marks that set clauses apart count for several, so that what stands in one clause is nearer than what stands in the
next.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from engine.answer.check.amounts import NUMBER, Amount, amount_of, count_of, trailing
from engine.answer.check.dates import DATE, When, date_of
from engine.answer.understand.terms import weight
from engine.enrich.units import currency_codes
from engine.index.tokenize import tokens

_CODE = r"(?<![A-Za-z0-9_.$€£¥-])(?:[A-Z][A-Za-z]{0,9}[-–]?\d[\dA-Za-z]*(?:[-–.][\dA-Za-z]+)*)"
_SCAN = re.compile(
    rf"(?P<date>{DATE})|(?P<code>{_CODE})|(?P<number>{NUMBER})"
    r"|(?P<word>[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’·-][^\W\d_\u3400-\u9fff]+)*)"
    r"|(?P<character>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<mark>[^\s\w]|\n)",
    re.I,
)
_CODE_EXACT, _NUMBER = re.compile(_CODE), re.compile(NUMBER, re.I)
_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.](\d\d))?\s?[ap]\.?m\b\.?|(\d{1,2}|[一二三四五六七八九十]{1,3})点(?:钟|整)?(?![\d零一二三四五六七八九])",
    re.I,
)
# "2.8 g" is a weight; "one week" is as much as 1 week.
_LETTER_UNIT = re.compile(r"(\d)[ \u00a0](?=[gmlhVWA]\b(?!['’]|\.\w))")
_ONE = re.compile(r"\bone(?=[ -](?:minute|hour|day|week|month|quarter|year)s?\b)", re.I)
_HALF_DAY = 720
_HUNDREDTHS = frozenset(["cent", "cents", "pence", "penny"])
_NO_CODE = re.compile(r"(?:[QH][1-4]|FY\d+)$", re.I)
_APART = {
    **dict.fromkeys("、", 1.0),
    **dict.fromkeys(",，:：", 2.0),
    **dict.fromkeys("()（）", 3.0),
    **dict.fromkeys(";；", 5.0),
    **dict.fromkeys(".。!?！？\n", 8.0),
}
_OPENING = ':：“"|•-*#>(（\n.。!?！？'
_CHARACTER = 0.5
# These set one part of a sentence beside the next.
_JOINING, _JOINING_ZH = (
    frozenset(["and", "or", "but", "while", "whereas", "compared", "from"]),
    frozenset("和与與及而但或"),
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A value at its place: an amount, a date or a code; ``text`` is as written, ``at`` counts words."""

    text: str
    at: float
    amount: Amount | None = None
    when: When | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A word at its place: any of its ``keys`` is the word; ``name`` where it has a capital inside a sentence."""

    text: str
    at: float
    worth: float
    keys: frozenset[str]
    name: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was read: its words, its values, and where each key stands."""

    words: tuple[Spoken, ...]
    values: tuple[Stated, ...]
    places: dict[str, tuple[float, ...]]
    breaks: tuple[tuple[float, str], ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """Every key of the text."""
        return frozenset(self.places)


@lru_cache(maxsize=1024)
def read(text: str) -> Text:
    """Read a text, however long."""
    plain = unicodedata.normalize("NFKC", re.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", "", text))
    plain = _ONE.sub("1", _LETTER_UNIT.sub(r"\1", plain))
    words: list[Spoken] = []
    values: list[Stated] = []
    breaks: list[tuple[float, str]] = []
    at, place, before, last = 0, 0.0, "\n", ""
    while match := _SCAN.search(plain, at):
        at = match.end()
        if match["character"]:
            if match[0] in _JOINING_ZH:
                breaks.append((place, ","))
            pair = last + match[0]
            place += _CHARACTER
            if len(pair) == 2 and match.start() and plain[match.start() - 1] == last:
                words.append(Spoken(pair, place, weight(pair) * _CHARACTER, frozenset([pair])))
            elif weight(match[0]) > 0:
                words.append(Spoken(match[0], place, 0.05, frozenset([match[0]])))
            last, before = match[0], match[0]
            continue
        last = ""
        if match["mark"]:
            if match[0] in _APART and match[0] not in ":：":
                breaks.append((place + 0.1, match[0]))
            place += _APART.get(match[0], 0.0)
            before = match[0]
            continue
        if written_joins(match[0]):
            breaks.append((place + 0.1, ","))
        place += 1.0
        made, at = _made(match, place, before in _OPENING)
        before = "w"
        for one in made:
            (words if isinstance(one, Spoken) else values).append(one)  # type: ignore[arg-type]
    places: defaultdict[str, list[float]] = defaultdict(list)
    for word in words:
        for key in word.keys:
            places[key].append(word.at)
    return Text(
        tuple(words), tuple(values), {key: tuple(found) for key, found in places.items()}, tuple(breaks)
    )


def written_joins(word: str) -> bool:
    """True for a word that sets one part of a sentence beside the next."""
    return word.casefold() in _JOINING


def _made(match: re.Match[str], place: float, opening: bool) -> tuple[list[Spoken | Stated], int]:
    """Return what a match stands for, and where to go on."""
    written, end = match[0], match.end()
    if match["date"] and not written.strip(" .").islower() and (when := date_of(match)):
        return [Stated(written, place, when=when), *_date_words(written, place, when)], end
    if match["code"] and _CODE_EXACT.match(written) and not _NO_CODE.match(written):
        letters = re.match(r"[A-Za-z]+", written)
        if letters is None or letters[0].upper() not in currency_codes():
            code = written.replace("–", "-").casefold()
            return [Stated(written, place, code=code), Spoken(written, place, 2.0, frozenset([code]))], end
        return [], match.start() + len(letters[0])
    if clock := _CLOCK.match(match.string, match.start()):
        hours = count_of(clock[1] or clock[3])
        amount = Amount(Decimal(hours * 60 + int(clock[2] or 0)), "clock", Decimal(1), Decimal(1), False)
        return [Stated(clock[0], place, amount=amount)], clock.end()
    if match["date"] or match["number"] or match["code"]:
        number = _NUMBER.match(match.string, match.start())
        found = amount_of(number) if number else None
        if number is None or found is None:
            return [], max(match.start() + 1, number.end() if number else 0)
        amount, end = found
        if re.fullmatch(r"(?:19|20)\d\d", number[0]) and amount.unit is None and amount.scale == 1:
            when = When(((int(number[0]), None, None),), False)
            return [Stated(number[0], place, when=when), *_date_words(number[0], place, when)], number.end()
        return [Stated(match.string[match.start() : end].strip(" .,"), place, amount=amount)], end
    stems = tokens(written)
    worth = min(1.0, sum(weight(stem) for stem in stems))
    name = written[0].isupper() and not opening
    return [Spoken(written, place, worth, frozenset(stems), name)] if worth > 0 else [], end


def _date_words(written: str, place: float, when: When) -> list[Spoken]:
    """Return the year, the month and the day of a date as words."""
    return [
        Spoken(written, place, worth if isinstance(value, int) else 1.2, frozenset([f"@{part}{value}"]))
        for part, worth, value in zip("ymd", (1.2, 0.5, 0.7), when.readings[0], strict=True)
        if value is not None
    ]


def agrees(stated: Amount, there: Amount) -> bool:
    """True where an amount may be said for one that stands in a source: the same, rounded, or in another scale."""
    if (stated.unit in _HUNDREDTHS) != (there.unit in _HUNDREDTHS):  # 0.2 euros are 20 cents
        return stated.value * 100 == there.value or there.value * 100 == stated.value
    units = {stated.unit, there.unit}
    if len(units) == 2 and None not in units and sum("/" in str(unit) for unit in units) == 1:
        units = {str(unit).partition("/")[0] for unit in units}  # a price a share is said as a price
    if None not in units and len(units) == 2 and units != {"%", "pp"}:
        return stated.unit in ("month", "s") and there.unit in ("month", "s") and stated.agrees(there)
    a, b = abs(stated.value), abs(there.value)
    if stated.unit == "clock":
        return there.unit == "clock" and a % _HALF_DAY == b % _HALF_DAY
    if a == b:
        return True
    apart = abs(a - b)
    if stated.step > there.step and apart <= stated.step / 2 and a:
        return True
    return stated.rounded and apart < max(trailing(stated), a / 50) and a > 0
