"""How near sentences are in meaning, by the embedding model; the vectors of the last sentences are remembered.

Questions of one conversation, and one that is asked again in other words, look at much the same sentences.
"""

from collections.abc import Callable, Sequence

import numpy as np

from engine.providers.embedding import Embedder
from engine.recent import Recent

# By model and sentence. Of some 1.5 kB each, so about twelve megabytes at most.
Remembered = Recent[tuple[str, str], np.ndarray]
_LAST: Remembered = Recent("vectors", 8192)


def vectors_of(
    sentences: Sequence[str], model: str, embed: Callable[[Sequence[str]], np.ndarray], remembered: Remembered = _LAST
) -> np.ndarray:
    """Return the unit vectors of sentences, shape (len(sentences), dimension), by the model of this name.

    ``embed`` gives those of new sentences. Raises what it raises.
    """

    def fresh(new: Sequence[tuple[str, str]]) -> list[np.ndarray]:
        return [row.copy() for row in embed([text for _, text in new])]

    return np.stack(remembered.of([(model, text) for text in sentences], fresh))


class SentenceSimilarity:
    """Cosines between a question or claim and sentences. Raises ProviderError as the embedder does."""

    def __init__(self, embedder: Embedder, remembered: Remembered = _LAST) -> None:
        self.embedder, self._remembered = embedder, remembered

    def __call__(self, claim: str, sentences: Sequence[str]) -> np.ndarray:
        """Return the cosine of each sentence with the claim, shape (len(sentences),)."""
        if not sentences:
            return np.zeros(0, dtype=np.float32)
        vectors = vectors_of(sentences, self.embedder.name, self.embedder.passages, self._remembered)
        return vectors @ self.embedder.query(claim)
