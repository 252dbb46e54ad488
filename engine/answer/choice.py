"""Whether a table or a text answers better, where both may: by how sure each is, and by the kind of thing asked for."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.evidence.judging import Judged
from engine.answer.tables.answering import TableAnswer
from engine.answer.understand import Question
from engine.enrich.cell_values import is_year, parse_cell
from engine.model import Evidence

# Of a reading that explains less of the question a table answers only where no text does.
SURE, MAY = 0.9, 0.8
_PROSE = frozenset({"reason", "manner", "definition", "yes_no"})
# A reading that explains all of a question in a table is seldom wrong: a text must be this sure to go before it.
_TEXT_SURE = 0.9
# So many of the best passages are looked at for a table to ask a model about.
_NEAR = 6
_NAMED = 0.9


def table_answers(question: Question, judged: Judged, table: TableAnswer | None) -> bool:
    """True where what a table gives is the answer, rather than what a text says."""
    if table is None or not fits(question, table):
        return False
    if table.score >= SURE:
        return judged.state != "answered" or judged.probability < _TEXT_SURE or _same_place(judged, table)
    return table.score >= MAY and judged.state != "answered"


def fits(question: Question, table: TableAnswer) -> bool:
    """False where a table gives another kind of thing than is asked for: no number is a reason or a person."""
    if question.expects in _PROSE and table.result.query.operation not in ("trend", "compare"):
        return False
    if table.result.query.operation != "lookup" or _is_named(table):
        return True
    values = [value for value in table.computed.values if value]
    numbers = [parse_cell(value).numeric and not is_year(value) for value in values]
    if question.expects in ("person", "place", "organisation"):
        return not values or not all(numbers)
    if question.expects == "date":
        return any(
            parse_cell(value).date or is_year(value) or any(map(str.isdigit, value)) for value in values
        )
    if question.expects in ("number", "duration"):
        return any(any(map(str.isdigit, value)) for value in values)
    return True


def _is_named(table: TableAnswer) -> bool:
    """True where the question says the name of the column that is looked up."""
    asked = set(table.result.query.columns)
    return any(link.share > _NAMED and asked & set(link.columns) for link in table.reading.links.columns)


def _same_place(judged: Judged, table: TableAnswer) -> bool:
    """True where the surest text is the table itself, read as text."""
    return bool(judged.spans) and judged.spans[0].probability < _TEXT_SURE + 0.05 and table.score > 0.95


def asks_tables(question: Question, evidence: Sequence[Evidence]) -> bool:
    """True where a model may be asked for a query: a value or a list is wanted, and a table is among the best found."""
    wanted = question.expects not in _PROSE
    return wanted and any(item.table is not None for item in evidence[:_NEAR])
