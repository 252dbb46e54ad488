"""Text embeddings: the Protocol, and the one place that chooses an implementation.

Vectors are float32, of unit length, and comparable only within one model: ``Embedder.name`` identifies
the model with its version and is stored with every vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.config import EmbeddingSettings

WEIGHTS = Path(__file__).parent / "weights" / "e5-small"
# Paging, filters and feedback ask for the vectors of the last questions again.
QUERIES_REMEMBERED = 512


if TYPE_CHECKING:
    from engine.providers.embedding_e5 import E5


class Embedder(Protocol):
    """Turns queries and passages into unit vectors of one space. All methods are thread-safe."""

    @property
    def name(self) -> str:
        """The model's identity, version included; vectors of different names are never compared."""

    @property
    def dimension(self) -> int:
        """The length of its vectors."""

    @property
    def spread(self) -> float | None:
        """How far below the best match's cosine an unrelated passage lies; None where that is not known."""

    def query(self, text: str) -> np.ndarray:
        """Return the unit vector of a question, shape (dimension,) float32, read-only.

        Raises ProviderError when the model cannot answer.
        """

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of passages, shape (len(texts), dimension) float32.

        Raises ProviderError when the model cannot answer.
        """


def open_embedder(settings: EmbeddingSettings) -> Embedder | None:
    """Return the embedding model that the settings name, or None when embeddings are switched off.

    Nothing is loaded or reached before the first text is embedded. Raises ConfigError for an endpoint
    without a model name.
    """
    if not settings.enabled:
        return None
    if settings.configured:
        from engine.providers.embedding_endpoint import EndpointEmbedder

        return EndpointEmbedder(settings)
    return shipped_model()


@lru_cache(maxsize=1)
def shipped_model() -> E5:
    """Return the shipped model: one for all libraries of the process, a quarter of a gigabyte once it is loaded."""
    from engine.providers.embedding_e5 import E5

    return E5(WEIGHTS)
