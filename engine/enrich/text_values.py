"""Values in Chinese and English text, in forms that can be compared: amounts with unit and scale, and dates.

1.2 million and 1,200 thousand, 3.2万 and 32000, 1.5 km and 1,500 m, 百分之五 and 5% are the same amounts. A rounded
amount ("about 1.2 million") agrees with the exact one that it stands for.

2024-05-01, May 1, 2024 and 二〇二四年五月一日 are the same date. A date may be known in part (a year, a month with its
year, a day without a year) and may have two readings (03/04/2024). Two dates agree when some reading of one contradicts
no part of one of the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from engine.enrich.units import Measure, measure_of
from engine.language import compiled, composed, patterns
from engine.structure.numbering import LARGE_WORDS, NUMBER_WORDS, number_of

_TOLD = patterns("values")
_WORDS = {"number_words": NUMBER_WORDS, "large_words": LARGE_WORDS, **{k: _TOLD[k] for k in ("classifiers", "units")}}
NUMBER = composed(_TOLD["number"], _WORDS)
_AFTER_WORD = re.compile(r"\s?(?:%|‰|°[CF]?|[A-Za-zμ²³/.$€]{1,14}(?!\d\d)(?:\s[A-Za-z.]{1,12}){0,2})")
_AFTER_ZH = re.compile(r"\s?[\u4e00-\u9fff%℃㎡]{1,6}")
# As words of a sentence these follow numbers, too.
_NO_UNIT = frozenset("a as at in is of on or to the and for by us it all are per each b".split())
_ROUNDED = compiled(_TOLD["rounded"])
_METRIC: dict[str, tuple[str, Decimal]] = {
    name: (base, Decimal(factor)) for base, names in _TOLD["metric"].items() for name, factor in names.items()
}
# A month has so many seconds.
_SECONDS_A_MONTH = (Decimal(28 * 86400), Decimal(31 * 86400))
# Said in years or weeks a time is no more rounded than in months or days.
_TIMES = frozenset({"year", "week", "day"})
_MORE, _TENTHS = re.compile(_TOLD["more"]), re.compile(_TOLD["tenths"])
# 三个小时 are three hours.
_EACH = "个個"
_HUNDREDTHS = frozenset(["cent", "cents", "pence", "penny"])


@dataclass(frozen=True, slots=True)
class Amount:
    """``value`` with scale and metric prefix multiplied in; ``unit`` None for a bare number.

    ``step`` is the worth of the last digit written, ``scale`` what it was written in, ``rounded`` that the
    text says so.
    """

    value: Decimal
    unit: str | None = None
    step: Decimal = Decimal(1)
    scale: Decimal = Decimal(1)
    rounded: bool = False

    @property
    def measured(self) -> bool:
        """True for a share, money, or another amount with a unit or scale."""
        return self.unit is not None or self.scale != 1


def base_of(unit: str | None) -> tuple[str | None, Decimal]:
    """Return the unit that amounts in a unit are kept in, and how many of it one is: ("Wh", 1000000) for MWh."""
    return _METRIC.get(unit or "", (unit, Decimal(1)))


def agrees(stated: Amount, there: Amount) -> bool:
    """True where an amount may be said for one that stands elsewhere: the same, rounded, or in another scale."""
    if (stated.unit in _HUNDREDTHS) != (there.unit in _HUNDREDTHS):  # 0.2 euros are 20 cents
        return stated.value * 100 == there.value or there.value * 100 == stated.value
    units = {stated.unit, there.unit}
    if units == {"month", "s"}:
        months, seconds = sorted((stated, there), key=lambda one: one.unit or "")
        least, most = _SECONDS_A_MONTH
        return months.value * least <= seconds.value <= months.value * most
    alike = None in units or len(units) == 1 or units == {"%", "pp"}
    return alike and _is_nearly(stated, there)


def _is_nearly(stated: Amount, there: Amount) -> bool:
    """True where a number is, but for its sign, the other one or that rounded."""
    a, apart = abs(stated.value), abs(abs(stated.value) - abs(there.value))
    if not apart or not a:
        return not apart
    cut = stated.step > there.step and apart <= stated.step / 2
    return cut or (stated.rounded and apart < max(_trailing(stated), a / 50))


def amount_of(match: re.Match[str]) -> tuple[Amount, int] | None:
    """Return the amount that a match of a pattern with :data:`NUMBER` in it begins, and where it ends."""
    text, end = match.string, match.end()
    digits = (match["digits"] or "").lstrip()
    before = re.sub(r"[\d.,\s−-]", "", digits)
    plain = re.sub(r"[^\d.]", "", digits) or match["zh_percent"] or match["zh_count"] or match["spelled"]
    value = number_of(plain)
    if value is None:
        return None
    value *= -1 if digits[:1] in ("-", "−") else 1
    decimals = re.search("[.点點](.+)", plain)
    step = Decimal(1).scaleb(-len(decimals[1]) if decimals else 0)
    rounded = bool(_ROUNDED.search(text[max(0, match.start() - 14) : match.start()]))
    if match["zh_percent"]:
        whole = number_of(match[0][0]) or Decimal(10000)
        of = Decimal(100) / whole  # 千分之一 is never rounded from 万分之五
        step *= min(of, of * of, Decimal(1))
        return Amount(value * of, "%", step, rounded=rounded), end
    if _TENTHS.match(text, end):
        return Amount(value * 10, "%", step, rounded=rounded), end + 1
    more = _MORE.match(text, end)
    measure, taken = _measure(before, text, more.end() if more else end)
    end = more.end() if more and measure != Measure() else end
    rounded = rounded or bool(more or _MORE.match(text, end + taken))
    scale = Decimal(measure.scale)
    base, factor = base_of(measure.unit)
    step *= scale if measure.unit in _TIMES else scale * factor
    return Amount((value * scale * factor).normalize(), base, step, scale * factor, rounded), end + taken


def _measure(before: str, text: str, at: int) -> tuple[Measure, int]:
    """Return the measure of what stands around a number, and how much of what follows it takes."""
    for after in _readings(text, at):
        word = after.strip().rstrip(".")
        last = word.rpartition(" ")[2].casefold()
        if not word or last in _NO_UNIT:
            continue
        measure = measure_of(f"{before} {word.lstrip(_EACH) or word}" if before else word.lstrip(_EACH) or word)
        if measure is not None:
            return measure, len(after)
    return (before and measure_of(before)) or Measure(), 0


def _readings(text: str, at: int) -> list[str]:
    """Return what follows a number as it may be read for a unit, the longest first."""
    if match := _AFTER_ZH.match(text, at):
        return [match[0][:length] for length in range(len(match[0]), 0, -1)]
    match = _AFTER_WORD.match(text, at)
    words = match[0].split(" ") if match else []
    return [" ".join(words[:count]) for count in range(len(words), 0, -1) if "".join(words[:count])]


def _trailing(amount: Amount) -> Decimal:
    """Return the worth of the last digit that is no zero."""
    exponent = (amount.value / amount.scale).normalize().as_tuple().exponent
    return max(amount.step, amount.scale * Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0))


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_FORMS = tuple(composed(form, _TOLD["parts"]) for form in _TOLD["dates"]["forms"])
DATE = "|".join(re.sub(r"\?P<\w>", "?:", form) for form in _FORMS)
_COMPILED = tuple(re.compile(form, re.I) for form in _FORMS)
# A number, or what is not said.
Part = int | None


@dataclass(frozen=True, slots=True)
class When:
    """A date in its possible readings, each (year, month, day) with None for what is not said."""

    readings: tuple[tuple[Part, Part, Part], ...]

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
    """Return the date at the beginning of a match of :data:`DATE`, or None where it is none."""
    forms = (form.match(match.string, match.start()) for form in _COMPILED)
    part = next((form.groupdict() for form in forms if form), {})
    year, month, day, a, b = (_part(part.get(name)) for name in "ymdab")
    told = [(month, day)] if a is None else [(a, b), (b, a)]
    readings = dict.fromkeys((year, *one) for one in told if _may_be(*one))
    return When(tuple(readings)) if readings else None


def _may_be(month: Part, day: Part) -> bool:
    """Tell whether there are such a month and day, as far as they are said."""
    return (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)


def _part(written: str | None) -> int | None:
    """Return the number of a year, month or day in digits, Chinese numerals or by a month's name."""
    if written is None:
        return None
    if written[0].isascii() and written[0].isalpha():
        return _MONTHS.index(written[:3].lower()) + 1
    found = number_of(written)
    return None if found is None else int(found)
