"""A chat model behind an OpenAI-compatible endpoint.

Endpoints differ: some refuse parameters they do not know, some list no models, some count no tokens and
some break off in the middle. A refused parameter is left out and the call repeated; what the endpoint
does not tell is estimated; a stream that ends without a reason is an error.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from engine.config import LlmSettings
from engine.errors import ContextExceededError, ProviderError, ProviderUnavailableError, ToolsRefusedError
from engine.providers.cancelling import awaited, pieces_of, stop_if
from engine.providers.context_window import context_window
from engine.providers.endpoint_address import shown_address
from engine.providers.llm import (
    Cancelled,
    Completion,
    Messages,
    Reply,
    ToolCall,
    Usage,
    estimate_tokens,
    for_chat,
)
from engine.providers.openai_client import brief, is_redirect, open_client, translated
from engine.providers.reply_forms import (
    Repetition,
    as_stream,
    refuses_system,
    text_of,
    told_error,
    without_system,
)

OPENAI_BASE = "https://api.openai.com/v1"
FALLBACK_MODEL = "gpt-4o-mini"
# Parameters that some endpoints refuse, and what to send instead.
_OPTIONAL: dict[str, str | None] = {
    "stream_options": None,
    "response_format": None,
    "temperature": None,
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": None,
}
_LONGEST_WAIT = 60.0
# A reply may have so many tokens at least; a prompt may be so much longer than it is estimated.
_LEAST_REPLY, _MORE = 256, 1.25
_POLL = 0.1


class OpenAiLlm:
    """An :class:`engine.providers.llm.Llm`. ``sleep`` and ``jitter`` are injected by tests."""

    def __init__(
        self,
        settings: LlmSettings,
        *,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings
        self._sleep = sleep
        self._jitter = jitter
        self._base = (settings.api_base or OPENAI_BASE).strip().rstrip("/")
        self._client: Any = None
        self._model = settings.model.strip()
        self._refused: set[str] = set()
        self._window: int | None = settings.context_tokens or None
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        """Host and port of the endpoint, for messages."""
        return shown_address(self._base)

    @property
    def model(self) -> str:
        """The model's name; the first chat model that the endpoint lists when the settings name none."""
        with self._lock:
            if not self._model:
                self._model = self._first_listed()
            return self._model

    @property
    def context_tokens(self) -> int:
        """See :class:`engine.providers.llm.Llm`."""
        if self._window is None:
            try:
                self._window = context_window(self._open(), self.model, self._base)
            except ProviderError:  # whoever calls the model is told
                return 0
        return self._window

    def complete(
        self,
        messages: Messages,
        *,
        max_tokens: int | None = None,
        json: bool = False,
        cancelled: Cancelled | None = None,
    ) -> Completion:
        """See :class:`engine.providers.llm.Llm`."""
        extra = {"response_format": {"type": "json_object"}} if json else {}
        body = self._body(messages, max_tokens, cancelled, **extra)
        reply = self._request(body, cancelled)
        choices: Any = getattr(reply, "choices", None)
        message = getattr(choices[0], "message", None) if choices else None
        if message is None:
            raise self.told(told_error(reply)) if told_error(reply) else self._not_chat()
        text, finish = text_of(message.content), choices[0].finish_reason or "stop"
        return Completion(text, _usage(reply.usage, messages, text), finish)

    def stream(
        self,
        messages: Messages,
        *,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        cancelled: Cancelled | None = None,
    ) -> Reply:
        """See :class:`engine.providers.llm.Llm`."""
        if tools and "tools" in self._refused:
            raise self._without_tools()
        extra = {"tools": [dict(tool) for tool in tools]} if tools else {}
        body = self._body(
            messages, max_tokens, cancelled, stream=True, stream_options={"include_usage": True}, **extra
        )
        try:
            chunks = as_stream(self._request(body, cancelled), cancelled, self.told)
        except (ValueError, AttributeError, TypeError, KeyError) as error:
            raise self._not_chat() from error
        return OpenAiReply(self, chunks, messages, cancelled)

    def translate(self, error: Exception) -> ProviderError:
        """Return our error for one of the client's, with a message for the user."""
        told = translated(
            error, f"The model endpoint {self.address}", self._model, what="chat", timeout=self._settings.timeout,
            key=self._settings.api_key,
        )  # fmt: skip
        if isinstance(told, ContextExceededError) and told.limit:
            self._window = told.limit
        return told

    def told(self, message: str) -> ProviderError:
        """Return the error of an endpoint that tells one in place of a reply."""
        return ProviderError(
            f"The model endpoint {self.address} answered with an error: {brief(message, self._settings.api_key)}"
        )

    def _body(
        self, messages: Messages, max_tokens: int | None, cancelled: Cancelled | None, **extra: Any
    ) -> dict[str, Any]:
        """Return what a call asks for: a reply no longer than what the prompt leaves of the context."""
        longest = min(max_tokens or self._settings.max_tokens, self._settings.max_tokens)
        if window := awaited(lambda: self.context_tokens, cancelled):
            asked = sum(estimate_tokens(str(message.get("content") or "")) for message in messages)
            longest = min(longest, max(_LEAST_REPLY, window - int(asked * _MORE)))
        return {
            "model": awaited(lambda: self.model, cancelled),
            "messages": [dict(message) for message in messages],
            "temperature": self._settings.temperature,
            "max_tokens": longest,
            **extra,
        }

    def _request(self, asked: Mapping[str, Any], cancelled: Cancelled | None) -> Any:
        import openai

        body = self._without_refused(dict(asked))
        client = self._open()
        attempt = 0
        while True:
            stop_if(cancelled)
            try:
                return awaited(partial(client.chat.completions.create, **body), cancelled, _drop)
            except (openai.OpenAIError, ValueError) as error:
                if refused := _refused_in(error, body):
                    self._refused.add(refused)
                    if refused == "tools":
                        raise self._without_tools() from error
                    body = self._without_refused(body)
                    continue
                wait = self._wait_before_retry(error, attempt)
                if wait is None:
                    raise self.translate(error) from error
                attempt += 1
                self._pause(wait, cancelled)

    def _without_refused(self, body: dict[str, Any]) -> dict[str, Any]:
        kept = dict(body)
        for name, instead in _OPTIONAL.items():
            if name in self._refused and name in kept:
                value = kept.pop(name)
                if instead and instead not in self._refused:
                    kept[instead] = value
        if "system" in self._refused:
            kept["messages"] = without_system(kept["messages"])
        return kept

    def _wait_before_retry(self, error: Exception, attempt: int) -> float | None:
        """Return the seconds to wait before another attempt, or None when there is to be none."""
        import openai

        if attempt >= self._settings.retries:
            return None
        backoff = min(8.0, 0.5 * 2**attempt) * (0.75 + 0.5 * self._jitter())
        if isinstance(error, openai.APIConnectionError):
            return None if isinstance(error, openai.APITimeoutError) else backoff
        if isinstance(error, openai.APIStatusError) and (
            error.status_code in (408, 409) or error.status_code >= 500 or error.status_code == 429
        ):
            if error.code == "insufficient_quota":
                return None
            asked = _seconds(error.response.headers.get("retry-after"))
            if asked is None:
                return backoff
            return asked if asked <= min(_LONGEST_WAIT, self._settings.timeout) else None
        return None

    def _pause(self, seconds: float, cancelled: Cancelled | None) -> None:
        while seconds > 0:
            stop_if(cancelled)
            self._sleep(min(_POLL, seconds))
            seconds -= _POLL

    def _open(self) -> Any:
        if self._client is None:
            if urlsplit(self._base).scheme not in ("http", "https") or not urlsplit(self._base).netloc:
                raise ProviderUnavailableError(
                    f"The model address “{shown_address(self._base)}” is not a web address; it looks like https://host/v1."
                )
            key = self._settings.api_key.strip() or "none"
            if not (key.isascii() and key.isprintable()):
                raise ProviderUnavailableError(
                    "The API key holds characters that no key has. Paste it again."
                )
            self._client = open_client(self._base, key, timeout=self._settings.timeout)
        return self._client

    def models(self) -> list[str]:
        """See :class:`engine.providers.llm.Llm`."""
        return for_chat(self._listed())

    def _first_listed(self) -> str:
        listed = self._listed()
        if FALLBACK_MODEL in listed:
            return FALLBACK_MODEL
        return (for_chat(listed) or listed or [FALLBACK_MODEL])[0]

    def _listed(self) -> list[str]:
        import openai

        client = self._open()
        try:
            return [str(entry.id) for entry in (client.models.list().data or [])]
        except (openai.AuthenticationError, openai.PermissionDeniedError, openai.APIConnectionError) as error:
            raise self.translate(error) from error
        except openai.APIStatusError as error:
            if (
                is_redirect(error)
                or error.status_code == 429
                or (error.status_code >= 500 and error.status_code != 501)
            ):
                raise self.translate(error) from error
            return []
        except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
            raise self._not_chat() from error

    def _without_tools(self) -> ToolsRefusedError:
        return ToolsRefusedError(f"The model at {self.address} cannot call tools.")

    def _not_chat(self) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"What answers at {self.address} is not an OpenAI-compatible endpoint. "
            "Check the address: it usually ends in /v1."
        )


