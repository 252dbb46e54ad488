"""From a linked question to queries, without a model: which columns are asked for, in which rows, computed how.

The parser only puts together what linking found (:mod:`engine.answer.tables.link`): for the operations that a question
asks for it makes candidates. How sure it is of one is the share of the question that it explains, so that a table
answers only questions that are about it.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.answer.tables.conditions import Conditions, conditions, joins_a_range
from engine.answer.tables.explained import explained
from engine.answer.tables.lexis import base_form, forms, is_cjk
from engine.answer.tables.links import ColumnLink, LinkedRelation, Links
from engine.answer.tables.query import LABEL, TWO_SIDED, Condition, Operand, Operation, Query
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import CHANGES, Cue, cues
from engine.answer.understand.kinds import expects
from engine.enrich.cell_values import is_year

# Readings that explain less of a question than this are none.
LEAST = 0.5
# How sure a reading of the most rows can be where things are numbered, too: no answer, but the closest.
_UNSURE = 0.75
_SAMPLE = 2000
# So much of a header names its column rather than something that has it: 任务 is no 任务状态.
_WELL = 0.6
# Of several operations that a question names the first here is the one asked for.
_ORDER: tuple[Operation, ...] = (
    "trend", "percent_change", "share", "diff", "divide", "rank", "max", "min", "average", "count", "sum", "distinct",
    "compare",
)  # fmt: skip
_EXTREMES = ("max", "min", "rank")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question over one relation, and how much of the question it explains (0..1).

    ``quantity`` is true where the question asks for a number.
    """

    query: Query
    score: float
    links: Links
    quantity: bool = False


def parse(links: Links, linked: LinkedRelation) -> list[Reading]:
    """Return the readings of a question over a relation, the likeliest first; none where it asks nothing of it."""
    if not (links.values or links.columns or links.numbers or links.operations) or links.unsettled_negation:
        return []
    # 哪几所 asks which, not how many.
    quantity = any(links.question[: cue.start][-1:] != "哪" for cue in cues(links.question, "quantity"))
    readings: dict[Query, Reading] = {}
    for given in conditions(links, linked.relation):
        parser = _Parse(links, linked.relation, given, quantity)
        for query in parser.queries():
            readings.setdefault(query, Reading(query, parser.explains(query), links, quantity))
    return sorted(readings.values(), key=lambda one: -one.score)


