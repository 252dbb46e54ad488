"""Readings that hold two cells against each other: two periods, two rows, or two columns."""

from __future__ import annotations

from engine.answer.tables.links import Links
from engine.answer.tables.query import Condition, Operand, Operation, Query
from engine.answer.tables.relation import Relation
from engine.answer.tables.request import Request
from engine.enrich.cell_values import is_year


class TwoSided:
    """The part of a parse that makes differences, ratios, changes and comparisons."""

    _links: Links
    _relation: Relation
    _asked: Request
    _where: list[Condition]
    _numeric: list[int]

    def _measures(self) -> list[int]:
        raise NotImplementedError

    def _two_sided(self, operation: Operation) -> Query | None:
        """Return the query that holds two cells against each other: two periods, two rows, or two columns."""
        where = tuple(self._where)
        periods = [
            next((c for c in link.columns if c in self._numeric), None) for link in self._links.periods
        ]
        chosen = [c for c in periods if c is not None]
        paired = any(len(one.values) == 2 for one in where)
        if (
            len(chosen) == 1
            and not paired
            and self._one_year_named()
            and operation in ("percent_change", "diff")
        ):
            chosen = [*self._period_before(chosen[0]), *chosen]
        if len(chosen) >= 2 and where:
            first, last = chosen[0], chosen[-1]
            if operation in ("percent_change", "diff") and self._years(first) > self._years(last):
                first, last = last, first
            sides = (Operand(first, where), Operand(last, where))
            return (
                Query(operation, (), operands=sides[::-1] if self._newest_first(operation) else sides)
                if where
                else None
            )
        pair = next((one for one in where if len(one.values) == 2), None)
        if pair is None and operation in ("percent_change", "diff"):
            pair = self._year_before()
        if pair is not None:
            return self._of_pair(operation, pair)
        if len(self._numeric) >= 2 and where and (operation != "percent_change" or len(self._numeric) == 2):
            columns = self._numeric[:2]
            return Query(
                operation,
                (),
                operands=tuple(Operand(c, where) for c in columns),
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

    def _newest_first(self, operation: Operation) -> bool:
        """True where a difference is what the later period has more, not what it has less."""
        return operation == "diff" and not self._asked.falling

    def _years(self, column: int) -> tuple[int, ...]:
        return self._relation.columns[column].years

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

    def _year_before(self) -> Condition | None:
        """Return the asked year and the one before it as a pair, where only one is named."""
        for one in self._where:
            if len(one.values) == 1 and is_year(one.values[0]):
                return Condition(one.columns, "=", (str(int(one.values[0]) - 1), one.values[0]))
        return None
