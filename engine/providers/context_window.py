"""How many tokens a model takes at once, as its endpoint tells it.

Servers tell it in their list of models, each in a field of its own: vLLM (``max_model_len``), llama.cpp
(``meta.n_ctx``), OpenRouter (``context_length``) and others; Ollama of the models that it has loaded. OpenAI and most
other services do not tell it at all.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from engine.providers.local_models import PORTS, ollama_context

_FIELDS = ("n_ctx", "max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length")
_SECONDS = 2.0
# Evidence takes such a part of a context at most; less than so many tokens would be of no use.
_SHARE, _LEAST = 8, 1000
# Whoever takes fewer tokens at once runs on a small machine, where each prompt is waited for.
_SMALL = 16_000


def context_window(client: Any, model: str, base: str) -> int:
    """Return the tokens that a model takes at once, 0 where the endpoint does not tell; nothing is raised.

    ``client`` is an ``openai.OpenAI`` for the endpoint at the address ``base``.
    """
    import openai

    if PORTS.get(urlsplit(base).port or 0) == "Ollama":
        return ollama_context(base, model) or 0
    try:
        rows = client.with_options(timeout=_SECONDS, max_retries=0).models.list().data or []
        # A server that has one model answers by it whatever name it is asked for, as llama.cpp does.
        return next((_told(row.model_extra) for row in rows if row.id == model or len(rows) == 1), 0)
    except (openai.OpenAIError, ValueError, AttributeError, TypeError):
        return 0  # the call that follows says what is wrong


def _told(row: Mapping[str, Any] | None) -> int:
    fields = {**(row or {})}
    if isinstance(meta := fields.get("meta"), dict):
        fields |= meta
    found = (fields.get(name) for name in _FIELDS)
    return next((number for number in found if isinstance(number, int) and number > 0), 0)


def is_small(window: int) -> bool:
    """True where further calls cost a model with this window (0: unknown) too much of its room and of a user's time."""
    return 0 < window < _SMALL


def evidence_tokens(window: int, most: int) -> int:
    """Return how many tokens of evidence a model with this window (0: unknown) is shown, ``most`` by the settings."""
    return min(most, max(_LEAST, window // _SHARE)) if window else most
