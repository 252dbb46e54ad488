"""Questions that lean on the conversation: "and in 2023?", "那去年呢？"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.terms import content_terms
from engine.structure.sentences import is_cjk

_LEADS = re.compile(
    r"^\s*(?:and|but|so|or|then|also|what about|how about|why not|why|那么?|那|还有|另外|然后|接着|为什么\s*[?？]?$)",
    re.I,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|the same|former|latter|one)\b"
    r"|[它他她]们?|[这這那]个?|上述|上面|前者|后者|此|该|其中?|呢\s*[?？]?\s*$",
    re.I,
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b|(?:19|20)\d{2}(?=年)")
_A_YEAR = re.compile(rf"(?:{_YEAR.pattern})年?度?")
_SHORT_TERMS = 6.0


def is_follow_up(question: str) -> bool:
    """True when the question is too short, or points back, to be understood alone."""
    weight = sum(content_terms(question).values())
    if _LEADS.match(question):
        return weight < _SHORT_TERMS
    if _only_a_year(question):
        return True
    if _POINTS_BACK.search(question):
        return weight < _SHORT_TERMS
    return weight < (1.0 if is_cjk(question) else 0.9)


def standalone(question: str, history: Sequence[tuple[str, str]]) -> str:
    """Return the question with the last question that stands alone put before it, where it needs one.

    ``history`` holds (role, text) turns, the oldest first. A year in the new question replaces the old
    question's years; one that says nothing but a year is the old question, asked of that year.
    """
    if not is_follow_up(question):
        return question
    earlier = [text for role, text in history if role == "user"]
    for text in reversed(earlier):
        if not is_follow_up(text):
            if _YEAR.search(text) and _only_a_year(question):
                return _YEAR.sub(_YEAR.findall(question)[0], text).strip()
            if _YEAR.search(question):
                text = _YEAR.sub("", text)
            return f"{text.strip()} {question.strip()}"
    return f"{earlier[-1].strip()} {question.strip()}" if earlier else question


def _only_a_year(question: str) -> bool:
    """True for "and in 2023?", "2023年呢？": one year, and no other word that means anything."""
    return len(_YEAR.findall(question)) == 1 and not any(content_terms(_A_YEAR.sub(" ", question)).values())
