"""Log odds as probabilities, and back."""

import math

_BOUND = 30.0


def logistic(value: float) -> float:
    """Return the probability (0..1) of log odds, which count within ±30."""
    return 1 / (1 + math.exp(-max(-_BOUND, min(_BOUND, value))))
