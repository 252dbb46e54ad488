"""The one calibration: weights that turn what was measured at a place into the probability that it answers.

``calibration.toml`` holds them with the thresholds of the three states; ``benchmarks/calibration.py`` fits them on open
question sets and writes the file and its reliability curve (docs/calibration.md).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from engine.answer.evidence.features import NAMES

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
