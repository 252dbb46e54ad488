"""The cell of a list that a question names by its row and its column and by nothing else: 李浩然的数学是多少分.

The question is put into marks (:mod:`engine.answer.tables.linked_question`). One column must be left that no condition
is on, the conditions must leave one row, and no word may be left over but what such things do ("win", "play") where
no other column is called so.
"""

from __future__ import annotations

import re

from engine.answer.tables import aggregate_words as words
from engine.answer.tables.finding import Finding, run
from engine.answer.tables.linked_question import LinkedQuestion, places
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.question import YES_NO, Question
from engine.answer.tables.record_words import EVENTS, EVENTS_OF_NUMBERS, MONEY, PEOPLE, PLACES, WHERE, WHO
from engine.answer.tables.references import matching_rows
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column
from engine.answer.tables.word_families import alike

_FEWEST_ROWS = 2
_HOW_MUCH = re.compile(r"\bhow much\b|多少钱")
_ASKING = re.compile(r"\bhow (?:many|much)\b|多少钱|多少")
_IDLE = frozenset("he she his her him they them their under stand take took go went".split())
_VERBS_ZH = re.compile(r"[考订签教写买卖花付用住打踢跑拿获得和跟]了?(?=$| )|分(?=$| )|现在|目前|一共|共")
_GAINED = re.compile(r"\b(?:gain(?:ed)?|los[et])\b")
_SIGNED = re.compile(r"[^\w]*[+±][^\w]*|change|swing", re.IGNORECASE)
_SHARE = re.compile(r"\W*(?:%|percent(?:age)?|pct\.?|share|占比|比例|百分比)\W*", re.IGNORECASE)
_PLACES = frozenset().union(*map(features, PLACES))
_VERBS = EVENTS | EVENTS_OF_NUMBERS


class NamedCellPlanner:
    """Reads the one cell that a question names in a list."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._table, self._question = source.table, question
        self._linked = LinkedQuestion(source, question)

    def plan(self) -> Finding | None:
        """Return the cell, or None where the question names no single one or says more."""
        table, question = self._table, self._question
        if len(table.records) < _FEWEST_ROWS or len(table.columns) < _FEWEST_ROWS or not table.header_rows:
            return None
        if table.grouped or sum(bool(years_in(c.name)) for c in table.columns) > 1:
            return None
        marked = self._linked.marked()
        if marked.failed or not marked.conditions or question.prose or YES_NO.search(question.plain):
            return None
        told = {condition["column"] for condition in marked.conditions}
        wanted = self._wanted(marked.text, told)
        if wanted is not None and _GAINED.search(marked.text):
            wanted = self._beside(wanted, _SIGNED) or wanted
        if wanted is not None and words.SHARE.search(marked.text):
            wanted = self._beside(wanted, _SHARE)
        rows = matching_rows(table, marked.conditions, "LOOKUP")
        if wanted is None or not rows or self._left_over(marked.text, wanted):
            return None
        if WHERE.search(marked.text) and not features(wanted.name) & _PLACES:
            return None
        if WHO.search(marked.text) and not set(PEOPLE) & set(plain(wanted.name).split()):
            return None
        texts = {table.text(row, wanted.index) for row in rows}
        if len(texts) > 1 or not texts.copy().pop():
            return None
        step = run(table, "LOOKUP", row=rows[0], column=wanted.index)
        if step.observation.status != "ok":
            return None
        about = "; ".join(str(condition["value"]) for condition in marked.conditions)
        label = f"{about}, {wanted.name}"
        return Finding("lookup", [*texts], label, [step], 1.0, cells=list(step.observation.cells))

    def _wanted(self, text: str, told: set[int]) -> Column | None:
        """Return the one column that is named and no condition is on; of none, the one of what is counted or paid."""
        named = [place for place in places(text, "mgd") if place not in told]
        named = named or [place for place in places(text, "r") if place not in told]
        if named:
            return self._linked.column(named[0]) if len(named) == 1 else None
        if _HOW_MUCH.search(text):
            columns = self._linked.measures
            paid = [c for c in columns if c.dtype == "currency" or features(c.name) & MONEY]
            return paid[0] if len(paid) == 1 else None
        return self._linked.called(words.QUANTITIES) if words.COUNT.search(text) else None

    def _beside(self, column: Column, name: re.Pattern[str]) -> Column | None:
        """Return the column right behind another whose whole name says no more than that it is of this: "%", "+/–"."""
        behind = self._table.columns[column.index + 1 : column.index + 2]
        return behind[0] if behind and name.fullmatch(behind[0].name) else None

    def _left_over(self, text: str, wanted: Column) -> bool:
        """True where a word is left that no mark accounts for, or that may be another column's."""
        bare = _ASKING.sub(" ", words.COUNT.sub(" ", words.SHARE.sub(" ", text)))
        bare = _VERBS_ZH.sub(" ", bare)
        rest = [word for word in words.left_over(bare, self._linked.known) if word not in _IDLE]
        if not rest:
            return False
        others = frozenset().union(*(features(c.name) for c in self._table.columns if c is not wanted))
        if not all((own := features(word)) and own <= _VERBS for word in rest):
            return True
        return any((alike(f) | {f}) & others for word in rest for f in features(word))
