"""What the trace says of each stage, in the question's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.answer.check.checking import Checked
    from engine.answer.evidence.judging import Judged
    from engine.answer.phrases import Phrases
    from engine.answer.tables.answering import TableAnswer
    from engine.answer.understand import Question
    from engine.model import Evidence, SearchResult

_GOOD = ("supported", "computed")


def read_as(question: Question, phrases: Phrases) -> str:
    """Say how the question was read."""
    if question.follow_up:
        return phrases.step_plan_restated.format(question=question.standalone)
    return phrases.step_plan


def found(result: SearchResult, evidence: Sequence[Evidence], phrases: Phrases) -> str:
    """Say what a search found."""
    if not evidence:
        return phrases.step_found_none
    best = evidence[0].hit
    return phrases.step_found.format(
        hits=len(result.hits),
        documents=len({hit.document_id for hit in result.hits}),
        best=" > ".join([best.document, *best.path]),
    )


def judged(verdict: Judged, table: TableAnswer | None, phrases: Phrases) -> str:
    """Say whether the evidence answers, by its texts and by its tables."""
    told = phrases.step_sufficient if verdict.state == "answered" else phrases.step_insufficient
    lines = [told.format(score=f"{verdict.probability:.2f}")]
    if table is not None:
        lines.append(phrases.step_table_read.format(score=f"{table.score:.2f}"))
    if verdict.missing:
        lines.append(phrases.missing_terms.format(terms=", ".join(verdict.missing)))
    return " ".join(lines)


def checked(made: Checked, phrases: Phrases) -> str:
    """Say how many statements of a model's answer are supported."""
    supported = sum(one.state in _GOOD for one in made.statements)
    return phrases.step_verified.format(
        supported=supported, total=len(made.statements), citations=len(made.citations)
    )


def statements(made: Checked) -> dict[str, Any]:
    """Return each statement with its state, for the trace."""
    told = [
        {"text": made.text[one.start : one.end], "state": one.state, "reason": one.reason}
        for one in made.statements
    ]
    return {"statements": told}


def reading(asked: Question) -> dict[str, Any]:
    """Return the reading of a question for the trace."""
    return {
        "language": asked.language, "expects": asked.expects, "names": list(asked.names),
        "numbers": list(asked.numbers), "years": list(asked.years), "parts": list(asked.parts),
    }  # fmt: skip
