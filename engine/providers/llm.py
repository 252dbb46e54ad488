"""Language models: the Protocol, the one place that chooses an implementation, and the test call.

A model is any OpenAI-compatible chat endpoint. Messages are mappings with "role" and "content", as the
chat API takes them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.config import LlmSettings
from engine.errors import ProviderError, ProviderUnavailableError
from engine.model import Check, Value

Messages = Sequence[Mapping[str, Any]]
Cancelled = Callable[[], bool]

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_CHECK_SECONDS = 20.0
# Endpoints list these beside their chat models.
_NO_CHAT = ("embed", "whisper", "tts", "dall-e", "moderation", "rerank", "image", "audio", "bge-", "realtime")


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


class Reply(Protocol):
    """A reply as it streams: iterate for the pieces of text, then read the rest."""

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces. Raises ProviderError when the stream breaks off, CancelledError."""

    @property
    def usage(self) -> Usage:
        """The tokens so far; final once the iteration has ended, however it ended."""

    @property
    def finish(self) -> str:
        """Why it ended; "" while it has not."""

    @property
    def tool_calls(self) -> Sequence[ToolCall]:
        """The tools that the model calls; complete once the iteration has ended."""


class Llm(Protocol):
    """A chat model. All methods are thread-safe.

    They raise ProviderUnavailableError (refused key, no connection, no such model), ProviderBusyError
    (overloaded or too slow, after the retries), ProviderError (garbage) and CancelledError.
    """

    @property
    def model(self) -> str:
        """The model's name; asks the endpoint once when the settings leave it open."""

    @property
    def context_tokens(self) -> int:
        """How many tokens the model takes at once, prompt and reply; asks the endpoint once; 0 where nobody tells."""

    def models(self) -> list[str]:
        """Return the chat models that the endpoint lists; [] where it lists none."""

    def complete(
        self,
        messages: Messages,
        *,
        max_tokens: int | None = None,
        json: bool = False,
        cancelled: Cancelled | None = None,
    ) -> Completion:
        """Return the whole reply; ``json`` asks for one JSON object where the endpoint can do that."""

    def stream(
        self,
        messages: Messages,
        *,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        cancelled: Cancelled | None = None,
    ) -> Reply:
        """Start a reply; ``cancelled`` is asked before each piece.

        ``tools`` are functions as the chat API takes them; a piece "" comes with each part of a call of one.
        Raises ToolsRefusedError where the endpoint has none: at once, where it has said so before.
        """


def open_llm(settings: LlmSettings) -> Llm | None:
    """Return the model that the settings name, or None when none is set up. Reaches nothing yet."""
    if not settings.configured:
        return None
    from engine.providers.llm_openai import OpenAiLlm

    return OpenAiLlm(settings)


def check_llm(settings: LlmSettings) -> Check:
    """Try the endpoint with one small call and say what is wrong, for the button in the settings."""
    if not settings.configured:
        return Check(
            "model",
            False,
            "No language model is set up; answers are quoted from the documents.",
            "Enter the address (and key) of an OpenAI-compatible endpoint, or leave it so.",
        )
    brief = settings.model_copy(update={"retries": 0, "timeout": min(settings.timeout, _CHECK_SECONDS)})
    from engine.providers.llm_openai import OpenAiLlm

    llm = OpenAiLlm(brief)
    started = time.perf_counter()
    try:
        llm.complete([{"role": "user", "content": "Reply with the word OK."}], max_tokens=16)
    except ProviderUnavailableError as error:
        return Check("model", False, str(error), "Correct the address, the key or the model's name.")
    except ProviderError as error:
        return Check("model", False, str(error), "Try again later, or choose another model or endpoint.")
    elapsed = time.perf_counter() - started
    return Check(
        "model",
        True,
        f"{llm.model} at {llm.address} answered in {elapsed:.1f} s. "
        f"Context in tokens: {llm.context_tokens or '?'}; tools: {'✓' if _calls_tools(llm) else '✗'}.",
    )


def _calls_tools(llm: Llm) -> bool:
    """Tell whether an endpoint takes tools, by one small call."""
    tool = {
        "type": "function",
        "function": {"name": "none", "parameters": {"type": "object", "properties": {}}},
    }
    try:
        for _ in llm.stream(
            [{"role": "user", "content": "Reply with the word OK."}], max_tokens=16, tools=[tool]
        ):
            pass
    except ProviderError:
        return False
    return True


def estimate_tokens(text: str) -> int:
    """Return roughly how many tokens a text has: one a CJK character, one for four others."""
    cjk = len(_CJK.findall(text))
    return cjk + (len(text) - cjk + 3) // 4


def for_chat(names: Sequence[str]) -> list[str]:
    """Return the models of an endpoint's list that can chat, as far as their names tell."""
    return [name for name in names if not any(part in name.lower() for part in _NO_CHAT)]