class _Parse:
    """The queries that a question may mean once its conditions are settled."""

    def __init__(self, links: Links, relation: Relation, given: Conditions, quantity: bool) -> None:
        self._links, self._relation, self._quantity = links, relation, quantity
        self._where, self._unsettled = given.where, given.unsettled
        self._asked = {cue.kind for cue in links.operations}
        self._limit = links.limit[0] if links.limit[1] not in links.linked else 0
        self._descending = not cues(links.question, "ascending")
        self._operations = self._asked_operations()
        columns = relation.columns
        self._guessed, self._used = False, {c for one in given.where for c in one.used}
        self._used |= {c.index for c in columns if c.names_rows} if LABEL in self._used else set()
        held = {c for one in given.where if one.comparison not in ("=", "!=") for c in one.columns}
        # What only a number is held against.
        against = [one for one in links.columns if any(c in held and columns[c].numeric for c in one.columns)]
        self._compared = [c for link in against for c in link.columns]
        free = [c for one in links.columns if one not in against for c in one.columns if c not in self._used]
        # Numbers whose header stands right behind "which" are names.
        behind = {max(at) + 1 for one in links.operations if one.kind == "each" and (at := links.at(one))}
        which = {c for link in links.columns if link.start in behind for c in link.columns}
        self._named = [c for c in free if not columns[c].numeric or c in which]
        numeric = [c for c in free if columns[c].numeric and c not in which]
        self._numeric = self._in_periods(numeric, list(given.periods))
        naming = [one for one in links.columns if set(one.columns) & {*self._numeric}]
        # Columns that are named only by the header above them all: their sum is asked for.
        self._one_header = relation.is_list and len(self._numeric) > 1 and len(naming) == 1
        self._pair = next((one for one in given.where if len(one.values) == 2), None)
        self._labelled = any(LABEL in one.columns for one in self._where)
        # Dates are grouped by a period that the question says, unless a column has it already.
        self._periods = [cue for cue in cues(links.question, "periods") if not self._in_a_header(cue)]
        dates = [c.index for c in columns if c.dtype == "date"]
        grouped = self._periods and dates and relation.is_list and not links.periods
        self._dates = next((c for c in self._named if c in dates), dates[0]) if grouped else None

    def _asked_operations(self) -> list[Operation]:
        """Return the operations that the question asks for, the likeliest first, a look-up and a count last."""
        asked = set(self._asked)
        if asked & CHANGES:
            asked.add("percent_change" if "share" in asked else "diff")
            asked.discard("share")
        if {"diff", "percent_change"} <= asked and "share" not in asked:
            asked.discard("percent_change")  # by how much something grew is no rate
        found: list[Operation] = [kind for kind in _ORDER if kind in asked]
        if self._limit and (not found or found[0] in _EXTREMES):
            found.insert(0, "rank")
        # 记录有多少 counts; "how much" and "what is the total" do not.
        question = self._links.question
        counts = any(not question[cue.start : cue.end].isascii() for cue in cues(question, "quantity"))
        counted: list[Operation] = ["count"] if counts and self._where and "sum" not in asked else []
        return [*found, "lookup", *counted]

    def _in_periods(self, columns: list[int], chosen: list[int]) -> list[int]:
        """Return the columns of the periods that the question says, in its order, among those named."""
        links, relation = self._links.periods, self._relation
        if chosen:
            columns = [c for c in columns if c in chosen] or chosen
        if not links or (self._compared and not columns):
            return columns
        among = columns or [c.index for c in relation.columns if not c.names_rows]
        if len(links) == 2 and self._operations[0] not in TWO_SIDED and joins_a_range(self._links, *links):
            low, high = sorted(link.years[-1] for link in links)
            return [c for c in among if (years := relation.columns[c].years) and low <= years[-1] <= high]
        return list(dict.fromkeys(c for link in links for c in link.columns if c in among)) or columns

    def _in_a_header(self, cue: Cue) -> bool:
        """True where the header of an asked column says a period: rents in "£/month"."""
        said = base_form(self._links.question[cue.start : cue.end].split()[-1].casefold())
        return any(said in forms(" ".join(self._relation.columns[c].path)) for c in self._numeric)

    def explains(self, query: Query) -> float:
        """Return how much of the question a query explains."""
        links = self._links
        open_periods = [] if query.period else self._periods
        told = links.at(*cues(links.question, "periods")) - links.at(*open_periods) | {links.limit[1]}
        score = explained(query, links, self._relation, told, self._unsettled)
        most_rows = query.operation in _EXTREMES and query.aggregate == "count"
        numbered = any(c.plain and not c.names_rows for c in self._relation.columns)
        # What comes of all rows is sure only where nothing is left out that may choose among them.
        of_all = not query.where and query.operation in ("sum", "average", "count")
        of_all = of_all and links.weight(links.unexplained) >= 1
        return min(score, _UNSURE) if (most_rows and numbered) or of_all or self._guessed else score

    def queries(self) -> list[Query]:
        """Return what the first operation that can be done may mean."""
        ratios = [c for c in self._numeric if self._relation.columns[c].dtype == "percent"]
        for operation in self._operations:
            if operation in ("share", "percent_change", "divide") and ratios and self._where:
                self._numeric, operation = ratios, "lookup"  # the table has it worked out
            if operation in TWO_SIDED:
                return self._two_sided(operation)  # of one side alone nothing can be told
            if made := self._of(operation):
                return made
        return []

    def _of(self, operation: Operation) -> list[Query]:
        if operation in _EXTREMES:
            return self._extreme(operation)
        if operation in ("sum", "average", "share", "trend"):
            return self._computed(operation)
        if operation == "count":
            return self._count() if self._relation.is_list or not self._labelled else []
        if operation == "distinct":
            return [self._query("distinct", self._named[:1])] if self._named and not self._numeric else []
        return self._lookup()

    def _query(self, operation: Operation, columns: Sequence[int], by: int | None = None, **more: Any) -> Query:
        """Return a query over the rows of the question; ``by`` groups, dates by the period that is asked for."""
        period = self._periods[0].kind if by is not None and by == self._dates else ""
        more = {"where": self._where, "period": period} | more
        return Query(operation, tuple(columns), by=by, **more)

    # One operation each

    def _lookup(self) -> list[Query]:
        columns = [*self._numeric, *self._named]
        if self._numeric and (by := self._grouping()) is not None:
            return [self._query("sum", self._of_one_measure(), by)]
        if not self._where:
            listed = len(columns) == 1 and self._named and self._asked & {"each", "distinct"}
            return [self._query("distinct", columns)] if listed else []
        if self._compared and not self._numeric:
            compared = self._compared[:1]
            return [self._query("filter", compared, told=tuple(self._named or self._told(compared)))]
        columns = self._dated_columns(columns) or self._asked_for(columns)
        return [self._query("lookup", columns, told=self._told(columns))] if columns else self._rows()

    def _rows(self) -> list[Query]:
        """Return the queries for the rows themselves: all of rows only a date tells apart, what they are called."""
        relation, key = self._relation, self._relation.key
        dated = key is not None and relation.columns[key].dtype == "date"
        names = {LABEL} if dated else {LABEL, key}
        known = any(one.comparison == "=" and names & set(one.columns) for one in self._where)
        if known or self._quantity:
            return []
        found = []
        if relation.is_list and (key is None or dated):
            rest = [c.index for c in relation.columns if c.path and c.index not in {*self._used, key}]
            found = [self._query("lookup", rest)]
        if key is None or key in self._used:
            return found
        name = self._name_beside(key)
        columns, told = ([key], ()) if name is None else ([name], (key,))
        return [*found, self._query("filter", columns, told=told)]

    def _computed(self, operation: Operation) -> list[Query]:
        columns, of_list = self._of_one_measure(), self._relation.is_list
        if not columns:
            return []
        if operation in ("sum", "average"):
            by = self._grouping()
            aggregate = operation if by is not None else "sum"
            return [self._query(operation, columns, by, aggregate=aggregate)]
        if of_list and not self._where:
            return []
        if operation == "trend":
            return [self._query("trend", columns, told=self._told(columns))]
        if not of_list and (not self._labelled or len(columns) > 1):
            return []
        if of_list or self._pair is None:
            return [self._query("share", columns)]
        return [self._query("share", columns, where=(), operands=self._sides(self._pair, columns[0]))]

    def _extreme(self, operation: Operation) -> list[Query]:
        superlative = next(iter(cues(self._links.question, "superlatives")), None)
        kind = superlative.kind if superlative else ""
        columns, of_list = self._relation.columns, self._relation.is_list
        ordered = {"descending": self._descending, "limit": self._limit}
        measures, at_it = self._numeric or self._compared, list[int]()
        if kind == "date":  # "the latest price" is that of the latest row
            measures, at_it = self._of_kind(kind), self._numeric
        elif kind == "currency":
            measures = measures or self._of_kind(kind)
        else:
            group = self._grouping(True) if kind == "rows" and not measures and of_list else None
            if group is not None:  # the most people are the most rows
                return [self._query(operation, (), group, aggregate="count", **ordered)]
            measures = measures or self._measures()
        if not measures:
            return []
        aggregate = "average" if "average" in self._asked else "sum"
        # Percentages of rows do not add up.
        adds_up = columns[measures[0]].dtype != "percent" or aggregate == "average"
        told = (*at_it, *(self._named or self._told(measures)))
        measures = self._of_one_measure(measures)
        if kind in ("", "rows") and of_list and adds_up and columns[measures[0]].numeric:
            by = self._grouping(True)
            by = self._relation.key if by is None and self._one_header else by
            if by is not None:
                return [self._query(operation, measures, by, aggregate=aggregate, **ordered)]
        return [self._query(operation, measures, told=told, **ordered)]

    def _count(self) -> list[Query]:
        if (by := self._grouping()) is not None:
            return [self._query("count", (), by, aggregate="count")]
        added = [self._query("sum", self._of_one_measure())] if self._numeric else []
        columns = self._relation.columns
        named = [(c, one) for one in self._links.columns for c in one.columns if c in self._named]
        different = [
            c for c, one in named
            if "distinct" in self._asked
            or (self._repeats(c) and len(one.leaf or one.covered) >= _WELL * len(forms(columns[c].levels[-1])))
        ]  # fmt: skip
        # All rows are counted only where the question says by a word of the table what they are.
        counts = different or self._where or any(not one.in_other_words for _, one in named)
        counted = [self._query("count", different[:1])] if counts else []
        return [*counted, *added]

    # Two cells held against each other

    def _two_sided(self, operation: Operation) -> list[Query]:
        """Return the query that holds two cells against each other: two periods, two rows, or two columns."""
        changes, columns = operation in ("percent_change", "diff"), self._relation.columns
        pair, where = self._pair, self._where
        first = (next((c for c in one.columns if c in self._numeric), None) for one in self._links.periods)
        periods = [c for c in first if c is not None]
        if changes and pair is None and len(periods) == 1:
            periods += self._period_before(periods[0])
        timed = len(periods) >= 2 and bool(where)
        if timed:
            ends = [periods[0], periods[-1]]
            if changes:
                ends.sort(key=lambda c: columns[c].years)
            sides = tuple(Operand(c, where) for c in ends)
        elif pair is not None:
            measures, timed = self._measures(), all(map(is_year, pair.values))
            sides = self._sides(pair, measures[0]) if measures else ()
        else:
            sides = tuple(Operand(c, where) for c in self._numeric[:2]) if where else ()
        if len(sides) < 2:
            return []
        # A difference is what the later has more, unless it is asked what it has less.
        if timed and operation == "diff" and "fall" not in self._asked:
            sides = sides[::-1]
        return [self._query(operation, (), where=(), operands=sides, descending=self._descending)]

    def _sides(self, pair: Condition, measure: int) -> tuple[Operand, ...]:
        """Return the cells of a column in the rows of either value, the earlier year first."""
        rest = tuple(one for one in self._where if not set(one.columns) & set(pair.columns))
        values = sorted(pair.values) if all(map(is_year, pair.values)) else pair.values
        return tuple(Operand(measure, (*rest, Condition(pair.columns, "=", (value,)))) for value in values)

    def _period_before(self, column: int) -> list[int]:
        """Return the column of the year before a column's where the question names one year, if there is one."""
        columns, own = self._relation.columns, self._relation.columns[column]
        wanted = own.name.replace(str(own.years[-1]), str(own.years[-1] - 1))
        links = self._links
        settled = sum(is_year(unit.form) for unit in links.units) == 1 and links.weight(links.unexplained) < 1
        return [c.index for c in columns if settled and c.name == wanted and c.numeric][:1]

    # Which columns are meant

    def _measures(self) -> list[int]:
        """Return the columns to compute with: those named, all of a statement, or the one of a list.

        Numbers in front name or count the rows. Where the question says more than the table has, that is not sure.
        """
        columns = self._relation.columns
        if self._numeric:
            return self._numeric
        every = [c.index for c in columns if c.numeric and not c.names_rows]
        if not self._relation.is_list:
            return every if self._labelled else []
        free = [c for c in every if c > 0 and columns[c].path and c not in self._used]
        self._guessed = bool(self._links.unexplained)
        return free if len(free) == 1 and (self._where or not self._guessed) else []

    def _of_one_measure(self, measures: Sequence[int] = ()) -> list[int]:
        """Of tied columns, keep those of one measure: all of a statement or under one header, else the best named.

        Of those named as well, the one nearest to the words that ask for an operation: "the highest phosphorus".
        """
        measures = measures or self._measures()
        if not measures or not self._relation.is_list or self._one_header:
            return list(measures)
        asking = self._links.at(*self._links.operations)
        named: dict[int, tuple[float, int]] = {}
        for link in self._links.columns:
            away = min((abs(unit - one) for unit in link.covered for one in asking), default=0)
            named.update((c, (link.share, -away)) for c in link.columns)
        return [max(measures, key=lambda c: named.get(c, (0.0, 0)))]

    def _of_kind(self, kind: str) -> list[int]:
        """Return the column of the kind that a superlative is of: prices, dates."""
        every = [c.index for c in self._relation.columns if c.dtype == kind]
        found = [c for c in self._named if c in every] or every[:1]
        self._named = [c for c in self._named if c not in found]
        return found

    def _dated_columns(self, columns: Sequence[int]) -> list[int]:
        """Return the free columns of dates and times, where the question asks when and names none of these."""
        if expects(self._links.question) != "date" or not self._relation.is_list:
            return []
        dated = [c.index for c in self._relation.columns if c.dtype in ("date", "time")]
        return [] if set(dated) & set(columns) else [c for c in dated if c not in self._used]

    def _asked_for(self, columns: list[int]) -> list[int]:
        """Of columns that the question speaks of, return those it asks for.

        Those are the first in English, the last in Chinese, where what is asked for stands at the end, and with it
        those that only words that join stand between ("A and B").
        """
        links = [one for one in self._links.columns if set(one.columns) & set(columns)]
        if len(links) < 2:
            return columns
        if is_cjk(self._links.units[links[-1].start].form):
            links.reverse()
        chosen = {*links[0].columns}
        for one, other in itertools.pairwise(links):
            if not self._joined(*sorted((one, other), key=lambda o: o.start)):
                break
            chosen.update(other.columns)
        return [c for c in columns if c in chosen]

    def _joined(self, first: ColumnLink, second: ColumnLink) -> bool:
        units, question = self._links.units, self._links.question
        rest = gap = question[units[max(first.covered)].end : units[second.start].start]
        for cue in cues(gap, "joining"):
            rest = rest.replace(gap[cue.start : cue.end], "")
        return bool(first.covered & second.covered) or (rest != gap and not any(map(str.isalnum, rest)))

    def _told(self, columns: Sequence[int]) -> tuple[int, ...]:
        """Return the columns that tell the found rows apart: the key, and a date where keys recur and none is fixed."""
        relation, key = self._relation, self._relation.key
        if key is None or (not relation.is_list and any(row.label for row in relation.rows[:3])):
            return ()
        if expects(self._links.question) == "person" and (name := self._name_beside(key)) is not None:
            key = name
        told = [key] if key not in columns else []
        names = relation.texts(key)[:_SAMPLE]
        dates = [c.index for c in relation.columns if c.dtype == "date"]
        fixed = {c for one in self._where if one.comparison == "=" and len(one.values) == 1 for c in one.columns}
        clear = len(set(names)) == len(names) or not fixed.isdisjoint(dates)
        return (*told, *[c for c in dates if not clear and c not in (*columns, *told)][:1])

    def _name_beside(self, key: int) -> int | None:
        """Return the column that says in words what a row is whose key is a code, None where there is none."""
        texts = self._relation.texts(key)[:_SAMPLE]
        if sum(any(map(str.isdigit, text)) for text in texts) < len(texts) / 2:
            return None
        words = (c.index for c in self._relation.columns if c.index != key and c.dtype == "text" and c.path)
        return next((c for c in words if not self._repeats(c)), None)

    def _grouping(self, always: bool = False) -> int | None:
        """Return the column to group by, where the question asks for groups."""
        if self._dates is not None:
            return self._dates
        if not always and "group" not in self._asked:
            return None
        return next((c for c in self._named if self._repeats(c)), None)

    def _repeats(self, column: int) -> bool:
        texts = [text for text in self._relation.texts(column)[:_SAMPLE] if text]
        return len(set(texts)) < 0.9 * len(texts)
