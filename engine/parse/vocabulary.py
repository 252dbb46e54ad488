"""Words and how often they occur, in many languages: the vocabulary of the embedding model that ships."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

TOKENIZER = Path(__file__).parents[1] / "providers" / "weights" / "e5-small" / "tokenizer.json"
# The vocabulary of the embedding model has no Hangul and no Cyrillic: natural logarithms for a letter of those.
_COMMON_HANGUL = "이다는을의에가하고지로은서기를한도인자사리나아대시어라"
_COMMON_SYLLABLE, _RARE, _CYRILLIC, _UNKNOWN = -7.0, -12.0, -4.0, -20.0


def likelihood(text: str) -> float:
    """Return the logarithm of how likely a text is by the frequencies of its words."""
    tokenizer, scores = _vocabulary()
    tokens = tokenizer.encode(text, add_special_tokens=False).tokens
    known = sum(scores[token] if token in scores else _outside(token) for token in tokens)
    return float(known + _UNKNOWN * text.count("\ufffd"))


def _outside(token: str) -> float:
    total = 0.0
    for before, char in pairwise(" " + token):
        if "가" <= char <= "힣":
            total += _COMMON_SYLLABLE if char in _COMMON_HANGUL else _RARE
        elif "\u0400" <= char < "\u0500":
            total += _RARE if char.isupper() and before.islower() else _CYRILLIC
        else:
            total += _UNKNOWN
    return total


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[Any, dict[str, float]]:
    """Return the tokenizer of the embedding model and the score of each of its words; takes 0.3 s."""
    from tokenizers import Tokenizer

    content = TOKENIZER.read_bytes()
    return Tokenizer.from_buffer(content), dict(orjson.loads(content)["model"]["vocab"])


def is_common(word: str) -> bool:
    """Tell whether a word is frequent enough to have a token of its own."""
    return f"▁{word}" in _vocabulary()[1]
