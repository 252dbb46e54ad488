"""What an answer costs: its tokens at the prices of the settings."""

from __future__ import annotations

from dataclasses import replace

from engine.config import LlmSettings
from engine.model import Answer

_MILLION = 1_000_000


def priced(answer: Answer, settings: LlmSettings) -> Answer:
    """Return the answer with the cost of its tokens, in the currency of the prices; as it is where none is set."""
    if not settings.price_prompt and not settings.price_completion:
        return answer
    told = {"prompt": 0, "completion": 0} | answer.tokens
    cost = told["prompt"] * settings.price_prompt + told["completion"] * settings.price_completion
    return replace(answer, cost=round(cost / _MILLION, 6))
