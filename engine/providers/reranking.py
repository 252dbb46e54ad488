"""Rerankers: the Protocol, and a cross-encoder behind a ``/rerank`` endpoint (Jina, Cohere, vLLM, TEI …).

The endpoint takes ``{"model", "query", "documents", "top_n"}`` and gives ``{"results": [{"index",
"relevance_score"}]}``; some call the list ``data`` and the number ``score``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.config import RerankSettings
from engine.errors import ProviderBusyError, ProviderError, ProviderUnavailableError
from engine.providers.cancelling import Cancelled, awaited
from engine.providers.endpoint_address import shown_address
from engine.providers.logistic import logistic

TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """How relevant a text is, 0..1, and why if the judge says so."""

    score: float
    reason: str = ""


class Reranker(Protocol):
    """Judges texts for a question. Thread-safe."""

    @property
    def name(self) -> str:
        """The judge's identity; the same name judges the same."""

    def judge(self, question: str, texts: Sequence[str]) -> list[Judgement]:
        """Return one judgement a text, in their order. Raises ProviderError, CancelledError."""


class EndpointReranker:
    """A cross-encoder behind an HTTP endpoint."""

    def __init__(self, settings: RerankSettings, cancelled: Cancelled | None = None) -> None:
        """``cancelled`` is asked while the endpoint is waited for."""
        self._settings = settings
        self._cancelled = cancelled

    @property
    def name(self) -> str:
        """The model's name at its address."""
        return f"{self._settings.model}@{shown_address(self._settings.api_base)}"

    def judge(self, question: str, texts: Sequence[str]) -> list[Judgement]:
        """Return the endpoint's scores; those that are no shares (logits) are squashed to 0..1."""
        scores = awaited(lambda: self._scores(question, texts), self._cancelled)
        if any(not 0 <= score <= 1 for score in scores):
            scores = [logistic(score) for score in scores]
        return [Judgement(score) for score in scores]

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        import httpx

        address = self._settings.api_base.rstrip("/")
        address = address if address.endswith("/rerank") else f"{address}/rerank"
        headers = {"Authorization": f"Bearer {self._settings.api_key}"} if self._settings.api_key else {}
        body = {
            "model": self._settings.model,
            "query": question,
            "documents": list(texts),
            "top_n": len(texts),
            "return_documents": False,
        }
        try:
            response = httpx.post(address, json=body, headers=headers, timeout=TIMEOUT_SECONDS, follow_redirects=False)
        except httpx.TimeoutException as error:
            raise ProviderBusyError(f"The reranker did not answer within {TIMEOUT_SECONDS:g} s.") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ProviderUnavailableError(
                f"The reranker cannot be reached: {error}. Check rerank.api_base."
            ) from error
        if response.status_code != 200:
            raise ProviderUnavailableError(
                f"The reranker answered {response.status_code}. Check rerank.api_base, its key and rerank.model."
            )
        return _read(response, len(texts))


def _read(response: Any, count: int) -> list[float]:
    try:
        reply = response.json()
        results = (reply.get("results") or reply["data"]) if isinstance(reply, dict) else reply
        scores: list[float | None] = [None] * count
        for result in results:
            value = result.get("relevance_score", result.get("score"))
            if 0 <= int(result["index"]) < count:
                scores[int(result["index"])] = float(value)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ProviderError(
            "The reranker's reply cannot be understood. Check that it is a /rerank endpoint."
        ) from error
    known = [score for score in scores if score is not None and math.isfinite(score)]
    if len(known) < count:
        raise ProviderError(f"The reranker judged {len(known)} of {count} texts.")
    return known
