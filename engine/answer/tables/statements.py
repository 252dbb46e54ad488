"""Plans over tables whose rows and columns are both named: statements, key figures, results by year.

A question is turned into cells (:mod:`engine.answer.tables.choosing`) and operators over them. A plan is returned
only when one reading stands clearly out; otherwise there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from engine.answer.tables.aggregate_words import number_of
from engine.answer.tables.cash_used import asks_cash_used
from engine.answer.tables.choosing import BARELY_NAMED, ENOUGH
from engine.answer.tables.extreme_items import extreme_item
from engine.answer.tables.finding import Finding, Step, run, spec
from engine.answer.tables.items_that_changed import items_that_changed
from engine.answer.tables.listing import listed
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.plausible import asks_meaning, plausible, told_beside
from engine.answer.tables.quantity import quantity_of
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.reading import name_of
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_changes import StatementChanges
from engine.answer.tables.statement_reading import finding_of
from engine.answer.tables.statement_words import (
    CHANGES,
    PART,
    RATIO_WORDS,
    SUMMED,
    TOTAL,
    is_total,
    taken_away,
)
from engine.answer.tables.typed_table import CellRef
from engine.errors import UsageError

# What it is weighted with, no table of averages says.
_WEIGHTED = re.compile(r"\bweighted\b|加权", re.IGNORECASE)
_ALL_PERIODS = re.compile(
    r"\b(?:across|over|for|in|of) (?:all|the)(?: of)?(?: the)?(?: (?:\d|two|three|four|five))?"
    r" (?:\w+ )?(?:years|periods|quarters)\b",
    re.IGNORECASE,
)
_COMBINED = re.compile(r"\b(?:combined|altogether|together|in total|sum of)\b|合计|总共|一共", re.IGNORECASE)
# "More cash used": of amounts that are all taken away the one that takes most.
_TAKES_MOST = re.compile(r"\b(?:more|larger|greater|bigger|most|largest|greatest|biggest)\b", re.IGNORECASE)
_TAKES_LEAST = re.compile(r"\b(?:less|smaller|least|smallest)\b", re.IGNORECASE)
_ALL_THE = re.compile(r"(?:the )?(?:all|total|overall|entire|whole)\b|全部|所有|总", re.IGNORECASE)
_YEARS_TOLD = re.compile(
    r"\b(?:the|all) (?:last |past )?(?P<n>\d|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:years|periods"
    r"|quarters)\b",
    re.IGNORECASE,
)
# With text beside the table, the answer may well stand there.
BESIDE_TEXT = 0.5


class StatementPlanner(StatementChanges):
    """Makes plans for one table."""

    def plan(self) -> Finding | None:
        """Return what the table answers, or None."""
        if not self._table.rows or len(self._table.columns) < 2 or self._question.prose:
            return None
        plans: dict[str, Callable[[], Finding | None]] = {
            "percent_change": self._percent_change, "difference": self._difference_or_sum, "ratio": self._ratio,
            "average": self._average, "sum": self._sum, "extreme_period": self._extreme_period,
            "count_periods": self._count_periods, "trend": self._trend, "lookup": self._lookup,
        }  # fmt: skip
        if (found := listed(self._question, self._table)) is not None:
            return found
        if (found := items_that_changed(self._question, self._linker.source)) is not None:
            return found
        try:
            if (found := extreme_item(self._linker, self._question)) is not None:
                return found
            finding = self._named_so() or plans[self._question.kind]()
        except UsageError:
            return None
        if finding is None or self._in_text(finding):
            return None
        around = self._linker.source.announced | self._linker.source.context
        return finding if plausible(self._question, self._table, finding, around) else None

    def _in_text(self, finding: Finding) -> bool:
        """True when the text beside the table may rather hold the answer."""
        source = self._linker.source
        return source.stands_in_text and (
            finding.confidence < BESIDE_TEXT
            or asks_meaning(self._question, finding)
            or told_beside(self._question, source, finding)
        )

    def _difference_or_sum(self) -> Finding | None:
        """Return a change; "the changes in estimates of both years combined" are added up."""
        if len(set(self._question.years)) > 1 and _COMBINED.search(self._question.plain):
            best = self._cells.best_item(None)
            if best is not None and CHANGES.search(best.place.ref.row_header.rsplit(" / ", 1)[-1]):
                return self._over("sum", "SUM")
        return self._difference()

    def _named_so(self) -> Finding | None:
        """A row may be called "Net decrease in cash": then it is looked up, and nothing is computed."""
        if self._question.kind == "lookup" or len(set(self._question.years)) > 1:
            return None
        found = self._lookup()
        if found is None or len(found.cells) != 1:
            return None
        cell, asked = found.cells[0], plain(self._question.plain)
        leaves = [
            plain(without_asides(name.rsplit(" / ", 1)[-1])) for name in (cell.row_header, cell.column_header)
        ]
        row, column = (leaf or asked for leaf in leaves)
        if row in asked and Question(asked.replace(row, " ", 1)).kind == "lookup":
            return found
        told = column in asked and not all(map(is_asking, features(column)))
        named = told and Question(asked.replace(column, " ", 1)).kind == "lookup"
        return found if named else None

    # --- two items of a period ------------------------------------------------------------------------

    def _ratio(self) -> Finding | None:
        question = self._question
        if len(set(question.years)) > 1:
            return None
        match = PART.search(question.plain)
        if match is not None and not re.search(r"\bratio(?: \([^()]*\))? of\b", question.plain, re.I):
            parts = match.groupdict()
            part = next(value for key, value in parts.items() if key.startswith("part") and value)
            whole = next(value for key, value in parts.items() if key.startswith("whole") and value)
            two = self._cells.both(part, whole)
            if two is None and _ALL_THE.match(whole):  # "all staff costs", by no name of the table
                two = self._cells.both(part, "total")
                two = two if two is not None and two[2] >= ENOUGH else None
        else:
            two = self._two_items()
        printed = self._lookup()
        if printed is not None and all(step.observation.unit == "%" for step in printed.steps):
            return printed
        if two is None or two[2] < BARELY_NAMED:
            return None
        a, b, score = two
        plain_ratio = RATIO_WORDS.search(question.plain)
        shares = [place.value.unit == "%" for place in (a, b)]
        if any(shares) and not (all(shares) and plain_ratio):
            return None  # a share is printed already
        if a.text == b.text or (is_total(a) and not is_total(b)):
            return None  # no part is all of its whole, no whole a share of its part
        step = run(self._table, "DIVIDE", a=spec(a), b=spec(b), percent=not plain_ratio)
        found = self._computed("ratio", step, f"{name_of(a)} ÷ {name_of(b)}", score)
        if found and (taken_away([a]) or a.row in self._linker.years.by_place):
            return replace(found, values=[found.values[0].lstrip("-")], said=found.said.lstrip("-"))
        return found

    # --- several cells --------------------------------------------------------------------------------

    def _average(self) -> Finding | None:
        if self._holds_averages and (len(set(self._question.years)) < 2 or self._question.respective):
            return self._lookup()
        weighted = _WEIGHTED.search(self._question.plain)
        return self._printed("average") or (None if weighted else self._over("average", "AVERAGE"))

    @cached_property
    def _holds_averages(self) -> bool:
        """True when what stands around the table says that its numbers are averages."""
        source = self._linker.source
        return bool(features("average") & (source.context | source.announced))

    def _sum(self) -> Finding | None:
        two = None if len(set(self._question.years)) > 1 else self._two_items()
        if two is not None:
            a, b, score = two
            if a.value.unit == "%":
                return None
            step = run(self._table, "SUM", cells=[spec(a), spec(b)])
            return self._computed("sum", step, f"{name_of(a)} + {name_of(b)}", score)
        if len(set(self._question.years)) > 1 and not self._question.respective:
            return self._over("sum", "SUM")
        if not self._question.years and _ALL_PERIODS.search(self._question.plain):
            return self._over("sum", "SUM")
        found = self._lookup()
        return found if found is not None and all(map(self._whole, found.cells)) else None

    def _whole(self, cell: CellRef) -> bool:
        """True for a total, by its name or its parts, and for a row whose name the question says all of."""
        named = re.search(r"total|sum|合计|总", f"{cell.row_header} {cell.column_header}", re.IGNORECASE)
        whole = cell.row in self._table.sums or self._cells.of_whole(
            CellPlace(self._table, cell.row, cell.column)
        )
        return bool(named) or whole or self._linker.told(cell.row, self._question)

    def _printed(self, word: str) -> Finding | None:
        """ "Average price" may be the name of a row: then it is looked up."""
        found = self._lookup()
        if found is None or len(found.values) > 1:
            return None
        headers = [header for cell in found.cells for header in (cell.row_header, cell.column_header)]
        name = " ".join([found.label, *headers]).casefold()
        return found if re.search(rf"{word}|mean|平均|均", name) else None

    def _over(self, kind: str, operator: str) -> Finding | None:
        years = self._cells.span
        if not years and len(set(self._question.years)) == 2:
            years = sorted(set(self._question.years))
        if years:
            found = self._cells.each(years)
            if not found:
                return None
            places, score = [fit.place for fit in found], min(fit.score for fit in found)
        else:
            series = self._cells.series() if not self._question.years else None
            if series is None or (kind == "sum" and not _ALL_PERIODS.search(self._question.plain)):
                return None
            places, score = series
            years = sorted(self._cells.year_of(place) for place in places)
        told = _YEARS_TOLD.search(self._question.plain)
        if told and number_of(told["n"].casefold()) != len(places):
            return None  # "over the three years" is of no two
        if kind == "sum" and (self._told(places[0]) or places[0].value.unit == "%"):
            return None
        step = run(self._table, operator, cells=[spec(place) for place in places])
        label = f"{self._cells.item_name(places[0])}, {years[0]}–{years[-1]}"
        return self._computed(kind, step, label, score)

    def _told(self, place: CellPlace) -> bool:
        """True when "total" may be the name of the row, and no sum of its values."""
        named = any(TOTAL.match(level) for level in place.ref.row_header.split(" / "))
        return named and not SUMMED.search(self._question.plain)

    def _extreme_period(self) -> Finding | None:
        series = self._cells.series()
        if series is None:
            return None
        cells, score = series
        name = self._cells.item_name(cells[0])
        if self._question.threshold is not None:
            chosen = [self._cells.year_of(cell) for cell in cells if self._beyond(cell)]
            step = run(self._table, "RANK", cells=[spec(cell) for cell in cells])
            return finding_of("periods", chosen, name, [step], score) if chosen else None
        low = self._question.low
        amounts = [quantity.amount for cell in cells if (quantity := quantity_of(cell.value))]
        if min(amounts) < 0 < max(amounts) and asks_cash_used(self._question.plain, name):
            low = not low  # the most cash is used where the flow is the lowest
        if all((amount := quantity_of(cell.value)) is not None and amount.value < 0 for cell in cells):
            pattern = _TAKES_LEAST if low else _TAKES_MOST
            low = low != (pattern.search(self._question.plain) is not None)
        operator = "MIN" if low else "MAX"
        step = run(self._table, operator, cells=[spec(cell) for cell in cells])
        best = step.observation.cells
        if len(best) != 1:
            return None
        year = max(self._linker.years.at(best[0].row, best[0].column))
        named = self._named_by(best[0], year)
        return finding_of("extreme_period", [year], name, [step, *named], score, f"{year} ({best[0].text})")

    def _named_by(self, cell: CellRef, year: str) -> list[Step]:
        """Return the reading of the header cell that says a cell's year."""
        table = self._table
        heads = [(row, cell.column) for row in reversed(range(table.header_rows))]
        heads += [(cell.row, column) for column in range(table.header_columns)]
        place = next((place for place in heads if year in years_in(table.text(*place))), None)
        return [run(table, "READ_CELL", row=place[0], column=place[1])] if place else []

    def _count_periods(self) -> Finding | None:
        series = self._cells.series()
        if series is None:
            return None
        cells, score = series
        chosen = [self._cells.year_of(cell) for cell in cells if self._beyond(cell)]
        step = run(self._table, "RANK", cells=[spec(cell) for cell in cells])
        said = f"{len(chosen)} ({', '.join(chosen)})" if chosen else "0"
        name = self._cells.item_name(cells[0])
        return finding_of("count_periods", [str(len(chosen))], name, [step], score, said)

    def _beyond(self, cell: CellPlace) -> bool:
        quantity, limit = quantity_of(cell.value), self._question.threshold
        if quantity is None or limit is None:
            return False
        # A limit may be given as the table writes its numbers, or in full.
        scale = (
            quantity.scale
            if quantity.scale > 1 or quantity.unit == "%"
            else self._linker.source.announced_scale
        )
        in_full = limit.scaled and scale > 1
        value, bound = (quantity.value * scale, limit.amount) if in_full else (quantity.value, limit.limit)
        return value > bound if limit.more else value < bound

    def _trend(self) -> Finding | None:
        series = self._cells.series()
        if series is None:
            return None
        cells, score = series
        along = cells[0].row == cells[1].row
        params = {"row": cells[0].row} if along else {"column": cells[0].column}
        step = run(self._table, "TREND", **params)
        if step.observation.status != "ok":
            return None
        name = self._cells.item_name(cells[0])
        return finding_of("trend", [str(step.observation.value)], name, [step], score)
