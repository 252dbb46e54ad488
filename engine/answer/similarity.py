"""How near sentences are in meaning, by the embedding model; remembered within one answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder


class SentenceSimilarity:
    """Cosines between a question or claim and sentences. Raises ProviderError as the embedder does."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._vectors: dict[str, np.ndarray] = {}

    def __call__(self, claim: str, sentences: Sequence[str]) -> np.ndarray:
        """Return the cosine of each sentence with the claim, shape (len(sentences),)."""
        if not sentences:
            return np.zeros(0, dtype=np.float32)
        return self.vectors(sentences) @ self.embedder.query(claim)

    def vectors(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of sentences, shape (len(sentences), dimension)."""
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self._vectors]
        if new:
            self._vectors.update(zip(new, self.embedder.passages(new), strict=True))
        return np.stack([self._vectors[sentence] for sentence in sentences])
