"""Log odds as probabilities, and back."""

from __future__ import annotations

import math

_BOUND = 30.0
# What is all but certain counts as no surer than this.
_LEAST = 0.01


def logistic(value: float) -> float:
    """Return the probability (0..1) of log odds, which count within ±30."""
    return 1 / (1 + math.exp(-max(-_BOUND, min(_BOUND, value))))


def log_odds(probability: float) -> float:
    """Return the log odds of a probability (0..1), which counts between .01 and .99."""
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(kept / (1 - kept))
