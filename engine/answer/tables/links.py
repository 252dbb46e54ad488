"""What a question says of a relation: the values, columns, periods and numbers that its units name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from engine.answer.tables.lexis import Unit
from engine.answer.tables.query import Comparison
from engine.answer.tables.relation import Relation
from engine.answer.tables.values import ValueIndex
from engine.answer.tables.vocabulary import Cue, asking_forms, cues, number_words
from engine.index.tokenize import tokens

_MOST_RESULTS = 100


@dataclass(frozen=True, slots=True)
class Covering:
    """What explains some of a question's units: their places."""

    covered: frozenset[int]

    @property
    def start(self) -> int:
        """The first of them."""
        return min(self.covered)


def units_of(*links: Covering) -> frozenset[int]:
    """Return the units that any of them explains."""
    return frozenset().union(*(one.covered for one in links), frozenset())


@dataclass(frozen=True, slots=True)
class ValueLink(Covering):
    """A value that a question names: its texts by column, and the question's units that name it.

    ``share`` is the share of the value that the question says: 1 when it says all of it. ``negated`` is true where the
    question excludes it ("not open", 除销售部外).
    """

    texts: dict[int, tuple[str, ...]]
    share: float
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ColumnLink(Covering):
    """Columns that a question speaks of with the same units, and the share of their headers that it says.

    ``leaf`` are the units that say the lowest level of the headers; ``in_other_words`` where they only mean the same.
    """

    columns: tuple[int, ...]
    share: float
    leaf: frozenset[int] = frozenset()
    in_other_words: bool = False


@dataclass(frozen=True, slots=True)
class NumberLink(Covering):
    """A number or date of a question that is compared with: its units, the comparison, and the value for the query.

    ``scaled`` is true where the question says a scale or unit ("5万元"): else it is meant as the cells are written.
    ``said`` are the characters of the question that compare, (0, 0) where none do.
    """

    comparison: Comparison
    value: str
    is_date: bool
    scaled: bool = False
    said: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class PeriodLink(Covering):
    """A year (or a year over two, "2018/2019") that a question says and that headers of columns name."""

    years: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """A question and its units."""

    question: str
    units: tuple[Unit, ...]

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The units' comparable forms."""
        return tuple(unit.form for unit in self.units)

    @cached_property
    def limit(self) -> tuple[int, int]:
        """How many are asked for ("top 3", "three largest", 前五名) and the place that says it; (0, -1) for none."""
        ends = (*cues(self.question, "descending"), *cues(self.question, "ascending"))
        words = number_words() if ends else {}
        for place, (form, start, end) in enumerate(self.units):
            beside = any(0 <= start - cue.end <= 1 or 0 <= cue.start - end <= 1 for cue in ends)
            if beside and form.isdigit() and int(form) <= _MOST_RESULTS:
                return int(form), place
        return next(((words[form], i) for i, form in enumerate(self.forms) if form in words), (0, -1))

    @cached_property
    def said(self) -> frozenset[int]:
        """The units that carry a question and name nothing."""
        told = frozenset(i for i, unit in enumerate(self.units) if unit.form in asking_forms())
        return told | self.at(*cues(self.question, "asking"))

    def at(self, *cues: Cue) -> frozenset[int]:
        """Return the units of phrases."""
        units = enumerate(self.units)
        return frozenset(i for i, u in units if any(u.start < c.end and c.start < u.end for c in cues))

    def weight(self, units: Iterable[int]) -> float:
        """Return how much of the question's content units are worth together."""
        return sum(self.units[i].weight for i in units)

    def written(self, run: Sequence[int]) -> str:
        """Return a run of units as the question writes it."""
        return self.question[self.units[run[0]].start : self.units[run[-1]].end]


@dataclass(frozen=True)
class Links(Asked):
    """All that a question says of a relation.

    ``unsettled_negation`` is true where it excludes something that is no value of the relation.
    """

    values: tuple[ValueLink, ...]
    columns: tuple[ColumnLink, ...]
    periods: tuple[PeriodLink, ...]
    numbers: tuple[NumberLink, ...]
    operations: tuple[Cue, ...]
    context: frozenset[int] = field(default_factory=frozenset)
    unsettled_negation: bool = False

    @cached_property
    def comparing(self) -> frozenset[int]:
        """The units that compare with the numbers and dates that were found."""
        return self.at(*(Cue(one.comparison, *one.said) for one in self.numbers))

    @cached_property
    def relative(self) -> frozenset[int]:
        """The units that point at other rows ("after", "other than"), which a number or date must explain."""
        return self.at(*cues(self.question, "relative"))

    @property
    def linked(self) -> frozenset[int]:
        """The units that values, columns, periods and numbers explain."""
        return units_of(*self.values, *self.columns, *self.periods, *self.numbers)

    @property
    def held(self) -> float:
        """The share (0..1) of what a question names that the table holds: names count twice, its title half."""
        found = units_of(*self.values, *self.columns, *self.periods)
        weights = [one.weight * (1 + (self.question[one.start].isupper() and one.start > 0)) for one in self.units]
        every = [i for i in range(len(weights)) if i not in self.said]
        known = sum(weights[i] / (1 + (i not in found)) for i in every if i in found | self.context)
        return known / (sum(weights[i] for i in every) or 1.0)

    @property
    def unexplained(self) -> list[int]:
        """The units that name something which is not in the table, nor in what it stands under."""
        numbers = {i for i, unit in enumerate(self.units) if unit.form in number_words()}
        known = self.linked | self.said | self.context | self.comparing | numbers | self.at(*self.operations)
        return [i for i in range(len(self.units)) if i not in known]


class LinkedRelation(NamedTuple):
    """A relation with the index of its values and what it stands under (title, sections, caption, sheet)."""

    relation: Relation
    values: ValueIndex
    context: tuple[str, ...]

    @property
    def named(self) -> frozenset[str]:
        """The terms of what it stands under and of its columns."""
        relation = self.relation
        return frozenset(tokens("\n".join([*self.context, relation.sheet, relation.caption, *relation.called])))
