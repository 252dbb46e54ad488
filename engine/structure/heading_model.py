"""The model that tells headings: trees over the features of a block, each adding to the odds (gradient boosting).

``benchmarks/train_headings.py`` makes ``heading_model.json``. All trees are full and of one depth: the children of node
n are 2n+1 and 2n+2, the first where the feature is at most the threshold.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("heading_model.json")


class Forest(NamedTuple):
    """The trees: ``features`` and ``thresholds`` of their nodes, ``values`` of their leaves, one row a tree."""

    start: float
    features: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    values: NDArray[np.float64]

    def odds(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each row of features the logarithm of the odds that the block is a heading."""
        total = np.full(len(rows), self.start)
        each = np.arange(len(rows))
        for features, thresholds, values in zip(self.features, self.thresholds, self.values, strict=True):
            node = np.zeros(len(rows), dtype=np.int64)
            while len(node) and node[0] < len(features):
                node = 2 * node + 1 + (rows[each, features[node]] > thresholds[node])
            total += values[node - len(features)]
        return total


@lru_cache(maxsize=1)
def forest() -> Forest:
    """Return the model that ships."""
    told = json.loads(FILE.read_text("utf-8"))
    parts = [np.array(told[name]) for name in ("features", "thresholds", "values")]
    return Forest(told["start"], *parts)
