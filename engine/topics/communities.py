"""Groups of things that are alike, from how alike each two are; how many groups there are, the data say.

The constant Potts model: a grouping is worth the sum, over all pairs in one group, of their likeness less a threshold
(Traag, Van Dooren and Nesterov, "Narrow scope for resolution-limit-free community detection", Phys. Rev. E 84,
2011). So a group may be large or small, and holds what is alike above the threshold on the whole. It is
climbed as by Blondel et al. ("Fast unfolding of communities in large networks", J. Stat. Mech. P10008, 2008): things
move one by one to the group they gain most by, then groups move as wholes, until nothing gains. There is no chance
in it: the same matrix gives the same groups.
"""

from __future__ import annotations

import numpy as np

# Less than this is rounding.
LEAST_GAIN = 1e-6
MOST_ROUNDS = 100


def communities(likeness: np.ndarray, least: float) -> list[int]:
    """Return a label, from 0, for each row of a symmetric matrix: rows with equal labels are alike above ``least``."""
    value = np.asarray(likeness, np.float64) - least
    labels = np.arange(len(value))
    for _ in range(MOST_ROUNDS):
        labels = _numbered(_moved(value, labels))
        groups = np.eye(labels.max(initial=-1) + 1)[labels]
        joined = _numbered(_moved(groups.T @ value @ groups, np.arange(groups.shape[1])))
        if joined.max(initial=-1) + 1 == groups.shape[1]:
            break
        labels = joined[labels]
    return [int(label) for label in labels]


def _numbered(labels: np.ndarray) -> np.ndarray:
    """Return labels without gaps, in the order of their first rows."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    numbers: np.ndarray = np.argsort(np.argsort(first))[inverse]
    return numbers


def _moved(value: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the labels (below the number of rows) after each row has moved to where it gains most."""
    count = len(value)
    labels, sizes = labels.copy(), np.bincount(labels, minlength=count)
    # What a row would be worth in each group, by label: 0 in an empty one.
    worth = np.zeros((count, count))
    np.add.at(worth, labels, value)
    for _ in range(MOST_ROUNDS):
        moved = False
        for row in range(count):
            here = labels[row]
            offers = worth[:, row].copy()
            offers[here] -= value[row, row]
            best = int(offers.argmax())
            if offers[best] <= offers[here] + LEAST_GAIN:
                continue
            worth[here] -= value[row]
            worth[best] += value[row]
            sizes[here] -= 1
            sizes[best] += 1
            if not sizes[here]:
                worth[here] = 0.0
            labels[row], moved = best, True
        if not moved:
            break
    return labels
