"""The end of a term as an answer: the day, how it was computed, and the sentences it follows from, word for word."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.expiry.clauses import Term
from engine.answer.expiry.provisions import Statement
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.tables.computed import Computed
from engine.answer.tables.finding import Step
from engine.answer.tables.from_evidence import CitedTableAnswer
from engine.answer.tables.observation import Observation
from engine.answer.tables.table_questions import TableAnswer

OPERATOR = "term_end"
_UNITS = {"years": "年", "months": "个月", "days": "天"}


@dataclass(frozen=True, slots=True)
class ToldTerm:
    """A start and a term, with the sentences that tell them and the term that was replaced, if one was."""

    start: date
    term: Term
    rests_on: tuple[Statement, ...]
    sure: float
    before: Term | None = None


class CitedTermEnd(CitedTableAnswer):
    """The end of a term, with the sentences that it follows from, word for word, below it."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The sentence with its marks, then what it rests on, a line each."""
        lines = (f"- {harmless(quotable(one.snippet))} [{one.n}]" for one in self.citations)
        return "\n".join([super().text, "", *lines])


def cited(told: ToldTerm, end: date, silent: list[str], phrases: Phrases) -> CitedTermEnd:
    """Return the end of a term as an answer; ``silent`` are words of the question that its document does not say."""
    start, last, term = _day(told.start, phrases), _day(end, phrases), _length(told.term, phrases)
    counted = phrases.term_of_days if told.term.unit == "days" else phrases.term_of_months
    derivation = f"{start} + {term} → {last}"
    text = phrases.term_end.format(end=last, derivation=derivation, counted=counted)
    if told.before is not None:
        text += phrases.term_replaced.format(old=_length(told.before, phrases), new=term)
    observation = Observation(OPERATOR, end.isoformat(), "date", last, derivation=derivation)
    step = Step(OPERATOR, {"start": told.start.isoformat(), "term": term}, observation)
    answer = TableAnswer(OPERATOR, [last], text, [], [step], told.sure, silent)
    sources = Sources([one.item for one in told.rests_on])
    for index, one in enumerate(told.rests_on):
        sources.add(index, one.start, one.end)
    # Who writes another day of the same year does not state it.
    values = [str(end.day), str(end.year)]
    return CitedTermEnd(Computed(values, text, sources.citations), answer)


def _day(day: date, phrases: Phrases) -> str:
    if phrases.language == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {day:%B} {day.year}"


def _length(term: Term, phrases: Phrases) -> str:
    """Return a term in digits, in years where it is written in years."""
    years = term.unit == "months" and ("year" in term.text.lower() or "年" in term.text)
    count = term.count // 12 if years else term.count
    unit = "years" if years else term.unit
    if phrases.language == "zh":
        return f"{count}{_UNITS[unit]}"
    return f"{count} {unit if count != 1 else unit[:-1]}"
