"""What the cells of a workbook mean as numbers, dates and periods, read apart from the product's own reading."""

from __future__ import annotations

import datetime
import re
import unicodedata
from typing import Any

SCALES = {
    "万亿": 1e12, "亿": 1e8, "千万": 1e7, "百万": 1e6, "万": 1e4, "千": 1e3,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9, "k": 1e3, "m": 1e6,
}  # fmt: skip
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_NUMBER = re.compile(
    r"^(?P<open>\()?\s*(?P<sign>[-+−]?)\s*[$€£¥]?\s*(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"\s*(?P<percent>%)?\s*(?P<scale>万亿|亿|千万|百万|万|千)?元?\s*(?P<close>\))?$"
)
_TENTHS = re.compile(r"^([一二三四五六七八九])成([一二三四五六七八九])?$")
_DATE = re.compile(r"^((?:19|20)\d\d)\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:\s+00:00:00)?$")
_DAY_FIRST = re.compile(r"^(\d{1,2})\s+([A-Z][a-z]{2})[a-z]*\.?\s+((?:19|20)\d\d)$")
_MONTH_FIRST = re.compile(r"^([A-Z][a-z]{2})[a-z]*\.?\s+(\d{1,2}),\s*((?:19|20)\d\d)$")
_YEAR = re.compile(r"^((?:19|20)\d\d)年?度?$")
MONTHS = {
    name: number
    for number, name in enumerate("JanFebMarAprMayJunJulAugSepOctNovDec"[i : i + 3] for i in range(0, 36, 3))
}
_PERIOD = re.compile(
    r"(?:19|20)\d\d|^\d{1,2}月$|^(?:Q[1-4]|[一二三四]季度|第[一二三四]季度)$"
    r"|^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*$"
)  # fmt: skip


_UNIT = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]\s*$")


def plain_name(header: str) -> str:
    """Return a header without the unit in brackets at its end."""
    return _UNIT.sub("", header) or header


def shown(value: Any) -> str:
    """Return a cell's value as a text on one line; "" for an empty cell."""
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value).split())


def number(value: Any) -> float | None:
    """Return what a cell says as a number; percent signs and tenths (三成) give a share of 1, 1.2亿 gives 1.2e8."""
    if isinstance(value, bool) or value is None or isinstance(value, datetime.date):
        return None
    if isinstance(value, int | float):
        return float(value)
    text = unicodedata.normalize("NFKC", str(value)).strip().replace("−", "-")
    if tenths := _TENTHS.match(text):
        return _DIGITS[tenths[1]] / 10 + (_DIGITS[tenths[2]] / 100 if tenths[2] else 0)
    found = _NUMBER.match(text)
    if not found or bool(found["open"]) != bool(found["close"]):
        return None
    amount = float(found["digits"].replace(",", "")) * SCALES.get(found["scale"] or "", 1)
    amount = round(amount, 6) / (100 if found["percent"] else 1)
    return -amount if found["open"] or found["sign"] == "-" else amount


def is_share(value: Any) -> bool:
    """True for a text that says a share: 12.3% or 三成."""
    return isinstance(value, str) and bool(value.strip().endswith("%") or _TENTHS.match(value.strip()))


def date(value: Any) -> datetime.date | None:
    """Return the day that a cell names, if it names one."""
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    text = unicodedata.normalize("NFKC", value).strip() if isinstance(value, str) else ""
    if found := _DATE.match(text):
        year, month, day = map(int, found.groups())
    elif (found := _DAY_FIRST.match(text)) and found[2] in MONTHS:
        year, month, day = int(found[3]), MONTHS[found[2]] + 1, int(found[1])
    elif (found := _MONTH_FIRST.match(text)) and found[1] in MONTHS:
        year, month, day = int(found[3]), MONTHS[found[1]] + 1, int(found[2])
    else:
        return None
    return datetime.date(year, month, day) if 1 <= month <= 12 and 1 <= day <= 28 + 3 * (month != 2) else None


def year(value: Any) -> int | None:
    """Return the year that a cell names and nothing else: 2021, "2021", "2021年度"."""
    found = _YEAR.match(shown(value))
    return int(found[1]) if found else None


def is_period(header: str) -> bool:
    """True for a column header that names a year, quarter or month."""
    return bool(_PERIOD.search(header))
