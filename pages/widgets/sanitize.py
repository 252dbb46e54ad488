"""What makes a text harmless before it is shown: see :mod:`engine.export.harmless`."""

from __future__ import annotations

from engine.export.harmless import WORD_JOINER, plain, safe_markdown

__all__ = ["WORD_JOINER", "plain", "safe_markdown"]
