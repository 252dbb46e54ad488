"""Language models: any OpenAI-compatible chat endpoint, and the test call.

Endpoints differ: some refuse parameters they do not know, some list no models, some count no tokens and
some break off in the middle. A refused parameter is left out and the call repeated; what the endpoint
does not tell is estimated; a stream that ends without a reason is an error. Messages are mappings with "role" and
"content", as the chat API takes them.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlsplit

from engine.config import LlmSettings
from engine.errors import ContextExceededError, ProviderError, ProviderUnavailableError, ToolsRefusedError
from engine.model import Check, Value
from engine.providers.cancelling import Cancelled, awaited, pieces_of
from engine.providers.context_window import context_window
from engine.providers.endpoint_address import shown_address
from engine.providers.local_models import for_chat
from engine.providers.openai_client import brief, open_client, translated
from engine.providers.reply_forms import Repetition, as_stream, refuses_system, text_of, told_error, without_system
from engine.providers.vision import NUMBER, number_drawn, pictures_in

Messages = Sequence[Mapping[str, Any]]
OPENAI_BASE = "https://api.openai.com/v1"
FALLBACK_MODEL = "gpt-4o-mini"
# What endpoints that list no models answer.
_NO_LIST = (400, 404, 405, 410, 422, 501)
# Parameters that some endpoints refuse, and what to send instead.
_OPTIONAL: dict[str, str | None] = {
    "stream_options": None, "response_format": None, "temperature": None, "max_tokens": "max_completion_tokens",
    "max_completion_tokens": None,
}  # fmt: skip
# A reply may have so many tokens at least; a prompt may be so much longer than it is estimated.
_LEAST_REPLY, _MORE = 256, 1.25
# A picture of a thousand pixels a side is about so many tokens, where nobody counts them.
_PICTURE_TOKENS = 1500
# Of an endpoint whose model takes text only, the error for a picture names that, or that a string was awaited.
_NO_PICTURES = re.compile(r"image|modal|vision|string", re.IGNORECASE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_CHECK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Usage(Value):
    """Tokens of one call; ``estimated`` when the endpoint did not count them."""

    prompt: int
    completion: int
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Completion(Value):
    """A whole reply. ``finish`` is the endpoint's reason for ending: "stop", "length" …"""

    text: str
    usage: Usage
    finish: str = "stop"


@dataclass(frozen=True, slots=True)
class ToolCall(Value):
    """A call of a tool that a model asks for; ``arguments`` is JSON as the model wrote it, unchecked."""

    name: str
    arguments: str


