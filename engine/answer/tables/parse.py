"""From a linked question to queries, without a model: which columns are asked for, in which rows, computed how.

The parser only puts together what linking found (:mod:`engine.answer.tables.link`). How sure it is of a reading is the
share of the question that the reading explains, so that a table answers only questions that are about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer.tables.columns import ColumnChoice
from engine.answer.tables.conditions import conditions, joins_a_range
from engine.answer.tables.explained import explained
from engine.answer.tables.links import LinkedRelation, Links
from engine.answer.tables.query import (
    LABEL,
    TWO_SIDED,
    Aggregate,
    Condition,
    Operand,
    Operation,
    Query,
)
from engine.answer.tables.request import request
from engine.answer.tables.vocabulary import cues
from engine.answer.understand.kinds import expects
from engine.enrich.cell_values import is_year

# Readings that explain less of a question than this are none.
LEAST = 0.5
# How sure a reading can be of that, of the first in an order that the table does not tell, and of the most of what is
# counted: no answer, but the closest.
_UNSURE = 0.75


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question over one relation, and how much of the question it explains (0..1)."""

    query: Query
    score: float
    links: Links
    quantity: bool = False


def parse(links: Links, linked: LinkedRelation) -> list[Reading]:
    """Return the readings of a question over a relation, the likeliest first; none where it asks nothing of it."""
    if not (links.values or links.columns or links.numbers or links.operations) or links.unsettled_negation:
        return []
    asked = request(links)
    readings: list[Reading] = []
    for given in conditions(links, linked.relation):
        for one in _Parse(links, linked, asked, given).readings():
            if all(one.query != other.query for other in readings):
                readings.append(one)
    return sorted(readings, key=lambda one: -one.score)


