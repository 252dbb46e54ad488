"""What an answer is made from, and the answer that a table alone gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.answer.choice import SURE, table_answers
from engine.answer.evidence.judging import Judged
from engine.answer.tables.answering import TableAnswer, TableHit
from engine.answer.understand import Question
from engine.model import Answer, Evidence, Statement


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer is made from: the question, the evidence with its judgement, and what its tables give."""

    question: Question
    evidence: list[Evidence]
    judged: Judged
    tables: list[TableHit]
    table: TableAnswer | None

    @property
    def by_table(self) -> bool:
        """True where a table answers better than the texts."""
        return table_answers(self.question, self.judged, self.table)

    @property
    def sufficient(self) -> bool:
        """True where the evidence answers the question."""
        return self.by_table or self.judged.state == "answered"


def from_table(table: TableAnswer) -> Answer:
    """Return what a table gives as an answer."""
    text, cited = table.text, table.citations
    confidence: Literal["high", "medium"] = "high" if table.score >= SURE else "medium"
    statement = Statement(0, len(text), "computed", "", [one.n for one in cited], [])
    return Answer(
        text, "direct", confidence, True, cited, engine="extractive", statements=[statement], state="answered",
    )  # fmt: skip
