"""Plans over tables whose rows and columns are both named: statements, key figures, results by year.

A question is turned into cells (:mod:`engine.answer.tables.choosing`) and operators over them. A plan is returned
only when one reading stands clearly out; otherwise there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from engine.answer.tables.choosing import BARELY_NAMED, Chooser
from engine.answer.tables.extreme_items import extreme_item
from engine.answer.tables.finding import Finding, Step, run, spec
from engine.answer.tables.linking import Fit, Linker
from engine.answer.tables.listing import listed
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.plausible import asks_meaning, plausible, told_beside
from engine.answer.tables.quantity import quantity_of, shown, written
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.reading import name_of
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_words import (
    CHANGED,
    CHANGES,
    EACH_OF,
    IN_POINTS,
    PAIR,
    PART,
    POINTS,
    PRIOR,
    RATIO_WORDS,
    SUMMED,
    TOTAL,
    is_period,
    is_total,
    taken_away,
    tells_share,
    when,
    years_of_change,
)
from engine.answer.tables.typed_table import CellRef
from engine.enrich.units import measure_of
from engine.errors import UsageError

_DECIMALS, _MOST_DECIMALS = 2, 6
# What it is weighted with, no table of averages says.
_WEIGHTED = re.compile(r"\bweighted\b|加权", re.IGNORECASE)
_ALL_PERIODS = re.compile(
    r"\b(?:across|over|for|in|of) (?:all|the)(?: of)?(?: the)?(?: (?:\d|two|three|four|five))?"
    r" (?:\w+ )?(?:years|periods|quarters)\b",
    re.IGNORECASE,
)
# With text beside the table, the answer may well stand there.
BESIDE_TEXT = 0.5


class StatementPlanner:
    """Makes plans for one table."""

    def __init__(self, linker: Linker, question: Question) -> None:
        self._linker, self._question, self._table = linker, question, linker.table
        self._cells = Chooser(linker, question)

    def plan(self) -> Finding | None:
        """Return what the table answers, or None."""
        if not self._table.rows or len(self._table.columns) < 2 or self._question.prose:
            return None
        plans: dict[str, Callable[[], Finding | None]] = {
            "percent_change": self._percent_change, "difference": self._difference, "ratio": self._ratio,
            "average": self._average, "sum": self._sum, "extreme_period": self._extreme_period,
            "count_periods": self._count_periods, "trend": self._trend, "lookup": self._lookup,
        }  # fmt: skip
        if (found := listed(self._question, self._table)) is not None:
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
        return bool(source.beside) and (
            finding.confidence < BESIDE_TEXT
            or asks_meaning(self._question, finding)
            or told_beside(self._question, source, finding)
        )

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

    # --- one cell and lists -------------------------------------------------------------------------

    def _lookup(self) -> Finding | None:
        years = self._question.years
        if len(years) > 1:
            if not self._linker.years.dated or self._question.counts_periods:
                return None
            both = self._cells.of_all(years)
            fits = [both] if both else self._cells.each(self._cells.span or years)
        elif self._question.respective:
            match = EACH_OF.search(self._question.plain)
            two = (
                self._cells.both(match["a"] or match["a_zh"], match["b"] or match["b_zh"]) if match else None
            )
            fits = [Fit(place, two[2]) for place in two[:2]] if two else []
        else:
            clear = self._cells.one(years[0] if years else None)
            fits = [clear] if clear else []
        if not fits or any(measure_of(fit.place.text) for fit in fits):
            return None
        steps = [run(self._table, "LOOKUP", row=f.place.row, column=f.place.column) for f in fits]
        if any(step.observation.status != "ok" for step in steps):
            return None
        label = "; ".join(name_of(fit.place) for fit in fits)
        texts = [fit.place.text for fit in fits]
        if self._question.measure == "count":
            # What left in brackets ("Vested (365)") is counted without them.
            texts = [re.sub(r"^\(([\d.,]+)\)$", r"\1", text) for text in texts]
        return _finding("lookup", texts, label, steps, min(f.score for f in fits))

    # --- two periods ----------------------------------------------------------------------------------

    def _percent_change(self) -> Finding | None:
        pair = self._two_periods()
        if pair is None:
            return self._read_change(percent=True) or self._of_changes()
        if (told := self._told_by_row(pair[1])) is not None:
            return told
        old, new, score = pair
        printed = self._printed_change(old, new)
        if printed is not None:
            step = run(self._table, "READ_CELL", row=printed.row, column=printed.column)
            return _finding("lookup", [printed.text], name_of(printed), [step], score)
        if old.value.unit == "%" and POINTS.search(self._question.plain):
            step = run(self._table, "DIFF", a=spec(new), b=spec(old))
            return self._computed("difference", step, self._change_label(old, new), score)
        step = run(self._table, "PERCENT_CHANGE", old=spec(old), new=spec(new))
        return self._computed("percent_change", step, self._change_label(old, new), score)

    def _difference(self) -> Finding | None:
        if self._question.measure == "percent" and (found := self._read_change(percent=True)) is not None:
            return found
        pair = self._two_periods()
        if pair is not None:
            if (told := self._told_by_row(pair[1])) is not None:
                return told
            old, new, score = pair
            step = run(self._table, "DIFF", **self._from_to(old, new))
            found = self._computed("difference", step, self._change_label(old, new), score)
            return self._with_printed(found, old, new)
        two = self._two_items()
        if two is None:
            printed = (self._read_change(percent) for percent in (None, False, True))
            return next((found for found in printed if found is not None), None) or self._of_changes()
        a, b, score = two
        step = run(self._table, "DIFF", **self._from_to(*((a, b) if when(a) < when(b) else (b, a))))
        return self._computed("difference", step, f"{name_of(a)} − {name_of(b)}", score)

    def _from_to(self, old: CellPlace, new: CellPlace) -> dict[str, Any]:
        """Return the parameters of new less old; a mere "difference" is told as a positive number."""
        a, b = quantity_of(old.value), quantity_of(new.value)
        if (
            a
            and b
            and (a.amount > b.amount if not CHANGED.search(self._question.plain) else taken_away([old, new]))
        ):
            old, new = new, old
        return {"a": spec(new), "b": spec(old)}

    def _printed_change(self, old: CellPlace, new: CellPlace, percent: bool = True) -> CellPlace | None:
        """Return the cell that prints the change: of just these periods, or in a table of no others."""
        if old.row != new.row:
            return None
        years = {self._cells.year_of(old), self._cells.year_of(new)}
        only = len(self._cells.periods_of(new)) == 2
        cells = [
            CellPlace(self._table, new.row, column.index)
            for column in self._table.value_columns
            if CHANGES.search(column.name)
            and (years_in(column.name) == years or (only and not is_period(column.name.rsplit(" / ", 1)[-1])))
        ]
        told = [cell for cell in cells if tells_share(cell) == percent]
        return told[0] if len(told) == 1 else None

    def _with_printed(self, found: Finding | None, old: CellPlace, new: CellPlace) -> Finding | None:
        """Return a computed change with the cell cited that prints the same amount."""
        printed = self._printed_change(old, new, percent=False)
        number = found.steps[0].observation.number if found is not None else None
        if found is None or printed is None or number is None:
            return found
        if abs(printed.value.value or 0) != abs(number.value):
            return found
        step = run(self._table, "READ_CELL", row=printed.row, column=printed.column)
        return _finding(
            found.kind, found.values, found.label, [*found.steps, step], found.confidence, found.said
        )

    def _read_change(self, percent: bool | None = None) -> Finding | None:
        """Return the cell that prints a change of the years that the question names (None: percentage or amount)."""
        asked = set(self._question.years)
        if PAIR.search(self._question.plain) and len(asked) < 2:
            return None
        columns = {
            column.index
            for column in self._table.value_columns
            if CHANGES.search(column.name)
            and (not (years := years_of_change(column.name)) or years <= asked or asked <= years)
        }
        fits = [
            fit
            for fit in self._cells.fits(None)
            if fit.place.column in columns and percent in (None, tells_share(fit.place))
        ]
        best = self._cells.clear(fits)
        if best is None or not (quantity_of(best.place.value) or IN_POINTS.fullmatch(best.place.text)):
            return None
        column = features(without_asides(best.place.ref.column_header.rsplit(" / ", 1)[-1]))
        told = tells_share(best.place) and self._question.measure != "percent"
        told = told and not (
            column and column <= self._question.names and not CHANGES.search(" ".join(column))
        )
        if told and self._has_amounts(best.place.row):
            return None
        step = run(self._table, "READ_CELL", row=best.place.row, column=best.place.column)
        return _finding("lookup", [best.place.text], name_of(best.place), [step], best.score)

    def _told_by_row(self, new: CellPlace) -> Finding | None:
        """Return the cell of a row that tells changes by its name: its own change is not asked for."""
        only_year = len(set(self._question.years)) == 1
        return (
            self._lookup() if only_year and CHANGES.search(new.ref.row_header.rsplit(" / ", 1)[-1]) else None
        )

    def _of_changes(self) -> Finding | None:
        """Return a cell of a table that tells nothing but changes, as what it stands under says."""
        source = self._linker.source
        if not CHANGES.search(f"{' '.join(source.path[-1:])} {source.table.caption}"):
            return None
        return None if PAIR.search(self._question.plain) else self._lookup()

    def _has_amounts(self, row: int) -> bool:
        """True for a row with numbers other than percentages."""
        values = [self._table.value(row, column.index) for column in self._table.value_columns]
        return any(value.numeric and value.unit != "%" for value in values)

    def _two_periods(self) -> tuple[CellPlace, CellPlace, float] | None:
        """Return the same item in two periods, the earlier first."""
        years = sorted(set(self._question.years))
        if len(years) == 2:
            found = self._cells.each(years)
            return (found[0].place, found[1].place, min(fit.score for fit in found)) if found else None
        if len(years) > 2 or PAIR.search(self._question.plain):
            return None
        if len(years) == 1 and not (
            PRIOR.search(self._question.plain) or CHANGED.search(self._question.plain)
        ):
            return None
        best = self._cells.best_item(years[0] if years else None)
        if best is None:
            return None
        cells = sorted(self._cells.periods_of(best.place), key=self._cells.year_of)
        if len(years) == 1:
            wanted = (years[0], str(int(years[0]) - 1))
            cells = [cell for cell in cells if self._cells.year_of(cell) in wanted]
        if len(cells) != 2 or self._cells.year_of(cells[0]) == self._cells.year_of(cells[1]):
            return None
        return cells[0], cells[1], best.score

    # --- two items of a period ------------------------------------------------------------------------

    def _two_items(self) -> tuple[CellPlace, CellPlace, float] | None:
        match = PAIR.search(self._question.plain)
        if match is None or len(set(self._question.years)) > 1:
            return None
        a, b = [group for group in match.groups() if group][:2]
        return self._cells.both(a, b)

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
        name = found.label.casefold()
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
            return _finding("periods", chosen, name, [step], score) if chosen else None
        operator = "MIN" if self._question.low else "MAX"
        step = run(self._table, operator, cells=[spec(cell) for cell in cells])
        best = step.observation.cells
        if len(best) != 1:
            return None
        year = max(self._linker.years.at(best[0].row, best[0].column))
        named = self._named_by(best[0], year)
        return _finding("extreme_period", [year], name, [step, *named], score, f"{year} ({best[0].text})")

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
        return _finding("count_periods", [str(len(chosen))], name, [step], score, said)

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
        return _finding("trend", [str(step.observation.value)], name, [step], score)

    # --- the outcome ----------------------------------------------------------------------------------

    def _change_label(self, old: CellPlace, new: CellPlace) -> str:
        return f"{self._cells.item_name(new)}, {self._cells.year_of(old)} → {self._cells.year_of(new)}"

    def _computed(self, kind: str, step: Step, label: str, score: float) -> Finding | None:
        """Return the finding of a computed number."""
        number = step.observation.number
        if step.observation.status != "ok" or number is None:
            return None
        percent = "%" if number.unit == "%" and kind != "difference" else ""
        said = f"{shown(number, self._question.chinese)} ({step.observation.derivation})"
        return _finding(
            kind, [written(number.value, _places(kind, number.value)) + percent], label, [step], score, said
        )


def _places(kind: str, value: Decimal) -> int:
    """Return the decimals to tell: all of a difference or sum, two of what was divided."""
    exact = -int(value.as_tuple().exponent) if kind in ("difference", "sum") else 0
    return max(_DECIMALS, min(exact, _MOST_DECIMALS))


def _finding(
    kind: str, values: list[str], label: str, steps: list[Step], score: float, said: str = ""
) -> Finding:
    cells = {(c.node_id, c.row, c.column): c for step in steps for c in step.observation.cells}
    return Finding(kind, values, label, steps, min(1.0, score), said, list(cells.values()))
