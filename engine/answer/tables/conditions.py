"""What rows must fulfil: a question's values, numbers and dates as conditions on the columns of a relation.

A word of everyday language is now and then a value of some column: "based" of a name, "book" of a format. Conditions
that no row fulfils together are not all meant, so the least of them are given up and count as words left over.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from engine.answer.tables.lexis import forms
from engine.answer.tables.links import ColumnLink, Covering, Links, NumberLink, ValueLink
from engine.answer.tables.query import LABEL, TWO_SIDED, Comparison, Condition
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import CHANGES
from engine.enrich.cell_values import is_year

_TO = re.compile(r"\W*(?:年度?|year)?\W*(?:to|through|till|until|至|到|[-–—~～])\W*", re.IGNORECASE)
_MOST_VARIANTS = 3
# A quarter or a half of a year as it is written in ISO-like dates, and the months of each.
_PERIOD, _MONTHS = re.compile(r"-([QH])(\d)$"), {"Q": 3, "H": 6}
# Beside values that are said in full, those said in part were not meant.
_FULL = 0.75
_MOST_GROUPS = 6


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of one reading.

    ``compared`` are the columns that only say what a number is held against; ``periods`` are columns whose headers are
    periods that a number or a range of the question chooses; ``unsettled`` the units of numbers and dates that
    became none of these.
    """

    where: tuple[Condition, ...]
    compared: tuple[ColumnLink, ...] = ()
    periods: tuple[int, ...] = ()
    unsettled: frozenset[int] = frozenset()


def conditions(links: Links, relation: Relation) -> list[Conditions]:
    """Return the conditions of a question; several where a period may stand in either of two columns."""
    return _Conditions(links, relation).variants()


def joins_a_range(links: Links, first: Covering, last: Covering) -> bool:
    """True where a question says "from A to B" of what two links say."""
    a, b = sorted((first, last), key=lambda link: link.start)
    gap = links.question[links.units[max(a.covered)].end : links.units[min(b.covered)].start]
    return _TO.fullmatch(gap) is not None


def by_column(values: Sequence[ValueLink]) -> list[list[ValueLink]]:
    """Return the values in groups: those of one column are alternatives of each other."""
    found: list[list[ValueLink]] = []
    for link in values:
        same = next((group for group in found if set(group[0].texts) & set(link.texts)), None)
        if same is None:
            found.append([link])
        else:
            same.append(link)
    return found