class Llm:
    """A chat model behind an endpoint. All methods are thread-safe.

    They raise ProviderUnavailableError (refused key, no connection, no such model), ProviderBusyError
    (overloaded or too slow, after the retries), ProviderError (garbage) and CancelledError.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._base = (settings.api_base or OPENAI_BASE).strip().rstrip("/")
        self.address = shown_address(self._base)  # host and port of the endpoint, for messages
        self._model = settings.model.strip()
        self._refused: set[str] = set()
        self._window: int | None = settings.context_tokens or None
        self._sees: bool | None = None
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        """The model's name; the first chat model that the endpoint lists when the settings name none."""
        with self._lock:
            if not self._model:
                self._model = self._first_listed()
            return self._model

    @property
    def context_tokens(self) -> int:
        """How many tokens the model takes at once, prompt and reply; asks the endpoint once; 0 where nobody tells."""
        if self._window is None:
            try:
                self._window = context_window(self._client, self.model, self._base)
            except ProviderError:  # whoever calls the model is told
                return 0
        return self._window

    def sees(self, cancelled: Cancelled | None = None) -> bool:
        """Tell whether the model reads pictures, by one small call, once; False where that is not known."""
        if self._sees is None:
            try:
                self._sees = NUMBER in self.complete(number_drawn(), cancelled=cancelled).text
            except ProviderUnavailableError:  # it may be there again
                return False
            except ProviderError:
                self._sees = False
        return self._sees

    def complete(
        self, messages: Messages, *, max_tokens: int | None = None, json: bool = False,
        cancelled: Cancelled | None = None,
    ) -> Completion:  # fmt: skip
        """Return the whole reply; ``json`` asks for one JSON object where the endpoint can do that."""
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
        self, messages: Messages, *, max_tokens: int | None = None, tools: Sequence[Mapping[str, Any]] = (),
        cancelled: Cancelled | None = None,
    ) -> Reply:  # fmt: skip
        """Start a reply; ``cancelled`` is asked before each piece.

        ``tools`` are functions as the chat API takes them; a piece "" comes with each part of a call of one.
        Raises ToolsRefusedError where the endpoint has none: at once, where it has said so before.
        """
        if tools and "tools" in self._refused:
            raise self._without_tools()
        extra = {"tools": [dict(tool) for tool in tools]} if tools else {}
        body = self._body(messages, max_tokens, cancelled, stream=True, stream_options={"include_usage": True}, **extra)
        try:
            chunks = as_stream(self._request(body, cancelled), cancelled, self.told)
        except (ValueError, AttributeError, TypeError, KeyError) as error:
            raise self._not_chat() from error
        return Reply(self, chunks, messages, cancelled)

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
            longest = min(longest, max(_LEAST_REPLY, window - int(_estimated(messages) * _MORE)))
        return {
            "model": awaited(lambda: self.model, cancelled), "messages": [dict(message) for message in messages],
            "temperature": self._settings.temperature, "max_tokens": longest, **extra,
        }  # fmt: skip

    def _request(self, asked: Mapping[str, Any], cancelled: Cancelled | None) -> Any:
        import openai

        body = self._without_refused(dict(asked))
        client = self._client
        while True:
            try:
                return awaited(partial(client.chat.completions.create, **body), cancelled, _drop)
            except (openai.OpenAIError, ValueError) as error:
                if refused := _refused_in(error, body):
                    self._refused.add(refused)
                    if refused == "tools":
                        raise self._without_tools() from error
                    body = self._without_refused(body)
                    continue
                if pictures_in(body["messages"]) and _NO_PICTURES.search(str(error)):
                    self._sees = False
                raise self.translate(error) from error

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

    @cached_property
    def _client(self) -> Any:
        if urlsplit(self._base).scheme not in ("http", "https") or not urlsplit(self._base).netloc:
            raise ProviderUnavailableError(
                f"The model address “{shown_address(self._base)}” is not a web address; it looks like https://host/v1."
            )
        key = self._settings.api_key.strip() or "none"
        if not (key.isascii() and key.isprintable()):
            raise ProviderUnavailableError("The API key holds characters that no key has. Paste it again.")
        return open_client(self._base, key, timeout=self._settings.timeout, retries=self._settings.retries)

    def models(self) -> list[str]:
        """Return the chat models that the endpoint lists; [] where it lists none."""
        return for_chat(self._listed())

    def _first_listed(self) -> str:
        listed = self._listed()
        if FALLBACK_MODEL in listed:
            return FALLBACK_MODEL
        return (for_chat(listed) or listed or [FALLBACK_MODEL])[0]

    def _listed(self) -> list[str]:
        import openai

        client = self._client
        try:
            return [str(entry.id) for entry in (client.models.list().data or [])]
        except (openai.APIConnectionError, openai.APIStatusError) as error:
            if getattr(error, "status_code", 0) in _NO_LIST:
                return []
            raise self.translate(error) from error
        except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
            raise self._not_chat() from error

    def _without_tools(self) -> ToolsRefusedError:
        return ToolsRefusedError(f"The model at {self.address} cannot call tools.")

    def _not_chat(self) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"What answers at {self.address} is not an OpenAI-compatible endpoint. "
            "Check the address: it usually ends in /v1."
        )


