"""What the words of a question or a claim are worth when text is held against text.

Terms are those of :func:`engine.index.tokenize.tokens` (stems, numbers, character bigrams). Function words and the
words that only make a question weigh nothing or little; numbers weigh most. Frequencies of the library are not used, so
that a library of three documents behaves like one of three thousand.
"""

import re
import unicodedata
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import simplemma

from engine.index.tokenize import tokens
from engine.language import language_data
from engine.retrieve.translation import ways_of_saying
from engine.structure.sentences import is_cjk

_ENGLISH, _CHINESE = language_data("en"), language_data("zh")
FUNCTION_WORDS = frozenset(term for word in _ENGLISH.function_words for term in tokens(word))
_QUESTION = frozenset(_CHINESE.function_words)
_GRAMMAR = _CHINESE.function_characters
_NUMBER = re.compile(r"\d")
# "How old" asks for an age; that the answer is old nobody says.
_MEASURES = "|".join(phrase.split()[1] for phrase in (*_ENGLISH.asks["number"], *_ENGLISH.asks["duration"]))
HOW = re.compile(rf"\b(how)\s+(?:{_MEASURES})\b", re.I)
_HAN = re.compile(r"[\u3400-\u9fff]")
_RUN = re.compile(r"[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+")
_WORD = re.compile(r"[A-Za-z]{3,}")


@lru_cache(maxsize=1 << 15)
def weight(term: str) -> float:
    """Return what a term is worth: 0 for function words, 1 for a content word, more for numbers."""
    if term in FUNCTION_WORDS or term in _QUESTION:
        return 0.0
    if _NUMBER.search(term):
        return 1.5
    if "\u3400" <= term[0] <= "\u9fff":
        grammar = sum(character in _GRAMMAR for character in term)
        return (1.0, 0.35, 0.0)[min(grammar, 2)] if len(term) > 1 else (0.6, 0.0)[min(grammar, 1)]
    return 1.0 if len(term) > 1 else 0.3


def content_terms(text: str) -> dict[str, float]:
    """Return the terms of a text that carry meaning, with their weights, in order of appearance."""
    plain = HOW.sub(r"\1", text)
    return {term: value for term in tokens(plain) if (value := weight(term)) > 0}


def coverage(wanted: dict[str, float], present: Set[str]) -> float:
    """Return which share (0..1) of the wanted terms' weight is present; 0 when nothing is wanted."""
    total = sum(wanted.values())
    return sum(value for term, value in wanted.items() if term in present) / total if total else 0.0


@lru_cache(maxsize=1 << 13)
def terms_with_forms(text: str) -> frozenset[str]:
    """Return the terms of a text with those of its words' base forms: "bought" is found by "buy", "mice" by "mouse"."""
    found = set(tokens(text))
    for word in set(_WORD.findall(text)):
        found.update(_base(word.lower()))
    return frozenset(found)


@lru_cache(maxsize=1 << 15)
def _base(word: str) -> tuple[str, ...]:
    base = simplemma.lemmatize(word, lang="en")
    return tuple(tokens(base)) if base != word else ()


class Piece(NamedTuple):
    """A piece of a question: any of its terms covers it. ``text`` is as written."""

    text: str
    weight: float
    terms: frozenset[str]


@lru_cache(maxsize=512)
def pieces_of(question: str) -> tuple[Piece, ...]:
    """Return the pieces of a question that carry meaning, in order.

    A word is a piece. Of a Chinese run every character is one, covered by either bigram it belongs to: where words are
    put in another order, the bigrams across their borders are never found, but the characters are. So coverage means
    the same in Chinese and in English.
    """
    pieces: list[Piece] = []
    normal = HOW.sub(r"\1", unicodedata.normalize("NFKC", question))
    for match in _RUN.finditer(normal):
        run = match[0]
        if _HAN.match(run):
            pieces.extend(_characters(run))
        else:
            bases = frozenset(term for word in _WORD.findall(run) for term in _base(word.lower()))
            pieces += [Piece(run, worth, bases | {term}) for term, worth in content_terms(run).items()]
    return tuple(pieces)


def pieces_covered(pieces: Sequence[Piece], present: Set[str]) -> float:
    """Return which share (0..1) of the pieces' weight is covered by the terms present."""
    total = sum(piece.weight for piece in pieces)
    return sum(piece.weight for piece in pieces if piece.terms & present) / total if total else 0.0


def words_missing(question: str, present: Set[str]) -> list[str]:
    """Return the words (or runs of Chinese characters) of a question of which no term is present, as written."""
    missing: list[str] = []
    run = ""
    for piece in (*pieces_of(question), Piece("", 0.0, frozenset())):
        absent = bool(piece.terms) and not piece.terms & present
        here = absent and is_cjk(piece.text)
        if here and run + piece.text in question:
            run += piece.text
            continue
        if len(run) > 1:
            missing.append(run)
        run = piece.text if here else ""
        if absent and not here:
            missing.append(piece.text.strip("?,.;:!？，。；：！\"'()"))
    return list(dict.fromkeys(missing))


def _characters(run: str) -> list[Piece]:
    if len(run) == 1:
        return [Piece(run, 0.6, frozenset(run))] if run not in _GRAMMAR else []
    found = []
    for i, character in enumerate(run):
        around = [run[k : k + 2] for k in (i - 1, i) if k >= 0 and k + 2 <= len(run)]
        meaning = frozenset(filter(weight, around))
        if character not in _GRAMMAR and meaning and not _QUESTION.intersection(around):
            found.append(Piece(character, 0.5, meaning))
    return found


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
        for word, value in ways_of_saying(question, to_english=to_english)
        if any(map(weight, tokens(word.word))) and not any(map(str.isdigit, word.word))
    ]
    return (*found, *alike)
