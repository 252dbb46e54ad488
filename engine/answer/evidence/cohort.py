"""What the cosine of an embedding model is worth.

The cosines of one model lie in a narrow band that differs from model to model, and from one pair of languages to
another. So a cosine is told by where it lies between two means: that of questions and sentences that have nothing to do
with each other (height 0) and that of plain questions with the plain sentences that answer them (height 1). It is the
cohort normalisation of speaker verification (Auckenthaler et al. 2000) with a cohort on either side.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.language import cohort

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder


class Baseline(NamedTuple):
    """Mean cosines of a model for one pair of languages."""

    unrelated: float
    answering: float

    def height(self, cosine: float) -> float:
        """Return a cosine's height: 0 at that of unrelated pairs, 1 at that of plain answers."""
        return (cosine - self.unrelated) / max(self.answering - self.unrelated, 1e-6)


_known: weakref.WeakKeyDictionary[object, dict[tuple[bool, bool], Baseline]] = weakref.WeakKeyDictionary()


def baseline(embedder: Embedder, chinese_question: bool, chinese_text: bool) -> Baseline:
    """Return the model's baseline for a pair of languages; computed once a model. Raises ProviderError."""
    of_model = _known.setdefault(embedder, {})
    pair = (chinese_question, chinese_text)
    if pair not in of_model:
        questions = [question for question, _ in cohort()["zh" if chinese_question else "en"]]
        sentences = embedder.passages([answer for _, answer in cohort()["zh" if chinese_text else "en"]])
        cosines = np.stack([embedder.query(question) for question in questions]) @ sentences.T
        others = ~np.eye(len(questions), dtype=bool)
        of_model[pair] = Baseline(float(cosines[others].mean()), float(np.diag(cosines).mean()))
    return of_model[pair]
