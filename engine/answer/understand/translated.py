"""A question as it is said in evidence in another language: its pieces, and its words beside it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from engine.answer.understand.terms import Piece, pieces_covered, pieces_of, weight
from engine.index.tokenize import tokens
from engine.retrieve.translation import ways_of_saying
from engine.structure.sentences import is_cjk
from storage.base import AnyOf

# A single word is said in many ways, of which some stand in most texts.
_WORDS_THAT_TELL = 2.0
_HAN = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=256)
def translated_pieces(question: str) -> tuple[Piece, ...]:
    """Return the words of a question that a dictionary knows, any translation of one covering it.

    What is written alike in both languages, numbers above all, is a piece as it is. None without the dictionary.
    """
    to_english = is_cjk(question)
    alike = [
        piece
        for piece in pieces_of(question)
        if not _HAN.search(piece.text) and (to_english or any(map(str.isdigit, piece.text)))
    ]
    found = [
        # Of a name of several words the longest tells most.
        Piece(word.word, value, frozenset(max(way, key=len) for way in word.ways))
        for word, value in _words(question)
    ]
    return (*found, *alike)


def translated_share(pieces: Sequence[Piece], present: Collection[str]) -> float:
    """Return which share (0..1) of translated pieces is covered; of less than two words one alone tells little."""
    share = pieces_covered(pieces, frozenset(present))
    return share * min(1.0, sum(piece.weight for piece in pieces) / _WORDS_THAT_TELL) ** 2


def with_translations(question: str, present: Collection[str]) -> str:
    """Return the question with its words as texts of another language that hold these terms say them.

    To an embedding model the two languages together are nearer to an answer than the question alone.
    """
    ways = [next((way for way in word.ways if set(way) <= set(present)), ()) for word, _ in _words(question)]
    return " ".join([question, *(" ".join(way) for way in ways if way)])


@lru_cache(maxsize=256)
def _words(question: str) -> tuple[tuple[AnyOf, float], ...]:
    """Return the words of a question that mean something, with their translations and weights."""
    return tuple(
        (word, value)
        for word, value in ways_of_saying(question, to_english=is_cjk(question))
        if any(weight(term) for term in tokens(word.word)) and not any(map(str.isdigit, word.word))
    )
