"""How the words of a statement stand in its source: together in one clause or scattered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.check.reading import Spoken, covered, read, values_held
from engine.structure.sentences import split_sentences

_CLAUSE = re.compile(r"(?<=[;；])\s*|(?<=[,，])\s+(?=(?:but|while|and|whereas)\b)|(?<=[，])(?=[而但])", re.I)
_A_VALUE = 0.25


@dataclass(frozen=True, slots=True)
class Wording:
    """What of a statement's words (0..1, by worth) stands where.

    ``together`` is the share in the clause that holds most, ``anywhere`` in the whole source; ``place`` is the clause.
    """

    together: float
    anywhere: float
    place: str


def wording_of(
    statement: str, words: Sequence[Spoken], text: str, by_line: bool, known: frozenset[str]
) -> Wording:
    """Hold a statement's words against a text; ``known`` are the keys of text and titles together."""
    sentences = [sentence.text for sentence in split_sentences(text, by_line)]
    clauses = [clause for sentence in sentences for clause in _CLAUSE.split(sentence) if clause.strip()]
    stated = read(statement).values

    def held(clause: str) -> float:
        return covered(words, read(clause).keys) + _A_VALUE * values_held(stated, read(clause))

    place = max(clauses, key=held, default="")
    return Wording(covered(words, read(place).keys), covered(words, known), place)
