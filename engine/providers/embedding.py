"""Text embeddings: the one place that chooses a model, the one that ships or an endpoint's.

Both turn queries and passages into unit vectors of one space, float32. These are comparable only within one model:
its ``name`` identifies it with its version and is stored with every vector. ``spread`` is how far below the best
match's cosine an unrelated passage lies, None where that is not known. All methods are thread-safe and raise
ProviderError when the model cannot answer.
"""

from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from engine.config import EmbeddingSettings
from engine.providers.embedding_e5 import E5
from engine.providers.embedding_endpoint import EndpointEmbedder

WEIGHTS = Path(__file__).parent / "weights" / "e5-small"
Embedder: TypeAlias = E5 | EndpointEmbedder


def open_embedder(settings: EmbeddingSettings) -> Embedder | None:
    """Return the embedding model that the settings name, or None when embeddings are switched off.

    Nothing is loaded or reached before the first text is embedded. Raises ConfigError for an endpoint
    without a model name.
    """
    if not settings.enabled:
        return None
    return EndpointEmbedder(settings) if settings.configured else shipped_model()


@lru_cache(maxsize=1)
def shipped_model() -> E5:
    """Return the shipped model: one for all libraries of the process, a quarter of a gigabyte once it is loaded."""
    return E5(WEIGHTS)
