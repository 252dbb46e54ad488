"""Numbers with their units, told apart and compared: "7.5 %" is 7.5%, "120 km" is 120km, $5 is 5 USD."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from engine.enrich.units import Measure, measure_of

_QUANTITY = re.compile(
    r"(?P<before>US\$|HK\$|[$€£¥])?\s?(?<![\w.])(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?P<after>\s?(?:%|‰|°[CF]?|[A-Za-zμ]{1,10}(?:/[A-Za-z]{1,6})?|[\u4e00-\u9fff]{1,4})"
    r"(?:\s[a-z]{2,8})?)?"
)
# As words of a sentence these follow numbers, too.
_NO_UNIT = frozenset({"a", "as", "at", "in", "is", "of", "on", "or", "to", "the", "and", "for", "by", "us"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit: ``value`` with the scale multiplied in, ``unit`` canonical ("%", "km", "USD").

    ``number`` is the number as it was written, without separators of thousands.
    """

    value: Decimal
    unit: str
    number: str

    def equals(self, other: Quantity) -> bool:
        """True when both are the same amount of the same thing, however they were written."""
        return self.value == other.value and self.unit == other.unit


def quantities_in(text: str) -> list[Quantity]:
    """Return the numbers of a text that have a unit, in order; bare numbers are left out."""
    found = []
    for match in _QUANTITY.finditer(unicodedata.normalize("NFKC", text)):
        measure = _measure(match["before"], match["after"] or "")
        if measure is None or measure.unit is None:
            continue
        number = match["number"].replace(",", "")
        found.append(Quantity((Decimal(number) * measure.scale).normalize(), measure.unit, number))
    return found


def _measure(before: str | None, after: str) -> Measure | None:
    """The measure of what stands around a number; the longest reading of what follows it counts."""
    after = after.strip()
    words = after.split()
    readings = [after, *(words[:1] if len(words) > 1 else [])]
    if after and "\u4e00" <= after[0] <= "\u9fff":
        readings = [after[:length] for length in range(len(words[0]), 0, -1)]
    if before:
        for reading in readings:
            if reading and (measure := measure_of(before + " " + reading)):
                return measure
        return measure_of(before)
    for reading in readings:
        if reading and reading.casefold() not in _NO_UNIT and (measure := measure_of(reading)):
            return measure
    return None
