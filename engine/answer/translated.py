"""A question's pieces as they stand in evidence in another language."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.answer.terms import Piece, pieces_of
from engine.retrieve.translation import ways_of_saying
from engine.structure.sentences import is_cjk

_HAN = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=256)
def translated_pieces(question: str) -> tuple[Piece, ...]:
    """Return the words of a question that a dictionary knows, any translation of one covering it.

    What is written alike in both languages, numbers above all, is a piece as it is. None without the dictionary.
    """
    to_english = is_cjk(question)
    words = ways_of_saying(question, to_english=to_english)
    alike = [
        piece
        for piece in pieces_of(question)
        if not _HAN.search(piece.text) and (to_english or any(map(str.isdigit, piece.text)))
    ]
    found = [
        # Of a name of several words the longest tells most.
        Piece(word.word, weight, frozenset(max(way, key=len) for way in word.ways))
        for word, weight in words
    ]
    return (*found, *alike)
