"""The verdict on evidence as the checks of a model's reply take it, and the terms of a node with its titles."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.answer.understand.terms import terms_with_forms
from engine.model import Evidence


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """``score`` is the certainty (0..1) that the evidence answers; ``missing`` what of the question stands nowhere."""

    score: float
    sufficient: bool
    missing: list[str] = field(default_factory=list)


def terms_of(item: Evidence) -> frozenset[str]:
    """Return the terms of a node with its title, its sections, its document's name and what that is about."""
    return terms_with_forms(f"{with_titles(item)} {item.subject}")


def with_titles(item: Evidence) -> str:
    """Return a node's text with its title, its sections and its document's name."""
    return " ".join([item.text, item.title, *item.hit.path, item.hit.document])
