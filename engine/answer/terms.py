"""Moved to :mod:`engine.answer.understand.terms`; this name goes with the last module that imports it."""

from engine.answer.understand.terms import (
    FUNCTION_WORDS,
    HOW,
    Piece,
    content_terms,
    coverage,
    pieces_covered,
    pieces_of,
    weight,
    words_missing,
)

__all__ = [
    "FUNCTION_WORDS",
    "HOW",
    "Piece",
    "content_terms",
    "coverage",
    "pieces_covered",
    "pieces_of",
    "weight",
    "words_missing",
]
