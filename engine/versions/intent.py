"""Whether a question asks of versions at all, told by its likeness to examples of how that is asked.

The nearest example counts (Cover & Hart 1967), by meaning: of the question as it is, and with its subject blanked out,
so that "did the fee change" is held against "did it change" and not against what else was said of fees.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine.answer.understand.terms import words_missing
from engine.index.tokenize import tokens
from engine.language import patterns
from engine.providers.embedding import shipped_model
from engine.structure.sentences import is_cjk

# Of a likeness over that of other questions from which it is sure; measured on 60 questions, of which all lay right.
SURE = 0.02
_SUBJECT = re.compile(r"\{(.*?)\}")
_EXAMPLES = [(kind, text) for kind, texts in patterns("version_questions").items() for text in texts]
_KINDS = np.array([kind for kind, _ in _EXAMPLES])
_ASKING = frozenset(term for _, text in _EXAMPLES for term in tokens(_SUBJECT.sub(" ", text)))


class Intent(NamedTuple):
    """What is asked: for "changes", or for what an "earlier" version said; ``likely`` (over 0) that it is at all."""

    kind: str
    likely: float


@lru_cache(maxsize=256)
def intent_of(question: str) -> Intent:
    """Return whether a question, its document called just that, asks of versions. Raises ProviderError."""
    asked = shipped_model().phrases([question, _blanked(question, subject_of(question))])
    likeness = np.stack([known @ one for known, one in zip(_examples(), asked, strict=True)])
    of_versions, others = likeness[:, _KINDS != "other"], likeness[:, _KINDS == "other"]
    kind = _KINDS[_KINDS != "other"][of_versions.sum(axis=0).argmax()]
    return Intent(str(kind), float((of_versions.max(axis=1) - others.max(axis=1)).mean()))


def subject_of(question: str) -> list[str]:
    """Return the words of a question that are not such as ask of versions."""
    return words_missing(question, _ASKING)


@lru_cache(maxsize=1)
def _examples() -> tuple[np.ndarray, np.ndarray]:
    """The vectors of the examples as they are, and with their subjects blanked out."""
    whole = [_SUBJECT.sub(r"\1", text) for _, text in _EXAMPLES]
    blank = [_blanked(one, _SUBJECT.findall(text)) for one, (_, text) in zip(whole, _EXAMPLES, strict=True)]
    return shipped_model().phrases(whole), shipped_model().phrases(blank)


def _blanked(question: str, subject: list[str]) -> str:
    blank = "某项" if is_cjk(question) else "X"
    words = "|".join(re.escape(word) for word in sorted(subject, key=len, reverse=True))
    run = rf"(?<![A-Za-z0-9])(?:{words})(?:\s*(?:{words}))*(?![A-Za-z0-9])"
    return re.sub(run, blank, question) if words else question
