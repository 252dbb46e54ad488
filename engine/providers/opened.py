"""The models that the settings in force name, each opened when it is first used."""

from collections.abc import Callable
from functools import lru_cache

from engine.config import LlmSettings, Settings
from engine.providers.embedding import Embedder, open_embedder
from engine.providers.llm import Llm, open_llm
from engine.providers.metering import Meter

# So many language models are kept open: one for each kind of work, and some that were just changed.
MOST_OPEN = 8


class OpenedProviders:
    """Opens models on first use and again when their settings change. All methods are thread-safe."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        # The model with these settings, the same one as long as they stay in use; None for no endpoint.
        self.llm_of = lru_cache(MOST_OPEN)(open_llm)
        self._embedder_of = lru_cache(maxsize=1)(open_embedder)

    def metered(self, settings: LlmSettings, meter: Meter | None) -> Llm | None:
        """The model with these settings, its calls counted by a meter where there is one."""
        llm = self.llm_of(settings)
        return meter.metered(llm) if meter and llm else llm

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model; None when it is off."""
        return self._embedder_of(self._settings().embedding)

    @property
    def llm(self) -> Llm | None:
        """The language model, or None when none is set up."""
        return self.llm_of(self._settings().llm)

    @property
    def indexing_llm(self) -> Llm | None:
        """The model that is asked about what is added, or None when none is set up."""
        return self.llm_of(self._settings().indexing_llm)

    @property
    def vision(self) -> Llm | None:
        """The model that describes pictures, or None when none is set up."""
        return self.llm_of(self._settings().vision_llm)