class OpenAiReply:
    """An :class:`engine.providers.llm.Reply` over the client's chunks."""

    def __init__(
        self, llm: OpenAiLlm, chunks: Any, messages: Messages, cancelled: Cancelled | None = None
    ) -> None:
        self._llm = llm
        self._chunks = chunks
        self._messages = messages
        self._cancelled = cancelled
        self._pieces: list[str] = []
        self._counted: Any = None
        self._calls: dict[int, list[str]] = {}
        self.finish = ""

    @property
    def usage(self) -> Usage:
        """The tokens so far."""
        written = [*self._pieces, *(part for call in self._calls.values() for part in call)]
        return _usage(self._counted, self._messages, "".join(written))

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tools that the model calls, so far."""
        return [ToolCall(name, arguments) for name, arguments in self._calls.values() if name]

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces of text as they come; one that only repeats itself is cut off."""
        import openai

        try:
            yield from self._read()
        except openai.APITimeoutError as error:
            raise self._llm.translate(error) from error
        except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
            raise self._llm.told(error.message) if type(error) is openai.APIError else self._cut() from error
        if not self.finish:
            raise self._cut()

    def _read(self) -> Iterator[str]:
        repetition = Repetition()
        with closing(pieces_of(self._chunks, self._cancelled)) as chunks:
            for chunk in chunks:
                self._counted = getattr(chunk, "usage", None) or self._counted
                for choice in (getattr(chunk, "choices", None) or [])[:1]:
                    self.finish = choice.finish_reason or self.finish
                    for call in (getattr(choice.delta, "tool_calls", None) or []) if choice.delta else []:
                        self._take_call(call)
                        yield ""
                    text = text_of(choice.delta.content) if choice.delta else ""
                    if text:
                        self._pieces.append(text)
                        yield text
                        if repetition.seen_in(text):
                            self.finish = "length"
                            return

    def _take_call(self, call: Any) -> None:
        """Join the pieces of a call: the name comes once, the arguments bit by bit."""
        known = self._calls.setdefault(call.index or 0, ["", ""])
        if call.function is not None:
            known[0] = known[0] or call.function.name or ""
            known[1] += call.function.arguments or ""

    def _cut(self) -> ProviderError:
        return ProviderError(f"The model endpoint {self._llm.address} broke off in the middle of the answer.")


