"""Replies of a model by the content of the call, where the model is asked for the same reply every time.

At temperature 0 the same call is asked again only for what is known already. What is kept is bounded, and gone with
the process.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from engine.providers.llm import Completion, ToolCall, Usage

MOST_KEPT = 256
FREE = Usage(0, 0)


class KeptReply:
    """An :class:`engine.providers.llm.Reply` that was given before; it costs no tokens."""

    usage = FREE

    def __init__(self, text: str, finish: str, tool_calls: list[ToolCall]) -> None:
        self._text = text
        self.finish = finish
        self.tool_calls = tool_calls

    def __iter__(self) -> Iterator[str]:
        """Yield the text in one piece."""
        if self._text:
            yield self._text

    def completion(self) -> Completion:
        """Return it as a whole reply."""
        return Completion(self._text, FREE, self.finish)


class ReplyCache:
    """The last replies by the content of their calls. Thread-safe."""

    def __init__(self) -> None:
        self._replies: OrderedDict[str, KeptReply] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, body: Mapping[str, Any]) -> KeptReply | None:
        """Return the reply to a call with just this body, None when it is not known or may differ every time."""
        if body.get("temperature") != 0:
            return None
        with self._lock:
            reply = self._replies.get(_key(body))
            if reply is not None:
                self._replies.move_to_end(_key(body))
            return reply

    def keep(self, body: Mapping[str, Any], reply: KeptReply) -> None:
        """Keep a reply that came to its end."""
        if body.get("temperature") != 0 or reply.finish not in ("stop", "tool_calls"):
            return
        with self._lock:
            self._replies[_key(body)] = reply
            if len(self._replies) > MOST_KEPT:
                self._replies.popitem(last=False)


def _key(body: Mapping[str, Any]) -> str:
    """Return the digest of what is asked; how the reply is sent makes no difference."""
    asked = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
