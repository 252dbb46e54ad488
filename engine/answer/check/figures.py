"""Do the values of a statement stand in its source, of the same thing, or follow from what stands there?

A value stands there when it is the same amount (in any unit of its kind and scale, rounded as it is written), the
same date as far as both are known, or the same code. It is another's when a like value of the source stands nearer to
the statement's words; in a table, when another cell is better named by the statement. A value that stands nowhere may
follow: the difference, sum, share or growth of values of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.answer.check.cells import Cell, Grid
from engine.answer.check.derived import COUNTED, follows
from engine.answer.check.reading import Parts, Spoken, Stated, Text, alike, covered, read, same
from engine.answer.check.wording import sides_of

Standing = Literal["stands", "computed", "counted", "missing", "another's"]
# So much more of the statement's words (and this share of them) belongs to another value of the source.
_RATHER, _OF_ALL = 0.3, 0.12
_BETTER_NAMED = 0.3
_UP = ("increas", "上升", "增长", "盈利", "profit")
# A count up to this may be the statement's own counting of what the source names.
_SMALL = 12


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

    def keys(self) -> frozenset[str]:
        """Every key of the source."""
        grids = (grid.whole.keys for grid in self.grids)
        return self.titles.keys.union(*(text.keys for text in self.texts), *grids)


def figures_of(
    statement: str, words: Sequence[Spoken], source: Source, foreign: bool = False, derive: bool = True
) -> list[Figure]:
    """Return every value of a statement with how it stands to its source.

    ``words`` are the statement's, as the source may say them; ``derive`` where what follows counts, too.
    """
    stated = read(statement).values
    found = [_figure(value, stated, words, source, foreign, derive) for value in stated]
    if any(one.standing == "computed" for one in found):  # "one year's rent": a factor stands nowhere either
        times = {v.text for v in stated if v.amount and v.amount.unit in ("month", "s")}
        found = [
            replace(f, standing="counted") if f.standing == "missing" and f.text in times else f
            for f in found
        ]
    return found


def _holds(cell: Cell, value: Stated) -> bool:
    """True where a cell has a value, as its headings tell it or as its digits alone."""
    if same(value, cell.value):
        return True
    amount = value.amount
    return amount is not None and amount.unit is None and amount.scale == 1 and same(value, cell.bare)


def _in_table(value: Stated, grid: Grid) -> bool:
    """True where a table has a date or a share whose place in it cannot be told: columns may have been read as one."""
    exact = value.amount is None or value.amount.unit == "%"
    return exact and any(same(value, one) for one in grid.whole.values)


def _figure(
    value: Stated,
    stated: Sequence[Stated],
    words: Sequence[Spoken],
    source: Source,
    foreign: bool,
    derive: bool,
) -> Figure:
    around = tuple(word for word in words if word.text != value.text)
    found = False
    rival = ""
    for text in source.texts:
        here = [one for one in text.values if same(value, one)]
        found |= bool(here)
        other = _nearer(value, here, stated, around, text, foreign)
        if here and not other:
            rival = ""
            break
        rival = rival or other
    cells = [(cell, grid) for grid in source.grids for cell in grid.cells if _holds(cell, value)]
    if cells:
        better = _better_named(value, [cell for cell, _ in cells], stated, around, source.grids)
        better = better or _other_way(value, [cell for cell, _ in cells], around)
        found, rival = True, better
    if rival and derive and value.amount and follows(value.amount, stated, (), (), (), source.told):
        return Figure(value.text, "computed")
    if found:
        return Figure(value.text, "another's" if rival else "stands", rival)
    asked = value.when is not None and any(same(value, one) for one in source.asked.values)
    titled = any(same(value, one) for one in source.titles.values)
    if asked or titled or any(_in_table(value, grid) for grid in source.grids):
        return Figure(value.text, "stands")
    if (
        derive
        and value.amount is not None
        and follows(value.amount, stated, around, source.texts, source.grids, source.told)
    ):
        return Figure(value.text, "computed")
    rival = _in_its_place(value, stated, around, source)
    if value.amount is not None and value.amount.unit in COUNTED | {"month", "s"} and not rival:
        number = value.amount.value / value.amount.scale
        if number == number.to_integral_value() and abs(number) <= _SMALL:
            return Figure(value.text, "counted")
    return Figure(value.text, "missing", rival)


def _nearer(
    value: Stated,
    here: Sequence[Stated],
    stated: Sequence[Stated],
    words: Sequence[Spoken],
    text: Text,
    foreign: bool,
) -> str:
    """Return a like value of a text to which the statement's words belong rather than to the value itself, or ""."""
    if not here:
        return ""
    parts = Parts(text)
    own = max(parts.belonging(words, one) for one in here)
    best, name = 0.0, ""
    for other in text.values:
        if alike(value, other) and not any(same(one, other) for one in stated):
            score = parts.belonging(words, other)
            if score > best:
                best, name = score, other.text
    least = _RATHER * (2.5 if foreign or value.when else 1)
    return name if best >= own + max(least, _OF_ALL * sum(word.worth for word in words)) else ""


def _better_named(
    value: Stated,
    cells: Sequence[Cell],
    stated: Sequence[Stated],
    words: Sequence[Spoken],
    grids: Sequence[Grid],
) -> str:
    """Return a like cell that the statement names better, by row and by column, than any with its value, or ""."""
    named = [_named(cell, words) for cell in cells]
    for other in _others(value, stated, grids):
        row, column = _named(other, words)
        if named and all(row >= r and column >= c and row + column > r + c + _BETTER_NAMED for r, c in named):
            return other.text
    return ""


def _other_way(value: Stated, cells: Sequence[Cell], words: Sequence[Spoken]) -> str:
    """Return a cell that is below zero where the statement says that its value rose or was gained, or ""."""
    below = next((c for c in cells if c.value.amount and c.value.amount.value < 0), None)
    if below is None or value.amount is None or value.amount.value < 0:
        return ""
    sides = {side for word in words for key in word.keys for side in sides_of(key)}
    ups = {side for term in _UP for side in sides_of(term)}
    downs = {(pair, 1 - side) for pair, side in ups}
    return below.text if sides & ups and not sides & downs else ""


def _others(value: Stated, stated: Sequence[Stated], grids: Sequence[Grid]) -> Iterator[Cell]:
    for grid in grids:
        for cell in grid.cells:
            if cell.alone and alike(value, cell.value) and not any(same(one, cell.value) for one in stated):
                yield cell


def _named(cell: Cell, words: Sequence[Spoken]) -> tuple[float, float]:
    """Return how far a statement names a cell's row and its column (0..1 each)."""
    keys = frozenset(key for word in words for key in word.keys)
    return covered(cell.label.words, keys), covered(cell.heading.words, keys)


def _in_its_place(value: Stated, stated: Sequence[Stated], words: Sequence[Spoken], source: Source) -> str:
    """Return the like value of the source nearest to the statement's words, "" where none is near."""
    best, name = 0.5, ""
    for text in source.texts:
        parts = Parts(text)
        for other in text.values:
            if alike(value, other) and not any(same(one, other) for one in stated):
                near = parts.belonging(words, other)
                if near > best:
                    best, name = near, other.text
    for cell in _others(value, stated, source.grids):
        row, column = _named(cell, words)
        if row + column > max(1.0, best):
            best, name = row + column, cell.text
    return name
