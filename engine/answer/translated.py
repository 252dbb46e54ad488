"""Moved to :mod:`engine.answer.understand.translated`; this name goes with the last module that imports it."""

from engine.answer.understand.translated import translated_pieces, translated_share, with_translations

__all__ = ["translated_pieces", "translated_share", "with_translations"]
