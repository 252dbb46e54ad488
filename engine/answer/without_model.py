"""Answers made without a model: from the cells of tables, or quoted from the evidence word for word."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.answer.checked_reply import Confidence
from engine.answer.events import Token
from engine.answer.evidence.judging import Judged
from engine.answer.extractive import SURE
from engine.answer.sufficiency import Sufficiency
from engine.answer.tables.from_evidence import CitedTableAnswer
from engine.answer.trace import AnswerTrace
from engine.answer.understand import Question
from engine.model import Answer, Evidence

if TYPE_CHECKING:
    from engine.answer.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer is made from: the evidence, what of it answers, and what its tables give."""

    asked: Question
    evidence: list[Evidence]
    judged: Judged
    from_tables: CitedTableAnswer | None

    @property
    def sufficiency(self) -> Sufficiency:
        """The verdict as the checks of a model's reply take it."""
        judged = self.judged
        return Sufficiency(judged.probability, judged.state == "answered", list(judged.missing))

    def narrowed(self, most: int) -> Basis:
        """Return the same with so many pieces of evidence, those in which a place most likely answers."""
        kept = sorted(list(dict.fromkeys(span.evidence for span in self.judged.spans))[:most])
        places = {index: place for place, index in enumerate(kept)}
        spans = tuple(
            replace(one, evidence=places[one.evidence]) for one in self.judged.spans if one.evidence in places
        )
        evidence = [self.evidence[index] for index in kept]
        return replace(self, evidence=evidence, judged=replace(self.judged, spans=spans))


def from_tables(basis: Basis, found: CitedTableAnswer, trace: AnswerTrace, phrases: Phrases) -> Answer:
    """Return what operators computed as the answer."""
    made = found.answer
    text, citations = found.text, found.citations
    supported = 1
    trace.step("verification", phrases.step_verified.format(
        supported=supported, total=supported, citations=len(citations)
    ))  # fmt: skip
    trace.tell(Token(text))
    told_silent = phrases.table_silent if made.cells else phrases.term_silent
    warnings = [told_silent.format(names=", ".join(made.silent))] if made.silent else []
    sure = made.confidence >= SURE and not warnings
    confidence: Confidence = "high" if sure else "medium"
    return Answer(text, "direct", confidence, True, citations, warnings=warnings, engine="extractive")
