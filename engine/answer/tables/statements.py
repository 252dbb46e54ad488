"""Plans over tables whose rows and columns are both named: statements, key figures, results by year.

A question is turned into cells (:mod:`engine.answer.tables.linking`) and operators over them. A plan is returned
only when one reading stands clearly out; otherwise there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from engine.answer.tables.finding import Finding, Step, run, spec
from engine.answer.tables.linking import Fit, Linker
from engine.answer.tables.matching import features, plain, quarters_in
from engine.answer.tables.observation import Observation
from engine.answer.tables.quantity import quantity_of, shown, written
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.reading import name_of
from engine.answer.tables.references import CellPlace
from engine.answer.tables.statement_words import CHANGES, PAIR, PART, PERCENT, TOTAL, is_period
from engine.enrich.units import measure_of
from engine.errors import UsageError

ENOUGH = 0.58
BARELY, STANDS_OUT = 0.33, 0.25
MARGIN = 0.07
# With text beside the table, the answer may well stand there.
BESIDE_TEXT = 0.72


class StatementPlanner:
    """Makes plans for one table."""

    def __init__(self, linker: Linker, question: Question) -> None:
        self._linker = linker
        self._question = question
        self._table = linker.table

    def plan(self) -> Finding | None:
        """Return what the table answers, or None."""
        if not self._table.rows or len(self._table.columns) < 2:
            return None
        plans: dict[str, Callable[[], Finding | None]] = {
            "percent_change": self._percent_change, "difference": self._difference, "ratio": self._ratio,
            "average": self._average, "sum": self._sum, "extreme_period": self._extreme_period,
            "count_periods": self._count_periods, "trend": self._trend, "lookup": self._lookup,
        }  # fmt: skip
        if self._question.prose:
            return None
        try:
            finding = self._named_so() or plans[self._question.kind]()
        except UsageError:
            return None
        if finding is None or (self._linker.source.beside and finding.confidence < BESIDE_TEXT):
            return None
        return finding if self._plausible(finding) else None

    def _named_so(self) -> Finding | None:
        """A row may be called "Net decrease in cash": then it is looked up, and nothing is computed."""
        if self._question.kind == "lookup" or len(set(self._question.years)) > 1:
            return None
        found = self._lookup()
        if found is None or len(found.cells) != 1:
            return None
        leaf = plain(found.cells[0].row_header.rsplit(" / ", 1)[-1])
        return (
            found
            if leaf in plain(self._question.plain) and Question(leaf).kind == self._question.kind
            else None
        )

    def _plausible(self, finding: Finding) -> bool:
        """False when the question says more than was done: another computation, or another row by its full name."""
        names = plain(" ".join(f"{c.row_header} {c.column_header}" for c in finding.cells))
        if any(plain(word) not in names for word in self._question.mixed):
            return False
        if finding.kind == "lookup" and not self._only_read(finding, names):
            return False
        if self._question.respective and len(finding.values) < 2:
            return False
        asked = f" {plain(self._question.plain)} "
        for row in self._table.rows:
            leaf = plain(row.leaf)
            told = any(not is_asking(f) and f not in self._question.years for f in features(leaf))
            if told and len(leaf) > 3 and leaf in asked and leaf not in names:
                return False
        return True

    def _only_read(self, finding: Finding, names: str) -> bool:
        """True when the question asks for no more than the cells found, and for what they hold."""
        question = self._question
        known = names.replace("high", "high highest").replace("low", "low lowest").split()
        words = [w for w in question.reasoned if plain(w) not in names and w.casefold() not in known]
        if question.kind in ("percent_change", "difference", "sum", "average") or len(question.years) > 1:
            words = [
                word
                for word in words
                if word.casefold() not in ("between", "both", "over", "all", "least", "or")
            ]
        if quarters_in(question.plain):
            words = [word for word in words if word.casefold() not in ("first", "last")]
        if words:
            return False
        amount = re.search(r"\bhow (?:many|much)\b|多少", question.plain, re.IGNORECASE)
        return not amount or all(re.search(r"\d", value) for value in finding.values)

    # --- one cell and lists -------------------------------------------------------------------------

    def _lookup(self) -> Finding | None:
        years = self._question.years
        if len(years) > 1:
            if not self._linker.dated or self._question.counts_periods:
                return None
            years = self._span() or years
            found = [self._clear(self._fits(year)) for year in years]
            if not all(found) or len({self._item(fit.place) for fit in found if fit}) > 1:
                return None
            fits = [fit for fit in found if fit]
        else:
            clear = self._clear(self._fits(years[0] if years else None))
            fits = [clear] if clear else []
        if not fits or any(measure_of(fit.place.text) for fit in fits):
            return None
        steps = [run(self._table, "LOOKUP", row=f.place.row, column=f.place.column) for f in fits]
        if any(step.observation.status != "ok" for step in steps):
            return None
        label = "; ".join(name_of(fit.place) for fit in fits)
        return self._finding(
            "lookup", [fit.place.text for fit in fits], label, steps, min(f.score for f in fits)
        )

    # --- two periods ----------------------------------------------------------------------------------

    def _percent_change(self) -> Finding | None:
        pair = self._two_periods()
        if pair is None:
            return None
        old, new, score = pair
        printed = self._printed_change(old, new)
        if printed is not None:
            step = run(self._table, "READ_CELL", row=printed.row, column=printed.column)
            return self._finding("lookup", [printed.text], name_of(printed), [step], score)
        step = run(self._table, "PERCENT_CHANGE", old=spec(old), new=spec(new))
        return self._computed("percent_change", step, self._change_label(old, new), score)

    def _difference(self) -> Finding | None:
        pair = self._two_periods()
        if pair is not None:
            old, new, score = pair
            step = run(self._table, "DIFF", a=spec(new), b=spec(old))
            return self._computed("difference", step, self._change_label(old, new), score)
        two = self._two_items()
        if two is None:
            return None
        a, b, score = two
        step = run(self._table, "DIFF", a=spec(a), b=spec(b))
        return self._computed("difference", step, f"{name_of(a)} − {name_of(b)}", score)

    def _printed_change(self, old: CellPlace, new: CellPlace) -> CellPlace | None:
        """Return the cell that prints the change in percent, in a table of these two periods."""
        if old.row != new.row or len(self._period_cells(Fit(new, 1.0))) != 2:
            return None
        cells = [
            CellPlace(self._table, new.row, column.index)
            for column in self._table.value_columns
            if CHANGES.search(column.name) and not is_period(column.name.rsplit(" / ", 1)[-1])
        ]
        cells = [cell for cell in cells if cell.value.unit == "%"]
        return cells[0] if len(cells) == 1 else None

    def _two_periods(self) -> tuple[CellPlace, CellPlace, float] | None:
        """Return the same item in two periods, the earlier first."""
        years = sorted(set(self._question.years))
        if len(years) == 2:
            found = [self._clear(self._fits(year)) for year in years]
            if found[0] is None or found[1] is None:
                return None
            first, second = found[0], found[1]
            if self._item(first.place) != self._item(second.place):
                return None
            return first.place, second.place, min(first.score, second.score)
        if len(years) > 2 or PAIR.search(self._question.plain):
            return None
        if len(years) == 1 and not re.search(
            r"previous|prior|last year|year.over.year|上年|去年|同比|上一年|yoy", self._question.plain, re.I
        ):
            return None
        best = self._best_item(years[0] if years else None)
        if best is None:
            return None
        cells = sorted(self._period_cells(best), key=lambda cell: self._year_of(cell))
        if len(years) == 1:
            cells = [cell for cell in cells if self._year_of(cell) in (years[0], str(int(years[0]) - 1))]
        if len(cells) != 2 or self._year_of(cells[0]) == self._year_of(cells[1]):
            return None
        return cells[0], cells[1], best.score

    # --- two items of a period --------------------------------------------------------------------

    def _two_items(self) -> tuple[CellPlace, CellPlace, float] | None:
        match = PAIR.search(self._question.plain)
        if match is None or len(set(self._question.years)) > 1:
            return None
        a, b = [group for group in match.groups() if group][:2]
        return self._both(a, b)

    def _both(self, a: str, b: str) -> tuple[CellPlace, CellPlace, float] | None:
        question = self._question
        year = question.years[0] if question.years else None
        others = question.names - question.features_of(a) - question.features_of(b)
        found: list[Fit] = []
        for part in (a, b):
            own = question.features_of(part)
            shared = frozenset(f for f in others if f in self._linker.known)
            clear = self._clear(self._linker.fits(question, own | shared, year, part))
            if clear is None and shared:
                clear = self._clear(self._linker.fits(question, own, year, part))
            if clear is None:
                return None
            found.append(clear)
        first, second = found[0].place, found[1].place
        if (first.row, first.column) == (second.row, second.column) or (
            first.row != second.row and first.column != second.column
        ):
            return None
        return first, second, min(fit.score for fit in found)

    def _ratio(self) -> Finding | None:
        question = self._question
        if len(set(question.years)) > 1:
            return None
        printed = self._lookup()
        if printed is not None and all(step.observation.unit == "%" for step in printed.steps):
            return printed
        match = PART.search(question.plain)
        percent = not re.search(r"\bratio\b|之比|比率|倍|times", question.plain, re.I)
        two = None
        if match is not None and not re.search(r"\bratio of\b", question.plain, re.I):
            parts = match.groupdict()
            part = next(value for key, value in parts.items() if key.startswith("part") and value)
            whole = next(value for key, value in parts.items() if key.startswith("whole") and value)
            two = self._both(part, whole)
        else:
            two = self._two_items()
        if two is None:
            return None
        a, b, score = two
        step = run(self._table, "DIVIDE", a=spec(a), b=spec(b), percent=percent)
        return self._computed("ratio", step, f"{name_of(a)} ÷ {name_of(b)}", score)

    # --- several cells ------------------------------------------------------------------------------

    def _average(self) -> Finding | None:
        return self._printed("average") or self._over("average", "AVERAGE")

    def _sum(self) -> Finding | None:
        two = None if len(set(self._question.years)) > 1 else self._two_items()
        if two is not None:
            a, b, score = two
            step = run(self._table, "SUM", cells=[spec(a), spec(b)])
            return self._computed("sum", step, f"{name_of(a)} + {name_of(b)}", score)
        if len(set(self._question.years)) > 1 and not self._question.respective:
            return self._over("sum", "SUM")
        found = self._lookup()
        total = found is not None and re.search(r"total|sum|合计|总", found.label, re.IGNORECASE)
        return found if total or self._by_period else None

    def _printed(self, word: str) -> Finding | None:
        """ "Average price" may be the name of a row: then it is looked up."""
        found = self._lookup()
        if found is None or len(found.values) > 1:
            return None
        name = found.label.casefold()
        return found if re.search(rf"{word}|mean|平均|均", name) else None

    def _over(self, kind: str, operator: str) -> Finding | None:
        years = self._span()
        if not years and len(set(self._question.years)) == 2:
            years = sorted(set(self._question.years))
        if years:
            found = [self._clear(self._fits(year)) for year in years]
            if not all(found) or len({self._item(fit.place) for fit in found if fit}) > 1:
                return None
            places = [fit.place for fit in found if fit]
            score = min(fit.score for fit in found if fit)
        else:
            series = self._series() if not self._question.years else None
            if series is None or kind == "sum":
                return None
            places, score = series
            years = sorted(self._year_of(place) for place in places)
        step = run(self._table, operator, cells=[spec(place) for place in places])
        return self._computed(kind, step, f"{self._item_name(places[0])}, {years[0]}–{years[-1]}", score)

    def _series(self) -> tuple[list[CellPlace], float] | None:
        """Return an item's cells in all periods of the question, or of the table."""
        best = self._best_item(None)
        if best is None:
            return None
        cells = [cell for cell in self._period_cells(best) if quantity_of(cell.value)]
        asked = self._span() or list(dict.fromkeys(self._question.years))
        if len(asked) == 2 and re.search(r"\bbetween\b|之间", self._question.plain, re.IGNORECASE):
            asked = [str(year) for year in range(int(min(asked)), int(max(asked)) + 1)]
        if asked:
            cells = [cell for cell in cells if self._year_of(cell) in asked]
        years = [self._year_of(cell) for cell in cells]
        if len(cells) < 2 or len(set(years)) != len(years):
            return None
        return cells, best.score

    def _extreme_period(self) -> Finding | None:
        series = self._series()
        if series is None:
            return None
        cells, score = series
        limit = self._question.threshold
        if limit is not None:
            chosen = [cell for cell in cells if self._beyond(cell)]
            step = run(self._table, "RANK", cells=[spec(cell) for cell in cells])
            return (
                self._finding(
                    "periods", [self._year_of(c) for c in chosen], self._item_name(cells[0]), [step], score
                )
                if chosen
                else None
            )
        operator = "MIN" if self._question.low else "MAX"
        step = run(self._table, operator, cells=[spec(cell) for cell in cells])
        best = step.observation.cells
        if len(best) != 1:
            return None
        year = max(self._linker.years_at(best[0].row, best[0].column))
        said = f"{year} ({best[0].text})"
        return self._finding("extreme_period", [year], self._item_name(cells[0]), [step], score, said)

    def _count_periods(self) -> Finding | None:
        series = self._series()
        if series is None:
            return None
        cells, score = series
        chosen = [self._year_of(cell) for cell in cells if self._beyond(cell)]
        step = run(self._table, "RANK", cells=[spec(cell) for cell in cells])
        said = f"{len(chosen)} ({', '.join(chosen)})" if chosen else "0"
        return self._finding(
            "count_periods", [str(len(chosen))], self._item_name(cells[0]), [step], score, said
        )

    def _beyond(self, cell: CellPlace) -> bool:
        quantity, limit = quantity_of(cell.value), self._question.threshold
        if quantity is None or limit is None:
            return False
        # A limit may be given as the table writes its numbers, or in full.
        in_full = limit.scaled and quantity.scale > 1
        value, bound = (quantity.amount, limit.amount) if in_full else (quantity.value, limit.limit)
        return value > bound if limit.more else value < bound

    def _trend(self) -> Finding | None:
        series = self._series()
        if series is None:
            return None
        cells, score = series
        along = cells[0].row == cells[1].row
        params = {"row": cells[0].row} if along else {"column": cells[0].column}
        step = run(self._table, "TREND", **params)
        if step.observation.status != "ok":
            return None
        return self._finding("trend", [str(step.observation.value)], self._item_name(cells[0]), [step], score)

    # --- shared -------------------------------------------------------------------------------------

    def _fits(self, year: str | None) -> list[Fit]:
        return self._linker.fits(self._question, self._question.names, year if self._linker.dated else None)

    def _clear(self, fits: Sequence[Fit]) -> Fit | None:
        """Return the best fit when it is good and no other cell that says something else comes near."""
        if not fits or fits[0].score < BARELY:
            return None
        fits = self._in_kind(fits)
        best = fits[0]
        rival = next(
            (f for f in fits if f.place.row != best.place.row or f.place.column != best.place.column), None
        )
        if best.score < ENOUGH and not self._by_period:
            return None
        if best.score < ENOUGH and rival is not None and rival.score > best.score - STANDS_OUT:
            return None
        in_total = self._in_total(fits)
        if in_total is not None:
            return in_total
        for other in fits[1:]:
            if other.score <= best.score - MARGIN:
                break
            same = other.place.row == best.place.row and other.place.column == best.place.column
            if not same and other.place.text != best.place.text:
                return None
        return best

    def _in_total(self, fits: Sequence[Fit]) -> Fit | None:
        """Of the cells of one row or column that fit alike, return the one in the total column or row."""
        wide = [fit for fit in fits if fit.score > fits[0].score - 2 * MARGIN]
        if len(wide) > 1 and len({fit.place.column for fit in wide}) == 1 and wide[0].score > ENOUGH:
            rows = [fit for fit in wide if (row := self._table.row(fit.place.row)) and row.total]
            if len(rows) == 1 and not self._linker.said(wide[0].place.row, self._question, rows[0].place.row):
                return rows[0]
        near = [fit for fit in fits if fit.score > fits[0].score - MARGIN]
        if len(near) < 3 or len({fit.place.row for fit in near}) > 1:
            return None
        totals = [
            fit for fit in near if TOTAL.fullmatch(fit.place.ref.column_header.rsplit(" / ", 1)[-1].strip())
        ]
        return totals[0] if len(totals) == 1 else None

    @cached_property
    def _by_period(self) -> bool:
        """True for a table by years or quarters: a statement."""
        names = [column.name for column in self._table.value_columns]
        return sum(is_period(name) or bool(quarters_in(name)) for name in names) > 1

    def _in_kind(self, fits: Sequence[Fit]) -> Sequence[Fit]:
        """Of amounts and their percentages side by side, keep what is asked for."""
        near = [fit for fit in fits if fit.score > fits[0].score - MARGIN]
        percent = [fit.place.value.unit == "%" for fit in near]
        if all(percent) or not any(percent):
            return fits
        wanted = bool(PERCENT.search(self._question.plain))
        return [fit for fit in fits if (fit.place.value.unit == "%") == wanted]

    def _best_item(self, year: str | None) -> Fit | None:
        """Return the best cell, where other periods of the same item do not count as rivals."""
        fits = self._fits(year)
        if not fits or fits[0].score < ENOUGH:
            return None
        best = fits[0]
        near = [fit for fit in fits if fit.score > best.score - MARGIN]
        items = {self._item(fit.place) for fit in near}
        return best if len(items) == 1 else None

    def _item(self, place: CellPlace) -> tuple[str, str]:
        """Return what a cell is about but for its period: its row's and column's names without years."""
        ref = place.ref
        row = "" if is_period(ref.row_header) else f"{place.row}"
        column = re.sub(r"(?:19|20)\d\d", "", ref.column_header)
        return row, column if is_period(ref.column_header) else f"{place.column}"

    def _item_name(self, place: CellPlace) -> str:
        ref = place.ref
        return ", ".join(n for n in (ref.row_header, ref.column_header) if n and not is_period(n)) or name_of(
            place
        )

    def _period_cells(self, fit: Fit) -> list[CellPlace]:
        """Return the cells of the same item in all years that the table has."""
        place, item = fit.place, self._item(fit.place)
        along = [CellPlace(self._table, place.row, column.index) for column in self._table.value_columns]
        down = [CellPlace(self._table, row.index, place.column) for row in self._table.rows]
        cells = [
            cell for cell in {(c.row, c.column): c for c in along + down}.values() if self._year_of(cell)
        ]
        return [cell for cell in cells if self._item(cell) == item and quantity_of(cell.value)]

    def _year_of(self, cell: CellPlace) -> str:
        return max(self._linker.years_at(cell.row, cell.column), default="")

    def _span(self) -> list[str]:
        """Return all years of "from 2017 to 2019"."""
        years = sorted(set(self._question.years))
        text = self._question.plain
        spans = re.search(
            r"(?:19|20)\d\d\s*(?:to|through|until|[-–~]|至|到)\s*(?:\w+ ){0,3}(?:19|20)?\d\d", text
        )
        if len(years) == 2 and spans and int(years[1]) - int(years[0]) < 15:
            return [str(year) for year in range(int(years[0]), int(years[1]) + 1)]
        return years if len(years) > 2 else []

    def _change_label(self, old: CellPlace, new: CellPlace) -> str:
        return f"{self._item_name(new)}, {self._year_of(old)} → {self._year_of(new)}"

    def _computed(self, kind: str, step: Step, label: str, score: float) -> Finding | None:
        observation = step.observation
        if observation.status != "ok" or observation.number is None:
            return None
        value = written(observation.number.value, 2) + (
            "%" if observation.unit == "%" and kind != "difference" else ""
        )
        return self._finding(kind, [value], label, [step], score, self._said(observation))

    def _said(self, observation: Observation) -> str:
        """Return the result for readers with the arithmetic behind it."""
        assert observation.number is not None
        return f"{shown(observation.number, self._question.chinese)} ({observation.derivation})"

    def _finding(
        self, kind: str, values: list[str], label: str, steps: list[Step], score: float, said: str = ""
    ) -> Finding:
        cells = list(
            {(c.node_id, c.row, c.column): c for step in steps for c in step.observation.cells}.values()
        )
        return Finding(kind, values, label, steps, min(1.0, score), said, cells)
