"""What a model's reply is worth once its citations are resolved: put aside, or an answer with its confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from engine.answer.citations import Resolved
from engine.answer.sufficiency import Sufficiency, terms_of
from engine.answer.support import support_of, unsupported_warning
from engine.answer.terms import pieces_covered
from engine.answer.translated import translated_pieces
from engine.model import Answer, Evidence
from engine.structure.sentences import is_cjk

if TYPE_CHECKING:
    from engine.answer.phrases import Phrases
    from engine.answer.trace import AnswerTrace

Confidence = Literal["high", "medium", "low"]
# Of the words of a reply in another language than its source, so many stand there at least.
_HALF = 0.5


def checked(resolved: Resolved, sufficiency: Sufficiency, trace: AnswerTrace, phrases: Phrases) -> Answer:
    """Return a resolved reply as an answer, with warnings of what has no support; the check is told in the trace."""
    warnings = list(resolved.warnings)
    if warning := unsupported_warning(resolved.sentences, phrases):
        warnings.append(warning)
    if not sufficiency.sufficient:
        missing = phrases.missing_terms.format(terms=", ".join(sufficiency.missing))
        warnings.append(phrases.answer_uncertain + (f" {missing}" if sufficiency.missing else ""))
    told = phrases.step_verified.format(
        supported=resolved.supported, total=resolved.claims, citations=len(resolved.citations)
    )
    trace.step("verification", told, None, {"sentences": support_of(resolved.sentences)})
    return Answer(
        resolved.text, "direct", _confidence(resolved, sufficiency), bool(resolved.citations), resolved.citations,
        warnings=warnings, engine="llm",
    )  # fmt: skip


def stands_alone(resolved: Resolved, sufficiency: Sufficiency, evidence: Sequence[Evidence]) -> bool:
    """True when nothing that is cited says what the reply says, and the passages found do not answer either.

    Passages in another language say it when they hold half of its words in translation; without a dictionary that
    cannot be told.
    """
    if sufficiency.sufficient:
        return False
    ids = {citation.node_id for citation in resolved.citations}
    cited = [item for item in evidence if item.hit.node_id in ids]
    said = " ".join(sentence.text for sentence in resolved.sentences)
    if any(is_cjk(item.text) == is_cjk(said) for item in cited):
        return all(sentence.support != "supported" for sentence in resolved.sentences)
    pieces = translated_pieces(said)
    return bool(pieces) and all(pieces_covered(pieces, terms_of(item)) < _HALF for item in cited)


def _confidence(resolved: Resolved, sufficiency: Sufficiency) -> Confidence:
    """Weigh what was checked: support of the sentences, numbers, and the evidence itself."""
    if resolved.support < 0.5 or resolved.unsound or not sufficiency.sufficient:
        return "low"
    if resolved.support >= 0.9 and not resolved.removed and not resolved.warnings:
        return "high" if sufficiency.score >= 0.6 else "medium"
    return "medium"
