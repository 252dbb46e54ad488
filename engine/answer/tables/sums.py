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
    # One column, in plain floating point, shows where it may be; only there all are added up exactly.
    first = columns[0]
    printed, unit = float(whole[first]), 10.0 ** min(0, int(whole[first].as_tuple().exponent))
    total = 0.0
    for count, (_, amounts) in enumerate(reversed(above), 1):
        total += float(amounts.get(first) or 0)
        if abs(total - printed) <= count * unit and _all_add_up(above[-count:], whole, columns):
            return count
    return 0


def _all_add_up(parts: Sequence[tuple[int, Amounts]], whole: Amounts, columns: Sequence[int]) -> bool:
    """True when every column adds up, and one of them from several parts."""
    added = {
        column: [amount for _, amounts in parts if (amount := amounts.get(column))] for column in columns
    }
    several = max(map(len, added.values())) >= _FEWEST
    return several and all(
        _equal(sum(own, Decimal(0)), whole[column], len(own)) for column, own in added.items()
    )


def _equal(total: Decimal, printed: Decimal, parts: int) -> bool:
    """True when the printed sum is that of its parts but for their rounding; two parts must add up exactly."""
    last_digit = Decimal(1).scaleb(min(0, int(printed.as_tuple().exponent)))
    off = _ROUNDED * parts * last_digit if parts > _FEWEST else 0
    return abs(total - printed) <= off
