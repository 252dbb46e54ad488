"""What a table cell says: a number with unit and scale, a date, nothing, or text.

"1,234.5", "(1,234)", "7.5 %", "$4.2m", "3.2亿元", "12/31/2023", "2023年第一季度", "—". Full-width forms are read
like plain ones; marks of footnotes behind a number are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from engine.enrich.units import MONEY_SCALES, Measure, measure_of, normal
from engine.language import compiled, composed, patterns
from engine.structure.numbering import value_of

CellType = Literal["empty", "number", "percent", "currency", "date", "time", "text"]
NUMERIC: frozenset[str] = frozenset({"number", "percent", "currency"})
LONGEST = 80
_CELLS = patterns("values")["cells"]
_EMPTY = frozenset(_CELLS["empty"])
_NUMBER = re.compile(
    r"""(?P<digits>
        \d{1,3}(?:,\d{3})+(?:\.\d+)?            # 1,234.5
      | \d{1,3}(?:,\d{2})*,\d{3}(?:\.\d+)?      # 12,34,567
      | \d{1,3}(?:\.\d{3})+,\d+                 # 1.234,5
      | \d{1,3}(?:\.\d{3}){2,}                  # 1.234.567
      | \d{1,3}(?:['\s]\d{3})+(?:[.,]\d+)?(?!\d) # 1 234,5
      | \d+,\d{1,2}(?![\d,])                    # 3,5
      | \d+(?:\.\d+)?
      | \.\d+
    )(?P<power>[eE][+-]?\d{1,3}|\s?[×x*]\s?10\s?(?:\^|\*\*)?\s?[+-−]?\d{1,3})?""",
    re.VERBOSE,
)
# A bound or an estimate in front, and a spread behind, leave the number what it is.
_LEAD = re.compile(r"(?:<=|>=|<|>|≤|≥|≈|~|约为?|大于|小于|超过|approx\.?|ca\.?)?\s*", re.IGNORECASE)
_SIGN = "+-−–－"
_FOOTNOTE = re.compile(r"(?:\s*(?:[*†‡§#]+|\[\w{1,3}\]|\s\(\d{1,2}\)|\([a-z]\)))+$")
_SPREAD = re.compile(r"^\s*(?:±|\+/-)\s*[\d.,]+\s*%?|^\s+[(\[][-+−]?[\d.,]+\s*%?[)\]]$")
_CURRENCY = re.compile(
    r"(?:US|HK|NT|CN|CA|AU|JP|[ACSR])?[$¥]|[€£₹₩₽₪]|Rs\.?|[A-Z]{3}|人民币|美元|港元|港币|欧元|英镑|日元"
)
_MONEY_SCALES = MONEY_SCALES | {"k": 10**3}
_ATTACHED_SCALES = {"K": 10**3, "k": 10**3, "B": 10**9, "bn": 10**9}

# "10/07/2025" beside "25/09/2025" is of July: a first part over twelve tells the order.
_TWO_PARTS = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)")
_LAST_MONTH = 12
_MONTHS = {name: number for number, names in enumerate(_CELLS["months"], 1) for name in names.split()}
_PARTS = {**_CELLS["parts"], "month": "|".join(sorted(_MONTHS, key=len, reverse=True))}
_DATES = tuple(compiled(composed(form, _PARTS)) for form in _CELLS["dates"])
_TIME = re.compile(r"\d{1,3}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]\.?m\.?)?", re.IGNORECASE)
# What begins with a zero or is longer than any amount is a number in name only: a code, a phone, a card.
_CODE = re.compile(r"0+[1-9]\d*|\d{15,}")
# "3M" beside "40K" is an amount.
_LETTERED_CODE, _SCALES = re.compile(r"\d{1,3}([A-Za-z])"), frozenset("KMBkmb")
_PLAIN_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")


@dataclass(frozen=True, slots=True)
class CellValue:
    """A cell's value.

    ``value`` is the number as written, with its sign; :attr:`amount` is multiplied by ``scale`` (1000000 for
    "$4.2m"). ``unit`` is canonical ("%", "USD", "ms"). ``date`` is ISO 8601, as exact as written: "2023",
    "2023-04", "2023-04-30", "2023-04-30 09:15", and "2023-Q1".
    """

    dtype: CellType
    value: Decimal | None = None
    unit: str | None = None
    scale: int = 1
    date: str | None = None

    @property
    def amount(self) -> Decimal | None:
        """The number with its scale multiplied in; a percentage stays as written."""
        return None if self.value is None else self.value * self.scale

    @property
    def numeric(self) -> bool:
        """True for numbers, percentages and money."""
        return self.dtype in NUMERIC


EMPTY = CellValue("empty")
TEXT = CellValue("text")


@lru_cache(maxsize=1 << 14)
def parse_cell(text: str, day_first: bool = False) -> CellValue:
    """Return what a cell says. "3/4/2023" is the 4th of March unless ``day_first``. Never raises."""
    plain = normal(text) if len(text) <= 4 * LONGEST else ""
    if not text.strip() or (plain and plain.casefold().strip("$€£¥ ") in _EMPTY):
        return EMPTY
    if len(plain) > LONGEST or not any(map(str.isdigit, plain)) or _CODE.fullmatch(plain):
        return TEXT
    return _date(plain, day_first) or _number(plain) or TEXT


def column_values(cells: Sequence[str]) -> list[CellValue]:
    """Return what the cells of a column say: "7A" beside "7B" and "7C" is a code and no amperes."""
    codes = _are_codes(cells)
    return [TEXT if codes and cell.strip() else parse_cell(cell) for cell in cells]


def _are_codes(cells: Sequence[str]) -> bool:
    """True where all cells are a short number with one letter, not the same one and not all of them a scale."""
    found = [_LETTERED_CODE.fullmatch(cell.strip()) for cell in cells if cell.strip()]
    letters = {match[1] for match in found if match}
    return all(found) and len(letters) > 1 and not letters <= _SCALES


def is_year(text: str) -> bool:
    """True for a bare year, 1500 to 2199, a footnote mark aside."""
    return bool(_PLAIN_YEAR.fullmatch(_FOOTNOTE.sub("", normal(text[:40]))))


def _number(text: str) -> CellValue | None:
    text = _FOOTNOTE.sub("", text).strip()
    head = _Head(_LEAD.sub("", text, count=1))
    match = _NUMBER.match(head.rest)
    if match is None:
        return None
    tail = _SPREAD.sub("", head.rest[match.end() :], count=1)
    # The closing bracket may stand in a cell of its own ("(1,234" | ")"), or before a percent sign.
    tail = tail.replace(")", "", 1).strip() if head.bracket else tail.strip()
    measure = _tail_measure(tail, head.unit, attached=not head.rest[match.end() : match.end() + 1].isspace())
    value = _decimal(match["digits"], match["power"])
    if measure is None or value is None:
        return None
    unit = measure.unit or head.unit
    return CellValue(numeric_type(unit), -value if head.negative else value, unit, measure.scale)


def numeric_type(unit: str | None, bare: CellType = "number") -> CellType:
    """Return what a figure of a unit is; ``bare`` where the unit does not tell."""
    return "percent" if unit == "%" else "currency" if Measure(unit).money else bare


class _Head:
    """What stands before the digits: brackets, signs and a currency, in any order."""

    def __init__(self, text: str) -> None:
        self.negative = self.bracket = False
        self.unit: str | None = None
        while text:
            if text[0] == "(" and not self.bracket:
                self.negative = self.bracket = True
            elif text[0] in _SIGN and not self.negative:
                self.negative = text[0] != "+"
            elif self.unit is None and (currency := _currency_at(text)):
                self.unit, length = currency
                text = text[length - 1 :]
            elif not text[0].isspace():
                break
            text = text[1:]
        self.rest = text


def _currency_at(text: str) -> tuple[str | None, int] | None:
    """Return the currency that a text begins with, and how many letters name it."""
    match = _CURRENCY.match(text)
    money = measure_of(match[0]) if match else None
    return (money.unit, match.end()) if match and money and money.money else None


def _tail_measure(tail: str, money: str | None, attached: bool) -> Measure | None:
    """Return the measure of what follows the digits, or None when it is no unit and the cell is text."""
    if tail in ("", "+", "-"):
        return Measure()
    if money and (scale := _MONEY_SCALES.get(tail.casefold())):
        return Measure(None, scale)
    if attached and tail in _ATTACHED_SCALES:
        return Measure(None, _ATTACHED_SCALES[tail])
    return measure_of(f"{money} {tail}") if money else measure_of(tail)


def _decimal(digits: str, power: str | None) -> Decimal | None:
    digits = re.sub(r"['\s]", "", digits)
    if "," in digits and "." in digits:
        decimal_comma = digits.rfind(",") > digits.rfind(".")
        digits = digits.replace(".", "").replace(",", ".") if decimal_comma else digits.replace(",", "")
    elif "," in digits:
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}", digits)
        digits = digits.replace(",", "") if grouped else digits.replace(",", ".")
    elif digits.count(".") > 1:
        digits = digits.replace(".", "")
    value = Decimal(digits)
    if power:
        exponent = int(re.sub(r"^[eE]|^\s?[×x*]\s?10\s?(?:\^|\*\*)?\s?", "", power).replace("−", "-"))
        if abs(exponent) > 300:
            return None
        value = value.scaleb(exponent)
    return value


def _date(text: str, day_first: bool) -> CellValue | None:
    match = next(filter(None, (pattern.fullmatch(text) for pattern in _DATES)), None)
    if match is None:
        return CellValue("time") if _TIME.fullmatch(text) else None
    iso = _iso(match.groupdict(), day_first)
    return CellValue("date", date=iso) if iso else None


def _iso(parts: dict[str, str | None], day_first: bool) -> str | None:
    year = _year(parts.get("y") or parts.get("y2") or "")
    if quarter := parts.get("q"):
        return f"{year}-Q{value_of(quarter)}"
    month, day = _month_and_day(parts, day_first)
    iso = "-".join([year, *(f"{part:02d}" for part in (month, day) if part)]) if month <= _LAST_MONTH else None
    return f"{iso}{_clock(parts)}" if iso and day else iso


def _year(written: str) -> str:
    """Return a year with its century: 49 is 2049, 50 is 1950."""
    return ("20" if int(written) < 50 else "19") + written if len(written) == 2 else written


def _clock(parts: Mapping[str, str | None]) -> str:
    """Return the time of day behind a date, "" for none and for midnight, which workbooks give to a mere day."""
    hour, half = int(parts.get("hour") or 0), (parts.get("half") or "").casefold()
    hour = hour % 12 + 12 * (half == "p") if half else hour
    minute = int(parts.get("minute") or 0)
    return f" {hour:02d}:{minute:02d}" if hour or minute else ""


def _month_and_day(parts: dict[str, str | None], day_first: bool) -> tuple[int, int]:
    """Return the month and day of a date, 0 for what it does not say."""
    month, day, first, second = (int(parts.get(name) or 0) for name in ("m", "d", "a", "b"))
    if first:
        later = day_first or parts["s"] == "." or first > 12
        return (second, first) if later and second <= 12 else (first, second)
    return _MONTHS[str(parts["mon"]).casefold()] if parts.get("mon") else month, day


def say_day_first(texts: Sequence[str]) -> bool:
    """True where the first parts of dates are days: one is over twelve, and no second part is."""
    pairs = [(int(found[1]), int(found[3])) for found in map(_TWO_PARTS.match, texts) if found]
    return any(a > _LAST_MONTH for a, _ in pairs) and all(b <= _LAST_MONTH for _, b in pairs)
