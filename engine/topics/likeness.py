"""How alike documents are for the purpose of topics, and groups of alike documents.

A document's vector is the mean of its nodes'. In one library such means lie close together (cosines of 0.91 to
0.96 in a collection on one subject), so the library's own mean is taken out first: what is left tells its documents
apart, however narrow the collection is. A handful of documents has no telling mean; there cosines are read on
the scale of the model (``spread``).

Groups are made by average linkage (Sokal and Michener, 1958): two join while their members are alike on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

# From so many documents on, their own mean says what is usual.
ENOUGH = 8
# On average alike: chosen on a collection of recipes by kind of dish and on statutes by field of law.
ALIKE = 0.15
# A name's cosine to an unrelated one lies about three spreads below 1.
NAME_SPREADS = 3.0
UNKNOWN_SPREAD_MIDDLE = 0.5
MOST_GROUPED = 1500
# A group of so many documents is looked at by itself once more.
LARGE = 12
# Parts smaller than this stay together as what is left of their group.
SMALL = 3


class Space:
    """The vectors of a library's documents, made comparable; all of one embedding model."""

    def __init__(self, vectors: Mapping[str, np.ndarray], spread: float | None) -> None:
        """``vectors`` are unit vectors by document id; ``spread`` is that of the model."""
        self._spread = spread
        self._centred = len(vectors) >= ENOUGH
        ids = list(vectors)
        matrix = np.stack([vectors[one] for one in ids]) if ids else np.zeros((0, 1), np.float32)
        if self._centred:
            matrix = matrix - matrix.mean(axis=0)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        matrix = matrix / np.maximum(norms, 1e-9)
        self._vectors = dict(zip(ids, matrix, strict=True))

    def __contains__(self, document_id: str) -> bool:
        return document_id in self._vectors

    def centre(self, members: Sequence[str]) -> np.ndarray | None:
        """Return what stands for these documents in :meth:`to_centre`; None where none has a vector."""
        known = [self._vectors[one] for one in members if one in self._vectors]
        mean: np.ndarray | None = np.mean(known, axis=0) if known else None
        return mean

    def to_centre(self, document_id: str, centres: np.ndarray) -> np.ndarray:
        """Return how alike a document is, on average, to the members behind each centre, shape (len(centres),)."""
        return self._scaled(centres @ self._vectors[document_id])

    def tightness(self, centres: np.ndarray) -> np.ndarray:
        """Return how alike the members behind each centre are among themselves, shape (len(centres),)."""
        return self._scaled(np.einsum("ij,ij->i", centres, centres))

    def nearest(self, document_id: str, count: int) -> list[tuple[str, float]]:
        """Return the documents most alike to one with how alike they are, the most alike first."""
        others = [one for one in self._vectors if one != document_id]
        if document_id not in self._vectors or not others:
            return []
        values = self.to_centre(document_id, np.stack([self._vectors[one] for one in others]))
        best = np.argsort(-values, kind="stable")[:count]
        return [(others[at], float(values[at])) for at in best.tolist()]

    def groups(self, documents: Sequence[str]) -> list[list[str]]:
        """Return groups of documents that are alike on average, the largest first, none empty.

        At most MOST_GROUPED are compared at a time, in the order given.
        """
        found: list[list[str]] = []
        known = [one for one in documents if one in self._vectors]
        for start in range(0, len(known), MOST_GROUPED):
            part = known[start : start + MOST_GROUPED]
            matrix = np.stack([self._vectors[one] for one in part])
            labels = average_linkage(self._scaled(matrix @ matrix.T), ALIKE)
            for label in dict.fromkeys(labels):
                group = [one for one, of in zip(part, labels, strict=True) if of == label]
                found += self._parts(group)
        return sorted(found, key=lambda group: (-len(group), group[0]))

    def _parts(self, group: list[str]) -> list[list[str]]:
        """Return a large group parted by what tells its own members apart: the laws of a mixed library by field."""
        if len(group) < LARGE:
            return [group]
        matrix = np.stack([self._vectors[one] for one in group])
        matrix = matrix - matrix.mean(axis=0)
        matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
        labels = average_linkage(matrix @ matrix.T, ALIKE)
        parts = [
            [one for one, of in zip(group, labels, strict=True) if of == label]
            for label in dict.fromkeys(labels)
        ]
        whole = [part for part in parts if len(part) >= SMALL]
        rest = [one for part in parts if len(part) < SMALL for one in part]
        if len(whole) + bool(rest) == 1:
            return [group]
        return [smaller for part in whole for smaller in self._parts(part)] + ([rest] if rest else [])

    def _scaled(self, cosines: np.ndarray) -> np.ndarray:
        if self._centred:
            return cosines
        if self._spread is None:
            return cosines - UNKNOWN_SPREAD_MIDDLE
        return 1 - (1 - cosines) / self._spread


def average_linkage(likeness: np.ndarray, least: float) -> list[int]:
    """Return a label for each row of a square matrix; rows are joined while groups are alike on average.

    A label is the number of the group's first row. Time grows with the cube of the rows at worst.
    """
    count = len(likeness)
    matrix = likeness.astype(np.float32, copy=True)
    np.fill_diagonal(matrix, -np.inf)
    labels, sizes = np.arange(count), np.ones(count, np.float32)
    while count > 1:
        best = int(matrix.argmax())
        i, j = sorted(divmod(best, count))
        if matrix[i, j] < least:
            break
        joined = (sizes[i] * matrix[i] + sizes[j] * matrix[j]) / (sizes[i] + sizes[j])
        matrix[i], matrix[:, i] = joined, joined
        matrix[i, i] = matrix[j] = matrix[:, j] = -np.inf
        sizes[i] += sizes[j]
        labels[labels == j] = i
    return [int(label) for label in labels]


def name_likeness(cosine: float, spread: float | None) -> float:
    """Return how alike two names are, 1 for the same, about 0 for unrelated ones.

    Cosines of short texts mean little by themselves: one model gives unrelated names 0.86. Its ``spread`` sets
    the scale; a model without one is taken at its word.
    """
    return cosine if spread is None else 1 - (1 - cosine) / (NAME_SPREADS * spread)
