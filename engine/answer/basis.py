"""What an answer is made from, and the answer that a table alone gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.answer.check.cells import BORDER
from engine.answer.choice import SURE, fits, table_answers
from engine.answer.evidence.judging import Judged
from engine.answer.phrases import Phrases
from engine.answer.tables.answering import TableAnswer, TableHit
from engine.answer.tables.vocabulary import CHANGES, cues
from engine.answer.understand import Question
from engine.model import Answer, Evidence, Statement

# What is asked of several rows at once.
_OF_MANY = CHANGES | {"sum", "average", "min", "max", "rank", "share", "diff", "percent_change"}


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
    def may_table(self) -> bool:
        """True where no text answers and a table may, though the reading leaves words of the question out."""
        table = self.table
        if table is None or self.by_table or self.judged.state == "answered" or self.judged.missing:
            return False
        return table.mostly_explains and fits(self.question, table)

    @property
    def sufficient(self) -> bool:
        """True where the evidence answers the question."""
        return self.by_table or self.judged.state == "answered"


def weighed(
    question: Question, judged: Judged, evidence: Sequence[Evidence], table: TableAnswer | None
) -> Judged:
    """Return the judgement of the texts beside what the tables gave.

    What a row among others means, its columns say: the reading of the table answers from it, and no quotation.
    Of a label with its value one may answer, but no question for what many rows come to, or for which are of a kind.
    What the table names is not missing.
    """
    if table is not None:
        judged = replace(judged, missing=tuple(one for one in judged.missing if not table.names(one)))
    if judged.state != "answered" or table_answers(question, judged, table):
        return judged
    span = judged.spans[0]
    item = evidence[span.evidence]
    if item.hit.role != "table":
        return judged
    header = item.text.partition("\n")[0]
    said = f"{header}\n{item.text[span.start : span.end]}".casefold()
    asked = question.standalone
    of_many = question.expects == "list" or any(
        cue.kind in _OF_MANY and asked[cue.start : cue.end].casefold() not in said
        for cue in cues(asked, "operations")
    )
    in_columns = header.count(BORDER) > 1
    return replace(judged, state="closest") if in_columns or of_many else judged


def from_table(table: TableAnswer) -> Answer:
    """Return what a table gives as an answer."""
    text, cited = table.text, table.citations
    confidence: Literal["high", "medium"] = "high" if table.score >= SURE else "medium"
    statement = Statement(0, len(text), "computed", "", [one.n for one in cited], [])
    return Answer(
        text, "direct", confidence, True, cited, engine="extractive", statements=[statement], state="answered",
    )  # fmt: skip


def tentative(table: TableAnswer, phrases: Phrases) -> Answer:
    """Return what a table may answer, saying which words of the question the reading leaves out."""
    words = phrases.words_between.join(phrases.word_quoted.format(word=word) for word in table.left_out)
    lead = phrases.table_leaves_out.format(words=words) if words else phrases.table_unsure
    made = from_table(table)
    return replace(
        made,
        answer=f"{lead}\n\n{made.answer}",
        confidence="low",
        answered=False,
        statements=[],
        state="closest",
    )
