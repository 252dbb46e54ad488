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


# So many language models are kept open: one for each kind of work, and some that were just changed.
MOST_OPEN = 8


class OpenedProviders:
    """Opens models on first use and again when their settings change. All methods are thread-safe."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._llms: dict[LlmSettings, Llm | None] = {}
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
        return self.llm_of(self._settings().llm)

    @property
    def indexing_llm(self) -> Llm | None:
        """The model that is asked about what is added, or None when none is set up."""
        return self.llm_of(self._settings().indexing_llm)

    @property
    def summary_llm(self) -> Llm | None:
        """The model of the summaries that somebody asks for, or None when none is set up."""
        return self.llm_of(self._settings().summary_llm)

    def llm_of(self, settings: LlmSettings) -> Llm | None:
        """Return the model with these settings, the same one as long as they stay in use; None for no endpoint."""
        with self._lock:
            if settings not in self._llms:
                from engine.providers.llm import open_llm

                if len(self._llms) >= MOST_OPEN:
                    self._llms.pop(next(iter(self._llms)))
                self._llms[settings] = open_llm(settings)
            return self._llms[settings]

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
