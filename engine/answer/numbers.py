"""Numbers in text, in forms that can be compared: 1,200 = 1200, 3.50 = 3.5, 3.2万 = 32000, three = 3."""

from __future__ import annotations

import re
import unicodedata

_DIGITS = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*")
# The ² and ³ of units are no numbers.
_POWER = re.compile(r"(?<=[^\W\d_])[²³]")
_SQUARED = str.maketrans({"㎡": "m", "㎥": "m", "㎢": "km", "㎝": "cm"})
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
_SCALES = {
    "千": 3, "万": 4, "萬": 4, "百万": 6, "千万": 7, "亿": 8, "億": 8, "thousand": 3, "k": 3, "million": 6,
    "mn": 6, "m": 6, "billion": 9, "bn": 9, "b": 9, "trillion": 12,
}  # fmt: skip
_SCALE = re.compile(
    r"\s?(百万|千万|[千万萬亿億]|thousand|million|billion|trillion|mn|bn)\b|\s?([千万萬亿億])", re.I
)
# A time in another unit: so many months, or days.
_TIMES = {
    "year": (12, "months"), "年": (12, "months"), "month": (1, "months"), "月": (1, "months"), "week": (7, "days"),
    "周": (7, "days"), "星期": (7, "days"), "day": (1, "days"), "天": (1, "days"), "日": (1, "days"),
}  # fmt: skip
_TIME = re.compile(r"[\s-]?(?:(year|month|week|day)s?\b|[个個]?(年|月|周|星期|天|日))", re.I)
_ONE_BY_ONE = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty
"""
_WORDS = {word: value for value, word in enumerate(_ONE_BY_ONE.split())} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "dozen": 12, "first": 1, "second": 2, "third": 3, "twice": 2,
}  # fmt: skip
_CHINESE = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
_CHINESE_NUMBER = re.compile("[零〇一二两兩三四五六七八九十百千]+[万萬亿億]?")


def written_numbers(text: str) -> list[tuple[str, str]]:
    """Return the numbers written in digits: (as written, in normal form), in order."""
    found = _DIGITS.finditer(_readable(text))
    return [(match[0], _normal(match[0])) for match in found]


def number_forms(text: str) -> set[str]:
    """Return every form under which the numbers of a text may be referred to, scaled and spelled too."""
    text = _readable(text)
    forms: set[str] = set()
    for match in _DIGITS.finditer(text):
        value = _normal(match[0])
        forms.add(value)
        scaled = _scaled(value, text[match.end() : match.end() + 10])
        if scaled:
            forms.add(scaled)
    lowered = text.lower()
    for match in re.finditer(r"[a-z]+", lowered):
        if match[0] in _WORDS:
            value = str(_WORDS[match[0]])
            forms.update({value, _lasting(value, lowered[match.end() :]) or value})
    for match in _CHINESE_NUMBER.finditer(text):
        for value in _chinese(match[0]):
            forms.update({value, _lasting(value, text[match.end() :]) or value})
    return forms


def scaled_form(text: str, written: str) -> str | None:
    """Return the number with the unit that follows it multiplied in ("3.2" of "3.2万": "32000"; 3 years: 36 months)."""
    text = _readable(text)
    at = text.find(written)
    return _scaled(_normal(written), text[at + len(written) : at + len(written) + 10]) if at >= 0 else None


def _readable(text: str) -> str:
    """Return a text in which digits are numbers: NFKC, without the powers of units ("m³")."""
    return unicodedata.normalize("NFKC", _POWER.sub("", text.translate(_SQUARED)))


def _normal(written: str) -> str:
    value = written.replace(",", "") if _THOUSANDS.match(written) else written
    if value.count(".") == 1 and value.replace(".", "").isdigit():
        value = value.rstrip("0").rstrip(".")
    return value.lstrip("0") or "0" if value.isdigit() else value


def _scaled(value: str, after: str) -> str | None:
    match = _SCALE.match(after)
    if not match:
        return _lasting(value, after)
    if value.count(".") > 1 or "," in value:
        return None
    power = _SCALES[(match[1] or match[2]).lower()]
    whole, _, part = value.partition(".")
    if len(part) > power:
        return None
    return (whole + part.ljust(power, "0")).lstrip("0") or "0"


def _lasting(value: str, after: str) -> str | None:
    """Return a time that so many of what follows make, in months or in days."""
    match = _TIME.match(after)
    if not match or not value.isdigit():
        return None
    times, unit = _TIMES[(match[1] or match[2]).lower()]
    return f"{int(value) * times} {unit}"


def _chinese(written: str) -> set[str]:
    """Return the values of a Chinese numeral, read by place (二〇二三) and by unit (三百二十)."""
    scale = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}.get(written[-1], 1)
    body = written if scale == 1 else written[:-1]
    if not any(unit in body for unit in _CHINESE_UNITS):
        digits = "".join(str(_CHINESE[character]) for character in body)
        return {str(int(digits) * scale)} if digits else set()
    total, digit = 0, 0
    for character in body:
        if character in _CHINESE_UNITS:
            total += (digit or 1) * _CHINESE_UNITS[character]
            digit = 0
        else:
            digit = _CHINESE[character]
    return {str((total + digit) * scale)}