class _Parse(ColumnChoice):
    """One reading's making: conditions and what is asked for are known, the columns are to be chosen."""

    def readings(self) -> list[Reading]:
        """Return the readings; those that leave a column of the question unused score less."""
        self._settle_periods()
        self._unsure: list[Query] = []
        return [
            Reading(query, self._explains(query), self._links, self._asked.quantity)
            for query in map(self._in_its_period, self._queries())
        ]

    def _in_its_period(self, query: Query) -> Query:
        grouped = query.by is not None and query.by == self._dates
        return replace(query, period=self._period) if grouped else query

    def _explains(self, query: Query) -> float:
        told = {self._asked.limit_at}
        periods = cues(self._links.question, "periods")
        settled = [cue for cue in periods if query.period or self._in_a_header(cue)]
        told = told.union(*map(self._links.at, settled))
        score = explained(query, self._links, self._relation, told, self._unsettled)
        return min(score, _UNSURE) if query in self._unsure else score

    def _settle_periods(self) -> None:
        """Take the columns of the periods that the question says."""
        if self._periods:
            self._numeric = [c for c in self._numeric if c in self._periods] or self._periods
        if self._links.periods and (self._numeric or not self._compared):
            self._numeric = self._in_periods(self._numeric) or self._numeric

    def _in_periods(self, columns: Sequence[int]) -> list[int]:
        """Return the columns of the periods that the question says, in its order, among those named."""
        links, relation = self._links.periods, self._relation
        among = columns or [c.index for c in relation.columns if not c.names_rows]
        two_sided = self._asked.operations[0] in TWO_SIDED
        if len(links) == 2 and not two_sided and joins_a_range(self._links, *links):
            low, high = sorted(link.years[-1] for link in links)
            return [c for c in among if (years := relation.columns[c].years) and low <= years[-1] <= high]
        return list(dict.fromkeys(c for link in links for c in link.columns if c in among))

    def _queries(self) -> list[Query]:
        ratios = [c for c in self._numeric if self._relation.columns[c].dtype == "percent"]
        counted = "count" in self._asked.operations and not self._numeric
        for operation in self._asked.operations:
            if operation == "trend" and counted:
                continue  # things that are counted have no course
            if operation in ("share", "percent_change", "divide") and ratios and self._where:
                self._numeric, operation = ratios, "lookup"  # the table has it worked out
            made = self._of(operation)
            if made or operation in TWO_SIDED:
                return made  # of one side alone nothing can be told
        named = self._numeric or self._links.unexplained
        question = self._links.question
        # 记录有多少 counts; "how much" and "what is the total" do not.
        counts = any(not question[cue.start : cue.end].isascii() for cue in cues(question, "quantity"))
        if counts and self._where and not named and "sum" not in self._asked.operations:
            return self._count()  # 记录有多少
        return []

    def _of(self, operation: Operation) -> list[Query]:
        if operation in TWO_SIDED:
            made = self._two_sided(operation)
            return [made] if made else []
        if operation in ("max", "min", "rank"):
            return self._extreme(operation)
        if operation in ("sum", "average", "share", "trend"):
            return self._computed(operation)
        if operation == "count":
            return self._count() if self._relation.is_list or not self._labelled else []
        if operation == "distinct":
            text_only = self._named and not self._numeric
            return [Query("distinct", (self._named[0],), tuple(self._where))] if text_only else []
        return self._lookup()

    @property
    def _labelled(self) -> bool:
        """True where a condition names rows by their labels."""
        return any(LABEL in one.columns for one in self._where)

    # One operation each

    def _lookup(self) -> list[Query]:
        where, columns = tuple(self._where), [*self._numeric, *self._named]
        listing = self._asked.listing
        if self._by and self._numeric and (by := self._grouping()) is not None:
            return [Query("sum", tuple(self._of_one_measure(self._numeric)), where, by=by)]
        if not where:
            return [Query("distinct", (columns[0],))] if len(columns) == 1 and listing and self._named else []
        compared = [c for link in self._compared for c in link.columns][:1]
        if compared and not self._numeric:
            return [Query("filter", tuple(compared), where, tuple(self._named) or self._told(compared))]
        if when := self._dated_columns(columns):
            return [Query("lookup", tuple(when), where, self._told(when))]
        if columns:
            columns = self._asked_for(columns)
            if self._asked.quantity and self._under_one_header(columns):
                return [Query("sum", tuple(columns), where)]
            return [Query("lookup", tuple(columns), where, self._told(columns))]
        key, used = self._relation.key, {c for one in where for c in one.columns}
        dated = key is not None and self._relation.columns[key].dtype == "date"
        names = {LABEL} if dated else {LABEL, key}
        exact = [
            one for one in where
            if one.comparison == "=" and (names & set(one.columns) or any(map(self._relation.numbers_rows, one.used)))
        ]  # fmt: skip
        if exact or self._asked.quantity:
            return []
        named = [] if key is None or key in used else [self._names_of_rows(key)]
        asks_when = expects(self._links.question) == "date"
        if not self._relation.is_list or (key is not None and not dated) or (named and asks_when):
            return named
        # Of rows that only a date tells apart all is told, where these are few.
        rest = [c.index for c in self._relation.columns if c.path and c.index not in {*used, key}]
        return [Query("lookup", tuple(rest), where), *named]

    def _names_of_rows(self, key: int) -> Query:
        """Return the query for what the chosen rows are called, a code with the name beside it."""
        name, where = self._name_beside(key), tuple(self._where)
        return Query("filter", (key,), where) if name is None else Query("filter", (name,), where, (key,))

    def _computed(self, operation: Operation) -> list[Query]:
        where = tuple(self._where)
        measures = self._measures()
        if not measures:
            return []
        if operation == "share":
            return self._share(measures)
        if operation == "trend":
            told = self._told(measures)
            return (
                [Query("trend", tuple(measures), where, told)] if where or not self._relation.is_list else []
            )
        by = self._grouping() if self._by else None
        if by is not None:
            aggregate: Aggregate = "average" if operation == "average" else "sum"
            return [
                Query(operation, tuple(self._of_one_measure(measures)), where, by=by, aggregate=aggregate)
            ]
        return [Query(operation, tuple(self._of_one_measure(measures)), where)]

    def _share(self, measures: list[int]) -> list[Query]:
        """Return the part of a list's sum, or of a statement's one row in another."""
        where = tuple(self._where)
        if self._relation.is_list:
            return [Query("share", tuple(self._of_one_measure(measures)), where)] if where else []
        pair = next((one for one in where if LABEL in one.columns and len(one.values) == 2), None)
        if pair is None and self._labelled and len(measures) == 1:
            return [Query("share", (measures[0],), where)]
        if pair is None or len(measures) > 1:
            return []
        sides = tuple(Operand(measures[0], (Condition((LABEL,), "=", (v,)),)) for v in pair.values)
        return [Query("share", (measures[0],), operands=sides)]

    def _extreme(self, operation: Operation) -> list[Query]:
        asked, where, relation = self._asked, tuple(self._where), self._relation
        measures = self._numeric or [c for link in self._compared for c in link.columns]
        of_rows = asked.superlative is not None and asked.superlative.kind == "rows"
        in_order = asked.superlative is not None and asked.superlative.kind == "date"
        # "The latest price" is that of the latest row.
        at_it = [c for c in measures if in_order and relation.columns[c].dtype != "date"]
        measures = [c for c in measures if c not in (*at_it, *(self._asked_which if of_rows else ()))]
        group = self._grouping() if of_rows and not measures and relation.is_list else None
        if group is not None:  # the most people are the most rows
            made = Query(operation, (), where, by=group, aggregate="count",
                         descending=asked.descending, limit=asked.limit)  # fmt: skip
            # Where a column has plain numbers, the most may be meant of these.
            self._unsure += [made] if any(c.plain and not c.names_rows for c in relation.columns) else []
            return [made]
        if not measures and asked.superlative is not None and not of_rows:
            measures = self._of_kind(asked.superlative.kind)
            if not measures and (
                asked.superlative.kind == "currency" or any(c.dtype == "date" for c in relation.columns)
            ):
                return []
        measures = measures or self._measures()
        if in_order:
            measures = [c for c in measures if relation.columns[c].dtype == "date"]
        if not measures:
            return []
        # Percentages of rows do not add up.
        of_percent = relation.columns[measures[0]].dtype == "percent" and not asked.averaged
        by = self._grouping() if (asked.superlative is None or of_rows) and not of_percent else None
        if by is not None and relation.is_list:
            aggregate: Aggregate = "average" if asked.averaged else "sum"
            if relation.columns[measures[0]].numeric:
                columns = tuple(self._of_one_measure(measures))
                return [Query(operation, columns, where, by=by, aggregate=aggregate,
                              descending=asked.descending, limit=asked.limit)]  # fmt: skip
        if relation.is_list and relation.key is not None and self._under_one_header(measures):
            return [Query(operation, tuple(measures), where, by=relation.key,
                          descending=asked.descending, limit=asked.limit)]  # fmt: skip
        told = (*at_it, *(self._named or self._told(measures)))
        return [Query(operation, tuple(self._of_one_measure(measures)), where, told,
                      descending=asked.descending, limit=asked.limit)]  # fmt: skip

    def _count(self) -> list[Query]:
        where = tuple(self._where)
        by = self._grouping() if self._by else None
        if by is not None:
            return [Query("count", (), where, by=by, aggregate="count")]
        amounts = [c for c in self._numeric if not self._relation.numbers_rows(c)]
        added = [Query("sum", tuple(self._of_one_measure(amounts)), where)] if amounts else []
        different = self._asked.different
        column = next(
            (c for c in self._named if different or (self._repeats(c) and self._named_well(c))), None
        )
        if column is not None:
            return [Query("count", (column,), where), *added]
        # All rows are counted only where the question says by a word of the table what they are.
        said = any(
            not one.in_other_words and set(one.columns) & set(self._named) for one in self._links.columns
        )
        return [*([Query("count", (), where)] if where or said else []), *added]

    # Two cells held against each other

    def _two_sided(self, operation: Operation) -> Query | None:
        """Return the query that holds two cells against each other: two periods, two rows, or two columns."""
        where, columns = tuple(self._where), self._relation.columns
        periods = [
            next((c for c in link.columns if c in self._numeric), None) for link in self._links.periods
        ]
        chosen = [c for c in periods if c is not None]
        of_change = operation in ("percent_change", "diff") and all(len(one.values) != 2 for one in where)
        if of_change and len(chosen) == 1 and self._one_year_named():
            chosen = [*self._period_before(chosen[0]), *chosen]
        if len(chosen) >= 2 and where:
            first, last = chosen[0], chosen[-1]
            if operation in ("percent_change", "diff") and columns[first].years > columns[last].years:
                first, last = last, first
            sides = (Operand(first, where), Operand(last, where))
            return Query(operation, (), operands=sides[::-1] if self._newest_first(operation) else sides)
        pair = next((one for one in where if len(one.values) == 2), None)
        if of_change:
            pair = self._year_before()
        if pair is not None:
            return self._of_pair(operation, pair)
        if len(self._numeric) >= 2 and where and (operation != "percent_change" or len(self._numeric) == 2):
            return Query(
                operation,
                (),
                operands=tuple(Operand(c, where) for c in self._numeric[:2]),
                descending=self._asked.descending,
            )
        return None

    def _one_year_named(self) -> bool:
        """True where a question names one year and nothing that is not there: it may mean the change in that year."""
        links = self._links
        years = [unit for unit in links.units if is_year(unit.form)]
        return len(years) == 1 and sum(links.units[i].weight for i in links.unexplained) < 1

    def _period_before(self, column: int) -> list[int]:
        """Return the column of the year before a column's, where there is one of the same measure."""
        columns, own = self._relation.columns, self._relation.columns[column]
        wanted = own.name.replace(str(own.years[-1]), str(own.years[-1] - 1))
        return [c.index for c in columns if c.name == wanted and c.numeric][:1]

    def _year_before(self) -> Condition | None:
        """Return the asked year and the one before it as a pair, where only one is named."""
        for one in self._where:
            if len(one.values) == 1 and is_year(one.values[0]):
                return Condition(one.columns, "=", (str(int(one.values[0]) - 1), one.values[0]))
        return None

    def _newest_first(self, operation: Operation) -> bool:
        """True where a difference is what the later period has more, not what it has less."""
        return operation == "diff" and not self._asked.falling

    def _of_pair(self, operation: Operation, pair: Condition) -> Query | None:
        measures = self._measures()
        if not measures:
            return None
        rest = tuple(one for one in self._where if not set(one.columns) & set(pair.columns))
        timed = all(map(is_year, pair.values))
        values = tuple(sorted(pair.values)) if timed else pair.values
        sides = [Operand(measures[0], (*rest, Condition(pair.columns, "=", (value,)))) for value in values]
        if timed and self._newest_first(operation):
            sides.reverse()
        return Query(operation, (measures[0],), operands=tuple(sides), descending=self._asked.descending)
