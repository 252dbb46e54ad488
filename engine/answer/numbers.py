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


def written_numbers(text: str) -> list[tuple[str, str]]:
    """Return the numbers written in digits: (as written, in normal form), in order."""
    found = _DIGITS.finditer(_readable(text))
    return [(match[0], _normal(match[0])) for match in found]


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
