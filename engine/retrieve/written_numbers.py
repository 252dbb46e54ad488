"""The ways of writing a number and a date: 25 is 二十五 and "twenty-five", 248,000 is 248k and 24.8万."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import cn2an

from engine.structure.numbering import CHINESE, value_of

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: value for value, word in enumerate(_ONES)} | {
    word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)
}
# "One month" and 一天 are said of any; from two on a number is meant.
NUMBER_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES[2:])})"
# 千米 is a unit.
CHINESE_NUMBER = rf"(?:[{CHINESE}]{{2,8}}|[二三四五六七八九两])(?:点[{CHINESE}]{{1,4}})?"
# What a number may be counted in: thousands, 万, millions, 亿, billions.
MOST_DECIMALS = 3
_SCALES = (10**3, 10**4, 10**6, 10**8, 10**9)
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = rf"(?P<{{0}}>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)}|sept)\.?"
DATE = re.compile(
    r"(?<!\d)(?P<y1>(?:1[89]|20)\d\d)\s?(?:[-/.]|年)\s?(?P<m1>1[0-2]|0?[1-9])\s?(?:[-/.]|月)\s?"
    r"(?P<d1>3[01]|[12]\d|0?[1-9])(?:日|号|號|(?!\d))"
    rf"|(?<!\d)(?P<d2>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH.format('m2')},?\s(?P<y2>(?:1[89]|20)\d\d)(?!\d)"
    rf"|\b{_MONTH.format('m3')}\s(?P<d3>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?,?\s(?P<y3>(?:1[89]|20)\d\d)(?!\d)",
    re.IGNORECASE,
)


def date_of(match: re.Match[str]) -> tuple[int, int, int]:
    """Return the year, month and day of a match of DATE."""
    year = match["y1"] or match["y2"] or match["y3"]
    day = match["d1"] or match["d2"] or match["d3"]
    named = (match["m2"] or match["m3"] or "")[:3].casefold()
    month = int(match["m1"]) if match["m1"] else [name[:3] for name in _MONTHS].index(named) + 1
    return int(year), month, int(day)


def date_forms(year: int, month: int, day: int) -> list[str]:
    """Return the ways of writing a date."""
    name = _MONTHS[month - 1].capitalize()
    return [f"{day} {name} {year}", f"{year}-{month:02}-{day:02}", f"{year}年{month}月{day}日", name[:3]]


def number_of(text: str) -> Decimal | None:
    """Return the value of a number in digits, in Chinese numerals or in English words below a hundred."""
    plain = text.replace(",", "").casefold()
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return Decimal(plain)
    words = re.split(r"[-\s]", plain)
    if all(word in _WORDS for word in words):
        return Decimal(sum(_WORDS[word] for word in words))
    whole, _, fraction = plain.partition("点")
    if not whole or any(character not in CHINESE for character in whole + fraction):
        return None
    digits = "".join(str(value_of(character)) for character in fraction)
    return Decimal(f"{value_of(whole)}.{digits}" if digits else value_of(whole))


def number_forms(value: Decimal) -> list[str]:
    """Return the ways of writing a number: plain, in thousands and so on, in Chinese, in words."""
    forms = [f"{value.normalize():f}"]
    scaled = ((value / scale).normalize() for scale in _SCALES)
    forms += [f"{one:f}" for one in scaled if one > Decimal("0.1") and _decimals(one) <= MOST_DECIMALS]
    if value == value.to_integral() and value < 10**8:
        forms += _chinese(int(value))
        forms += _in_words(int(value))
    return forms


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _chinese(value: int) -> Iterator[str]:
    if value < 10**4 or value % 10**4 == 0:
        yield cn2an.an2cn(value)


def _in_words(value: int) -> Iterator[str]:
    if value < 20:
        yield _ONES[value]
    elif value < 100:
        yield _TENS[value // 10 - 2] + (f"-{_ONES[value % 10]}" if value % 10 else "")
