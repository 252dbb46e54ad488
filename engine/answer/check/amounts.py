"""Amounts in text: a number with its unit and scale, in digits or words, that can be compared.

1.2 million and 1,200 thousand, 3.2万 and 32000, 1.5 km and 1,500 m, 百分之五 and 5% are the same amounts.
A rounded amount ("about 1.2 million") agrees with the exact one that it stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from engine.enrich.units import Measure, measure_of
from engine.structure.written_numbers import LARGE_WORDS, NUMBER_WORDS, number_of

_CLASSIFIER = (
    "个個名位次种種项項座条條家岁歲人天年只隻支部所倍元米吨噸成届屆期场場篇层層章款卷册套台辆艘架颗枚间間户戶亩畝"
    "%点點万萬亿億"
)
# A unit that begins with a character which by itself follows no count.
_UNIT_ZH = "公[里斤顷頃尺分吨噸升]|[毫厘分][米克升]|平方|立方|小时|小時|分[钟鐘]|周|星期|日|月|季度|[美欧日港]元|英镑"
_SIGN = r"(?:(?<![\w\d)])[-−](?=[\d$€£¥]))?"
NUMBER = (
    r"(?P<clock>(?<![\d:.])(?P<hour>[01]?\d|2[0-3])(?:(?:[:：.](?P<minute>[0-5]\d))?\s?[ap]\.?m\b\.?"
    r"|[:：](?P<minutes>[0-5]\d)(?![\d:]))|(?P<zh_hour>\d{1,2}|[一二三四五六七八九十]{1,3})点[钟整]?(?![\d零一二三四五六七八九]))"
    rf"|(?P<digits>{_SIGN}(?:(?:(?:US|HK|NT|[ACSR])?\$|[€£¥]|\b(?:RMB|CNY|USD|EUR|GBP|HKD|CHF|JPY|AUD|CAD|SGD|KRW|INR|TWD|SEK|NOK|DKK|PLN|BRL|RUB))\s?)?"
    r"\d+(?:,\d{3})*(?:\.\d+)?)(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"|百分之(?P<zh_percent>[零〇一二两三四五六七八九十百]+(?:[点點][零〇一二三四五六七八九]+)?)"
    rf"|(?P<zh_count>[一二两兩三四五六七八九十百千][零〇一二两兩三四五六七八九十百千万萬亿億]*)(?=[{_CLASSIFIER}]|{_UNIT_ZH})"
    # "One" and "a" are hardly ever counts.
    rf"|(?P<spelled>\b(?:{NUMBER_WORDS}|one(?=\s(?:{LARGE_WORDS})))(?:\s(?:{LARGE_WORDS}))*\b)"
)
_AFTER_WORD = re.compile(r"\s?(?:%|‰|°[CF]?|[A-Za-zμ²³/.$€]{1,14}(?:\s[A-Za-z.]{1,12}){0,2})")
_AFTER_ZH = re.compile(r"\s?[\u4e00-\u9fff%℃㎡]{1,6}")
# As words of a sentence these follow numbers, too.
_NO_UNIT = frozenset("a as at in is of on or to the and for by us it all are per each m s t b k".split())
_ROUNDED = re.compile(
    r"(?:\b(?:about|around|nearly|almost|approximately|approx\.|roughly|circa|some|over|more than|up to|under"
    r"|less than|at least)|[~≈]|[约約近逾]|超过|超過|将近|不到|不足|至少|达到?)\s?$",
    re.I,
)
_METRIC: dict[str, tuple[str, Decimal]] = {
    name: (base, Decimal(factor))
    for base, names in {
        "m": {"km": "1000", "m": "1", "cm": "0.01", "mm": "0.001", "μm": "0.000001", "nm": "0.000000001"},
        "g": {"t": "1000000", "kg": "1000", "g": "1", "mg": "0.001", "μg": "0.000001"},
        "L": {"L": "1", "mL": "0.001", "m³": "1000"},
        "m²": {"m²": "1", "km²": "1000000", "ha": "10000"},
        "s": {"week": "604800", "day": "86400", "h": "3600", "min": "60", "s": "1", "ms": "0.001"},
        "month": {"year": "12", "month": "1"},
        "W": {"W": "1", "kW": "1000", "MW": "1000000", "GW": "1000000000"},
        "Wh": {"Wh": "1", "kWh": "1000", "MWh": "1000000", "GWh": "1000000000"},
        "Hz": {"Hz": "1", "kHz": "1000", "MHz": "1000000", "GHz": "1000000000"},
    }.items()
    for name, factor in names.items()
}
# A month has so many seconds.
_MONTH = (Decimal(28 * 86400), Decimal(31 * 86400))
# Said in years or weeks a time is no more rounded than in months or days.
_TIMES = frozenset({"year", "week", "day"})
_HALF_DAY = 720
_HUNDREDTHS = frozenset(["cent", "cents", "pence", "penny"])


@dataclass(frozen=True, slots=True)
class Amount:
    """``value`` with scale and metric prefix multiplied in; ``unit`` None for a bare number.

    ``step`` is the worth of the last digit written, ``scale`` what it was written in, ``rounded`` that the
    text says so.
    """

    value: Decimal
    unit: str | None
    step: Decimal
    scale: Decimal
    rounded: bool

    @property
    def measured(self) -> bool:
        """True for a share, money, or another amount with a unit or scale."""
        return (self.unit is not None and self.unit not in ("ordinal", "clock")) or self.scale != 1


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
        return months.value * _MONTH[0] <= seconds.value <= months.value * _MONTH[1]
    if len(units) == 2 and None not in units and sum("/" in str(unit) for unit in units) == 1:
        units = {str(unit).partition("/")[0] for unit in units}  # a price a share is said as a price
    if None not in units and len(units) == 2 and units != {"%", "pp"}:
        return False
    a, b = abs(stated.value), abs(there.value)
    if stated.unit == "clock":
        return there.unit == "clock" and a % _HALF_DAY == b % _HALF_DAY
    apart = abs(a - b)
    if not apart:
        return True
    if stated.step > there.step and apart <= stated.step / 2 and a:
        return True
    return stated.rounded and apart < max(trailing(stated), a / 50) and a > 0


def amount_of(match: re.Match[str]) -> tuple[Amount, int] | None:
    """Return the amount that a match of a pattern with :data:`NUMBER` in it begins, and where it ends."""
    text, end = match.string, match.end()
    rounded = bool(_ROUNDED.search(text[max(0, match.start() - 14) : match.start()]))
    one = Decimal(1)
    if match["clock"]:
        hours, minutes = (
            number_of(match["hour"] or match["zh_hour"]),
            match["minute"] or match["minutes"] or 0,
        )
        return (
            (Amount(hours * 60 + int(minutes), "clock", one, one, False), end) if hours is not None else None
        )
    if match["ordinal"]:
        return Amount(Decimal(re.sub(r"\D", "", match["digits"])), "ordinal", one, one, False), end
    digits = (match["digits"] or "").lstrip()
    before = re.sub(r"[\d.,\s−-]", "", digits)
    plain = re.sub(r"[^\d.]", "", digits) or match["zh_percent"] or match["zh_count"] or match["spelled"]
    value = number_of(plain)
    if value is None:
        return None
    value *= -1 if digits[:1] in ("-", "−") else 1
    step = one.scaleb(-len(re.split("[.点點]", plain)[-1])) if re.search("[.点點]", plain) else one
    if match["zh_percent"]:
        return Amount(value, "%", step, one, rounded), end
    measure, taken = _measure(before, text, end)
    unit, scale = (measure.unit, Decimal(measure.scale)) if measure else (None, one)
    base, factor = base_of(unit)
    step *= scale if unit in _TIMES else scale * factor
    return Amount((value * scale * factor).normalize(), base, step, scale * factor, rounded), end + taken


def _measure(before: str, text: str, at: int) -> tuple[Measure | None, int]:
    """Return the measure of what stands around a number, and how much of what follows it takes."""
    for after in _readings(text, at):
        word = after.strip().rstrip(".")
        last = word.rpartition(" ")[2].casefold()
        if not word or (last in _NO_UNIT and not (len(last) == 1 and last in "msgkt")):
            continue
        measure = measure_of(f"{before} {word}" if before else word)
        if measure is not None:
            return measure, len(after)
    return (measure_of(before), 0) if before else (None, 0)


def _readings(text: str, at: int) -> list[str]:
    """Return what follows a number as it may be read for a unit, the longest first."""
    if match := _AFTER_ZH.match(text, at):
        return [match[0][:length] for length in range(len(match[0]), 0, -1)]
    match = _AFTER_WORD.match(text, at)
    words = match[0].split(" ") if match else []
    return [" ".join(words[:count]) for count in range(len(words), 0, -1) if "".join(words[:count])]


def trailing(amount: Amount) -> Decimal:
    """Return the worth of the last digit that is no zero."""
    scale = amount.scale or Decimal(1)
    exponent = (amount.value / scale).normalize().as_tuple().exponent
    return max(amount.step, scale * Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0))