class _Conditions:
    def __init__(self, links: Links, relation: Relation) -> None:
        self._links, self._relation = links, relation

    def variants(self) -> list[Conditions]:
        choices = [self._choices(link) for link in by_column(self._links.values)]
        numbers = self._numbers()
        return [
            replace(numbers, where=(*itertools.chain.from_iterable(chosen), *numbers.where))
            for chosen in itertools.islice(itertools.product(*choices), _MOST_VARIANTS)
        ]

    def _choices(self, group: Sequence[ValueLink]) -> list[tuple[Condition, ...]]:
        """Return how a group of values may be meant, each as conditions that all hold."""
        if any(link.negated for link in group):
            kept = [link for link in group if not link.negated]
            out = [link for link in group if link.negated]
            excluded = replace(self._any(out, list(out[0].texts)), comparison="!=")
            return [(excluded, *one) for one in self._choices(kept)] if kept else [(excluded,)]
        full = [link for link in group if link.share >= _FULL]
        group = full or group
        columns = [c for c in group[0].texts if all(c in link.texts for link in group)]
        if columns == [LABEL] and len(group) > 1 and self._nested(group):
            return [tuple(Condition((LABEL,), "=", link.texts[LABEL]) for link in group)]
        if len(group) == 2 and (between := self._range(group[0], group[1], columns)):
            return [(between,)]
        dated = [c for c in columns if c != LABEL and self._relation.columns[c].dtype == "date"]
        if len(dated) > 1:
            return [(self._any(group, [column]),) for column in self._likeliest(dated)]
        return [(self._any(group, columns),)]

    def _any(self, group: Sequence[ValueLink], columns: Sequence[int]) -> Condition:
        texts = dict.fromkeys(
            text for link in group for column in columns for text in link.texts.get(column, ())
        )
        return Condition(tuple(columns), "=", tuple(texts))

    def _nested(self, group: Sequence[ValueLink]) -> bool:
        """True where some row's label holds all of the values: a group and a row in it."""
        wanted = [set(link.texts[LABEL]) for link in group]
        return any(all(one & set(row.label) for one in wanted) for row in self._relation.rows)

    def _range(self, first: ValueLink, last: ValueLink, columns: Sequence[int]) -> Condition | None:
        """Return "from A to B" as a range, where both are years of a column."""
        ends = [link.texts[column][0] for link in (first, last) for column in columns[:1]]
        if not joins_a_range(self._links, first, last) or not columns or not all(map(is_year, ends)):
            return None
        chosen = self._likeliest([c for c in columns if c != LABEL] or list(columns))[:1]
        if chosen != [LABEL]:
            return Condition(tuple(chosen), "between", tuple(sorted(ends)))
        if {cue.kind for cue in self._links.operations} & (CHANGES | TWO_SIDED):
            return None  # of a change the two ends are meant
        low, high = sorted(ends)
        labels = (part for row in self._relation.rows for part in row.label if is_year(part))
        return Condition((LABEL,), "=", tuple(dict.fromkeys(y for y in labels if low <= y <= high)))

    def _likeliest(self, columns: Sequence[int]) -> list[int]:
        """Return the columns whose headers share most with the question: all that share as much."""
        asked = {unit.form for unit in self._links.units}

        def shared(column: int) -> float:
            held = [form for part in self._relation.columns[column].path for form in forms(part)]
            return sum(form in asked for form in held) / max(1, len(held))

        scores = {column: shared(column) for column in columns}
        best = max(scores.values(), default=0.0)
        return [column for column in columns if scores[column] >= best - 1e-6]

    def _numbers(self) -> Conditions:
        """Return what the numbers and dates of a question become."""
        unsettled = frozenset[int]()
        where: list[Condition] = []
        compared: list[ColumnLink] = []
        periods: list[int] = []
        for number in self._links.numbers:
            if number.is_date:
                dated = self._dated(number)
                headed = [] if dated else self._headed(number)
                where += [dated] if dated else []
                periods += headed
                unsettled |= frozenset() if dated or headed else number.covered
                continue
            made = self._numeric(number)
            if made is None:
                unsettled |= number.covered
                continue
            where.append(made[0])
            compared += [made[1]] if made[1] else []
        return Conditions(tuple(where), tuple(compared), tuple(periods), unsettled)

    def _dated(self, number: NumberLink) -> Condition | None:
        dates = [column.index for column in self._relation.columns if column.dtype == "date"]
        near = self._nearest(min(number.covered), dates)
        chosen = [c for c in near.columns if c in dates] if near else self._likeliest(dates)
        values = self._with_years(number, chosen)
        if not values:
            return None
        comparison = _comparison(number)
        if comparison == "=" and len(values) == 1 and len(ends := _ends(values[0])) == 2:
            return Condition(tuple(chosen), "between", ends)
        return Condition(tuple(chosen), comparison, tuple(end for value in values for end in _ends(value)))

    def _with_years(self, number: NumberLink, columns: Sequence[int]) -> tuple[str, ...]:
        """Return the dates of a question in ISO form, a month or a day with each year that the columns have.

        Nothing where dates are held against one whose year is open.
        """
        dates = number.value.split("..")
        if not any(date.startswith("--") for date in dates):
            return tuple(dates) if columns else ()
        years = sorted({day[:4] for c in columns for day in self._relation.dates(c) if day})
        if len(years) > 1 and (number.comparison not in ("=", "!=") or any(map(_PERIOD.search, dates))):
            return ()
        return tuple(
            f"{year}{date[1:]}" if date.startswith("--") else date for date in dates for year in years
        )

    def _headed(self, number: NumberLink) -> list[int]:
        """Return the columns whose headers name years within what a date of the question says."""
        years = [int(value[:4]) for value in number.value.split("..") if is_year(value[:4])]
        if not years:
            return []
        low, high = min(years), max(years)
        return [
            c.index for c in self._relation.columns
            if c.numeric and c.years and _holds(c.years[-1], number.comparison, low, high)
        ]  # fmt: skip

    def _numeric(self, number: NumberLink) -> tuple[Condition, ColumnLink | None] | None:
        numeric = [column.index for column in self._relation.columns if column.numeric]
        near = self._nearest(min(number.covered), numeric)
        columns = [c for c in near.columns if c in numeric] if near else numeric if len(numeric) == 1 else []
        in_period = {c for link in self._links.periods for c in link.columns}
        columns = [c for c in columns if c in in_period] or columns
        if not columns or number.comparison == "=":
            return None
        plain = Decimal(self._relation.columns[columns[0]].scale)
        scale = 1 if number.scaled else plain
        values = tuple(str(Decimal(value) * scale) for value in number.value.split(".."))
        return Condition((columns[0],), _comparison(number), values), near

    def _nearest(self, place: int, allowed: Sequence[int]) -> ColumnLink | None:
        near = [link for link in self._links.columns if set(link.columns) & set(allowed)]
        return min(near, key=lambda link: min(abs(place - at) for at in link.covered), default=None)


def _ends(date: str) -> tuple[str, ...]:
    """Return the first and the last month of a quarter or half of a year; any other date as it is."""
    if not (match := _PERIOD.search(date)):
        return (date,)
    months, last = _MONTHS[match[1]], int(match[2]) * _MONTHS[match[1]]
    return tuple(f"{date[:4]}-{month:02}" for month in (last - months + 1, last))


def _holds(year: int, comparison: str, low: int, high: int) -> bool:
    if comparison in ("=", "between"):
        return low <= year <= high
    return {">": year > low, ">=": year >= low, "<": year < low, "<=": year <= low}.get(
        comparison, year != low
    )


def _comparison(number: NumberLink) -> Comparison:
    return number.comparison  # type: ignore[return-value]
