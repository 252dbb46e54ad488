"""How the words of a statement stand in its source, together in one clause or scattered; whether two texts deny.

What denies, forbids, bounds or says the contrary, in Chinese and English, is listed in ``engine/language``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.answer.check.reading import Spoken, covered, read, values_held
from engine.answer.understand.terms import weight
from engine.index.tokenize import tokens
from engine.language import patterns
from engine.structure.sentences import split_sentences

# These deny what they stand before rather than what is done.
_NO = frozenset(["no", "without", "none", "neither", "nor"])
# What follows a word that denies: the words that it may deny.
_NEXT = re.compile(r"\s*(?:[\u3400-\u9fff]{1,5}|(?:[\w'’-]+[ ]?){1,4})")


@lru_cache(maxsize=1)
def _turn() -> re.Pattern[str]:
    """Return the pattern of what turns a text; what only looks so is in no group."""
    data = patterns("statements")["denial"]
    pattern = f"(?:{'|'.join(data['plain'])})|(?P<turn>{'|'.join(data['turns'])})"
    for part in ("not", "adverb", "denies"):
        pattern = pattern.replace(f"{{{part}}}", data[part])
    return re.compile(pattern, re.I)


@lru_cache(maxsize=1)
def _term_sides() -> dict[str, set[tuple[int, int]]]:
    """Return (pair of sides, side) of each term that has a contrary."""
    found: dict[str, set[tuple[int, int]]] = {}
    for number, sides in enumerate(patterns("statements")["denial"]["contraries"]):
        for side, words in enumerate(sides):
            for term in (term for word in words.split() for term in tokens(word)):
                found.setdefault(term, set()).add((number, side))
    return found


def contrary(own: Collection[str], others: Collection[str]) -> bool:
    """True where a term of the one is contrary to one of the other, and neither has both."""
    sides = _term_sides()
    mine, theirs = ({side for term in terms for side in sides.get(term, ())} for terms in (own, others))
    return any(
        (pair, 1 - side) in theirs and (pair, side) not in theirs and (pair, 1 - side) not in mine
        for pair, side in mine
    )


def denied(statement: str, clause: str, sentence: str) -> bool:
    """True where one of two texts in one language denies what the other says, or both say contrary words.

    The ``clause`` of the other text's ``sentence`` is what the statement is about. What denies a word counts only where
    the other text speaks of that word, too.
    """
    own, of_clause, whole = (frozenset(tokens(text)) for text in (statement, clause, sentence))
    return (_turns(statement, of_clause) != _turns(clause, own)) != contrary(own, whole)


def turns(text: str) -> bool:
    """True where anything in a text denies or forbids."""
    return any(turn["turn"] for turn in _turn().finditer(text))


def _turns(text: str, others: frozenset[str]) -> bool:
    """True where a text denies an odd number of things that the ``others`` speak of."""
    denied_words = set()  # said twice, it is denied once
    for turn in _turn().finditer(text):
        if turn["turn"]:
            after = _NEXT.match(text, turn.end())
            said = [term for term in tokens(after[0] if after else "") if weight(term) > 0]
            verb = turn[0].isascii() and turn[0].lower() not in _NO
            denied_words.update([one for one in said[: 1 if verb else 3] if one in others][:1])
    return bool(len(denied_words) % 2)


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
