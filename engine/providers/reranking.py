"""Rerankers, and a cross-encoder behind a ``/rerank`` endpoint (Jina, Cohere, vLLM, TEI …).

The endpoint takes ``{"model", "query", "documents", "top_n"}`` and gives ``{"results": [{"index",
"relevance_score"}]}``; some call the list ``data`` and the number ``score``.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Reranker:
    """Judges texts for a question. Thread-safe; both raise ProviderError, CancelledError.

    ``name`` gives the judge's identity: the same name judges the same. ``judge`` takes a question and texts, and gives
    a judgement a text, in their order.
    """

    name: Callable[[], str]
    judge: Callable[[str, Sequence[str]], list[Judgement]]


def endpoint_reranker(settings: RerankSettings, cancelled: Cancelled | None = None) -> Reranker:
    """Return the cross-encoder behind an HTTP endpoint; ``cancelled`` is asked while that is waited for."""

    def judge(question: str, texts: Sequence[str]) -> list[Judgement]:
        scores = awaited(lambda: _scores(settings, question, texts), cancelled)
        if any(not 0 <= score <= 1 for score in scores):  # logits are no shares
            scores = [logistic(score) for score in scores]
        return [Judgement(score) for score in scores]

    return Reranker(lambda: f"{settings.model}@{shown_address(settings.api_base)}", judge)


def _scores(settings: RerankSettings, question: str, texts: Sequence[str]) -> list[float]:
    import httpx

    address = settings.api_base.rstrip("/")
    address = address if address.endswith("/rerank") else f"{address}/rerank"
    headers = {"Authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
    told = {"documents": list(texts), "top_n": len(texts), "return_documents": False}
    body = {"model": settings.model, "query": question, **told}
    try:
        response = httpx.post(address, json=body, headers=headers, timeout=TIMEOUT_SECONDS, follow_redirects=False)
    except httpx.TimeoutException as error:
        raise ProviderBusyError(f"The reranker did not answer within {TIMEOUT_SECONDS:g} s.") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ProviderUnavailableError(f"The reranker cannot be reached: {error}. Check rerank.api_base.") from error
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
