"""Relevance feedback for the dense view (Rocchio 1971; for dense retrieval Li et al. 2021).

The passages found first tell what an answer looks like; the question moved a little towards them finds
its neighbours, too. What only one view vouches for may be wrong, so it moves the less, the less words are to be
trusted.

Where the question's own words tell nothing, as when it is asked in another language than the passages', all of them
are near it for what they share: the language, the kind of text. So the question is moved away from the mean of those
further down (Rocchio's other half), which tells nothing apart.

Both cost one more vector search and no embedding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.retrieve.fusion import Fused
from storage.base import Scored, Snapshot

PASSAGES = 3
WEIGHT = 0.2
# A passage counts the less the farther its score is below the first one's: a third at 0.1.
STEEPNESS = 11.0
# Passages from this rank on, each fourth, are those further down.
FURTHER_DOWN = slice(20, 200, 4)
AWAY = 0.5


def feedback(
    vector: np.ndarray,
    fused: Sequence[Fused],
    dense: Sequence[Scored],
    snapshot: Snapshot,
    model: str,
    trust: float,
    own_trust: float,
) -> np.ndarray:
    """Return the question's unit vector moved towards those of the first passages, or away from what all have.

    ``trust`` (0 to 1) is how far words back the first passages; by meaning alone nothing is learnt from them.
    ``own_trust`` is the same without translations. ``dense`` is the first ranking by meaning.
    """
    moved = vector.astype(np.float64)
    first = fused[:PASSAGES]
    vectors = snapshot.vectors([one.key for one in first], model)
    for one in first:
        if one.key in vectors:
            closeness = math.exp(STEEPNESS * (one.score - first[0].score))
            moved += trust * WEIGHT / PASSAGES * closeness * vectors[one.key]
    if own_trust < 1 and (common := snapshot.vectors([one.key for one in dense[FURTHER_DOWN]], model)):
        moved -= (1 - own_trust) * AWAY * np.mean(list(common.values()), axis=0)
    return np.asarray(moved / np.linalg.norm(moved), np.float32)


def cosines_of(
    vector: np.ndarray, snapshot: Snapshot, found: Sequence[Scored], others: Sequence[int], model: str
) -> dict[int, float]:
    """Return the cosines of the other nodes (keys) that the dense view did not find and that have a vector."""
    known = {one.key for one in found}
    missing = snapshot.vectors([key for key in dict.fromkeys(others) if key not in known], model)
    if not missing:
        return {}
    values = np.stack(list(missing.values())) @ vector
    return dict(zip(missing, values.tolist(), strict=True))
