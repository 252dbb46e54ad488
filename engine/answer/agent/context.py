"""A model's context while a question is looked into: what a prompt takes of it, and what room there is.

Tokens are estimated, as every model counts otherwise; what the endpoint counts corrects the estimate upwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.providers.llm import Usage

# A wide character or a digit is a token, so are two signs and the most part of a word: cells take more than prose.
_TOKEN = re.compile(r"[\u2e80-\U0010ffff]|[0-9]|[^\w\s]{1,2}|[^\W0-9\u2e80-\U0010ffff]{1,6}")
# A prompt without these would not be of use, however small the context is.
_LEAST = 600
# What the endpoint refused was longer than its context by an unknown share.
_LONGER = 1.15
_UNTOLD = 0.7


def tokens_in(messages: Sequence[Mapping[str, Any]], functions: Sequence[Mapping[str, Any]] = ()) -> int:
    """Return about how many tokens chat messages take, with the functions that go with them; rather too many."""
    texts = [str(message.get("content") or "") for message in messages]
    calls = [message["tool_calls"] for message in messages if message.get("tool_calls")]
    texts += [json.dumps(one, ensure_ascii=False) for one in (*functions, *calls)]
    return sum(4 + len(_TOKEN.findall(text)) for text in texts)


class Context:
    """What is known of a model's context while a question is looked into."""

    def __init__(self, tokens: int, reply: int) -> None:
        """``tokens`` is the context, 0 while it is unknown; ``reply`` is kept free of it for what the model writes."""
        self._tokens = tokens
        self._reply = reply
        self._scale = 1.0

    @property
    def room(self) -> int | None:
        """The tokens that a prompt may have, as :func:`tokens_in` counts them; None while the context is unknown."""
        if not self._tokens:
            return None
        return max(_LEAST, int((self._tokens - self._reply) / self._scale))

    def counted(self, estimated: int, usage: Usage) -> None:
        """Note what the endpoint counted for a prompt that was ``estimated`` at so many tokens."""
        if not usage.estimated and estimated:
            self._scale = max(self._scale, usage.prompt / estimated)

    def exceeded(self, estimated: int, limit: int | None) -> None:
        """Note that a prompt of ``estimated`` tokens was too long for a context of ``limit`` (None: unknown)."""
        self._tokens = limit or int(estimated * self._scale * _UNTOLD) + self._reply
        if limit is not None:
            self._scale = max(self._scale, (limit - self._reply) / estimated * _LONGER)
