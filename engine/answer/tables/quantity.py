"""Exact arithmetic over quantities: a decimal number with its unit and scale.

Only like is added to like: dollars with dollars, percentages with percentages. Numbers without a unit are
taken for the other's unit only where both stand in one table (its unit is printed once). Scales differ freely:
1.2 billion less 300 million is 900 million.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

from engine.answer.tables.query import RefusedOperationError
from engine.enrich.cell_values import CellValue
from engine.enrich.units import SCALE_WORDS, SCALE_WORDS_ZH, unit_in_words

_PRECISION = Context(prec=40)
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "JPY": "¥", "INR": "₹", "KRW": "₩"}
_UNITS_ZH = {"CNY": "元", "USD": "美元", "HKD": "港元", "EUR": "欧元", "people": "人"}


class UnitsDifferError(RefusedOperationError):
    """Values of different units cannot be added, subtracted or compared."""

    def __init__(self, first: str | None, second: str | None) -> None:
        super().__init__("units_differ", first=first or "–", second=second or "–")


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value`` as written, its ``unit`` ("%", "USD", "ms" or None) and what one stands for (``scale``)."""

    value: Decimal
    unit: str | None = None
    scale: int = 1

    @property
    def amount(self) -> Decimal:
        """The value with its scale multiplied in."""
        return self.value * self.scale

    def __neg__(self) -> Quantity:
        return replace(self, value=-self.value)


def quantity_of(cell: CellValue) -> Quantity | None:
    """Return a numeric cell's quantity, or None."""
    return Quantity(cell.value, cell.unit, cell.scale) if cell.numeric and cell.value is not None else None


def aligned(quantities: Sequence[Quantity]) -> list[Quantity]:
    """Return the quantities in one unit and scale, that of the first which states one. Raises UnitsDifferError."""
    units = list(dict.fromkeys(q.unit for q in quantities if q.unit))
    if len(units) > 1 or ("%" in units and any(q.unit is None for q in quantities)):
        raise UnitsDifferError(units[0], units[1] if len(units) > 1 else None)
    unit = units[0] if units else None
    scale = min((q.scale for q in quantities), default=1)
    with localcontext(_PRECISION):
        like = (unit, scale)
        return [q if (q.unit, q.scale) == like else Quantity(q.value * q.scale / scale, *like) for q in quantities]


def total(quantities: Sequence[Quantity]) -> Quantity:
    """Return the sum of one or more. Raises UnitsDifferError."""
    same = aligned(quantities)
    with localcontext(_PRECISION):
        return replace(same[0], value=sum((q.value for q in same), Decimal(0)))


def mean(quantities: Sequence[Quantity]) -> Quantity:
    """Return the arithmetic mean of one or more. Raises UnitsDifferError."""
    summed = total(quantities)
    return replace(summed, value=_PRECISION.divide(summed.value, len(quantities)))


def difference(a: Quantity, b: Quantity) -> Quantity:
    """Return a - b; of two percentages, percentage points. Raises UnitsDifferError."""
    return total([a, -b])


def quotient(a: Quantity, b: Quantity) -> Quantity:
    """Return a / b: a plain number for like units, else of unit "a/b". Raises UsageError for b = 0."""
    if b.value == 0:
        raise RefusedOperationError("divided_by_zero")
    with localcontext(_PRECISION):
        ratio = a.amount / b.amount
    return Quantity(ratio, None if a.unit == b.unit or None in (a.unit, b.unit) else f"{a.unit}/{b.unit}")


def percent_change(old: Quantity, new: Quantity) -> Quantity:
    """Return (new - old) / old in percent. Raises UnitsDifferError, UsageError for old = 0."""
    before, after = aligned([old, new])
    if before.value == 0:
        raise RefusedOperationError("change_from_zero")
    with localcontext(_PRECISION):
        return Quantity((after.value - before.value) / before.value * 100, "%")


def as_percent(share: Quantity) -> Quantity:
    """Return a plain ratio as a percentage. Raises UnitsDifferError for anything but a plain ratio."""
    if share.unit is not None:
        raise UnitsDifferError(share.unit, "%")
    with localcontext(_PRECISION):
        return Quantity(share.amount * 100, "%")


def written(value: Decimal, places: int | None = None) -> str:
    """Return a number with thousands separators, rounded half up to ``places`` decimals where given.

    A number too small for them keeps four significant digits. Zeros at the end are left out.
    """
    with localcontext(_PRECISION):
        exponent = value.as_tuple().exponent
        if places is not None and isinstance(exponent, int) and -exponent > places:
            small = value != 0 and abs(value) < Decimal(1).scaleb(-places)
            digits = value.adjusted() - 3 if small else -places
            value = value.quantize(Decimal(1).scaleb(digits), ROUND_HALF_UP)
        text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def shown(quantity: Quantity, chinese: bool = False, places: int = 2, near: str = "") -> str:
    """Return a quantity for readers: "-1,234.5", "$4.2 million", "12.5%", "3.2万元"; ``near`` is its header."""
    words = SCALE_WORDS_ZH if chinese else SCALE_WORDS
    if quantity.scale not in words:
        quantity = Quantity(quantity.amount, quantity.unit)
    number, unit = written(quantity.value, places), quantity.unit
    if unit == "%":
        return f"{number}%"
    scale = words.get(quantity.scale, "")
    said = unit_in_words(unit, chinese, abs(quantity.value) != 1 or bool(scale), near) if unit else ""
    if chinese:
        space = " " if said.isascii() and said else ""
        return f"{number}{scale}{_UNITS_ZH.get(unit or '', f'{space}{said}')}"
    if unit in _SYMBOLS and not number.startswith("-"):
        return f"{_SYMBOLS[unit]}{number} {scale}".rstrip()
    return " ".join(part for part in (number, scale, said) if part)
