"""Which cells of a statement a question means: one that stands out, the same item in other periods, two items."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import cached_property

from engine.answer.tables.dated_names import undated
from engine.answer.tables.linking import Fit, Linker
from engine.answer.tables.matching import features, plain, quarters_in
from engine.answer.tables.quantity import quantity_of
from engine.answer.tables.question import Question
from engine.answer.tables.reading import name_of
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_words import PERCENT, TAKEN_FROM, TOTAL, is_period
from engine.enrich.cell_values import NUMERIC
from engine.structure.sentences import is_cjk

ENOUGH = 0.58
BARELY, BARELY_NAMED = 0.22, 0.45  # in a statement, in another table
MARGIN = 0.04
_SHORT = 3
_LONGEST_SPAN, _LONGEST_SHORT = 15, 4
_FEWEST_SAID, _PLAIN = 2, frozenset({"net", "other", "total"})
_ALL_OF = re.compile(r"(?:the )?(?:total|overall|whole|entire)\b|总|全部|全公司|整体|公司", re.IGNORECASE)
_FROM_TO = re.compile(r"(?:19|20)\d\d\s*(?:to|through|until|[-–~]|至|到)\s*(?:\w+ ){0,3}(?:19|20)?\d\d")
_YEARLY = re.compile(
    r"\b(?:per|each|every|a) (?:fiscal )?year\b|\b(?:annual|yearly)\b|每年|年均", re.IGNORECASE
)
_BETWEEN = re.compile(r"\bbetween\b|之间", re.IGNORECASE)


class Chooser:
    """Chooses cells of one table for one question; where two readings are near each other, none."""

    def __init__(self, linker: Linker, question: Question) -> None:
        self.linker, self.question = linker, question
        self.table = linker.table

    def fits(self, year: str | None) -> list[Fit]:
        """Return the cells by how well they fit the whole question, the best first; ``year`` chooses where it can."""
        fits = self.linker.fits(self.question, self.question.names, year if self.linker.years.dated else None)
        return [fit for fit in fits if not self._is_sum_of_named(fit.place)]

    def one(self, year: str | None) -> Fit | None:
        """Return the cell that the question means in a year (None: no year said), or None."""
        fits = self.fits(year)
        if year is None and quarters_in(self.question.plain):
            fits = self._latest(fits)
        return self.clear(fits)

    def of_all(self, years: Sequence[str]) -> Fit | None:
        """Return the cell whose name says all of the years ("2019 vs. 2018"), or None."""
        fits = [
            fit
            for fit in self.fits(None)
            if self.linker.years.at(fit.place.row, fit.place.column) == {*years}
        ]
        return self.clear(fits)

    def _latest(self, fits: Sequence[Fit]) -> list[Fit]:
        """Of cells of the same name in several years keep that of the last: "the third quarter" is the latest one."""
        last: dict[tuple[str, str], str] = {}
        for fit in fits:
            name = self._undated_name(fit.place)
            last[name] = max(last.get(name, ""), self.year_of(fit.place))
        return [fit for fit in fits if self.year_of(fit.place) == last[self._undated_name(fit.place)]]

    def _undated_name(self, place: CellPlace) -> tuple[str, str]:
        ref = place.ref
        return undated(ref.row_header), undated(ref.column_header)

    def each(self, years: Sequence[str]) -> list[Fit]:
        """Return the same item in every one of the years; nothing where one is missing or another item."""
        found = [fit for year in years if (fit := self.one(year)) and self._of_one_year(fit.place)]
        # Of one item all periods are counted alike; else a header was misread.
        scales = {fit.place.value.scale for fit in found}
        alike = len({self.item(fit.place) for fit in found}) == len(scales) == 1
        return found if alike and len(found) == len(years) else []

    def _of_one_year(self, place: CellPlace) -> bool:
        return len(self.linker.years.at(place.row, place.column)) == 1

    def clear(self, fits: Sequence[Fit]) -> Fit | None:
        """Return the best fit when it is good and no other cell that says something else comes near."""
        if not fits or fits[0].score < (BARELY if self.by_period else BARELY_NAMED):
            return None
        fits = self._in_kind(fits)
        best = fits[0]
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

    @cached_property
    def by_period(self) -> bool:
        """True for a table by years or quarters: a statement."""
        columns = [column.name for column in self.table.value_columns]
        figures = [column for column in self.table.value_columns if column.dtype in NUMERIC]
        rows = [row.leaf for row in self.table.rows] if 2 * len(figures) >= len(columns) else []
        return any(
            sum(is_period(name) or bool(quarters_in(name)) for name in names) > 1 for names in (columns, rows)
        )

    def _in_total(self, fits: Sequence[Fit]) -> Fit | None:
        """Of the cells of one row or column that fit alike, return the one in the total column or row."""
        wide = [fit for fit in fits if fit.score > fits[0].score - 2 * MARGIN]
        if self._by_name(fits[0].place.row) and len({fit.place.row for fit in wide}) > 1:
            return fits[0] if len(wide) > 1 and not self._by_name(wide[1].place.row) else None
        if len(wide) > 1 and len({fit.place.column for fit in wide}) == 1 and wide[0].score > ENOUGH:
            rows = [fit for fit in wide if (row := self.table.row(fit.place.row)) and row.total]
            if len(rows) == 1 and not self.linker.said(wide[0].place.row, self.question, rows[0].place.row):
                return rows[0]
        near = [fit for fit in fits if fit.score > fits[0].score - 2 * MARGIN]
        if len(near) < 2 or (
            len({f.place.row for f in near}) > 1 and len({f.place.column for f in near}) > 1
        ):
            return None
        totals = [fit for fit in near if self.of_whole(fit.place)]
        return totals[0] if len(totals) == 1 and not self._tells(near) else None

    def of_whole(self, place: CellPlace) -> bool:
        """True for a cell of a total column, or of a group or column that is the whole ("Consolidated")."""
        ref = place.ref
        levels = [*ref.row_header.split(" / ")[:-1], *ref.column_header.split(" / ")]
        return any(TOTAL.fullmatch(without_asides(level).strip(" :")) for level in levels)

    def _tells(self, near: Sequence[Fit]) -> bool:
        """True when the question says a word that tells these cells apart."""
        names = [features(f"{fit.place.ref.row_header} {fit.place.ref.column_header}") for fit in near]
        common = frozenset.intersection(*names)
        return any((own - common) & self.question.names for own in names)

    def _is_sum_of_named(self, place: CellPlace) -> bool:
        """True for a sum of which the question names a part: then the part is meant.

        Not where the sum is named, too, and by more than the part: "same-store sales" before "sales" less the rest.
        """
        taken = [
            row.index
            for above, row in itertools.pairwise(self.table.rows)
            if above.index == place.row and TAKEN_FROM.match(row.leaf)
        ]
        parts = [*self.table.sums.get(place.row, ()), *taken]
        own = self._leaf(place.row)
        said = features(own) if self._by_name(place.row) else frozenset[str]()
        named = (part for part in parts if self._by_name(part) or self._in_short(part))
        leaves = map(self._leaf, named)
        return any(leaf not in own and not features(leaf) <= said for leaf in leaves)

    def _in_short(self, index: int) -> bool:
        """True when the question says a row's name by its short form: "G&A"."""
        own = self.table.row(index)
        short = self.linker.short_forms_of(own.leaf) if own else frozenset()
        return any(len(form) <= _LONGEST_SHORT for form in short & self.question.names)

    def _leaf(self, index: int) -> str:
        row = self.table.row(index)
        return plain(TAKEN_FROM.sub("", row.leaf)) if row else ""

    def _by_name(self, index: int) -> bool:
        """True when the question says a row's own name in full."""
        leaf, asked = self._leaf(index), plain(self.question.plain)
        if is_cjk(leaf):
            return len(leaf) > 1 and leaf in asked
        said = features(leaf) if len(leaf) > _SHORT else frozenset()
        if len(said - _PLAIN) >= _FEWEST_SAID and said <= self.question.names:
            return True  # the same words in another form or order
        return f" {leaf} " in f" {asked} "

    def _in_kind(self, fits: Sequence[Fit]) -> Sequence[Fit]:
        """Of amounts and their percentages side by side, keep what is asked for."""
        near = [fit for fit in fits if fit.score > fits[0].score - MARGIN]
        percent = [fit.place.value.unit == "%" for fit in near]
        if all(percent) or not any(percent):
            return fits
        wanted = bool(PERCENT.search(self.question.plain))
        return [fit for fit in fits if (fit.place.value.unit == "%") == wanted]

    # --- the periods of an item ---------------------------------------------------------------------

    def best_item(self, year: str | None) -> Fit | None:
        """Return the best cell, where other periods of the same item do not count as rivals."""
        fits = self.fits(year)
        if not fits or fits[0].score < ENOUGH:
            return None
        best = fits[0]
        near = [fit for fit in fits if fit.score > best.score - MARGIN]
        items = {self.item(fit.place) for fit in near}
        return best if len(items) == 1 else None

    def item(self, place: CellPlace) -> tuple[str, str]:
        """Return what a cell is about but for its period: its row and its column, named without their dates."""
        ref = place.ref
        dated = is_period(ref.row_header) or place.row in self.linker.years.by_place
        row = undated(ref.row_header) if dated else f"{place.row}"
        return row, undated(ref.column_header) if is_period(ref.column_header) else f"{place.column}"

    def item_name(self, place: CellPlace) -> str:
        """Return an item's name for readers: "Total sales"."""
        ref = place.ref
        names = [name for name in (ref.row_header, ref.column_header) if name and not is_period(name)]
        return ", ".join(names) or name_of(place)

    def periods_of(self, place: CellPlace) -> list[CellPlace]:
        """Return the cells with numbers of the same item in all years that the table has."""
        item = self.item(place)
        along = [CellPlace(self.table, place.row, column.index) for column in self.table.value_columns]
        down = [CellPlace(self.table, row.index, place.column) for row in self.table.rows]
        cells = {(cell.row, cell.column): cell for cell in along + down if self.year_of(cell)}
        return [cell for cell in cells.values() if self.item(cell) == item and quantity_of(cell.value)]

    def year_of(self, place: CellPlace) -> str:
        """Return the (latest) year of a cell, "" for none."""
        return max(self.linker.years.at(place.row, place.column), default="")

    def series(self) -> tuple[list[CellPlace], float] | None:
        """Return an item's cells in all periods of the question, or of the table, and how well they fit."""
        best = self.best_item(None)
        if best is None:
            return None
        cells = self.periods_of(best.place)
        asked = self.span or list(dict.fromkeys(self.question.years))
        if len(asked) == 2 and _BETWEEN.search(self.question.plain):
            asked = _all_years(asked)
        if asked:
            cells = [cell for cell in cells if self.year_of(cell) in asked]
        years = [self.year_of(cell) for cell in cells]
        if len(cells) < 2 or len(set(years)) != len(years):
            return None
        return cells, best.score

    @cached_property
    def span(self) -> list[str]:
        """All years of "from 2017 to 2019", or the three and more years that are named."""
        years = sorted(set(self.question.years))
        spans = _FROM_TO.search(self.question.plain) or (
            _BETWEEN.search(self.question.plain) and _YEARLY.search(self.question.plain)
        )
        if len(years) == 2 and spans and int(years[1]) - int(years[0]) < _LONGEST_SPAN:
            return _all_years(years)
        return years if len(years) > 2 else []

    def _amounts(self, asked: frozenset[str], year: str | None, part: str) -> list[Fit]:
        """Return the cells that fit a part of a question; of shares and sums those that are no percentages."""
        fits = self.linker.fits(self.question, asked, year, part)
        kind, measure = self.question.kind, self.question.measure
        counts = kind == "ratio" or (kind == "sum" and measure != "percent")
        amounts = [fit for fit in fits if fit.place.value.unit != "%"] if counts else []
        return amounts or fits

    def each_quarter(self, quarters: Sequence[str]) -> list[Fit]:
        """Return the same item in each of two quarters ("#q1") of one year; nothing where one is missing."""
        year = self.question.years[0] if self.question.years else None
        found = []
        for quarter in quarters:
            asked = (self.question.names - {*quarters}) | {quarter}
            fits = [
                fit
                for fit in self.linker.fits(self.question, asked, year)
                if quarters_in(f"{fit.place.ref.row_header} / {fit.place.ref.column_header}") == {quarter}
            ]
            if (clear := self.clear(fits)) is not None:
                found.append(clear)
        same = len({fit.place.row for fit in found}) == 1 or len({fit.place.column for fit in found}) == 1
        return found if len(found) == len(quarters) and same else []

    def _total_over(self, part: Fit) -> Fit | None:
        """Return the cell of the total that a part stands in, in its column: "all revenue" of a row "Total"."""
        rows = [total for total, parts in self.table.sums.items() if part.place.row in parts]
        rows = rows or [row.index for row in self.table.rows if row.total]
        if len(rows) != 1 or rows[0] == part.place.row:
            return None
        return Fit(CellPlace(self.table, rows[0], part.place.column), part.score)

    # --- two items ----------------------------------------------------------------------------------

    def both(self, a: str, b: str) -> tuple[CellPlace, CellPlace, float] | None:
        """Return the cells of two parts of the question, in one row or one column, and how well they fit."""
        question = self.question
        year = question.years[0] if question.years else None
        others = question.names - question.features_of(a) - question.features_of(b)
        found: list[Fit] = []
        for part in (a, b):
            own = question.features_of(part)
            shared = frozenset(f for f in others if f in self.linker.known)
            clear = self.clear(self._amounts(own | shared, year, part))
            if clear is None and shared:
                clear = self.clear(self._amounts(own, year, part))
            if clear is None and found and part == b and _ALL_OF.match(part.strip()):
                clear = self._total_over(found[0])
            if clear is None:
                return None
            found.append(clear)
        first, second = found[0].place, found[1].place
        if (first.row == second.row) == (first.column == second.column):
            return None
        return first, second, min(fit.score for fit in found)


def _all_years(ends: Sequence[str]) -> list[str]:
    return [str(year) for year in range(int(min(ends)), int(max(ends)) + 1)]
