"""Dates in Chinese and English text, in forms that can be compared: 2024-05-01, May 1, 2024, 二〇二四年五月一日.

A date may be known in part (a year, a month with its year, a day without a year) and may have two
readings (03/04/2024). Two dates agree when some reading of one contradicts no part of one of the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

from engine.structure.written_numbers import number_of

Part = int | str | None
Reading = tuple[Part, Part, Part]

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAYS = "mon tue wed thu fri sat sun".split()
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
_ZH_DIGIT = "〇零○一二三四五六七八九"
_ZH_COUNT = "一二三四五六七八九十"
# What a number before it counts or measures is no year.
_COUNTS = (
    r"%|万|萬|亿|億|元|千|人|[个個]|米|大卡|毫[升克米安]|[公平立][里斤顷頃尺升方]|克(?!服)|斤|升(?!级|至|到)|[吨噸]|[户戶]|件|[辆輛]"
    r"|(?:km|kg|m|g|mg|ml|cm|mm|kcal|kJ|kWh|kW|mAh|W|V|Hz|MHz|px|dpi|rpm)\b"
)
NO_COUNT = rf"(?![\d%‰]|[.,]\d|\s?(?:{_COUNTS}))"
# Tried in this order at every place of a text.
_FORMS: tuple[tuple[str, str], ...] = (
    ("ymd", rf"(?<!\d)(?P<y0>{_YEAR})\s?[-/.]\s?(?P<m0>0?[1-9]|1[0-2])\s?[-/.]\s?(?P<d0>[0-2]?[0-9]|3[01])(?!\d)"),
    ("zh", rf"(?<!\d)(?P<y1>{_YEAR})\s?年(?:\s?(?P<m1>\d{{1,2}})\s?月份?(?:\s?(?P<d1>\d{{1,2}})\s?[日号號])?)?"),
    ("zh_words", rf"(?P<y2>[{_ZH_DIGIT}]{{4}})年"
     rf"(?:(?P<m2>[{_ZH_COUNT}]{{1,2}})月份?(?:(?P<d2>[{_ZH_COUNT}]{{1,3}})[日号號])?)?"),
    ("zh_day", rf"(?<![\d{_ZH_COUNT}])(?P<m3>\d{{1,2}}|[{_ZH_COUNT}]{{1,2}})\s?月"
     rf"(?:\s?(?P<d3>\d{{1,2}}|[{_ZH_COUNT}]{{1,3}})\s?[日号號]|份)"),
    ("zh_month", r"(?<![\d个個])(?P<m4>1[0-2]|[1-9])月(?!\d)"),
    ("dmy", rf"(?<![\d/])(?P<a5>\d{{1,2}})/(?P<b5>\d{{1,2}})/(?P<y5>{_YEAR})(?!\d)"),
    ("month_day", rf"\b(?P<m6>{_MONTH})\s(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s(?P<y6>{_YEAR})\b)?"),
    ("day_month", rf"\b(?P<d7>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m7>{_MONTH})"
     rf"(?:,?\s(?P<y7>{_YEAR})\b)?(?![a-z])"),
    ("month_year", rf"\b(?P<m8>{_MONTH}),?\s(?:of\s)?(?P<y8>{_YEAR})\b"),
    ("month", rf"(?<=[inofbysceutlrm]\s)(?P<m9>{_MONTH})(?![a-z\w])"),
    ("weekday", r"\b(?P<w10>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?\b"),
    ("fiscal", rf"\bFY\s?(?P<y11>{_YEAR}|\d{{2}})\b"),
    ("year", rf"(?<![\d.,$€£¥#-])(?P<y12>{_YEAR}){NO_COUNT}"),
    ("zh_weekday", r"(?<![\d一二两三四五六七八九十几每半])(?:星期|周|週|礼拜)(?P<w13>[一二三四五六日天])(?![次个期])"),
)  # fmt: skip
DATE = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _FORMS)
_KINDS = tuple(kind for kind, _ in _FORMS)


@dataclass(frozen=True, slots=True)
class When:
    """A date in its possible readings, each (year, month, day) with None for what is not said."""

    readings: tuple[Reading, ...]
    exact: bool

    @property
    def year_only(self) -> bool:
        """True when neither month nor day is said."""
        return all(month is None and day is None for _, month, day in self.readings)

    def agrees(self, other: When) -> bool:
        """True when nothing that both say is different."""
        return any(held and all(held) for held in self._held(other))

    def comparable(self, other: When) -> bool:
        """True when both say some same part: a year, say."""
        return any(self._held(other))

    def _held(self, other: When) -> list[list[bool]]:
        """Return, for each pair of readings, whether the parts that both say are the same."""
        return [
            [x == y for x, y in zip(mine, theirs, strict=True) if x is not None and y is not None]
            for mine, theirs in product(self.readings, other.readings)
        ]


def date_of(match: re.Match[str]) -> When | None:
    """Return the date that a match of a pattern with :data:`DATE` in it found, or None where it is none."""
    kind = next((kind for kind in _KINDS if match[kind] is not None), None)
    if kind is None:
        return None
    index = _KINDS.index(kind)
    part = {name[0]: value for name, value in match.groupdict().items() if name[1:] == str(index) and value}
    if kind == "dmy":
        a, b, of = int(part["a"]), int(part["b"]), int(part["y"])
        found = [(of, m, d) for m, d in ((a, b), (b, a)) if 1 <= m <= 12 and 1 <= d <= 31]
        return When(tuple(dict.fromkeys(found)), True) if found else None
    if "w" in part:
        day_of_week = (
            "一二三四五六日天".find(part["w"]) if kind == "zh_weekday" else _DAYS.index(part["w"][:3].lower())
        )
        return When(((None, None, _DAYS[min(6, day_of_week)]),), False)
    year, month, day = (_part(part.get(name)) for name in "ymd")
    if kind == "fiscal" and year is not None and year < 100:
        year += 2000
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return When(((year, month, day),), day is not None)


def _part(written: str | None) -> int | None:
    """Return the number of a year, month or day in digits, Chinese numerals or by a month's name."""
    if written is None:
        return None
    if written[0].isascii() and written[0].isalpha():
        return _MONTHS.index(written[:3].lower()) + 1
    found = number_of(written)
    return None if found is None else int(found)
