"""Is the question answerable from the evidence?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.answer.candidates import Candidate
from engine.model import Evidence


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """The verdict: ``score`` is the certainty (0..1) that the evidence answers the question."""

    score: float
    sufficient: bool
    missing: list[str] = field(default_factory=list)


def assess(question: str, evidence: Sequence[Evidence], found: Sequence[Candidate]) -> Sufficiency:
    """Judge the sentences of the evidence."""
    if not found:
        return Sufficiency(0.0, False)
    best = max(found, key=lambda c: 0.5 * (c.shared + c.context))
    score = 0.5 * (best.shared + best.context)
    return Sufficiency(score, score >= 0.4)
