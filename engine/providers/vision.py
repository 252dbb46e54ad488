"""Models that see: a picture in, a description in words out. Any OpenAI-compatible chat that takes pictures."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from engine.config import LlmSettings, VisionSettings
from engine.providers.llm import Llm, open_llm

MOST_TOKENS = 400


class Vision:
    """A chat model that takes pictures as data addresses. Thread-safe; raises as :class:`engine.providers.llm.Llm`."""

    def __init__(self, llm: Llm) -> None:
        self._llm = llm

    @property
    def model(self) -> str:
        """The model's name; asks the endpoint once when the settings leave it open."""
        return self._llm.model

    def describe(
        self, picture: bytes, instruction: str, question: str, cancelled: Callable[[], bool] | None = None
    ) -> str:
        """Return what the model says of a PNG or JPEG; ``instruction`` is the system's part of the prompt."""
        kind = "image/png" if picture.startswith(b"\x89PNG") else "image/jpeg"
        address = f"data:{kind};base64,{base64.b64encode(picture).decode()}"
        content: list[dict[str, Any]] = [
            {"type": "text", "text": question},
            {"type": "image_url", "image_url": {"url": address}},
        ]
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": instruction},
            {"role": "user", "content": content},
        ]
        return self._llm.complete(messages, max_tokens=MOST_TOKENS, cancelled=cancelled).text


def open_vision(settings: VisionSettings) -> Vision | None:
    """Return the model that the settings name, or None when none is set up. Reaches nothing yet."""
    llm = open_llm(LlmSettings(**settings.model_dump(), temperature=0))
    return Vision(llm) if llm is not None else None
