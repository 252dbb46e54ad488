"""Which rows are the sums of rows above them: what a statement draws a line under.

Read from the numbers alone: a row is a sum when in every column where it has a number it is what the rows right
above it add up to, sums among these standing for their own parts. Names need not say "total", nor any name at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

_FEWEST, _MOST_ROWS, _MOST_PARTS = 2, 400, 60
# Printed numbers are rounded one by one: each part may be off by half a unit of the last digit.
_ROUNDED = Decimal("0.5")
Amounts = Mapping[int, Decimal]


def sums_among(rows: Sequence[tuple[int, Amounts]]) -> dict[int, tuple[int, ...]]:
    """Return the rows that are sums, each with its parts from top to bottom.

    ``rows`` are the rows of a table in order, each a place and the numbers of its cells by column.
    """
    found: dict[int, tuple[int, ...]] = {}
    open_rows: list[tuple[int, Amounts]] = []
    for place, amounts in rows[:_MOST_ROWS]:
        count = _parts(open_rows[-_MOST_PARTS:], amounts)
        if count:
            found[place] = tuple(part for part, _ in open_rows[-count:])
            del open_rows[-count:]
        open_rows.append((place, amounts))
    return found


def _parts(above: Sequence[tuple[int, Amounts]], whole: Amounts) -> int:
    """Return how many rows at the end of ``above`` add up to a row; 0 for none. The fewest that do are taken."""
    columns = [column for column, amount in whole.items() if amount]
    if not columns:
        return 0
    sums = dict.fromkeys(columns, Decimal(0))
    filled = dict.fromkeys(columns, 0)
    for count, (_, amounts) in enumerate(reversed(above), 1):
        for column in columns:
            if amount := amounts.get(column):
                sums[column] += amount
                filled[column] += 1
        if max(filled.values()) >= _FEWEST and all(
            _equal(sums[column], whole[column], filled[column]) for column in columns
        ):
            return count
    return 0


def _equal(total: Decimal, printed: Decimal, parts: int) -> bool:
    """True when the printed sum is that of its parts but for their rounding; two parts must add up exactly."""
    last_digit = Decimal(1).scaleb(min(0, int(printed.as_tuple().exponent)))
    off = _ROUNDED * parts * last_digit if parts > _FEWEST else 0
    return abs(total - printed) <= off
