"""Answers made without a model: from the cells of tables, or quoted from the evidence word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from engine.answer import extractive
from engine.answer.candidates import Candidate
from engine.answer.check.marks import renumbered
from engine.answer.events import Token
from engine.answer.quotes import Quote
from engine.answer.sufficiency import Sufficiency
from engine.answer.tabled import header_of, only_names_rows
from engine.answer.tables.from_evidence import CitedTableAnswer
from engine.answer.told_as_plan import only_planned
from engine.answer.trace import AnswerTrace
from engine.model import Answer, Evidence

if TYPE_CHECKING:
    from engine.answer.agent.resolving import Hop
    from engine.answer.phrases import Phrases

SURE = 0.8
# So sure (0..1) a reader must be of a text beside tables, which it does not read.
_READ = 0.05
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer is made from: the evidence, its sentences, whether they suffice, and what its tables give.

    ``asked`` is the question as the sentences are held against it; ``hops`` are the stretches that told what it
    described, which are quoted before what answers.
    """

    asked: str
    evidence: list[Evidence]
    found: list[Candidate]
    sufficiency: Sufficiency
    from_tables: CitedTableAnswer | None
    hops: tuple[Quote, ...] = ()

    def narrowed(self, most: int) -> Basis:
        """Return the same with so many pieces of evidence, those in which a sentence most likely answers."""
        likely: dict[int, tuple[float, float]] = {}
        for one in self.found:
            likely[one.evidence] = max(likely.get(one.evidence, (0.0, 0.0)), (one.read, one.context))
        kept = sorted(sorted(likely, key=lambda index: likely[index], reverse=True)[:most])
        places = {index: place for place, index in enumerate(kept)}
        found = [replace(one, evidence=places[one.evidence]) for one in self.found if one.evidence in places]
        return replace(self, evidence=[self.evidence[index] for index in kept], found=found)

    def after(self, hops: Sequence[Hop]) -> Basis:
        """Return the same with the passages of hops behind its evidence."""
        first = len(self.evidence)
        quotes = (Quote(first + i, hop.start, hop.end) for i, hop in enumerate(hops))
        evidence = [*self.evidence, *(hop.passage for hop in hops)]
        return replace(self, evidence=evidence, hops=tuple(quotes))


def from_tables(basis: Basis, found: CitedTableAnswer, trace: AnswerTrace, phrases: Phrases) -> Answer:
    """Return what operators computed as the answer, the hops that led to it before it."""
    made = found.answer
    text, citations = found.text, found.citations
    if basis.hops:
        led, before = extractive.write(basis.hops, basis.evidence, phrases.quoted)
        behind = {one.n: one.n + len(before) for one in citations}
        text = f"{led}\n\n{renumbered(text, behind)}"
        citations = [*before, *(replace(one, n=one.n + len(before)) for one in citations)]
    supported = len(basis.hops) + 1
    trace.step("verification", phrases.step_verified.format(
        supported=supported, total=supported, citations=len(citations)
    ))  # fmt: skip
    trace.tell(Token(text))
    told_silent = phrases.table_silent if made.cells else phrases.term_silent
    warnings = [told_silent.format(names=", ".join(made.silent))] if made.silent else []
    sure = made.confidence >= SURE and not warnings and not basis.hops
    confidence: Literal["high", "medium", "low"] = "high" if sure else "medium"
    return Answer(text, "direct", confidence, True, citations, warnings=warnings, engine="extractive")


def quoted(
    basis: Basis, lead_in: str, trace: AnswerTrace, phrases: Phrases, *, plainly: bool
) -> Answer | None:
    """Return quotations as the answer; None where no sentence and no row answers.

    ``plainly`` is false for a question that names what it asks about only by its conversation, or describes it.
    """
    evidence = basis.evidence
    quotes, plain = extractive.quotation(basis.asked, basis.found, evidence)
    if not quotes or _tell_something_else(basis, quotes):
        return None
    said = [_place(one, evidence) for one in quotes]
    hops = [hop for hop in basis.hops if not any(_holds(one, _place(hop, evidence)) for one in said)]
    text, citations = extractive.write([*hops, *quotes], evidence, lead_in)
    for line in text.splitlines(keepends=True):
        trace.tell(Token(line))
    supported = len(hops) + len(quotes)
    trace.step("verification", phrases.step_verified.format(
        supported=supported, total=supported, citations=len(citations)
    ))  # fmt: skip
    # What stands in no sentence by itself is for the reader to put together.
    plain = plain and plainly
    first = evidence[quotes[0].index].text[quotes[0].start : quotes[0].end].casefold()
    elsewhere = [word for word in basis.sufficiency.elsewhere if word.casefold() not in first]
    confidence: Literal["high", "medium", "low"] = (
        "high" if basis.sufficiency.score >= SURE and plain and not elsewhere else "medium"
    )
    warnings = [phrases.said_elsewhere.format(words=", ".join(elsewhere))] if elsewhere else []
    if only_planned(basis.asked, first):
        confidence, warnings = "low", [*warnings, phrases.said_as_plan]
    if not extractive.offers_what_is_asked(basis.asked, quotes, evidence):
        confidence, warnings = "low", [*warnings, phrases.answer_uncertain]
    return Answer(text, "direct", confidence, True, citations, warnings=warnings, engine="extractive")


def _tell_something_else(basis: Basis, quotes: Sequence[Quote]) -> bool:
    """True for rows that lack what is asked of them, and for notes on tables in which a reader finds no answer."""
    evidence = basis.evidence
    if only_names_rows(basis.asked, quotes, evidence):
        return True
    if any(header_of(evidence[quote.index]) for quote in quotes) or not any(one.read for one in basis.found):
        return False
    tabled = any(header_of(item) for item in evidence[:_NEAREST])
    return tabled and not any(
        one.read >= _READ
        for one in basis.found
        for quote in quotes
        if one.evidence == quote.index and quote.start <= one.sentence.start < quote.end
    )


def _place(quote: Quote, evidence: Sequence[Evidence]) -> tuple[str, str]:
    """Return the node of a quotation and what it says there: the same node may be in the evidence twice."""
    item = evidence[quote.index]
    return item.hit.node_id, item.text[quote.start : quote.end]


def _holds(said: tuple[str, str], other: tuple[str, str]) -> bool:
    return said[0] == other[0] and other[1] in said[1]
