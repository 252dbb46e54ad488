"""The best of many scores without ordering them all."""

from __future__ import annotations

import numpy as np

BLOCK = 256


def highest(scores: np.ndarray, count: int, above: float) -> np.ndarray:
    """Return the rows of the ``count`` highest scores that are greater than ``above``, in no order.

    Every block's best score is a row's score, so the count-th best of them is a score that at least so many
    rows reach: only these few are looked at more closely.
    """
    whole = len(scores) // BLOCK * BLOCK
    least = np.float32(above)
    if 0 < count < whole // BLOCK:
        best = scores[:whole].reshape(-1, BLOCK).max(axis=1)
        least = np.partition(best, -count)[-count]
    found = np.flatnonzero(scores >= least if least > above else scores > above)
    if len(found) > count:
        found = found[np.argpartition(-scores[found], count - 1)[:count]] if count > 0 else found[:0]
    return found
