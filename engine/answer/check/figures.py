"""Do the values of a statement stand in its source, of the same thing, or follow from what stands there?

A value stands there when it is the same amount (in any unit of its kind and scale, rounded as it is written), the
same date as far as both are known, or the same code. It is another's when a like value of the source stands nearer to
the statement's words; in a table, when another cell is better named by the statement. A value that stands nowhere may
follow: the difference, sum, share or growth of values of the source. Only what belongs together is reckoned with:
amounts of one clause or of neighbouring ones, cells of one row or of one column. Among many amounts some two give
nearly every number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, combinations, permutations
from typing import Literal

from engine.answer.check.cells import Cell, Grid
from engine.answer.check.reading import Spoken, Stated, Text, alike, covered, read, same
from engine.answer.check.values import Amount, agrees

Standing = Literal["stands", "computed", "counted", "missing", "another's"]
# So much more of the statement's words belongs to another value of the source.
_RATHER = 0.8
_BETTER_NAMED, _IN_PLACE = 0.3, 0.5
# A count up to this may be the statement's own counting of what the source names.
_COUNTED_UP_TO = 12
# Amounts are reckoned with that stand so near each other, and the likeliest of a text or table.
_NEAR, _LIKELIEST = 14.0, 32
_MONTHS_A_YEAR = 12
_TIMES, _SHARES = frozenset({"month", "s"}), frozenset({"%", "pp"})
_COUNTED = frozenset({None, "piece", "people", "times", "share", "household", "vehicle", "company"})
_EXACT = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value of a statement and how it stands to the source; ``rival`` is what the source has in its place."""

    text: str
    standing: Standing
    rival: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """What a statement is held against: texts with their titles, and the grids of tables.

    ``asked`` is the question: a date that it names may be repeated, which a table without its headings does not have.
    ``told`` are values that statements before told rightly.
    """

    texts: tuple[Text, ...]
    grids: tuple[Grid, ...]
    titles: Text
    asked: Text
    told: tuple[Stated, ...] = ()


def figures_of(statement: str, words: Sequence[Spoken], source: Source) -> list[Figure]:
    """Return every value of a statement with how it stands to its source.

    ``words`` are the statement's, as the source may say them.
    """
    stated = read(statement).values
    found = [_Sought(value, stated, words, source).figure() for value in stated]
    if any(one.standing == "computed" for one in found):  # "one year's rent": a factor stands nowhere either
        times = {v.text for v in stated if v.amount and v.amount.unit in _TIMES}
        found = [
            replace(f, standing="counted") if f.standing == "missing" and f.text in times else f
            for f in found
        ]
    return found


