"""The one row that has all that the question says of it: "the president and chief operating officer of the group".

Other plans take a stretch of the question for what a cell says (:mod:`engine.answer.tables.mentions`). A question
may describe a row more loosely, by words of one cell in another order or of several cells. The row is found when it
alone holds every word of the question that any row holds; words that no row, header or title holds count against it.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, years_in
from engine.answer.tables.question import is_asking
from engine.answer.tables.record_reading import RecordReading
from engine.answer.tables.record_words import EVENTS, GENERIC, IDLE, SUPERLATIVE, WHEN, WHO
from engine.answer.tables.typed_table import Column
from engine.answer.tables.word_families import alike
from engine.structure.sentences import is_cjk

_ENOUGH = 0.7
_UNKNOWN, _PROPER = 0.3, 0.1
# Since when something is so: a year of the question is another one.
_SINCE = re.compile(r"\b(?:since|joined|appointed|born|founded|established|started|from)\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|currently|current|today|presently)\b")
_MOST_ROWS = 200


class DescribedRowPlanner(RecordReading):
    """Reads one column of the one row that the question describes."""

    def plan(self) -> Finding | None:
        """Return the cell, or None where no row or more than one fits, or the question asks for more than a cell."""
        question, table = self._question, self._table
        if not 1 < len(table.records) <= _MOST_ROWS or question.prose or is_cjk(question.text):
            return None
        if (
            question.kind != "lookup"
            or question.reasoned
            or SUPERLATIVE.search(self._text)
            or question.respective
        ):
            return None
        if sum(bool(years_in(column.name)) for column in self._columns) > 1:
            return None
        if self._plural() or _NOW.search(self._text):
            return None
        wanted = self._wanted(exclude=set())
        if wanted is None or self._penalty or self._guessed or not (self._named or WHO.search(self._text)):
            return None
        return self._of_row(wanted)

    def _of_row(self, wanted: Column) -> Finding | None:
        rows = {
            row.index: frozenset().union(
                *(
                    features(self._table.text(row.index, c.index))
                    for c in self._columns
                    if c.index != wanted.index
                )
            )
            for row in self._table.records
        }
        held = frozenset().union(*rows.values())
        asked = self._asked(wanted)
        known = asked & held
        fitting = [place for place, own in rows.items() if known <= own]
        lenient = 0.0
        if not fitting and (said := known & set(self._question.years)) and self._is_since(said):
            known, lenient = known - said, _PROPER
            fitting = [place for place, own in rows.items() if known <= own]
        if len(known) < 1 or len(fitting) != 1:
            return None
        headers = frozenset().union(*(features(column.name) for column in self._columns))
        unknown = asked - held - headers - self._source.context - EVENTS
        unknown = frozenset(f for f in unknown if not alike(f) & (held | headers))
        light = {f for f in unknown if f in self._question.proper}
        sure = 1.0 - lenient - _PROPER * len(light) - _UNKNOWN * len(unknown - light)
        step = run(self._table, "LOOKUP", row=fitting[0], column=wanted.index)
        if sure < _ENOUGH or step.observation.status != "ok" or not step.observation.text:
            return None
        values = [self._table.text(fitting[0], wanted.index)]
        label = self._label(wanted, fitting)
        return Finding("lookup", values, label, [step], sure, cells=list(step.observation.cells))

    def _asked(self, wanted: Column) -> frozenset[str]:
        """Return the features of the question that describe a row."""
        said = frozenset(
            f
            for f in features(self._text)
            if f[0] not in "§#" and f not in IDLE | GENERIC and (not is_asking(f) or f.isdigit())
        )
        own = features(wanted.name)
        own |= frozenset().union(*map(alike, own))
        return said - own - (frozenset(self._question.years) if WHEN.search(self._text) else frozenset())

    def _is_since(self, years: frozenset[str]) -> bool:
        """True when the years stand only in columns that tell since when something is so."""
        holding = [
            column
            for column in self._columns
            if any(years & years_in(self._table.text(row.index, column.index)) for row in self._table.records)
        ]
        return all(_SINCE.search(column.name) for column in holding)
