"""The least, usual and greatest values that a data sheet gives: "maximum supply voltage" under Min, Typ and Max.

Such a word is the name of a column there, and asks for no extreme of the rows.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, plain
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.reading import name_of
from engine.answer.tables.record_words import IDLE
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column
from engine.structure.sentences import is_cjk

CONFIDENCE = 0.9
_FEWEST = 2
# What is said, and what the column is called.
_LIMITS = tuple(
    (re.compile(said, re.IGNORECASE), re.compile(called, re.IGNORECASE))
    for said, called in (
        (
            r"\bmin(?:imum|imal)?\b\.?|\blowest\b|\bsmallest\b|最小值?|最低值?|下限",
            r"min(?:imum)?\.?|最小值?|最低值?|下限",
        ),
        (
            r"\btyp(?:ical(?:ly)?)?\b\.?|\bnominal\b|典型值?|标称值?|额定值",
            r"typ(?:ical)?\.?|nom(?:inal)?\.?|典型值?|标称值?|额定值",
        ),
        (
            r"\bmax(?:imum|imal)?\b\.?|\bhighest\b|\blargest\b|最大值?|最高值?|上限",
            r"max(?:imum)?\.?|最大值?|最高值?|上限",
        ),
    )
)
_IDLE_ZH = re.compile(r"是多少|多少|是什么|请问|[的是为有值达到可能?？。\s]")


class LimitColumnPlanner:
    """Reads the cell of a named row under the limit that the question says."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._table, self._text = source, source.table, question.plain

    def plan(self) -> Finding | None:
        """Return the cell, or None where the table has no columns of limits or no single row is named."""
        columns = [self._called(called) for _, called in _LIMITS]
        said = [place for place, (word, _) in enumerate(_LIMITS) if word.search(self._text)]
        if sum(column is not None for column in columns) < _FEWEST or len(said) != 1:
            return None
        column = columns[said[0]]
        rest = _LIMITS[said[0]][0].sub(" ", self._text)
        row = self._row(rest) if column is not None else None
        if row is None or column is None:
            return None
        step = run(self._table, "LOOKUP", row=row, column=column.index)
        if step.observation.status != "ok":
            return None
        place = CellPlace(self._table, row, column.index)
        return Finding(
            "lookup", [place.text], name_of(place), [step], CONFIDENCE, cells=list(step.observation.cells)
        )

    def _called(self, name: re.Pattern[str]) -> Column | None:
        found = [
            column
            for column in self._table.columns
            if name.fullmatch(plain(without_asides(column.name.rsplit(" / ", 1)[-1])))
        ]
        return found[0] if len(found) == 1 else None

    def _row(self, rest: str) -> int | None:
        """Return the one row whose own name is all that the rest says, but for what the table stands under."""
        names = {
            row.index: plain(without_asides(self._table.text(row.index, 0))) for row in self._table.records
        }
        if is_cjk(rest):
            bare = _IDLE_ZH.sub("", plain(rest))
            near = [self._source.title, self._table.caption, *self._source.path]
            found = [
                place
                for place, name in names.items()
                if name
                and name in bare
                and (not (left := bare.replace(name, "", 1)) or any(left in n for n in near))
            ]
            return found[0] if len(found) == 1 else None
        asked = frozenset(f for f in features(rest) if f[0] not in "§#" and f not in IDLE)
        asked -= frozenset(
            f for f in asked if is_asking(f) and not any(f in features(n) for n in names.values())
        )
        found = [
            place
            for place, name in names.items()
            if (own := features(name)) and own <= features(rest) and asked - own <= self._source.context
        ]
        return found[0] if len(found) == 1 else None
