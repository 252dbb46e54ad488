"""What the model calls of one answer use: its tokens, their cost, and the budget after which no call is begun.

A budget ends nothing that runs: a call that was begun comes to its end, and is counted. So an answer may use as much
more than its budget as one call takes.
"""

import threading
from collections.abc import Callable, Iterator
from typing import Any, cast

from engine.config import LlmSettings
from engine.errors import BudgetSpentError
from engine.providers.llm import Completion, Llm, Messages, Reply, Usage

_MILLION = 1_000_000


class Meter:
    """Counts the tokens of models that were :meth:`metered`. Thread-safe.

    ``tokens`` are those so far; ``refused`` is true once a call was not begun, and ``on_refused`` is then called, once.
    """

    def __init__(self, settings: LlmSettings) -> None:
        """``settings`` have the budget of an answer, and the prices of a million tokens."""
        self.tokens = {"prompt": 0, "completion": 0}
        self.refused = False
        self.on_refused: Callable[[], None] = lambda: None
        self._settings = settings
        self._lock = threading.Lock()

    @property
    def cost(self) -> float | None:
        """What the tokens cost, all at the prices of the language model; None where no price is set."""
        chosen = self._settings
        if not chosen.price_prompt and not chosen.price_completion:
            return None
        told = self.tokens
        cost = told["prompt"] * chosen.price_prompt + told["completion"] * chosen.price_completion
        return round(cost / _MILLION, 6)

    @property
    def spent(self) -> bool:
        """True when the budget is used up. A budget of 0 is none."""
        most_tokens, most_cost = self._settings.answer_tokens, self._settings.answer_cost
        over_tokens = most_tokens and sum(self.tokens.values()) >= most_tokens
        return bool(over_tokens or (most_cost and (self.cost or 0) >= most_cost))

    def spend(self, usage: Usage) -> None:
        """Count the tokens of a call."""
        with self._lock:
            self.tokens = {
                "prompt": self.tokens["prompt"] + usage.prompt,
                "completion": self.tokens["completion"] + usage.completion,
            }

    def metered(self, llm: Llm) -> Llm:
        """Return the model with its calls counted here, and refused once the budget is used up."""
        return cast("Llm", _MeteredLlm(llm, self))

    def begin(self) -> None:
        """Raise BudgetSpentError where no call may be begun; the first such one is told."""
        if not self.spent:
            return
        with self._lock:
            first, self.refused = not self.refused, True
        if first:
            self.on_refused()
        raise BudgetSpentError(
            "The budget of an answer is used up. Raise llm.answer_tokens or llm.answer_cost for more."
        )


class _MeteredLlm:
    """An :class:`engine.providers.llm.Llm` whose calls are counted; all methods raise BudgetSpentError, too."""

    def __init__(self, llm: Llm, meter: Meter) -> None:
        self._llm, self._meter = llm, meter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._llm, name)

    def complete(self, messages: Messages, **how: Any) -> Completion:
        self._meter.begin()
        reply = self._llm.complete(messages, **how)
        self._meter.spend(reply.usage)
        return reply

    def stream(self, messages: Messages, **how: Any) -> Reply:
        self._meter.begin()
        return cast("Reply", _MeteredReply(self._llm.stream(messages, **how), self._meter))


class _MeteredReply:
    """An :class:`engine.providers.llm.Reply` that is counted when it ends, whatever end it takes."""

    def __init__(self, reply: Reply, meter: Meter) -> None:
        self._reply, self._meter = reply, meter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reply, name)

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._reply
        finally:
            self._meter.spend(self._reply.usage)
