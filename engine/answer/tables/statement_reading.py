"""One question read over one statement: the cell it asks for, and how what was computed is told."""

from __future__ import annotations

import re
from decimal import Decimal

from engine.answer.tables.choosing import Chooser
from engine.answer.tables.finding import Finding, Step, run
from engine.answer.tables.linking import Fit, Linker
from engine.answer.tables.matching import features, plain
from engine.answer.tables.quantity import shown, written
from engine.answer.tables.question import Question
from engine.answer.tables.reading import name_of
from engine.answer.tables.record_words import EVENTS_OF_NUMBERS, PEOPLE
from engine.answer.tables.references import CellPlace
from engine.answer.tables.statement_words import EACH_OF, PAIR
from engine.answer.tables.unknown_words import unknown_in
from engine.answer.tables.word_families import alike, same_root
from engine.enrich.units import measure_of

_DECIMALS, _MOST_DECIMALS = 2, 6
_SEVERAL = 2
# What is done with all of the things that are counted.
_DONE = EVENTS_OF_NUMBERS | features("operate own fly employ use")
_TOTAL_ASKED = re.compile(
    r"\b(?:total|all|overall|altogether|whole|everyone|together|combined|in all)\b|总|共|全部|合计",
    re.IGNORECASE,
)


class StatementReading:
    """Looks cells up for one question over one table."""

    def __init__(self, linker: Linker, question: Question) -> None:
        self._linker, self._question, self._table = linker, question, linker.table
        self._cells = Chooser(linker, question)

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
        if not fits or any(
            measure_of(fit.place.text)
            or self._is_of_unsaid_column(fit.place)
            or self._is_of_unsaid_row(fit.place)
            for fit in fits
        ):
            return None
        steps = [run(self._table, "LOOKUP", row=f.place.row, column=f.place.column) for f in fits]
        if any(step.observation.status != "ok" for step in steps):
            return None
        label = "; ".join(name_of(fit.place) for fit in fits)
        texts = [fit.place.text for fit in fits]
        if self._question.measure == "count":
            # What left in brackets ("Vested (365)") is counted without them.
            texts = [re.sub(r"^\(([\d.,]+)\)$", r"\1", text) for text in texts]
        return finding_of("lookup", texts, label, steps, min(f.score for f in fits))

    def _is_of_unsaid_column(self, place: CellPlace) -> bool:
        """True for a text in one of several columns of things when the question says nothing of that column.

        Which row is meant does not tell what is asked of it.
        """
        table, question = self._table, self._question
        if self._cells.by_period or place.value.dtype != "text" or not table.header_rows:
            return False
        if sum(bool(column.name) for column in table.value_columns) < _SEVERAL:
            return False
        name = table.columns[place.column].name
        said = question.names | frozenset().union(*map(alike, question.names))
        return (
            bool(name)
            and not features(name) & said
            and f" {plain(name)} " not in f" {plain(question.plain)} "
        )

    def _is_of_unsaid_row(self, place: CellPlace) -> bool:
        """True for one of several rows of things when the question says nothing of that row: which is meant is open."""
        table, question = self._table, self._question
        row = table.row(place.row)
        if self._cells.by_period or row is None or len(table.records) < _SEVERAL:
            return False
        if row.total:
            return self._says_unknown()
        if not row.name and not table.header_columns:
            return True
        own = features(row.name)
        near = own | frozenset().union(*map(alike, own)) | self._linker.short_forms_of(row.leaf)
        rooted = (same_root(a, b) for a in own for b in question.names)
        return bool(own) and not near & question.names and not any(rooted)

    def _says_unknown(self) -> bool:
        """True where the question names what stands nowhere, and asks for no total: "votes did Ronald Bell get"."""
        source, question = self._linker.source, self._question
        if source.stands_in_text or _TOTAL_ASKED.search(question.plain):
            return False
        of_people = any(set(PEOPLE) & set(plain(column.name).split()) for column in self._table.columns)
        unknown = unknown_in(question, source) - question.counted - _DONE
        # A name in a list of companies' figures is whose they are.
        return bool(unknown if of_people else unknown - question.proper)

    def _two_items(self) -> tuple[CellPlace, CellPlace, float] | None:
        match = PAIR.search(self._question.plain)
        if match is None or len(set(self._question.years)) > 1:
            return None
        a, b = [group for group in match.groups() if group][:2]
        return self._cells.both(a, b)

    # --- the outcome ----------------------------------------------------------------------------------

    def _change_label(self, old: CellPlace, new: CellPlace) -> str:
        times = [self._cells.year_of(place) for place in (old, new)]
        if times[0] == times[1]:  # two quarters of a year
            times = [place.ref.column_header for place in (old, new)]
        return f"{self._cells.item_name(new)}, {times[0]} → {times[1]}"

    def _computed(self, kind: str, step: Step, label: str, score: float) -> Finding | None:
        """Return the finding of a computed number."""
        number = step.observation.number
        if step.observation.status != "ok" or number is None:
            return None
        percent = "%" if number.unit == "%" and kind != "difference" else ""
        said = f"{shown(number, self._question.chinese)} ({step.observation.derivation})"
        return finding_of(
            kind, [written(number.value, _places(kind, number.value)) + percent], label, [step], score, said
        )


def _places(kind: str, value: Decimal) -> int:
    """Return the decimals to tell: all of a difference or sum, two of what was divided."""
    exact = -int(value.as_tuple().exponent) if kind in ("difference", "sum") else 0
    return max(_DECIMALS, min(exact, _MOST_DECIMALS))


def finding_of(
    kind: str, values: list[str], label: str, steps: list[Step], score: float, said: str = ""
) -> Finding:
    """Return a finding that cites all cells of its steps, each once."""
    cells = {(c.node_id, c.row, c.column): c for step in steps for c in step.observation.cells}
    return Finding(kind, values, label, steps, min(1.0, score), said, list(cells.values()))
