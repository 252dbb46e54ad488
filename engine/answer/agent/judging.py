"""The model's judgement of the evidence (seed 003, 6.5.2), asked only where the scores do not vouch for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.answer.agent.protocol import read_arguments
from engine.answer.grounded.prompt import block, prompt
from engine.model import Evidence

if TYPE_CHECKING:
    from engine.providers.llm import Llm

_SHOWN = 5
_MAX_TOKENS = 200
_MISSING = 160


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model says of the evidence; an unreadable reply counts as "not sufficient"."""

    sufficient: bool
    missing: str


def judge(
    question: str, evidence: Sequence[Evidence], llm: Llm, cancelled: Callable[[], bool] | None = None
) -> Judgement:
    """Ask whether the evidence answers the question. Raises ProviderError, CancelledError."""
    shown = "\n\n".join(block(n, item) for n, item in enumerate(evidence[:_SHOWN], 1))
    messages = [
        {"role": "system", "content": prompt("sufficiency")},
        {"role": "user", "content": f"{shown}\n\nQuestion: {question}"},
    ]
    reply = llm.complete(messages, max_tokens=_MAX_TOKENS, json=True, cancelled=cancelled)
    found = read_arguments(reply.text)
    sufficient = found.get("sufficient") is True or str(found.get("sufficient")).casefold() == "true"
    return Judgement(sufficient, " ".join(str(found.get("missing") or "").split())[:_MISSING])
