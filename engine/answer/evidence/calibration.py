"""What the figures of a place are worth: weights that turn it into a probability, and the band of a model's cosines.

``calibration.toml`` holds the weights with the thresholds of the three states; ``benchmarks/calibration.py`` fits them
on open question sets and writes the file and its reliability curve (docs/calibration.md).

The cosines of one model lie in a narrow band that differs from model to model, and from one pair of languages to
another. So a cosine is told by where it lies between two means: that of questions and sentences that have nothing to do
with each other (height 0) and that of plain questions with the plain sentences that answer them (height 1). It is the
cohort normalisation of speaker verification (Auckenthaler et al. 2000) with a cohort on either side.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.answer.evidence.features import NAMES
from engine.language import cohort

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder

FILE = Path(__file__).with_name("calibration.toml")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights by feature, and the least probabilities of an answer and of what comes closest."""

    weights: np.ndarray
    answered: float
    closest: float

    def probabilities(self, features: np.ndarray) -> np.ndarray:
        """Return the probability (0..1) that each place answers, shape (places,)."""
        odds: np.ndarray = 1 / (1 + np.exp(-np.clip(features @ self.weights, -30, 30)))
        return odds


@lru_cache(maxsize=2)
def calibration(with_reader: bool) -> Calibration:
    """Return the calibration for places that a reader read, or for those that only words and vectors tell."""
    data = tomllib.loads(FILE.read_text("utf-8"))["reader" if with_reader else "words"]
    weights = np.array([float(data["weights"].get(name, 0.0)) for name in NAMES])
    return Calibration(weights, float(data["answered"]), float(data["closest"]))


class Baseline(NamedTuple):
    """Mean cosines of a model for one pair of languages."""

    unrelated: float
    answering: float

    def height(self, cosine: float) -> float:
        """Return a cosine's height: 0 at that of unrelated pairs, 1 at that of plain answers."""
        return (cosine - self.unrelated) / max(self.answering - self.unrelated, 1e-6)


_known: dict[tuple[str, bool, bool], Baseline] = {}


def baseline(embedder: Embedder, chinese_question: bool, chinese_text: bool) -> Baseline:
    """Return the model's baseline for a pair of languages; computed once a model. Raises ProviderError."""
    key = (embedder.name, chinese_question, chinese_text)
    if key not in _known:
        questions = [question for question, _ in cohort()["zh" if chinese_question else "en"]]
        sentences = embedder.passages([answer for _, answer in cohort()["zh" if chinese_text else "en"]])
        cosines = np.stack([embedder.query(question) for question in questions]) @ sentences.T
        others = ~np.eye(len(questions), dtype=bool)
        _known[key] = Baseline(float(cosines[others].mean()), float(np.diag(cosines).mean()))
    return _known[key]
