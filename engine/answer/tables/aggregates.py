"""Aggregates of a list as its user asks for them: sums, means, counts and shares of the rows that meet conditions,
groups ("total quantity per region"), ranks ("top 3 orders by quantity"), and the rows themselves.

The question is put into marks (:mod:`engine.answer.tables.linked_question`); phrases of asking
(:mod:`engine.answer.tables.aggregate_words`) say what to do with them. Every word must be accounted for: where one is
left over, a condition may be, so that there is no answer here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from engine.answer.tables import aggregate_words as words
from engine.answer.tables.finding import Finding, Step, run
from engine.answer.tables.linked_question import LinkedQuestion, Marked, places
from engine.answer.tables.matching import years_in
from engine.answer.tables.quantity import Quantity, as_percent, quotient, shown, written
from engine.answer.tables.question import Question
from engine.answer.tables.record_words import PEOPLE, WHO
from engine.answer.tables.references import matching_rows
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import CellRef, Column
from engine.errors import UsageError

_MOST_GROUPS, _MOST_LISTED, _MOST_NAMED = 30, 20, 6
_FEWEST_ROWS = 2
# Printed figures are rounded.
_HALF = Decimal("0.51")
_SIGNS = {"!=": " ≠ ", "=": ": ", "one of": ": "}
# What no sum is made of: the price of one, a rate.
_OF_ONE = re.compile(r"\b(?:price|rate|age|score|rating)\b|单价|率|年龄|评分", re.IGNORECASE)
_ROWS_ASKED = re.compile(
    rf"\b(?:which|what) ‹r|哪一?[{words.CLASSIFIERS}]?‹r|‹r\d›(?:是|有)?哪|^(?:the )?‹r"
    rf"|\b(?:{words.MOST})(?: paid| earning| ‹l\d+›)* ‹r|最.的?(?:‹l\d+›的?)*‹r"
)


_TOTAL = re.compile(r"^total\b|^总", re.IGNORECASE)
_MOST = ("most", "least", "fewest", "最多", "最少")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks for: of which column of amounts, over which groups.

    ``fold`` is the operator that it names, "" for none; ``ordered`` says that the largest or, with ``lowest``, the
    smallest are wanted, ``wanted`` how many (0: not said), ``adds_up`` that of groups the sums are meant,
    ``distinct`` that things of one name count once.
    """

    group: Column | None
    measure: Column | None
    fold: str
    share: bool
    per: bool
    count: bool
    ordered: bool
    adds_up: bool
    lowest: bool
    wanted: int
    distinct: bool


