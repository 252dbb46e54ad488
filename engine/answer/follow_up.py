"""Questions that lean on the conversation: "and in 2023?", "那去年呢？"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.answer import restating, restating_chinese
from engine.answer.phrases import Phrases
from engine.answer.several_questions import questions_in
from engine.answer.terms import content_terms
from engine.structure.sentences import is_cjk

_LEADS = re.compile(
    r"^\s*(?:and|but|so|or|then|also|what about|how about|why not|why|那么?|那|还有|另外|然后|接着|为什么\s*[?？]?$)",
    re.I,
)
_POINTS_BACK = re.compile(
    r"\b(?:it(?!(?: is)? (?:allowed|possible|necessary|required|permitted|forbidden)\b)"
    r"|its|they|them|their|he|him|his|she|her|this|that|these|those|(?<!is )(?<!are )there(?! (?:is|are|was|were)\b)"
    r"|the same|former|latter|(?:which|the|that) one)\b"
    r"|[它他她]们?|[这這那]个?|上述|上面|前者|后者|此|该|其中?|呢\s*[?？]?\s*$",
    re.I,
)
_COURTESY = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|thanks?(?: you)?(?: very much| a lot)?|great|good|hello|hi|bye"
    r"|谢谢你?|多谢|好的?|你好|再见|明白了?|知道了)\W*)+$",
    re.I,
)
_SHORT_TERMS = 6.0


@dataclass(frozen=True, slots=True)
class InContext:
    """A question as the conversation makes it.

    ``question`` is asked of the documents. Where it is ``whole`` it says by itself what is asked; else it is the
    question before with the follow-up behind it, good to search with, but also answered by what answered before:
    ``exactly`` is then the follow-up alone, for what takes a question by its words.
    """

    question: str
    exactly: str
    follows: bool = False

    @property
    def whole(self) -> bool:
        """True when the question needs no other beside it."""
        return self.question == self.exactly

    def told(self, phrases: Phrases) -> str:
        """Return what a trace says of it."""
        if not self.follows:
            return phrases.step_plan
        whole = phrases.step_plan_restated.format(question=self.question)
        return whole if self.whole else phrases.step_plan_follow_up


@dataclass
class _Talk:
    """What was asked so far: the last question made whole, and the subjects that took each other's place."""

    question: str = ""
    subjects: list[str] = field(default_factory=list)

    def ask(self, question: str) -> InContext:
        """Take the next question, made whole where it leans on the last one."""
        question = question.strip()
        if _COURTESY.match(question):
            return InContext(question, question)
        said = restating_chinese if is_cjk(question) else restating
        compared = said.compared(question, self.question, self.subjects)
        if compared is not None:
            return InContext(compared, compared, True)
        if not self.question or not _follows(question):
            self.question, self.subjects = question, []
            return InContext(question, question)
        if is_cjk(question) != is_cjk(self.question):
            return self._beside(question)
        restated = said.restated(question, self.question)
        if restated is not None:
            if restated.new:
                known = self.subjects if self.subjects[-1:] == [restated.old] else [restated.old]
                self.subjects = [*known, restated.new]
            self.question = restated.question
            return InContext(self.question, self.question, True)
        subject = self.subjects[-1] if self.subjects else ""
        named = said.with_referent(question, self.question, subject)
        if named is None:
            otherwise = said.asked_otherwise(question, self.question)
            return InContext(otherwise, question, True) if otherwise else self._beside(question)
        self.question = named
        return InContext(named, named, True)

    def _beside(self, question: str) -> InContext:
        return InContext(f"{self.question} {question}", question, True)


def in_context(question: str, history: Sequence[tuple[str, str]]) -> InContext:
    """Return the question as the conversation makes it; ``history`` holds (role, text) turns, the oldest first."""
    talk = _Talk()
    for role, text in history:
        if role == "user":
            talk.ask(text)
    return talk.ask(question)


def _follows(question: str) -> bool:
    """True when the question is too short, or points back, to be understood alone; of several the first one counts."""
    if parts := questions_in(question):
        return _follows(parts[0])  # "who sold most, and how much did they sell?" says itself who they are
    said = restating_chinese if is_cjk(question) else restating
    weight = sum(content_terms(question).values())
    if said.is_fragment(question) or _only_a_year(question):
        return True
    if _LEADS.match(question) or _POINTS_BACK.search(question):
        return weight < _SHORT_TERMS
    return weight < (1.0 if is_cjk(question) else 0.9)


def _only_a_year(question: str) -> bool:
    """True for "2023?" and "2023年？": one year, and no other word that means anything."""
    years = re.compile(r"(?:19|20)\d{2}年?度?")
    return len(years.findall(question)) == 1 and not any(content_terms(years.sub(" ", question)).values())