class _Sought:
    """A value of a statement, sought in its source."""

    def __init__(
        self, value: Stated, stated: Sequence[Stated], words: Sequence[Spoken], source: Source
    ) -> None:
        self._value, self._stated, self._source = value, stated, source
        self._words = tuple(word for word in words if word.text != value.text)
        self._keys = frozenset(key for word in self._words for key in word.keys)

    def figure(self) -> Figure:
        value, source = self._value, self._source
        held = [rival for text in source.texts if (rival := self._rival_in(text)) is not None]
        rival = "" if "" in held else next(iter(held), "")
        cells = [cell for grid in source.grids for cell in grid.cells if same(value, cell.value)]
        if cells:
            rival = self._better_named(cells)
        if rival and value.amount and _follows(value.amount, self._stated, source.told):
            return Figure(value.text, "computed")
        if held or cells:
            return Figure(value.text, "another's" if rival else "stands", rival)
        if self._stands_beside():
            return Figure(value.text, "stands")
        of_all = (source.told, self._words, source.texts, source.grids)
        if value.amount is not None and _follows(value.amount, self._stated, *of_all):
            return Figure(value.text, "computed")
        near, rival = max(map(self._nearest_in, source.texts), default=(0.0, ""))
        if value.amount is not None and value.amount.unit in _COUNTED | _TIMES and near < _IN_PLACE:
            number = value.amount.value / value.amount.scale
            if number == number.to_integral_value() and abs(number) <= _COUNTED_UP_TO:
                return Figure(value.text, "counted")
        return Figure(value.text, "missing", rival if near >= _IN_PLACE else "")

    def _like(self, other: Stated) -> bool:
        """True for a value of the same kind that the statement does not state itself."""
        return alike(self._value, other) and not any(same(one, other) for one in self._stated)

    def _nearest_in(self, text: Text) -> tuple[float, str]:
        """Return how much of the statement's words belongs to a like value of a text, at most, and that value."""
        likes = ((text.belonging(self._words, one), one.text) for one in text.values if self._like(one))
        return max(likes, default=(0.0, ""))

    def _rival_in(self, text: Text) -> str | None:
        """Return the value to which the words belong rather than to the one sought, or ""; None where that is not."""
        here = [text.belonging(self._words, one) for one in text.values if same(self._value, one)]
        if not here:
            return None
        near, name = self._nearest_in(text)
        return name if near >= max(here) + _RATHER else ""

    def _named(self, cell: Cell) -> tuple[float, float]:
        """Return how far the statement names a cell's row and its column (0..1 each)."""
        return covered(cell.label.words, self._keys), covered(cell.heading.words, self._keys)

    def _better_named(self, cells: Sequence[Cell]) -> str:
        """Return a like cell that is named better, by row and by column, than any with the value, or ""."""
        named = [self._named(cell) for cell in cells]
        others = (cell for grid in self._source.grids for cell in grid.cells if cell.alone)
        for other in (cell for cell in others if self._like(cell.value)):
            row, column = self._named(other)
            if all(row >= r and column >= c and row + column > r + c + _BETTER_NAMED for r, c in named):
                return other.text
        return ""

    def _stands_beside(self) -> bool:
        """True where question or titles have the value, or a table a date or share whose place cannot be told.

        Columns may have been read as one.
        """
        value, source = self._value, self._source
        beside = [source.titles.values, source.asked.values if value.when is not None else ()]
        if value.amount is None or value.amount.unit == "%":
            beside += [grid.whole.values for grid in source.grids]
        return any(same(value, one) for values in beside for one in values)


def _follows(
    stated: Amount,
    values: Sequence[Stated],
    told: Sequence[Stated],
    words: Sequence[Spoken] = (),
    texts: Sequence[Text] = (),
    grids: Sequence[Grid] = (),
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
    return any(_fits(stated, made) for made in chain(results, _sums(words, grids)))


def _fits(stated: Amount, made: Amount) -> bool:
    """True for the same amount of the same unit: what has none is not anything's difference or share."""
    units = {stated.unit, made.unit}
    alike = len(units) == 1 or any(units <= kin for kin in (_SHARES | {None}, _TIMES, _COUNTED))
    return alike and agrees(stated, made)


def _pairs(
    own: Sequence[Amount], words: Sequence[Spoken], texts: Sequence[Text], grids: Sequence[Grid]
) -> Iterator[tuple[Amount, Amount]]:
    for text in texts:
        likely = sorted(text.values, key=lambda one: -text.belonging(words, one))[:_LIKELIEST]
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
    if not named and len(lines) * 6 > _LIKELIEST:
        return []
    last = max(lines, default=-1)  # the total, which shares are of
    return [cell for cell in amounts if not named or cell.line in named or cell.line == last][:_LIKELIEST]


def _results(a: Amount, b: Amount) -> Iterator[Amount]:
    """Return what two amounts give: difference, sum, share, growth, multiple, product."""
    units = {a.unit, b.unit}
    step = max(a.step, b.step)
    if len(units) == 1 and a.value > b.value:
        yield Amount(a.value - b.value, a.unit, step, a.scale)
    if len(units) == 1 and not units & _TIMES:
        yield Amount(a.value + b.value, a.unit, step, a.scale)
        if b.value:
            ratio = a.value / b.value
            yield Amount(ratio, "times", _EXACT)
            if a.unit not in _SHARES:
                yield Amount(ratio * 100, "%", _EXACT)
                yield Amount(abs(ratio - 1) * 100, "%", _EXACT)
    if units & _SHARES and a.unit != b.unit:
        share, whole = (a, b) if a.unit in _SHARES else (b, a)
        yield Amount(share.value * whole.value / 100, whole.unit, whole.step / 1000, whole.scale)
    elif b.unit in _COUNTED | {"month"} and 1 < b.value <= _MONTHS_A_YEAR and a.unit not in _COUNTED | _TIMES:
        yield Amount(a.value * b.value, a.unit, a.step, a.scale)


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
