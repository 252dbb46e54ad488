"""Replies in other forms than the interface describes, and prompts for models that take fewer roles.

Some endpoints send a whole reply where a stream was asked for, a text as a list of parts, or an error with status 200;
some models know no system role. Small ones say now and then one thing again and again until their room is used up.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from engine.errors import ProviderError
from engine.providers.cancelling import Cancelled, awaited

# That many of the last letters, so often within so many before them; looked for whenever so many new ones have come.
_SAID, _TIMES, _WITHIN, _EVERY = 80, 12, 6000, 400


class _Whole(list[Any]):
    """A whole reply as the pieces of a stream; its connection is done with."""

    def close(self) -> None:
        """There is nothing to drop."""


def text_of(content: Any) -> str:
    """Return the text of a message's content, which may come as a list of parts: those that are text."""
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else getattr(part, "text", "") for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return content or ""


def told_error(reply: Any) -> str:
    """Return the error that a reply tells in place of an answer, "" where it tells none."""
    error = reply.get("error") if isinstance(reply, Mapping) else getattr(reply, "error", None)
    told = error.get("message") if isinstance(error, Mapping) else error
    return str(told) if told else ""


def as_stream(chunks: Any, cancelled: Cancelled | None, told: Callable[[str], ProviderError]) -> Any:
    """Return the pieces of a reply, of one that came whole, too.

    Raises what ``told`` makes of the endpoint's own words where these are an error, ValueError and others for what is
    no reply, CancelledError.
    """
    response = getattr(chunks, "response", None)
    if response is None or "json" not in response.headers.get("content-type", ""):
        return chunks
    data = json.loads(awaited(partial(_read, response), cancelled))
    if error := told_error(data):
        raise told(error)
    choice = (data.get("choices") or [{}])[0]
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ValueError("no message")
    calls = [
        SimpleNamespace(index=index, function=SimpleNamespace(**{"name": "", "arguments": "", **call["function"]}))
        for index, call in enumerate(message.get("tool_calls") or [])
    ]
    delta = SimpleNamespace(content=message.get("content"), tool_calls=calls)
    made = SimpleNamespace(finish_reason=choice.get("finish_reason") or "stop", delta=delta)
    return _Whole([SimpleNamespace(usage=SimpleNamespace(**(data.get("usage") or {})), choices=[made])])


def _read(response: Any) -> bytes:
    import httpx

    try:
        content: bytes = response.read()
    except httpx.HTTPError as error:
        raise ValueError("it broke off") from error
    return content


def refuses_system(message: str, body: Mapping[str, Any]) -> bool:
    """True where an endpoint's error says that its model takes no system role."""
    lowered = message.lower()
    named = ("system" in lowered and "role" in lowered) or "must alternate" in lowered
    return named and any(one["role"] == "system" for one in body["messages"])


def without_system(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return messages with what the system says at the head of the user's first one."""
    said = "\n\n".join(str(one["content"]) for one in messages if one["role"] == "system")
    kept = [dict(one) for one in messages if one["role"] != "system"]
    first = next((one for one in kept if one["role"] == "user"), None)
    if first is None:
        return [{"role": "user", "content": said}, *kept]
    if said:
        text = first["content"]
        first["content"] = [{"type": "text", "text": said}, *text] if isinstance(text, list) else f"{said}\n\n{text}"
    return kept


class Repetition:
    """Tells of a text that comes in pieces whether it has begun to repeat itself only."""

    def __init__(self) -> None:
        self._recent, self._new = "", 0

    def seen_in(self, piece: str) -> bool:
        """Take the next piece and return whether what came last has come a dozen times, word for word."""
        self._recent, self._new = (self._recent + piece)[-_WITHIN:], self._new + len(piece)
        if self._new < _EVERY:
            return False
        self._new = 0
        return self._recent.count(self._recent[-_SAID:]) >= _TIMES
