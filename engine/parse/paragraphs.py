"""Bounds the length of a paragraph, so that an endless line stays manageable for every later step."""

from __future__ import annotations

from collections.abc import Iterator

from engine.structure.sentences import HARD_LIMIT, split_long


def pieces(text: str, limit: int = HARD_LIMIT) -> Iterator[str]:
    """Yield the text in about even pieces of at most ``limit`` characters.

    A cut falls after a sentence where there is one, else after a word. Takes time linear in the length.
    """
    yield from (piece for piece in split_long(text.strip(), limit) if piece)