def _drop(reply: Any) -> None:
    """Close the connection of a reply that streams; a whole one has none any more."""
    if hasattr(reply, "close"):
        reply.close()


def _refused_in(error: Exception, body: dict[str, Any]) -> str | None:
    """Return what of a call an endpoint does not take: the role "system", a parameter, or "tools".

    Some answer tools with a server error that names them, as llama.cpp does.
    """
    import openai

    if isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        if refuses_system(error.message, body):
            return "system"
        if found := [name for name in _OPTIONAL if name in body and name in error.message.lower()]:
            return found[0]
    elif not isinstance(error, openai.InternalServerError):
        return None
    return "tools" if "tools" in body and "tool" in error.message.lower() else None


def _seconds(header: str | None) -> float | None:
    """Return a Retry-After header in seconds; None where there is none or it is a date."""
    try:
        return max(0.0, float(header or ""))
    except ValueError:
        return None


def _usage(counted: Any, messages: Messages, text: str) -> Usage:
    prompt, completion = getattr(counted, "prompt_tokens", None), getattr(counted, "completion_tokens", None)
    if isinstance(prompt, int) and isinstance(completion, int):
        return Usage(prompt, completion)
    asked = sum(estimate_tokens(str(message.get("content") or "")) for message in messages)
    return Usage(asked, estimate_tokens(text), estimated=True)
