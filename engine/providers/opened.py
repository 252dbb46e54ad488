"""The models that the settings in force name, each opened when it is first used."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.errors import ProviderError

if TYPE_CHECKING:
    from engine.config import LlmSettings, Settings, VisionSettings
    from engine.providers.embedding import Embedder
    from engine.providers.llm import Llm
    from engine.providers.vision import Vision


class OpenedProviders:
    """Opens models on first use and again when their settings change. All methods are thread-safe."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._llm: Llm | None = None
        self._llm_for: LlmSettings | None = None
        self._vision: Vision | None = None
        self._vision_for: VisionSettings | None = None
        self.loaded_embedder: Embedder | None = None
        self.embedder_error: str | None = None

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model; None when it is off or cannot be loaded (``embedder_error`` says why)."""
        with self._lock:
            if self.loaded_embedder is None and self.embedder_error is None:
                from engine.providers.embedding import open_embedder

                try:
                    self.loaded_embedder = open_embedder(self._settings().embedding)
                except ProviderError as error:
                    self.embedder_error = str(error)
            return self.loaded_embedder

    @property
    def llm(self) -> Llm | None:
        """The language model, or None when none is set up."""
        settings = self._settings().llm
        with self._lock:
            if self._llm_for != settings:
                from engine.providers.llm import open_llm

                self._llm = open_llm(settings)
                self._llm_for = settings
            return self._llm

    def llm_named(self, model: str) -> Llm | None:
        """Return another model of the same endpoint ("": the same model), or None when none is set up."""
        settings = self._settings().llm
        if not model or model == settings.model or not settings.configured:
            return self.llm
        from engine.providers.llm import open_llm

        return open_llm(settings.model_copy(update={"model": model}))

    @property
    def vision(self) -> Vision | None:
        """The model that describes pictures, or None when none is set up."""
        settings = self._settings().vision
        with self._lock:
            if self._vision_for != settings:
                from engine.providers.vision import open_vision

                self._vision = open_vision(settings)
                self._vision_for = settings
            return self._vision
