"""Whether a cell holds what a question asks for: an amount, money, a percentage, a count."""

from __future__ import annotations

import re

from engine.answer.tables.question import Question
from engine.answer.tables.typed_table import TypedTable
from engine.answer.tables.value_types import asks_name
from engine.enrich.units import Measure

# A figure with what it counts: "about 1,200 employees", no "1st round".
_FIGURE = re.compile(
    r"\W*(?:(?:about|over|approximately|some|up to|约|超过)\s*)?\W*(?!(?:19|20)\d\d\s)\d[\d,.]*(?![a-z])"
    r"(?:\s*[^\d\s]+){0,3}(?:\s*\(.*)?",
    re.IGNORECASE,
)


def may_answer(table: TypedTable, row: int, column: int, question: Question) -> bool:
    """False for an empty cell, for one that is no figure where an amount is asked for, and for a number where a
    name is."""
    kind = table.value(row, column).dtype
    if question.kind == "lookup" and table.value(row, column).numeric and asks_name(question):
        return False
    if kind == "percent" and (question.kind, question.measure, question.amount) == ("lookup", "count", True):
        return False
    if kind == "empty" or not question.amount:
        return kind != "empty"
    return kind not in ("date", "time") and (
        kind != "text" or bool(_FIGURE.fullmatch(table.text(row, column)))
    )


def kind_fit(table: TypedTable, row: int, column: int, question: Question) -> int:
    """Return 1 for a cell of the kind that is asked for (money, a percentage, a count), -1 for another, else 0."""
    wanted = question.measure
    if wanted is None:
        return 0
    value = table.value(row, column)
    kind = "percent" if value.unit == "%" else "money" if Measure(value.unit).money else "count"
    if kind == wanted:
        return 1 if wanted != "count" else 0
    return -1 if kind != "count" or value.unit else 0
