"""How alike documents are for the purpose of topics, and groups of alike documents.

A document's vector is a mean of its nodes'. In one library such means lie close together (cosines of 0.91 to
0.96 in a collection on one subject), so the library's own mean is taken out first: what is left tells its documents
apart, however narrow the collection is. A handful of documents has no telling mean; there cosines are read on
the scale of the model (``spread``). Groups are told by networkx's Louvain under the constant Potts model (Traag, Van
Dooren and Nesterov, Phys. Rev. E 84, 2011), under which a group may be large or small.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import networkx
import numpy as np

from engine.language import patterns
from engine.providers.embedding import Embedder
from engine.structure.terms import HAN

# From so many documents on, their own mean says what is usual.
ENOUGH = 8
# Alike enough for one topic. From 0.1 to 0.18 topics agree about equally well with what people made of recipes,
# statutes and encyclopedia texts.
ALIKE = 0.15
# A name's cosine to an unrelated one lies about three spreads below 1.
NAME_SPREADS = 3.0
# So many general words of a script, about, tell what its names have in common.
GENERAL_WORDS = 100
UNKNOWN_SPREAD_MIDDLE = 0.5
MOST_GROUPED = 1000
# A group of more documents than this, and of more than this share of the library, is looked at by itself once more.
LARGE, LARGE_SHARE = 12, 0.1


class Space:
    """The vectors of a library's documents, made comparable; all of one embedding model."""

    def __init__(self, vectors: Mapping[str, np.ndarray], spread: float | None) -> None:
        """``vectors`` are unit vectors by document id; ``spread`` is that of the model."""
        self._spread = spread
        self._centred = len(vectors) >= ENOUGH
        self._ids = list(vectors)
        matrix = np.stack(list(vectors.values())) if vectors else np.zeros((0, 1), np.float32)
        self._matrix = _centred(matrix) if self._centred else matrix
        self._vectors = dict(zip(self._ids, self._matrix, strict=True))

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
        if document_id not in self._vectors:
            return []
        values = self.to_centre(document_id, self._matrix)
        best = np.argsort(-values, kind="stable")[: count + 1].tolist()
        return [(self._ids[at], float(values[at])) for at in best if self._ids[at] != document_id][:count]

    def groups(self, documents: Sequence[str]) -> list[list[str]]:
        """Return groups of documents that are alike on the whole, the largest first, none empty.

        At most MOST_GROUPED are compared at a time, in the order given; others join the groups made so far
        where they fit one.
        """
        found: list[list[str]] = []
        rest = [one for one in documents if one in self._vectors]
        while rest:
            made = self._parted(rest[:MOST_GROUPED])
            rest = self._joined(rest[MOST_GROUPED:], made)
            found += made
        return sorted(found, key=lambda group: (-len(group), group[0]))

    def _parted(self, group: list[str], whole: bool = True) -> list[list[str]]:
        """Return the groups within one; a large one of them is parted by what tells its own members apart.

        So the laws of a library that is half of recipes go by field, and the recipes by dish.
        """
        matrix = np.stack([self._vectors[one] for one in group])
        likeness = self._scaled(matrix @ matrix.T) if whole else _centred(matrix) @ _centred(matrix).T
        parts = [[group[row] for row in rows] for rows in communities(likeness, ALIKE)]
        if len(parts) == 1:
            return parts
        large = max(LARGE, LARGE_SHARE * len(self._vectors))
        return [
            smaller for part in parts for smaller in (self._parted(part, whole=False) if len(part) > large else [part])
        ]

    def _joined(self, documents: Sequence[str], groups: Sequence[list[str]]) -> list[str]:
        """Add documents to the groups they fit best; return those that fit none."""
        centres = np.stack([np.mean([self._vectors[one] for one in group], axis=0) for group in groups])
        left: list[str] = []
        for one in documents:
            likeness = self.to_centre(one, centres)
            best = int(likeness.argmax())
            (groups[best] if likeness[best] >= ALIKE else left).append(one)
        return left

    def _scaled(self, cosines: np.ndarray) -> np.ndarray:
        if self._centred:
            return cosines
        if self._spread is None:
            return cosines - UNKNOWN_SPREAD_MIDDLE
        return 1 - (1 - cosines) / self._spread


def communities(likeness: np.ndarray, least: float) -> list[list[int]]:
    """Return groups of the rows of a symmetric matrix that are alike above ``least`` on the whole.

    Loops give every node the same degree: what modularity takes off a pair, by its degrees, is then the same for all.
    """
    alike = np.array(likeness, np.float64)
    np.fill_diagonal(alike, 0.0)
    alike[alike < least / 2] = 0.0
    if not alike.any():
        return [[row] for row in range(len(alike))]
    degrees = alike.sum(axis=0)
    np.fill_diagonal(alike, (degrees.max() - degrees) / 2)  # a loop counts twice
    found = networkx.community.louvain_communities(
        networkx.from_numpy_array(alike), resolution=least * len(alike) / degrees.max(), threshold=0, seed=0
    )
    return sorted(sorted(group) for group in found)


def nearness(vector: np.ndarray, embedder: Embedder, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return how near names are to a document's vector, and their unit vectors, without what general words of their
    script have in common with them. Raises ProviderError."""
    usual = np.stack([_usual(embedder)[bool(HAN.search(name))] for name in names])
    vectors = _unit(embedder.passages(names) - usual)
    return np.einsum("ij,ij->i", vectors, _unit(vector - usual)), vectors


@lru_cache(maxsize=2)
def _usual(embedder: Embedder) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean vectors of some general words, spaced ones and Chinese ones."""
    words = sorted(set(" ".join(patterns("general_words").values()).split()))
    parts = ([word for word in words if bool(HAN.match(word)) is han] for han in (False, True))
    means = (embedder.passages(part[:: len(part) // GENERAL_WORDS]).mean(axis=0) for part in parts)
    return next(means), next(means)


def _unit(matrix: np.ndarray) -> np.ndarray:
    unit: np.ndarray = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    return unit


def _centred(matrix: np.ndarray) -> np.ndarray:
    """Return rows without what they have in common, of unit length."""
    return _unit(matrix - matrix.mean(axis=0))


def name_likeness(cosine: float, spread: float | None) -> float:
    """Return how alike two names are, 1 for the same, about 0 for unrelated ones.

    Cosines of short texts mean little by themselves: one model gives unrelated names 0.86. Its ``spread`` sets
    the scale; a model without one is taken at its word.
    """
    return cosine if spread is None else 1 - (1 - cosine) / (NAME_SPREADS * spread)
