"""A value that operators computed, with the cells it rests on as citations."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from engine.answer.check.amounts import Amount, agrees
from engine.answer.check.locate import find_folded
from engine.answer.check.reading import read
from engine.model import Citation

# A number of so many digits may stand for one that it is rounded from.
_ROUNDED_FROM = 3


@dataclass(frozen=True, slots=True)
class Computed:
    """What was computed: its values as written, a sentence about it, and a citation for every cell.

    The citations are not numbered yet (``n`` is 0); each snippet stands word for word in its table's text.
    """

    values: list[str]
    text: str
    citations: list[Citation] = field(default_factory=list)

    def stated_in(self, text: str) -> bool:
        """True when a text states all values, in the same digits, rounded, or written with a scale."""
        return all(_stated(value, text) for value in self.values)


def _stated(value: str, text: str) -> bool:
    wanted = _numbers(value)
    if not wanted:
        return bool(value.strip()) and bool(find_folded(value, text))
    said = _numbers(text)
    return any(
        agrees(one, other) and (one.value == other.value or digits >= _ROUNDED_FROM)
        for one, digits in said
        for other, _ in wanted
    )


def _numbers(text: str) -> list[tuple[Amount, int]]:
    """Return the amounts of a text, each with how many digits it is written in; a bare year may be one, too."""
    found = []
    for one in read(text).values:
        digits = sum(map(str.isdigit, one.text))
        if one.amount is not None:
            found.append((one.amount, digits))
        elif one.when is not None and one.text.isdecimal():
            found.append((Amount(Decimal(one.text), None, Decimal(1), Decimal(1), False), digits))
    return found
