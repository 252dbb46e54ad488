"""Readers: models that tell whether a text answers a question, and with which of its words.

The one that ships is a cross-encoder: it sees question and text together, which vectors of each alone cannot make up
for where many texts are about the very subject of the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.providers.embedding import WEIGHTS


class Passage(NamedTuple):
    """What is read: a text, and what it stands under ("" for nothing)."""

    title: str
    text: str


class Reading(NamedTuple):
    """What was read in a passage.

    ``certainty`` is how sure it is that the text answers, as log odds (0 is as likely as not). ``start`` and ``end``
    are the letters of the passage's text that answer best, whether it does or not; both 0 where it has no words.
    """

    certainty: float
    start: int
    end: int


class Reader(Protocol):
    """Reads passages for a question. Thread-safe."""

    @property
    def name(self) -> str:
        """The model's identity; the same name reads the same."""
        ...

    def read(self, question: str, passages: Sequence[Passage]) -> list[Reading]:
        """Return one reading a passage, in their order. Raises ProviderError."""
        ...


@lru_cache(maxsize=1)
def open_reader() -> Reader:
    """Return the reader that ships, one for all libraries of the process; nothing is loaded before it reads."""
    from engine.providers.reading_e5 import E5Reader

    return E5Reader(WEIGHTS)
