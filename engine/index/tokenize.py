"""Terms for the sparse view, in any mix of languages.

Text is brought to NFKC (full-width and half-width forms agree), then to lower case, and cut into

- words of alphabetic scripts, without accents, as Snowball English stems;
- numbers, thousands separators removed; a percentage also with its sign ("7.5%" gives 7.5 and 7.5%);
- character bigrams of scripts written without spaces (Chinese, Japanese, Korean, Thai). They find names
  that no dictionary holds, and inner parts of long words; traditional characters stay as they are.

:func:`tokens` is these; the index also knows single characters (:func:`index_terms`), so that a question
of one character finds something and one that shares no pair still finds its topic; a question
(:func:`query_terms`) weighs them half, and its question words, function words and pairs with a function
character, which seldom are words, less than a third. A number among them weighs double: it is a word, and the
shortest word there is a pair with its two characters.
Nothing is left out: a title may consist of stop words.
"""

import re
import threading
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from string import punctuation

import Stemmer

from engine.language import words_that_say_little

# Han with extensions and the iteration mark, kana, Hangul, Thai.
_UNSPACED = "\u0e00-\u0e7f\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_LETTER = rf"(?:(?![{_UNSPACED}_])\w)"
_PIECE = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<number>\d++(?:[.,]\d++)*+)(?P<unit>\s?%|{_LETTER}*+)"
    rf"|{_LETTER}++(?:['’]{_LETTER}++)?"
)
_WIDE = re.compile(rf"[{_UNSPACED}]")
_SPACED = re.compile(rf"(?![{_UNSPACED}_])\w")
_RUN = re.compile(rf"[{_UNSPACED}]{{2,}}")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_local = threading.local()
CHARACTER_WEIGHT = 0.5
FUNCTION_WORD_WEIGHT = 0.3
_FUNCTION_WORDS = words_that_say_little("function")
# Of these few pairs are words: "人的", "在公".
_FUNCTION_CHARACTERS = re.compile("[的了吗嗎呢吧啊么麼是有在和与與及或之而也把我你他她它您们們这這那其该該]")


def tokens(text: str) -> list[str]:
    """Return the tokens of a text in order, with repetitions: the same for documents and questions."""
    found: list[str] = []
    for match in _PIECE.finditer(_normal(text)):
        if run := match["unspaced"]:
            found.extend(map("".join, pairwise(run)) if len(run) > 1 else run)
        else:
            found.extend(_spaced(match))
    return found


def index_terms(text: str) -> list[str]:
    """Return what the index knows of a text: its tokens and the characters of unspaced scripts."""
    return tokens(text) + _characters(text)


class Terms:
    """A question's terms, made ready to be looked for in many texts; much faster than taking each text apart."""

    def __init__(self, terms: Collection[str]) -> None:
        self._wide = [term for term in terms if _WIDE.match(term)]
        self._words = frozenset(terms).difference(self._wide)

    def held_by(self, text: str) -> set[str]:
        """Return which of the terms a text holds."""
        normal = _normal(text)
        found = {term for term in self._wide if term in normal}
        if self._words and _SPACED.search(normal):
            found |= self._words & _spaced_terms(normal)
        return found


def query_terms(text: str) -> list[tuple[str, float]]:
    """Return a question's distinct terms with their weights, summed over repetitions."""
    weights: dict[str, float] = {}
    for token in tokens(text):
        weights[token] = weights.get(token, 0.0) + (FUNCTION_WORD_WEIGHT if is_function_word(token) else 1.0)
    characters = _characters(text)
    for character in characters:
        weights[character] = weights.get(character, 0.0) + CHARACTER_WEIGHT
    if characters:
        for token in weights:
            if token[0].isdigit():
                weights[token] *= 1 + 2 * CHARACTER_WEIGHT
    return list(weights.items())


def as_written(text: str, terms: Sequence[tuple[str, float]]) -> list[str]:
    """Return those of a question's terms (with weights) that count, as it writes them.

    Of scripts without spaces pairs of characters that overlap are one word.
    """
    words = {found[0]: word.strip(punctuation) for word in text.split() if len(found := tokens(word)) == 1}
    much: list[str] = []
    for term, weight in terms:
        if weight < 1 or (_WIDE.match(term) and len(term) == 1):
            continue
        if much and _WIDE.match(term) and much[-1].endswith(term[0]):
            much[-1] += term[1]
        else:
            much.append(words.get(term, term))
    return much


def is_function_word(token: str) -> bool:
    """Tell whether a token (a stem, a pair of characters) is a question word, a function word or part of one."""
    return token in _FUNCTION_WORDS or (len(token) == 2 and bool(_FUNCTION_CHARACTERS.search(token)))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _characters(text: str) -> list[str]:
    """Return the characters of runs of two and more; a run of one is a token already."""
    return [character for run in _RUN.findall(_normal(text)) for character in run]


# One question has several searches, which find much the same sentences.
@lru_cache(maxsize=4096)
def _spaced_terms(normal: str) -> frozenset[str]:
    pieces = (match for match in _PIECE.finditer(normal) if not match["unspaced"])
    return frozenset(term for match in pieces for term in _spaced(match))


def _spaced(match: re.Match[str]) -> list[str]:
    if number := match["number"]:
        return _number(number, match["unit"].lstrip())
    return [_stem(match[0])]


def _number(number: str, unit: str) -> list[str]:
    """A number alone, with its unit, and the unit: "10kg" is found by "10 kg" and by "10kg"."""
    if _THOUSANDS.fullmatch(number):
        number = number.replace(",", "")
    found = number.split(",")
    if unit:
        found.append(found[-1] + unit)
        if len(unit) > 1:
            found.append(_stem(unit))
    return found


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    if not word.isascii():
        word = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("english")
    return stemmer.stemWord(word.replace("’", "'"))
