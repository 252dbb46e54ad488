"""Does an amount follow from others: as their difference, sum, product, share or growth?

Only what belongs together is reckoned with: amounts of one clause or of neighbouring ones, cells of one row or of one
column. Among many amounts some two give nearly every number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, permutations, product

from engine.answer.check.amounts import Amount, agrees
from engine.answer.check.cells import Cell, Grid
from engine.answer.check.reading import Spoken, Stated, Text
from engine.answer.check.spoken import Parts, covered

_NEAR = 14.0
_MOST = 32
_MONTHS_A_YEAR = 12
_TIMES = frozenset({"month", "s"})
COUNTED = frozenset({None, "piece", "people", "times", "share", "household", "vehicle", "company"})
_SHARES = frozenset({"%", "pp"})


def follows(
    stated: Amount,
    values: Sequence[Stated],
    words: Sequence[Spoken],
    texts: Sequence[Text],
    grids: Sequence[Grid],
    told: Sequence[Stated] = (),
) -> bool:
    """True where an amount follows from amounts of the texts and grids, or from the statement's other ``values``.

    ``told`` are values that statements before it told rightly.
    """
    if stated.unit == "clock":
        return False
    values = [value for value in values if value.amount is not stated]
    own = [one.amount for one in (*values[:12], *told) if one.amount]
    if any(_fits(stated, made) for pair in permutations(own, 2) for made in _results(*pair)):
        return True
    for first, second in _pairs(values, words, texts, grids):
        if any(_fits(stated, made) for made in _results(first, second)):
            return True
    return any(_fits(stated, made) for made in _sums(words, grids)) or any(
        _fits(stated, made) for made in _spans(texts)
    )


def _fits(stated: Amount, made: Amount) -> bool:
    """True for the same amount of the same unit: what has none is not anything's difference or share."""
    units = {stated.unit, made.unit}
    alike = len(units) == 1 or units <= _SHARES | {None} or units <= _TIMES or units <= COUNTED
    return alike and agrees(stated, made)


def _pairs(
    values: Sequence[Stated], words: Sequence[Spoken], texts: Sequence[Text], grids: Sequence[Grid]
) -> Iterator[tuple[Amount, Amount]]:
    own = [value.amount for value in values if value.amount]
    yield from permutations(own[:12], 2)
    for text in texts:
        parts = Parts(text)
        likely = sorted(text.values, key=lambda one: -parts.belonging(words, one))[:_MOST]
        there = [(one.amount, one.at) for one in likely if one.amount and one.amount.unit != "clock"]
        for (a, at), (b, other_at) in permutations(there, 2):
            if abs(at - other_at) <= (_NEAR if a.unit == b.unit else 3 * _NEAR):
                yield a, b
        for (a, _), stated in product(
            there, own
        ):  # an amount of the source and one that the statement states
            yield a, stated
            yield stated, a
    for grid in grids:
        for one, other_cell in permutations(_named_cells(grid, words), 2):
            first, second = one.value.amount, other_cell.value.amount
            if (one.line == other_cell.line or one.column == other_cell.column) and first and second:
                yield first, second


def _named_cells(grid: Grid, words: Sequence[Spoken]) -> list[Cell]:
    """Return the cells of the rows that a statement names best; those of all rows where it names none."""
    keys = frozenset(key for word in words for key in word.keys)
    amounts = [cell for cell in grid.cells if cell.value.amount is not None]
    lines = {cell.line: covered(cell.label.words, keys) for cell in amounts}
    named = {line for line, share in lines.items() if share >= 0.5}
    if not named and len(lines) * 6 > _MOST:
        return []
    last = max(lines, default=-1)  # the total, which shares are of
    return [cell for cell in amounts if not named or cell.line in named or cell.line == last][:_MOST]


def _results(a: Amount, b: Amount) -> Iterator[Amount]:
    """Return what two amounts give: difference, sum, share, growth, multiple, product."""
    units = {a.unit, b.unit}
    step = max(a.step, b.step)
    if len(units) == 1 and a.value > b.value:
        yield Amount(a.value - b.value, a.unit, step, a.scale, False)
    if len(units) == 1 and not units & _TIMES:
        unit = a.unit
        yield Amount(a.value + b.value, unit, step, a.scale, False)
        if b.value:
            ratio = a.value / b.value
            small = Decimal("0.000001")
            if unit not in _SHARES:
                yield Amount(ratio * 100, "%", small, Decimal(1), False)
                yield Amount(abs(ratio - 1) * 100, "%", small, Decimal(1), False)
            yield Amount(ratio, "times", small, Decimal(1), False)
    if units & _SHARES and a.unit != b.unit:
        share, whole = (a, b) if a.unit in _SHARES else (b, a)
        yield Amount(share.value * whole.value / 100, whole.unit, whole.step / 1000, whole.scale, False)
    elif b.unit in COUNTED | {"month"} and 1 < b.value <= _MONTHS_A_YEAR and a.unit not in COUNTED | _TIMES:
        yield Amount(a.value * b.value, a.unit, a.step, a.scale, False)
    if a.unit not in (None, "clock") and a.unit not in _SHARES and b == a:
        yield Amount(a.value * _MONTHS_A_YEAR, a.unit, a.step, a.scale, False)


def _sums(words: Sequence[Spoken], grids: Sequence[Grid]) -> Iterator[Amount]:
    """Return the sums of the columns in which a statement names cells, and of cells side by side in their rows."""
    for grid in grids:
        named = _named_cells(grid, words)
        for row in {cell.line: [c for c in named if c.line == cell.line] for cell in named}.values():
            for start, end in combinations(range(len(row) + 1), 2):
                cells = [cell.value.amount for cell in row[start:end] if cell.value.amount]
                if end - start > 2 and len({(one.unit, one.scale) for one in cells}) == 1:
                    summed = sum((one.value for one in cells), Decimal(0))
                    yield replace(cells[0], value=summed, rounded=False)
        for column in {cell.column for cell in named}:
            amounts = [c.value.amount for c in grid.cells if c.column == column and c.value.amount]
            if len(amounts) > 2:
                yield replace(
                    amounts[0], value=sum((one.value for one in amounts), Decimal(0)), rounded=False
                )


def _spans(texts: Sequence[Text]) -> Iterator[Amount]:
    """Return the times between two dates of a text, in days and in months, and between two times of a day."""
    one = Decimal(1)
    for text in texts:
        dates = [reading for value in text.values if value.when for reading in value.when.readings[:1]]
        for (y1, m1, d1), (y2, m2, d2) in combinations(dates[:20], 2):
            if not (isinstance(m1, int) and isinstance(m2, int)):
                continue
            years = y2 - y1 if isinstance(y1, int) and isinstance(y2, int) else 0
            days = (d2 if isinstance(d2, int) else 1) - (d1 if isinstance(d1, int) else 1)
            months = abs(years * _MONTHS_A_YEAR + m2 - m1)
            for more in (0, 1):
                yield Amount(Decimal(months + more), "month", one, one, False)
            if months == 0 and isinstance(d1, int) and isinstance(d2, int):
                yield Amount(Decimal(abs(days) * 86400), "s", one, one, False)
        clocks = [value.amount for value in text.values if value.amount and value.amount.unit == "clock"]
        for a, b in permutations(clocks[:12], 2):
            minutes = (b.value - a.value) % 1440
            yield Amount(minutes * 60, "s", one, one, False)
