"""Numbers with their units, told apart and compared: "7.5 %" is 7.5%, "120 km" is 120km, $5 is 5 USD.

However they are written: €248k and "EUR 248,000", 1.96万元 and 19,600元, 二十五公里 and 25 km, "two months" and 2个月.
A whole date is a quantity, too: "17 June 2024" is 2024年6月17日.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from engine.enrich.units import Measure, measure_of
from engine.retrieve.written_numbers import (
    CHINESE_NUMBER,
    DATE,
    NUMBER_WORDS,
    date_forms,
    date_of,
    number_forms,
    number_of,
)
from engine.structure.numbering import CHINESE

DATE_UNIT = "date"
_QUANTITY = re.compile(
    r"(?P<before>US\$|HK\$|[$€£¥]|\b[A-Z]{3}(?=\s?\d)|人民币|[百千万]分之)?\s?"
    rf"(?:(?<![\w.])(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)|(?<=之)(?P<share>\d+(?:\.\d+)?|{CHINESE_NUMBER})"
    rf"|(?<=[\u4e00-\u9fff])(?P<inside>(?<!第)\d+(?:,\d{{3}})*(?:\.\d+)?)|(?<![第\w])(?P<words>{NUMBER_WORDS})(?![\w-])"
    rf"|(?<![第{CHINESE}])(?P<han>{CHINESE_NUMBER}))"
    r"(?P<after>\s?(?:%|‰|°[CF]?|[A-Za-zμ]{1,10}[23]?(?:/[A-Za-z]{1,6})?|[\u4e00-\u9fff]{1,4})"
    r"(?:\s(?:[a-z]{2,8}|[A-Z]{3}\b))?)?",
    re.IGNORECASE,
)
_SHARES = {"百分之": Measure("%"), "千分之": Measure("‰"), "万分之": Measure("‱")}
# A distance is a speed where an hour stands before or after it: 时速不得超过二十五公里, 25公里/小时.
_AN_HOUR_BEFORE = re.compile(r"(?:时速|每小时)[^，。；,;\d]{0,8}$")
_AN_HOUR_AFTER = re.compile(
    r"\s?(?:公里|千米|英里|米|[a-z]+)\s?(?:[/每]小?时|(?:per|an) hour\b)", re.IGNORECASE
)
_DISTANCES = frozenset({"km", "m", "mi"})
# As words of a sentence these follow numbers, too.
_NO_UNIT = frozenset({"a", "as", "at", "in", "is", "of", "on", "or", "to", "the", "and", "for", "by", "us"})
# 两个 and 二次 are said of anything; 北京2022年 is a time, not an amount.
_COUNTED = frozenset({"piece", "times", "people"})
_LONGEST_YEARS = 1000


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit: ``value`` with the scale multiplied in, ``unit`` canonical ("%", "km", "USD").

    ``number`` is the number as it was written, without separators of thousands. Of a date the unit is "date" and the
    value its eight digits.
    """

    value: Decimal
    unit: str
    number: str

    def equals(self, other: Quantity) -> bool:
        """True when both are the same amount of the same thing, however they were written.

        Who asks for "25 km" may mean a speed of 25 km/h.
        """
        units = {self.unit, other.unit}
        return self.value == other.value and (len(units) == 1 or units == {self.unit, self.unit + "/h"})

    @property
    def forms(self) -> list[str]:
        """The ways in which a text may write the number."""
        if self.unit == DATE_UNIT:
            digits = f"{self.value:f}"
            return date_forms(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        return list(dict.fromkeys([self.number, *number_forms(self.value)]))


# One question has several searches, which find much the same texts.
@lru_cache(maxsize=2048)
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """Return the numbers of a text that have a unit, in order; bare numbers are left out."""
    plain = unicodedata.normalize("NFKC", text)
    found: list[tuple[int, Quantity]] = []
    for match in DATE.finditer(plain):
        year, month, day = date_of(match)
        digits = Decimal(year * 10**4 + month * 100 + day)
        found.append((match.start(), Quantity(digits, DATE_UNIT, match[0].strip())))
    # The parts of a date are no amounts of days and months.
    plain = DATE.sub(lambda match: " " * len(match[0]), plain)
    for match in _QUANTITY.finditer(plain):
        written = next(group for group in match.group("number", "share", "inside", "words", "han") if group)
        value, measure = number_of(written), _measure(match["before"], match["after"] or "")
        if value is None or measure is None or measure.unit is None:
            continue
        if (match["words"] or match["han"]) and measure.unit in _COUNTED:
            continue
        if match["inside"] and measure.unit == "year" and value > _LONGEST_YEARS:
            continue
        unit = measure.unit + ("/h" if measure.unit in _DISTANCES and _is_speed(plain, match) else "")
        amount = (value * measure.scale).normalize()
        found.append((match.start(), Quantity(amount, unit, written.replace(",", ""))))
    return tuple(quantity for _, quantity in sorted(found, key=lambda one: one[0]))


def _is_speed(text: str, match: re.Match[str]) -> bool:
    if _AN_HOUR_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
        return True
    return _AN_HOUR_AFTER.match(text, match.start("after")) is not None


def _measure(before: str | None, after: str) -> Measure | None:
    """The measure of what stands around a number; the longest reading of what follows it counts."""
    after = after.strip()
    if share := _SHARES.get(before or ""):
        return share
    words = after.split()
    readings = [after, *(words[:1] if len(words) > 1 else [])]
    if after and "\u4e00" <= after[0] <= "\u9fff":
        readings = [after[:length] for length in range(len(words[0]), 0, -1)]
    if before and (money := measure_of(before)) is not None and money.money:
        for reading in readings:
            if reading and (measure := measure_of(before + " " + reading)):
                return measure
        return money
    for reading in readings:
        if reading and reading.casefold() not in _NO_UNIT and (measure := measure_of(reading)):
            return measure
    return None
