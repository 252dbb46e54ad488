"""Whether what seems to answer is on another thing of the kind: the women's final, where the men's is asked for.

A word of the question that a passage lacks may be said there in another way. Where the other passages on the subject
have it, the texts do use it, and the passage is likely on something else: of invented documents on things of one kind
(``benchmarks/reader_documents``, those held out) 18 of 100 passages that answer lack such a word, and 53 of 100 that
only seem to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.answer.terms import Piece, pieces_covered, pieces_of
from engine.structure.sentences import is_cjk

# A passage that holds so much of what the best one holds of the question is on its subject.
_ABOUT_AS_WELL = 0.5


class SaidOfOthers(NamedTuple):
    """The share (0..1) of a question that a passage lacks and others on the subject have, and its words."""

    share: float
    words: tuple[str, ...]


def said_of_others(question: str, nodes: Mapping[int, frozenset[str]], answering: int) -> SaidOfOthers:
    """Return what of the question the ``answering`` node lacks and another on the subject has.

    ``nodes`` are the terms of passages in the question's language, with their titles.
    """
    pieces = pieces_of(question)
    total = sum(piece.weight for piece in pieces)
    if not total or answering not in nodes:
        return SaidOfOthers(0.0, ())
    held = {index: pieces_covered(pieces, terms) for index, terms in nodes.items()}
    least = _ABOUT_AS_WELL * max(held.values())
    others = [nodes[index] for index, share in held.items() if index != answering and share >= least]
    said = frozenset().union(*others)
    lacking = [piece for piece in pieces if not piece.terms & nodes[answering] and piece.terms & said]
    return SaidOfOthers(sum(piece.weight for piece in lacking) / total, _as_written(question, lacking))


def _as_written(question: str, lacking: Sequence[Piece]) -> tuple[str, ...]:
    """Return the pieces as words of the question: Chinese characters together, a single one with what follows it."""
    words: list[str] = []
    for piece in lacking:
        if is_cjk(piece.text) and words and words[-1] + piece.text in question:
            words[-1] += piece.text
        else:
            words.append(piece.text)
    told = (word if len(word) > 1 else _followed(question, word) for word in words)
    return tuple(dict.fromkeys(word.strip("?,.;:!？，。；：！\"'()") for word in told))


def _followed(question: str, character: str) -> str:
    at = question.find(character)
    return question[at : at + 2] if at >= 0 else character