class AggregatePlanner:
    """Makes a plan for one question over one list."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._table, self._question = source.table, question
        self._linked = LinkedQuestion(source, question)
        self._marked = Marked("")
        self._text = ""

    def plan(self) -> Finding | None:
        """Return what the list answers; None where it is no list or the question says more than can be told."""
        table = self._table
        if len(table.records) < _FEWEST_ROWS or len(table.columns) < _FEWEST_ROWS or not table.header_rows:
            return None
        # The rows of a statement are items in groups, its columns periods.
        grouped = table.grouped or (any(row.group for row in table.records) and not self._linked.is_of_trade)
        if grouped or sum(bool(years_in(c.name)) for c in table.columns) > 1:
            return None
        self._marked = self._linked.marked()
        self._text = self._marked.text
        try:
            finding = None if self._marked.failed else self._choose()
        except UsageError:
            return None
        if finding is None or words.left_over(self._text, self._linked.known):
            return None
        return finding

    # --- what is asked --------------------------------------------------------------------------------

    def _choose(self) -> Finding | None:
        asked = self._read()
        if asked is None:
            return None
        group, measure = asked.group, asked.measure
        if asked.share:
            return (
                None
                if group or asked.ordered or asked.count or asked.fold == "AVERAGE"
                else self._share(measure)
            )
        if asked.per:
            return self._per(asked) if not asked.wanted else None
        if group and asked.ordered:
            return self._best_groups(asked)
        if asked.count:
            return (
                None
                if asked.fold == "AVERAGE" or asked.ordered
                else self._count(group, measure, asked.distinct)
            )
        if group or (measure is None and (asked.ordered or asked.fold)):
            return None
        if measure is None:
            return self._listed()
        if asked.ordered and asked.fold:
            return None
        if asked.wanted or (asked.ordered and self._asks_rows()):
            return self._ranked(measure, asked.lowest, asked.wanted or 1)
        operator = ("MIN" if asked.lowest else "MAX") if asked.ordered else asked.fold
        if not operator and len(self._rows(self._where)) > 1 and _TOTAL.search(measure.name):
            operator = "SUM"
        return self._folded(operator, measure) if operator else None

    def _read(self) -> _Asked | None:
        """Return what the phrases of the question ask for; None where they contradict each other."""
        share, top = self._take(words.SHARE), self._take(words.TOP)
        order, ranking = self._take(words.IN_ORDER), self._take(words.RANKING)
        ranking = ranking or order
        best, worst = self._take(words.BEST_SOLD), self._take(words.WORST_SOLD)
        per, which = self._take(words.PER, drop=True), self._take(words.WHICH, drop=True)
        count, average, total = self._take(words.COUNT), self._take(words.AVERAGE), self._take(words.SUM)
        high, low = self._take(words.HIGH) or best, self._take(words.LOW) or worst
        way = (top["way"] or top["way_zh"] or "") if top else ""
        measure = self._measure(bool(best or worst))
        unclear = (
            (per and which) or (high and low) or (average and total) or (top and not (high or low or way))
        )
        if unclear or (measure is None and places(self._text, "m")):
            return None
        ordered = bool(high or low or way or ranking)
        named = [int(place) for match in (per, which) if match for place in match.groups() if place]
        told = {condition["column"] for condition in self._marked.conditions}
        left = [place for place in places(self._text, "gd") if place not in told]
        if len(named) + len(left) > 1 or (left and (share or not (count or ordered))):
            return None
        most = high or low
        counted = most is not None and most[0] in _MOST
        amount = (ordered and not counted) or average or total
        if measure is None and amount and self._says_rows and not (count or share or named or left):
            measure = self._linked.only_measure
        return _Asked(
            group=self._linked.column([*named, *left][0]) if named or left else None,
            measure=measure,
            fold="AVERAGE" if average else "SUM" if total or best or worst else "",
            share=share is not None,
            per=per is not None,
            count=count is not None,
            ordered=ordered,
            adds_up=counted or top is not None,
            lowest=low is not None or way in ("bottom", "后", "倒数") or bool(order and order["low"]),
            wanted=words.number_of(next(n for n in top.group("n", "n2", "n3", "n4", "n5") if n))
            if top
            else len(self._rows(self._where))
            if ranking
            else 0,
            distinct=count is not None and words.DISTINCT.search(count[0]) is not None,
        )

    def _take(self, pattern: re.Pattern[str], drop: bool = False) -> re.Match[str] | None:
        """Return the first match of a phrase and account for it; the marks in it stay, unless they are dropped."""
        match = pattern.search(self._text)
        if match is not None:
            marks = [] if drop else re.findall(r"‹[a-z]\d+›", match[0])
            self._text = f"{self._text[: match.start()]} {' '.join(marks)} {self._text[match.end() :]}"
        return match

    def _measure(self, sold: bool) -> Column | None:
        """Return the one column of amounts that the question means, by its name or by a verb."""
        named = places(self._text, "m")
        if named:
            return self._linked.column(named[0]) if len(named) == 1 else None
        if sold:
            return self._linked.called(words.QUANTITIES)
        if (cued := self._linked.cued(self._text)) is None:
            return None
        column, match = cued
        self._text = f"{self._text[: match.start()]} {self._text[match.end() :]}"
        told = {condition["column"] for condition in self._marked.conditions}
        return None if column.index in told else column

    def _asks_rows(self) -> bool:
        """True where the rows are asked for and not an amount: "which order", "who", "the highest paid employee"."""
        return bool(_ROWS_ASKED.search(self._marked.text) or WHO.search(self._text))

    @property
    def _names_row(self) -> bool:
        """True where a condition names one row by its own name; what several rows of trade are of names none."""
        entity = self._linked.entity
        named = [c for c in self._where if entity and c["column"] == entity.index and c["is"] == "="]
        shared = self._linked.is_of_trade and all(len(self._rows([c])) >= _FEWEST_ROWS for c in named)
        return bool(named) and not shared

    @property
    def _says_rows(self) -> bool:
        return "‹r" in self._text

    # --- plans ----------------------------------------------------------------------------------------

    def _count(self, group: Column | None, measure: Column | None, distinct: bool) -> Finding | None:
        """Count rows or the values of a column; of goods without a word for the rows add the quantities."""
        if group is not None:
            if self._says_rows or measure:
                return None
            step = run(self._table, "COUNT", where=self._where, column=group.index, distinct=True)
            return self._counted(group.name, step)
        if self._names_row:  # of a list of staff groups the number in its row is asked for
            return None
        if measure is not None:
            return None if self._says_rows else self._folded("SUM", measure)
        quantity = None if self._says_rows else self._linked.called(words.QUANTITIES)
        if quantity is not None and self._where:
            return self._folded("SUM", quantity)
        if not self._says_rows and not self._where:
            return None
        entity = self._linked.entity
        over = {"column": entity.index, "distinct": distinct} if entity else {}
        step = run(self._table, "COUNT", where=self._where, **over)
        return self._counted(entity.name if entity else "", step)

    def _counted(self, name: str, step: Step) -> Finding | None:
        texts = [cell.text for cell in step.observation.cells]
        if not texts:
            return None
        more = "…" if len(texts) > _MOST_NAMED else ""
        said = f"{len(texts)} ({', '.join(texts[:_MOST_NAMED])}{more})"
        return self._finding("count", [str(len(texts))], name, [step], said)

    def _folded(self, operator: str, measure: Column) -> Finding | None:
        if operator == "SUM" and measure.dtype == "percent":
            return None
        step = run(self._table, operator, columns=[measure.index], where=self._where)
        observation = step.observation
        # Of one row nothing is to be compared, of a named one nothing to be added up.
        few = not observation.cells if operator == "SUM" else len(self._rows(self._where)) < _FEWEST_ROWS
        if observation.status != "ok" or few or self._names_row:
            return None
        if operator in ("MIN", "MAX"):
            value = observation.cells[0].text
            names = ", ".join(self._name_of(cell.row) for cell in observation.cells[:_MOST_NAMED])
            return self._finding("extreme", [value], measure.name, [step], f"{value} ({names})")
        number = observation.number
        if number is None:
            return None
        worked = (
            observation.derivation if len(observation.cells) > 1 else self._name_of(observation.cells[0].row)
        )
        said = f"{shown(number, self._question.chinese)} ({worked})"
        printed = self._printed_total(measure, number) if operator == "SUM" else []
        value = written(number.value, 2)
        return self._finding(operator.lower(), [value], measure.name, [step, *printed], said)

    def _share(self, measure: Column | None) -> Finding | None:
        """ "What share of A is B": the rows that are both held against those that are A."""
        end = words.WHOLE_ENDS.search(self._text)
        base = [
            self._marked.conditions[place] for place in places(self._text[: end.start()] if end else "", "l")
        ]
        if len(base) == len(self._where) or (not base and len(self._where) > 1):
            return None
        steps = [self._amount(where, measure, "SUM" if measure else "COUNT") for where in (self._where, base)]
        part, whole = (step.observation.number for step in steps)
        if part is None or whole is None or not steps[0].observation.cells:
            return None
        if not measure and not self._says_rows and (not base or self._linked.called(words.QUANTITIES)):
            return None
        if (printed := self._printed_share(as_percent(quotient(part, whole)))) is not None:
            cell = printed.observation.cells[0]
            return self._finding("lookup", [cell.text], cell.column_header, [printed, *steps], cell.text)
        percent = shown(as_percent(quotient(part, whole)))
        said = f"{percent} ({written(part.value)} ÷ {written(whole.value)})"
        return self._finding("ratio", [percent], measure.name if measure else self._rows_name, steps, said)

    def _printed_share(self, share: Quantity) -> Step | None:
        """Return the reading of the cell in which the one row that is meant prints its share, to its last digit."""
        rows = self._rows(self._where)
        for column in self._table.columns if len(rows) == 1 else []:
            value = self._table.value(rows[0], column.index)
            if value.value is None or not (value.unit == "%" or column.dtype == "percent"):
                continue
            last = Decimal(1).scaleb(int(value.value.as_tuple().exponent))
            if abs(value.value - share.value) <= last * _HALF:
                return run(self._table, "READ_CELL", row=rows[0], column=column.index)
        return None

    def _printed_total(self, measure: Column, total: Quantity) -> list[Step]:
        """Return the reading of the cell in which the list prints the total of a column, where it does."""
        if self._where:
            return []
        rows = [row.index for row in self._table.rows if row.total]
        same = [row for row in rows if self._table.value(row, measure.index).value == total.value]
        return [run(self._table, "READ_CELL", row=row, column=measure.index) for row in same[:1]]

    def _per(self, asked: _Asked) -> Finding | None:
        """ "Total quantity per region": each group with its amount, the largest first."""
        group, measure = asked.group, asked.measure
        fold = asked.fold or (("MIN" if asked.lowest else "MAX") if asked.ordered else "")
        amounts = self._by_group(group, measure, fold, asked.count) if group else []
        if not group or not amounts:
            return None
        ranked = sorted(amounts, key=lambda item: -item[1].amount)
        values = [written(number.value, 2) for _, number, _ in ranked]
        said = "; ".join(f"{name}: {shown(number, self._question.chinese)}" for name, number, _ in ranked)
        label = ", ".join(part for part in (measure.name if measure else self._rows_name, group.name) if part)
        return self._finding("grouped", values, label, [step for *_, step in ranked], said)

    def _best_groups(self, asked: _Asked) -> Finding | None:
        """ "Which product sold the most": the groups with the largest amounts; those equal to the last one, too."""
        group, measure, wanted = asked.group, asked.measure, asked.wanted or 1
        fold = asked.fold or ("SUM" if asked.adds_up else "")
        # "Which region has the highest quantity" may mean a single row as well as all of a region.
        if group is None or (measure and not fold):
            return None
        amounts = self._by_group(group, measure, fold, asked.count)
        if len(amounts) <= wanted:
            return None
        ranked = sorted(amounts, key=lambda item: item[1].amount if asked.lowest else -item[1].amount)
        last = ranked[wanted - 1][1].amount
        chosen = ranked[:wanted] + [item for item in ranked[wanted:] if item[1].amount == last]
        name = measure.name if measure else self._rows_name
        said = "; ".join(
            f"{text} ({name}: {shown(number, self._question.chinese)})" for text, number, _ in chosen
        )
        values = [text for text, *_ in chosen]
        return self._finding("grouped", values, group.name, [step for *_, step in chosen], said)

    def _by_group(
        self, group: Column, measure: Column | None, fold: str, count: bool
    ) -> list[tuple[str, Quantity, Step]]:
        """Return each value of a column with the amount of its rows."""
        if measure is None and (fold == "AVERAGE" or not (count or self._says_rows)):
            return []
        if measure is not None and (count or (fold != "AVERAGE" and self._is_of_one(measure, fold))):
            return []
        texts = [text for text in dict.fromkeys(self._linked.texts(group)) if text]
        if not _FEWEST_ROWS <= len(texts) <= _MOST_GROUPS or len(texts) == len(self._table.records):
            return []
        found = []
        for text in texts:
            where = [*self._where, {"column": group.index, "is": "=", "value": text}]
            if self._rows(where):
                step = self._amount(where, measure, fold or "SUM" if measure else "COUNT")
                if (number := step.observation.number) is not None:
                    found.append((text, number, step))
        return found

    def _amount(self, where: Sequence[dict[str, Any]], measure: Column | None, operator: str) -> Step:
        if measure is None:
            return run(self._table, "COUNT", where=where)
        step = run(self._table, operator, columns=[measure.index], where=where)
        if operator in ("MIN", "MAX") and step.observation.number is None and step.observation.cells:
            cell = step.observation.cells[0]  # several cells say the same
            return run(self._table, "READ_CELL", row=cell.row, column=cell.column)
        return step

    @staticmethod
    def _is_of_one(measure: Column, fold: str) -> bool:
        """True for shares, which are not added up, and for prices and the like, which are so only where asked."""
        if fold in ("MIN", "MAX"):
            return False
        return measure.dtype == "percent" or (not fold and bool(_OF_ONE.search(measure.name)))

    def _ranked(self, measure: Column, lowest: bool, wanted: int) -> Finding | None:
        """Return the rows with the largest or smallest amounts; those equal to the last one, too."""
        entity = self._linked.entity
        if entity is None:
            return None
        order = "ascending" if lowest else "descending"
        step = run(self._table, "RANK", columns=[measure.index], where=self._where, order=order)
        cells = step.observation.cells
        if len(cells) < wanted or len(cells) < _FEWEST_ROWS:
            return None
        amounts = [self._table.value(cell.row, cell.column).amount for cell in cells]
        pairs = zip(cells, amounts, strict=True)
        chosen = [
            cell for n, (cell, amount) in enumerate(pairs) if n < wanted or amount == amounts[wanted - 1]
        ]
        if len(chosen) > wanted + _MOST_NAMED:
            return None
        step = run(
            self._table, "RANK", columns=[measure.index], where=self._where, order=order, top=len(chosen)
        )
        values = [self._name_of(cell.row) for cell in chosen]
        said = "; ".join(
            f"{name} ({measure.name}: {cell.text})" for name, cell in zip(values, chosen, strict=True)
        )
        names = [self._table.ref(cell.row, entity.index) for cell in chosen]
        return self._finding("superlative", values, entity.name, [step], said, names)

    def _listed(self) -> Finding | None:
        """Return the rows that meet the conditions, and how many they are."""
        entity = self._linked.entity
        asked = self._take(words.LISTING)
        if entity is None or not self._where or self._names_row:
            return None
        verb = asked[0] if asked else ""
        who = WHO.search(verb) and _is_of_people(entity)
        if not (self._says_rows or who or words.SHOWING.search(verb)):
            return None
        step = run(self._table, "LOOKUP", column=entity.index, where=self._where)
        values = [cell.text for cell in step.observation.cells]
        if step.observation.status != "ok":
            return None
        more = f"; … ({len(values)})" if len(values) > _MOST_LISTED else ""
        said = f"{len(values)}: {'; '.join(values[:_MOST_LISTED])}{more}" if len(values) > 1 else values[0]
        return self._finding("listed", values, entity.name, [step], said)

    # --- the outcome ----------------------------------------------------------------------------------

    @property
    def _where(self) -> list[dict[str, Any]]:
        return self._marked.conditions

    @property
    def _rows_name(self) -> str:
        return self._linked.entity.name if self._linked.entity else ""

    def _rows(self, where: Sequence[dict[str, Any]]) -> list[int]:
        return matching_rows(self._table, where, "FILTER")

    def _name_of(self, row: int) -> str:
        return self._table.text(row, self._linked.entity.index) if self._linked.entity else ""

    def _finding(
        self,
        kind: str,
        values: list[str],
        name: str,
        steps: list[Step],
        said: str,
        names: Sequence[CellRef] = (),
    ) -> Finding:
        told = "; ".join(map(self._told, self._where))
        label = f"{name} ({told})" if told else name
        cells = [*names, *(cell for step in steps for cell in step.observation.cells)]
        return Finding(kind, values, label, steps, 1.0, said, list(dict.fromkeys(cells)))

    def _told(self, condition: dict[str, Any]) -> str:
        """Return a condition for readers: "Region: North", "Quantity > 50"."""
        value, sign = condition["value"], _SIGNS.get(condition["is"], f" {condition['is']} ")
        text = " / ".join(value) if isinstance(value, list) else str(value)
        return f"{self._linked.column(condition['column']).name}{sign}{text}"


def _is_of_people(column: Column) -> bool:
    return any(word in column.name.casefold() for word in PEOPLE)
