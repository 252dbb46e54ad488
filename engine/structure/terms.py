"""A text for comparing: folded, or as its terms; and its length as a reader feels it."""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from engine.language import words_that_say_little

# Kana, Han, Hangul: scripts without spaces, whose characters say about as much as half a word.
HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WIDE = re.compile(r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,]\d+)*")
NARROW = 0.4
# Quotes and dashes are written in several ways; soft hyphens and emphasis say nothing, brackets make numbers negative.
_SAME = {ord(a): b for a, b in zip("“”„‟«»‘’‚`´–—−‐‑―", '""""""\'\'\'\'\'------', strict=True)}
_NOTHING = frozenset("\u00ad\u200b\ufeff*")
STOP_WORDS, _STOP_PAIRS = words_that_say_little("stop"), words_that_say_little("stop_pairs")


def terms_of(text: str) -> Counter[str]:
    """Return the terms of a text: words without stop words, plural "s" dropped, and pairs of Han characters."""
    terms: Counter[str] = Counter()
    lowered = text.lower()
    if not text.isascii():
        for run in HAN.findall(lowered):
            terms.update(pair for pair in map("".join, itertools.pairwise(run)) if pair not in _STOP_PAIRS)
        lowered = HAN.sub(" ", lowered)
    words = (word for word in _WORD.findall(lowered) if len(word) > 1 or word.isdigit())
    terms.update(singular(word) for word in words if word not in STOP_WORDS)
    return terms


def fold(text: str) -> str:
    """Return a text as it is compared: NFKC, without case, runs of space as one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def find_folded(needle: str, text: str) -> tuple[int, int] | None:
    """Return where ``needle`` stands in ``text`` but for white space, width, case, quotes and dashes."""
    wanted, _ = _fold(needle)
    folded, places = _fold(text)
    at = folded.find(wanted) if wanted else -1
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


@lru_cache(maxsize=512)
def _fold(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text and, for each of its characters, the index it came from."""
    characters: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        folded = unicodedata.normalize("NFKC", character).casefold().translate(_SAME)
        for piece in folded:
            if not piece.isspace() and piece not in _NOTHING:
                characters.append(piece)
                places.append(index)
    return "".join(characters), places


def singular(word: str) -> str:
    """Return a lower-case word without the "s" of the plural."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "su" else word


def longest_known(items: str | tuple[str, ...], known: Container[object], longest: int) -> Iterator[tuple[int, int]]:
    """Part characters or words into the longest known pieces, each as (start, end); what is in none stands alone."""
    start = 0
    while start < len(items):
        end = min(start + longest, len(items))
        while end > start + 1 and items[start:end] not in known:
            end -= 1
        yield start, end
        start = end


def length_of(text: str) -> float:
    """Return the length of a text in full-width characters: one of any other kind counts two fifths.

    So a limit that suits Chinese text holds as much in a language that needs many letters for a word.
    """
    if text.isascii():
        return NARROW * len(text)
    wide = len(_WIDE.findall(text))
    return wide + NARROW * (len(text) - wide)
