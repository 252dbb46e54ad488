"""Changes from one period to another: computed from two cells, or read where the table prints them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from engine.answer.tables.finding import Finding, run, spec
from engine.answer.tables.matching import features, quarters_in, years_in
from engine.answer.tables.quantity import quantity_of
from engine.answer.tables.reading import name_of
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_reading import StatementReading, finding_of
from engine.answer.tables.statement_words import (
    CHANGED,
    CHANGES,
    IN_POINTS,
    PAIR,
    POINTS,
    PRIOR,
    is_period,
    taken_away,
    tells_share,
    when,
    years_of_change,
)
from engine.answer.tables.typed_table import Column

# Printed figures are rounded.
_HALF = Decimal("0.51")


class StatementChanges(StatementReading):
    """The plans for changes over one statement."""

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
            return finding_of("lookup", [printed.text], name_of(printed), [step], score)
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
            if self._tells_change(column)
            and (years_in(column.name) == years or (only and not is_period(column.name.rsplit(" / ", 1)[-1])))
        ]
        told = [cell for cell in cells if tells_share(cell) == percent and cell.text]
        if percent and len(told) > 1:  # of several periods: the one that says what is computed
            told = [cell for cell in told if self._is_change(cell, old, new)]
        return told[0] if len(told) == 1 else None

    def _tells_change(self, column: Column) -> bool:
        """True for a column of changes; one that alone is of a year holds the year's amounts, whatever its header."""
        years = years_in(column.name)
        if not CHANGES.search(column.name) or len(years) != 1:
            return bool(CHANGES.search(column.name))
        others = [other.name for other in self._table.value_columns if other.index != column.index]
        return any(years & years_in(name) and not CHANGES.search(name) for name in others) or not any(
            years_in(name) and not CHANGES.search(name) for name in others
        )

    def _is_change(self, printed: CellPlace, old: CellPlace, new: CellPlace) -> bool:
        """True for a cell that says the change from one cell to another in percent, to its last digit."""
        number = run(self._table, "PERCENT_CHANGE", old=spec(old), new=spec(new)).observation.number
        said = printed.value.value
        if number is None or said is None:
            return False
        return abs(number.value - said) <= Decimal(1).scaleb(int(said.as_tuple().exponent)) * _HALF

    def _with_printed(self, found: Finding | None, old: CellPlace, new: CellPlace) -> Finding | None:
        """Return a computed change with the cell cited that prints the same amount."""
        printed = self._printed_change(old, new, percent=False)
        number = found.steps[0].observation.number if found is not None else None
        if found is None or printed is None or number is None:
            return found
        if abs(printed.value.value or 0) != abs(number.value):
            return found
        step = run(self._table, "READ_CELL", row=printed.row, column=printed.column)
        return finding_of(
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
            if self._tells_change(column)
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
        percent_asked = self._question.measure == "percent" or self._question.kind == "percent_change"
        told = tells_share(best.place) and not percent_asked
        told = told and not (
            column and column <= self._question.names and not CHANGES.search(" ".join(column))
        )
        if told and self._has_amounts(best.place.row):
            return None
        step = run(self._table, "READ_CELL", row=best.place.row, column=best.place.column)
        return finding_of("lookup", [best.place.text], name_of(best.place), [step], best.score)

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
        quarters = sorted(quarters_in(self._question.plain))
        if len(quarters) == 2 and (of_quarters := self._cells.each_quarter(quarters)):
            a, b = of_quarters
            return a.place, b.place, min(a.score, b.score)
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
