"""How the words of a statement stand in its source: together in one clause, scattered, or nowhere; denied or not.

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
from engine.structure.sentences import is_cjk, split_sentences

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
_CLEARLY_THERE = 0.25
_A_VALUE = 0.25
# What an amount is for: 12 euros a year, 每月.
_RATE = re.compile(
    r"\b(?:a|per|each|every)\s(second|minute|hour|day|week|month|quarter|year)\b|[每/](秒|分钟|小时|天|日|周|月|季度?|年)",
    re.I,
)
_SAME_RATE = {"日": "天", "季": "季度"}


@dataclass(frozen=True, slots=True)
class Wording:
    """What of a statement's words (0..1, by worth) stands where.

    ``together`` is the share in the clause that holds most, ``anywhere`` in the whole source; ``names_missing``
    are names that stand nowhere. ``denied`` where one of statement and clause denies what the other does not, or
    they say contrary words. ``place`` is the clause; ``other_rate`` what an amount is for, here and
    there, where these differ.
    """

    together: float
    anywhere: float
    names_missing: tuple[str, ...]
    denied: bool
    place: str
    other_rate: tuple[str, str] | None = None


def wording_of(
    statement: str, words: Sequence[Spoken], text: str, by_line: bool, known: frozenset[str], foreign: bool
) -> Wording:
    """Hold a statement's words against a text; ``known`` are the keys of text and titles together."""
    sentences = [sentence.text for sentence in split_sentences(text, by_line)]
    clauses = [clause for sentence in sentences for clause in _CLAUSE.split(sentence) if clause.strip()]
    stated = read(statement).values

    def held(clause: str) -> float:
        return covered(words, read(clause).keys) + _A_VALUE * values_held(stated, read(clause))

    place = max(clauses, key=held, default="")
    whole = next((sentence for sentence in sentences if place in sentence), place)
    spoken_of = not foreign and held(place) >= _CLEARLY_THERE
    return Wording(
        covered(words, read(place).keys), covered(words, known), tuple(_missing(statement, words, known, text)),
        spoken_of and denied(statement, place, whole), place,
        None if foreign else _other_rate(statement, whole),
    )  # fmt: skip


def _other_rate(statement: str, place: str) -> tuple[str, str] | None:
    """Return what a statement's amount is for where the place, in the same language, has only another: month, year."""
    mine, theirs = (
        {m[1] or _SAME_RATE.get(m[2], m[2]): m[0] for m in _RATE.finditer(t)} for t in (statement, place)
    )
    if not mine or not theirs or mine.keys() & theirs.keys():
        return None
    return next(iter(mine.values())), next(iter(theirs.values()))


def _missing(statement: str, words: Sequence[Spoken], known: frozenset[str], text: str) -> list[str]:
    """Return the names of a statement that neither stand in the source nor begin as a word of it does."""
    if is_cjk(text) and not is_cjk(statement):
        return []
    begun, folded = {key[:4] for key in known}, text.casefold()
    return [
        word.text
        for word in words
        if word.name
        and not word.keys & known
        and word.text.casefold() not in folded
        and not (word.text.isupper() and len(word.text) <= 5)
        and not any(key[:4] in begun for key in word.keys)
    ]
