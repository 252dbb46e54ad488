"""Does an amount follow from others: as their difference, sum, product, share or growth?

Only what belongs together is reckoned with: amounts of one clause or of neighbouring ones, cells of one row or of one
column. Among many amounts some two give nearly every number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain, combinations, permutations

from engine.answer.check.amounts import Amount, agrees
from engine.answer.check.cells import Cell, Grid
from engine.answer.check.reading import Parts, Spoken, Stated, Text, covered

_NEAR = 14.0
_MOST = 32
_MONTHS_A_YEAR = 12
_TIMES = frozenset({"month", "s"})
COUNTED = frozenset({None, "piece", "people", "times", "share", "household", "vehicle", "company"})
_SHARES = frozenset({"%", "pp"})
_ONE, _SMALL = Decimal(1), Decimal("0.000001")


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
    own = [one.amount for one in values[:12] if one.amount and one.amount is not stated]
    before = [one.amount for one in told if one.amount]
    pairs = chain(permutations([*own, *before], 2), _pairs(own, words, texts, grids))
    results = (made for pair in pairs for made in _results(*pair))
    return any(_fits(stated, made) for made in chain(results, _sums(words, grids), _spans(texts)))


def _fits(stated: Amount, made: Amount) -> bool:
    """True for the same amount of the same unit: what has none is not anything's difference or share."""
    units = {stated.unit, made.unit}
    alike = len(units) == 1 or any(units <= kin for kin in (_SHARES | {None}, _TIMES, COUNTED))
    return alike and agrees(stated, made)


def _pairs(
    own: Sequence[Amount], words: Sequence[Spoken], texts: Sequence[Text], grids: Sequence[Grid]
) -> Iterator[tuple[Amount, Amount]]:
    for text in texts:
        parts = Parts(text)
        likely = sorted(text.values, key=lambda one: -parts.belonging(words, one))[:_MOST]
        there = [(one.amount, one.at) for one in likely if one.amount and one.amount.unit != "clock"]
        for (a, at), (b, other_at) in permutations(there, 2):
            if abs(at - other_at) <= (_NEAR if a.unit == b.unit else 3 * _NEAR):
                yield a, b
        for a, _ in there:  # an amount of the source and one that the statement states
            for b in own:
                yield from ((a, b), (b, a))
    for grid in grids:
        for one, other in permutations(_named_cells(grid, words), 2):
            first, second = one.value.amount, other.value.amount
            if (one.line == other.line or one.column == other.column) and first and second:
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
        yield Amount(a.value + b.value, a.unit, step, a.scale, False)
        if b.value:
            ratio = a.value / b.value
            yield Amount(ratio, "times", _SMALL, _ONE, False)
            if a.unit not in _SHARES:
                yield Amount(ratio * 100, "%", _SMALL, _ONE, False)
                yield Amount(abs(ratio - 1) * 100, "%", _SMALL, _ONE, False)
    if units & _SHARES and a.unit != b.unit:
        share, whole = (a, b) if a.unit in _SHARES else (b, a)
        yield Amount(share.value * whole.value / 100, whole.unit, whole.step / 1000, whole.scale, False)
    elif b.unit in COUNTED | {"month"} and 1 < b.value <= _MONTHS_A_YEAR and a.unit not in COUNTED | _TIMES:
        yield Amount(a.value * b.value, a.unit, a.step, a.scale, False)


def _sums(words: Sequence[Spoken], grids: Sequence[Grid]) -> Iterator[Amount]:
    """Return the sums of the columns in which a statement names cells, and of cells side by side in their rows."""
    for grid in grids:
        named = _named_cells(grid, words)
        for line in {cell.line for cell in named}:
            row = [cell for cell in named if cell.line == line]
            for start, end in combinations(range(len(row) + 1), 2):
                yield from _sum(row[start:end])
        for column in {cell.column for cell in named}:
            yield from _sum([cell for cell in grid.cells if cell.column == column])


def _sum(cells: Sequence[Cell]) -> Iterator[Amount]:
    """Return the sum of three amounts or more of one unit; nothing for others."""
    amounts = [cell.value.amount for cell in cells if cell.value.amount]
    if len(amounts) > 2 and len({(one.unit, one.scale) for one in amounts}) == 1:
        yield replace(amounts[0], value=sum((one.value for one in amounts), Decimal(0)), rounded=False)


def _spans(texts: Sequence[Text]) -> Iterator[Amount]:
    """Return the times between two dates of a text, in days and in months, and between two times of a day."""
    for text in texts:
        dates = [value.when.readings[0] for value in text.values if value.when]
        for (y1, m1, d1), (y2, m2, d2) in combinations(dates[:20], 2):
            if not (isinstance(m1, int) and isinstance(m2, int)):
                continue
            years = y2 - y1 if isinstance(y1, int) and isinstance(y2, int) else 0
            months = abs(years * _MONTHS_A_YEAR + m2 - m1)
            for more in (0, 1):
                yield Amount(Decimal(months + more), "month", _ONE, _ONE, False)
            if months == 0 and isinstance(d1, int) and isinstance(d2, int):
                yield Amount(Decimal(abs(d2 - d1) * 86400), "s", _ONE, _ONE, False)
        clocks = [value.amount for value in text.values if value.amount and value.amount.unit == "clock"]
        for a, b in permutations(clocks[:12], 2):
            yield Amount((b.value - a.value) % 1440 * 60, "s", _ONE, _ONE, False)
