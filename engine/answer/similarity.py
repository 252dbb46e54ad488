"""How near sentences are in meaning, by the embedding model; the vectors of the last sentences are remembered.

Questions of one conversation, and one that is asked again in other words, look at much the same sentences.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.metrics import looked_up

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
        self._size = size
        self._vectors: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, sentences: Sequence[str], embedder: Vectors) -> np.ndarray:
        """Return the vectors of sentences, shape (len(sentences), dimension). Raises ProviderError."""
        model = embedder.name
        wanted = list(dict.fromkeys(sentences))
        with self._lock:
            found = {text: self._vectors[model, text] for text in wanted if (model, text) in self._vectors}
        new = [text for text in wanted if text not in found]
        looked_up("vectors", len(wanted), len(new))
        if new:
            found.update((text, row.copy()) for text, row in zip(new, embedder.passages(new), strict=True))
        with self._lock:
            for text in wanted:
                self._vectors[model, text] = found[text]
                self._vectors.move_to_end((model, text))
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return np.stack([found[text] for text in sentences])


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
