"""Pseudo-relevance feedback for the dense view (Rocchio 1971; for dense retrieval Li et al. 2021).

The passages found first tell what an answer looks like; the question moved a little towards them finds
its neighbours, too. It costs one more vector search and no embedding. What only one view vouches for may
be wrong, so it moves the less, the less words are to be trusted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.retrieve.fusion import Fused
from storage.base import Snapshot

PASSAGES = 3
WEIGHT = 0.2
# A passage counts the less the farther its score is below the first one's: a third at 0.1.
STEEPNESS = 11.0


def feedback(
    vector: np.ndarray, fused: Sequence[Fused], snapshot: Snapshot, model: str, trust: float
) -> np.ndarray:
    """Return the question's unit vector moved towards those of the first passages.

    ``trust`` (0 to 1) is how far words back the first passages; by meaning alone nothing is learnt from them.
    """
    first = fused[:PASSAGES]
    vectors = snapshot.vectors([one.key for one in first], model)
    if not vectors:
        return vector
    moved = vector.astype(np.float64)
    for one in first:
        if one.key in vectors:
            closeness = math.exp(STEEPNESS * (one.score - first[0].score))
            moved += trust * WEIGHT / PASSAGES * closeness * vectors[one.key]
    return np.asarray(moved / np.linalg.norm(moved), np.float32)
