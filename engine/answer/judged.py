"""Evidence held against a question: its sentences, what a reader makes of them, and whether they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.answer.candidates import TO_QUOTE, Candidate, candidates
from engine.answer.named_document import OfNamed, of_named
from engine.answer.readings import AnswerSpan, read, with_readings
from engine.answer.similarity import SentenceSimilarity
from engine.answer.sufficiency import Sufficiency, assess
from engine.errors import ProviderError
from engine.model import Evidence

if TYPE_CHECKING:
    from engine.providers.reading import Reader


@dataclass(frozen=True, slots=True)
class Judged:
    """The sentences found and whether they suffice; ``of`` is what is asked of the documents named, if any are."""

    found: list[Candidate]
    sufficiency: Sufficiency
    of: OfNamed | None


def judged(
    question: str,
    evidence: Sequence[Evidence],
    similarity: SentenceSimilarity | None = None,
    reader: Reader | None = None,
    embedded: int = TO_QUOTE,
) -> Judged:
    """Judge evidence, with vectors of so many sentences and with a reader where there is one.

    Raises ProviderError as the embedder does; a reader that fails is done without.
    """
    of = of_named(question, evidence)
    asked, within = (of.rest, of.documents) if of else (question, None)
    found = candidates(asked, evidence, similarity, embedded, within)
    spans = _spans(asked, evidence, found, reader) if reader else None
    sufficiency = assess(asked, evidence, found, similarity, spans)
    return Judged(with_readings(found, spans or ()), sufficiency, of)


def _spans(
    question: str, evidence: Sequence[Evidence], found: Sequence[Candidate], reader: Reader
) -> list[AnswerSpan] | None:
    try:
        return read(question, evidence, found, reader)
    except ProviderError:  # its weights are gone
        return None
