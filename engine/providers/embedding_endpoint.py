"""An embedding model behind an OpenAI-compatible endpoint."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from engine.config import EmbeddingSettings
from engine.errors import ConfigError, ProviderError
from engine.providers.endpoint_address import shown_address
from engine.providers.openai_client import open_client, translated
from engine.recent import QUERIES_REMEMBERED

BATCH = 64
TIMEOUT_SECONDS = 60.0
RETRIES = 3
# The E5 family tells questions and passages apart by a prefix, wherever it is served from.
_E5 = re.compile(r"(^|[^a-z0-9])e5([^a-z0-9]|$)", re.IGNORECASE)


class EndpointEmbedder:
    """Embeddings from an endpoint; vectors are brought to unit length.

    The client retries connection errors, 429 and 5xx with growing pauses. Raises ConfigError when the
    settings name no model.
    """

    spread: float | None = None

    def __init__(self, settings: EmbeddingSettings) -> None:
        if not settings.model:
            raise ConfigError("An embedding endpoint needs a model: set embedding.model to the name it uses.")
        self._settings, self.dimension = settings, settings.dimension  # that of its vectors, as set
        # Its name at the endpoint and the dimension; the endpoint tells no version.
        self.name = f"{settings.model}/{self.dimension}"
        self._prefixes = ("query: ", "passage: ") if _E5.search(settings.model) else ("", "")
        self.query = lru_cache(QUERIES_REMEMBERED)(self._query)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of passages, asked for in batches."""
        prefixed = [self._prefixes[1] + text for text in texts]
        parts = [self._embed(prefixed[start : start + BATCH]) for start in range(0, len(prefixed), BATCH)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimension), np.float32)

    def _query(self, text: str) -> np.ndarray:
        """Return the unit vector of a question."""
        vector: np.ndarray = self._embed([self._prefixes[0] + text])[0]
        vector.setflags(write=False)
        return vector

    def _embed(self, texts: list[str]) -> np.ndarray:
        vectors = np.array(self._request(texts), np.float32)
        if vectors.shape != (len(texts), self.dimension):
            found = vectors.shape[1] if vectors.ndim == 2 else "no"
            raise ProviderError(
                f"The embedding model {self._settings.model} gives vectors of {found} numbers, not "
                f"{self.dimension}. Set embedding.dimension to what it gives."
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise ProviderError(f"The embedding model {self._settings.model} answered with an empty vector.")
        unit: np.ndarray = vectors / lengths
        return unit

    def _request(self, texts: list[str]) -> list[list[float]]:
        import openai

        where = f"The embedding endpoint {shown_address(self._settings.api_base) or 'of OpenAI'}"
        try:
            reply = self._client.embeddings.create(model=self._settings.model, input=texts, encoding_format="float")
            rows = sorted(reply.data, key=lambda row: row.index)
            return [row.embedding for row in rows]
        except openai.APIError as error:
            raise translated(
                error, where, self._settings.model, what="embedding", timeout=TIMEOUT_SECONDS,
                key=self._settings.api_key,
            ) from error  # fmt: skip
        except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
            raise ProviderError(f"{where} answered with something that is not an embedding.") from error

    @cached_property
    def _client(self) -> Any:
        chosen = self._settings
        key = chosen.api_key or "none"
        return open_client(chosen.api_base or None, key, timeout=TIMEOUT_SECONDS, retries=RETRIES)
