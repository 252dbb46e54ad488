"""How near sentences are in meaning, by the embedding model; the vectors of the last sentences are remembered.

Questions of one conversation, and one that is asked again in other words, look at much the same sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.recent import Recent

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder


# Of some 1.5 kB each, so about twelve megabytes at most.
REMEMBERED = 8192


class Vectors(Protocol):
    """What gives sentences their vectors, and its name."""

    @property
    def name(self) -> str:
        """The model's identity."""
        ...

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors, shape (len(texts), dimension). Raises ProviderError."""
        ...


class SentenceVectors:
    """Unit vectors by model and sentence, the last ``size`` that were used. Thread-safe."""

    def __init__(self, size: int = REMEMBERED) -> None:
        self._vectors: Recent[tuple[str, str], np.ndarray] = Recent("vectors", size)

    def of(self, sentences: Sequence[str], embedder: Vectors) -> np.ndarray:
        """Return the vectors of sentences, shape (len(sentences), dimension). Raises ProviderError."""

        def fresh(new: Sequence[tuple[str, str]]) -> list[np.ndarray]:
            return [row.copy() for row in embedder.passages([text for _, text in new])]

        return np.stack(self._vectors.of([(embedder.name, text) for text in sentences], fresh))


_LAST = SentenceVectors()


class SentenceSimilarity:
    """Cosines between a question or claim and sentences. Raises ProviderError as the embedder does."""

    def __init__(self, embedder: Embedder, remembered: SentenceVectors = _LAST) -> None:
        self.embedder = embedder
        self._remembered = remembered

    def __call__(self, claim: str, sentences: Sequence[str]) -> np.ndarray:
        """Return the cosine of each sentence with the claim, shape (len(sentences),)."""
        if not sentences:
            return np.zeros(0, dtype=np.float32)
        return self.vectors(sentences) @ self.embedder.query(claim)

    def vectors(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of sentences, shape (len(sentences), dimension)."""
        return self._remembered.of(sentences, self.embedder)
