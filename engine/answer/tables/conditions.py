"""What rows must fulfil: a question's values, numbers and dates as conditions on the columns of a relation."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from engine.answer.tables.lexis import forms
from engine.answer.tables.links import Covering, Links, NumberLink, ValueLink
from engine.answer.tables.query import LABEL, TWO_SIDED, Condition
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import CHANGES
from engine.enrich.cell_values import is_year

TO = re.compile(r"\W{,9}(?:年度?|year)?\W{,9}(?:to|through|till|until|至|到|[-–—~～])\W{,9}", re.IGNORECASE)
_MOST_VARIANTS = 3
# Beside values that are said in full, those said in part were not meant.
_FULL = 0.75
_LATEST = 9999


@dataclass(slots=True)
class Conditions:
    """The conditions of one reading.

    ``periods`` are columns whose headers are periods that a date or a range of the question chooses; ``unsettled`` the
    units of numbers and dates that became none of these.
    """

    where: tuple[Condition, ...] = ()
    periods: list[int] = field(default_factory=list)
    unsettled: frozenset[int] = frozenset()


def conditions(links: Links, relation: Relation) -> list[Conditions]:
    """Return the conditions of a question; several where a period may stand in either of two columns."""
    making = _Conditions(links, relation)
    groups: list[list[ValueLink]] = []
    for link in links.values:  # those of one column are alternatives of each other
        same = next((group for group in groups if set(group[0].texts) & set(link.texts)), None)
        groups.append([link]) if same is None else same.append(link)
    numbers = making.numbers()
    return [
        replace(numbers, where=tuple(dict.fromkeys((*itertools.chain.from_iterable(chosen), *numbers.where))))
        for chosen in itertools.islice(itertools.product(*map(making.choices, groups)), _MOST_VARIANTS)
    ]


def joins_a_range(links: Links, first: Covering, last: Covering) -> bool:
    """True where a question says "from A to B" of what two links say."""
    a, b = sorted((first, last), key=lambda link: link.start)
    gap = links.question[links.units[max(a.covered)].end : links.units[min(b.covered)].start]
    return TO.fullmatch(gap) is not None


class _Conditions:
    def __init__(self, links: Links, relation: Relation) -> None:
        self._links, self._relation = links, relation
        self._dates = [column.index for column in relation.columns if column.dtype == "date"]

    def choices(self, group: Sequence[ValueLink]) -> list[tuple[Condition, ...]]:
        """Return how a group of values may be meant, each as conditions that all hold."""
        if out := [link for link in group if link.negated]:
            kept = [link for link in group if not link.negated]
            excluded = replace(self._any(out, list(out[0].texts)), comparison="!=")
            return [(excluded, *one) for one in self.choices(kept)] if kept else [(excluded,)]
        group = [link for link in group if link.share >= _FULL] or group
        columns = [c for c in group[0].texts if all(c in link.texts for link in group)]
        if columns == [LABEL] and len(group) > 1 and self._nested(group):
            return [tuple(Condition((LABEL,), "=", link.texts[LABEL]) for link in group)]
        dated = [c for c in columns if c in self._dates]
        if len(dated) > 1:
            return [(self._any(group, [column]),) for column in self._likeliest(dated)]
        return [(self._any(group, columns),)]

    def _any(self, group: Sequence[ValueLink], columns: Sequence[int]) -> Condition:
        texts = [text for link in group for column in columns for text in link.texts.get(column, ())]
        if len(group) == 2 and len(texts) >= 2 and joins_a_range(self._links, *group):
            texts = self._years_between(texts[0], texts[-1], columns) or texts
        return Condition(tuple(columns), "=", tuple(dict.fromkeys(texts)))

    def _years_between(self, first: str, last: str, columns: Sequence[int]) -> list[str]:
        """Return "from A to B" as all years of a column between these; of a change the two ends are meant."""
        changes = {cue.kind for cue in self._links.operations} & (CHANGES | TWO_SIDED)
        if changes or not is_year(first) or not is_year(last):
            return []
        held = [text for column in columns if column != LABEL for text in self._relation.texts(column)]
        held += [part for row in self._relation.rows for part in row.label] if LABEL in columns else []
        low, high = sorted((first, last))
        return [text for text in held if is_year(text) and low <= text <= high]

    def _nested(self, group: Sequence[ValueLink]) -> bool:
        """True where some row's label holds all of the values: a group and a row in it."""
        wanted = [set(link.texts[LABEL]) for link in group]
        return any(all(one & set(row.label) for one in wanted) for row in self._relation.rows)

    def _likeliest(self, columns: Sequence[int]) -> list[int]:
        """Return the columns whose headers share most with the question: all that share as much."""
        asked = {unit.form for unit in self._links.units}

        def shared(column: int) -> float:
            held = [form for part in self._relation.columns[column].path for form in forms(part)]
            return sum(form in asked for form in held) / max(1, len(held))

        best = max(map(shared, columns), default=0.0)
        return [column for column in columns if shared(column) == best]

    def numbers(self) -> Conditions:
        """Return what the numbers and dates of a question become."""
        made = Conditions()
        for number in self._links.numbers:
            condition = self._dated(number) if number.is_date else self._numeric(number)
            headed = self._headed(number) if number.is_date and condition is None else []
            made.periods += headed
            if condition is not None:
                made.where += (condition,)
            elif not headed:
                made.unsettled |= number.covered
        return made

    def _dated(self, number: NumberLink) -> Condition | None:
        columns = self._nearest(number, self._dates) or self._likeliest(self._dates)
        values = self._with_years(number, columns)
        return Condition(tuple(columns), number.comparison, values) if values else None

    def _with_years(self, number: NumberLink, columns: Sequence[int]) -> tuple[str, ...]:
        """Return the dates of a question in ISO form, a month or a day with each year that the columns have.

        Nothing where dates are held against one whose year is open.
        """
        dates = number.value.split("..")
        if not number.value.startswith("--"):
            return tuple(dates) if columns else ()
        years = sorted({day[:4] for c in columns for day in self._relation.dates(c) if day})
        open_ended = len(years) > 1 and number.comparison not in ("=", "!=")
        return () if open_ended else tuple(f"{year}{date[1:]}" for date in dates for year in years)

    def _headed(self, number: NumberLink) -> list[int]:
        """Return the columns whose headers name years within what a date of the question says."""
        years = [int(value[:4]) for value in number.value.split("..") if is_year(value[:4])]
        if not years:
            return []
        low, high = min(years), max(years)
        open_ends = {">": (high + 1, _LATEST), ">=": (low, _LATEST), "<": (0, low - 1), "<=": (0, high)}
        low, high = open_ends.get(number.comparison, (low, high))
        columns = self._relation.columns
        return [c.index for c in columns if c.numeric and c.years and low <= c.years[-1] <= high]

    def _numeric(self, number: NumberLink) -> Condition | None:
        numeric = [column.index for column in self._relation.columns if column.numeric]
        columns = self._nearest(number, numeric) or (numeric if len(numeric) == 1 else [])
        in_period = {c for link in self._links.periods for c in link.columns}
        columns = [c for c in columns if c in in_period] or columns
        if not columns or number.comparison == "=":
            return None
        scale = 1 if number.scaled else self._relation.columns[columns[0]].scale
        values = tuple(str(Decimal(value) * scale) for value in number.value.split(".."))
        return Condition((columns[0],), number.comparison, values)

    def _nearest(self, number: NumberLink, allowed: Sequence[int]) -> list[int]:
        """Return those of the allowed columns that the question names nearest to a number."""
        named = [link for link in self._links.columns if set(link.columns) & set(allowed)]
        near = min(named, key=lambda link: min(abs(number.start - at) for at in link.covered), default=None)
        return [c for c in near.columns if c in allowed] if near else []