class Reply:
    """A reply as it streams: iterate for the pieces of text, then read the rest.

    ``finish`` is why it ended, "" while it has not.
    """

    def __init__(self, llm: Llm, chunks: Any, messages: Messages, cancelled: Cancelled | None = None) -> None:
        self._llm, self._chunks, self._messages, self._cancelled = llm, chunks, messages, cancelled
        self._pieces: list[str] = []
        self._counted: Any = None
        self._calls: dict[int, list[str]] = {}
        self.finish = ""

    @property
    def usage(self) -> Usage:
        """The tokens so far; final once the iteration has ended, however it ended."""
        written = [*self._pieces, *(part for call in self._calls.values() for part in call)]
        return _usage(self._counted, self._messages, "".join(written))

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tools that the model calls; complete once the iteration has ended."""
        return [ToolCall(name, arguments) for name, arguments in self._calls.values() if name]

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces of text as they come; a reply that only repeats itself is cut off.

        Raises ProviderError when the stream breaks off, CancelledError.
        """
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
                    for text in self._taken(choice.delta):
                        yield text
                        if text and repetition.seen_in(text):
                            self.finish = "length"
                            return

    def _taken(self, delta: Any) -> Iterator[str]:
        """Take a part of the reply; yield "" for each part of a call in it, and its text."""
        if not delta:
            return
        for call in getattr(delta, "tool_calls", None) or []:
            self._take_call(call)
            yield ""
        if text := text_of(delta.content):
            self._pieces.append(text)
            yield text

    def _take_call(self, call: Any) -> None:
        """Join the pieces of a call: the name comes once, the arguments bit by bit."""
        known = self._calls.setdefault(call.index or 0, ["", ""])
        if call.function is not None:
            known[0] = known[0] or call.function.name or ""
            known[1] += call.function.arguments or ""

    def _cut(self) -> ProviderError:
        return ProviderError(f"The model endpoint {self._llm.address} broke off in the middle of the answer.")


def open_llm(settings: LlmSettings) -> Llm | None:
    """Return the model that the settings name, or None when none is set up. Reaches nothing yet."""
    return Llm(settings) if settings.configured else None


def check_llm(settings: LlmSettings) -> Check:
    """Try the endpoint with one small call and say what is wrong, for the button in the settings."""
    if not settings.configured:
        return Check(
            "model", False, "No language model is set up; answers are quoted from the documents.",
            "Enter the address (and key) of an OpenAI-compatible endpoint, or leave it so.",
        )  # fmt: skip
    brief = settings.model_copy(update={"retries": 0, "timeout": min(settings.timeout, _CHECK_SECONDS)})
    llm = Llm(brief)
    started = time.perf_counter()
    try:
        llm.complete([{"role": "user", "content": "Reply with the word OK."}], max_tokens=16)
    except ProviderUnavailableError as error:
        return Check("model", False, str(error), "Correct the address, the key or the model's name.")
    except ProviderError as error:
        return Check("model", False, str(error), "Try again later, or choose another model or endpoint.")
    elapsed = time.perf_counter() - started
    tools, pictures = ("✓" if able else "✗" for able in (_calls_tools(llm), llm.sees()))
    able = f"Context in tokens: {llm.context_tokens or '?'}; tools: {tools}; pictures: {pictures}."
    return Check("model", True, f"{llm.model} at {llm.address} answered in {elapsed:.1f} s. {able}")


def _calls_tools(llm: Llm) -> bool:
    """Tell whether an endpoint takes tools, by one small call."""
    tool = {"type": "function", "function": {"name": "none", "parameters": {"type": "object", "properties": {}}}}
    try:
        for _ in llm.stream([{"role": "user", "content": "Reply with the word OK."}], max_tokens=16, tools=[tool]):
            pass
    except ProviderError:
        return False
    return True


def estimate_tokens(text: str) -> int:
    """Return roughly how many tokens a text has: one a CJK character, one for four others."""
    cjk = len(_CJK.findall(text))
    return cjk + (len(text) - cjk + 3) // 4


def _estimated(messages: Messages) -> int:
    texts = sum(estimate_tokens(text_of(message.get("content"))) for message in messages)
    return texts + _PICTURE_TOKENS * pictures_in(messages)


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


def _usage(counted: Any, messages: Messages, text: str) -> Usage:
    prompt, completion = getattr(counted, "prompt_tokens", None), getattr(counted, "completion_tokens", None)
    if isinstance(prompt, int) and isinstance(completion, int):
        return Usage(prompt, completion)
    return Usage(_estimated(messages), estimate_tokens(text), estimated=True)
