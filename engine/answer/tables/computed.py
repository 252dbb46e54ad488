"""A value that operators computed, with the cells it rests on as citations."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from engine.answer.check.locate import find_folded
from engine.answer.numbers import scaled_form, written_numbers
from engine.model import Citation


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
    numbers = written_numbers(value)
    if not numbers:
        return bool(value.strip()) and bool(find_folded(value, text))
    wanted = {form for written, normal in numbers for form in (normal, scaled_form(value, written)) if form}
    for written, normal in written_numbers(text):
        stated = {normal, scaled_form(text, written)}
        if stated & wanted or any(_rounds(normal, one) for one in wanted):
            return True
    return False


def _rounds(stated: str, exact: str) -> bool:
    """True when a number of three digits or more is another one rounded to its places."""
    try:
        short, full = Decimal(stated), Decimal(exact)
    except InvalidOperation:
        return False
    places = short.as_tuple().exponent
    if not isinstance(places, int) or len(short.as_tuple().digits) < 3:
        return False
    return full.is_finite() and full.quantize(Decimal(1).scaleb(places)) == short
