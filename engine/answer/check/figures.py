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

Standing = Literal["stands", "computed", "counted", "missing", "another's"]
# So much more of the statement's words (and this share of them) belongs to another value of the source.
_RATHER, _OF_ALL = 0.3, 0.12
_BETTER_NAMED, _NEAR = 0.3, 0.5
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
    statement: str, words: Sequence[Spoken], source: Source, foreign: bool = False
) -> list[Figure]:
    """Return every value of a statement with how it stands to its source.

    ``words`` are the statement's, as the source may say them.
    """
    stated = read(statement).values
    found = [_Sought(value, stated, words, source, foreign).figure() for value in stated]
    if any(one.standing == "computed" for one in found):  # "one year's rent": a factor stands nowhere either
        times = {v.text for v in stated if v.amount and v.amount.unit in ("month", "s")}
        found = [
            replace(f, standing="counted") if f.standing == "missing" and f.text in times else f
            for f in found
        ]
    return found


class _Sought:
    """A value of a statement, sought in its source."""

    def __init__(
        self, value: Stated, stated: Sequence[Stated], words: Sequence[Spoken], source: Source, foreign: bool
    ) -> None:
        self._value, self._stated, self._source = value, stated, source
        self._words = tuple(word for word in words if word.text != value.text)
        self._keys = frozenset(key for word in self._words for key in word.keys)
        least = _RATHER * (2.5 if foreign or value.when else 1)
        self._clearly = max(least, _OF_ALL * sum(word.worth for word in self._words))

    def figure(self) -> Figure:
        value, source = self._value, self._source
        held = [rival for text in source.texts if (rival := self._rival_in(text)) is not None]
        rival = "" if "" in held else next(iter(held), "")
        cells = [cell for grid in source.grids for cell in grid.cells if _holds(cell, value)]
        if cells:
            rival = self._better_named(cells)
        if rival and value.amount and follows(value.amount, self._stated, (), (), (), source.told):
            return Figure(value.text, "computed")
        if held or cells:
            return Figure(value.text, "another's" if rival else "stands", rival)
        if self._stands_beside():
            return Figure(value.text, "stands")
        if value.amount is not None:
            of_all = (self._words, source.texts, source.grids, source.told)
            if follows(value.amount, self._stated, *of_all):
                return Figure(value.text, "computed")
        rival = self._in_its_place()
        if value.amount is not None and value.amount.unit in COUNTED | {"month", "s"} and not rival:
            number = value.amount.value / value.amount.scale
            if number == number.to_integral_value() and abs(number) <= _SMALL:
                return Figure(value.text, "counted")
        return Figure(value.text, "missing", rival)

    def _like(self, other: Stated) -> bool:
        """True for a value of the same kind that the statement does not state itself."""
        return alike(self._value, other) and not any(same(one, other) for one in self._stated)

    def _nearest_in(self, text: Text) -> tuple[float, str]:
        """Return the like value of a text to which most of the statement's words belong, after how much of them."""
        parts = Parts(text)
        near = ((parts.belonging(self._words, one), one.text) for one in text.values if self._like(one))
        return max(near, key=lambda one: one[0], default=(0.0, ""))

    def _rival_in(self, text: Text) -> str | None:
        """Return the value to which the words belong rather than to the one sought, or ""; None where that is not."""
        parts = Parts(text)
        here = [parts.belonging(self._words, one) for one in text.values if same(self._value, one)]
        if not here:
            return None
        near, name = self._nearest_in(text)
        return name if near >= max(here) + self._clearly else ""

    def _named(self, cell: Cell) -> tuple[float, float]:
        """Return how far the statement names a cell's row and its column (0..1 each)."""
        return covered(cell.label.words, self._keys), covered(cell.heading.words, self._keys)

    def _others(self) -> Iterator[Cell]:
        cells = (cell for grid in self._source.grids for cell in grid.cells if cell.alone)
        return (cell for cell in cells if self._like(cell.value))

    def _better_named(self, cells: Sequence[Cell]) -> str:
        """Return a like cell that is named better, by row and by column, than any with the value, or ""."""
        named = [self._named(cell) for cell in cells]
        for other in self._others():
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

    def _in_its_place(self) -> str:
        """Return the like value of the source nearest to the statement's words, "" where none is near."""
        near = [one for text in self._source.texts if (one := self._nearest_in(text))[0] > _NEAR]
        named = ((sum(self._named(cell)), cell.text) for cell in self._others())
        near += [one for one in named if one[0] > 1]
        return max(near, key=lambda one: one[0], default=(0.0, ""))[1]


def _holds(cell: Cell, value: Stated) -> bool:
    """True where a cell has a value, as its headings tell it or as its digits alone."""
    amount = value.amount
    bare = amount is not None and amount.unit is None and amount.scale == 1
    return same(value, cell.value) or (bare and same(value, cell.bare))
