"""A question's words in the other language and the other script, for the sparse view.

Words in one language match nothing in texts of another, so a Chinese question finds English passages by meaning alone
(and the other way round), which confuses what is like with what is asked. A dictionary says what each word may be
called there; all its translations together count as one term (Pirkola 1998, "The effects of query structure and
dictionary setups in dictionary-based cross-language information retrieval"), so that a word of many meanings weighs
no more than one of few.

Nothing is translated unless the library has texts to find by it.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from engine.errors import ProviderError
from engine.index.tokenize import is_function_word, tokens
from engine.language import words_that_say_little
from engine.model import Filters
from engine.retrieve.lexicon import Lexicon, Meaning, lexicon
from storage.base import AnyOf, Snapshot

# A single character means many things.
CHARACTER_WEIGHT = 0.5
# English names of up to so many words are looked up as one.
LONGEST_NAME = 4
# A word that is said in more ways than this is said in the first of them.
MOST_WAYS = 48
# What no longer text does without, in English, in Chinese and in one of its scripts only.
ENGLISH, CHINESE = ("the", "of", "to"), ("的",)
SIMPLIFIED, TRADITIONAL = "这们个为国来对会时", "這們個為國來對會時"
# With a smaller share of texts in a language than this, what is found by translations is the less likely to be more
# than a few words in passing; with hardly any, nothing is translated.
FULL_SHARE, LEAST_TRUST = 0.02, 0.05
_LATIN = re.compile(r"[A-Za-z]{2}")
_HAN = re.compile(r"[\u3400-\u9fff]")
# Beside the function words of the sparse view.
_EMPTY = words_that_say_little("empty")


def translations(text: str, snapshot: Snapshot) -> list[tuple[AnyOf, float]]:
    """Return a question's words, each as its ways of being said in the other language, with weights.

    Only in a language that the library has texts in; none when the dictionary is missing.
    """
    in_english = _trust(snapshot, ENGLISH) if _HAN.search(text) else 0.0
    in_chinese = _trust(snapshot, CHINESE) if _LATIN.search(text) else 0.0
    found = []
    for trust, to_english in ((in_english, True), (in_chinese, False)):
        ways = ways_of_saying(text, to_english=to_english) if trust else []
        found += [(term, trust * weight) for term, weight in ways]
    return found


def ways_of_saying(text: str, *, to_english: bool) -> list[tuple[AnyOf, float]]:
    """Return how texts in English, or else in Chinese, may say the words of a question, with weights."""
    words = _lexicon()
    if words is None:
        return []
    return list(dict(_to_english(text, words) if to_english else _to_chinese(text, words)).items())


def read_dictionary(snapshot: Snapshot) -> None:
    """Read the dictionary of a library with Chinese texts, which takes seconds where it has English ones, too."""
    if _trust(snapshot, CHINESE) and (words := _lexicon()) is not None and _trust(snapshot, ENGLISH):
        words.chinese(("word",))


def _trust(snapshot: Snapshot, words: Sequence[str]) -> float:
    """How far what is said in a language may be looked for in a library, 0 to 1, by common words of it."""
    holding = sorted(map(snapshot.document_frequency, words))
    share = holding[len(holding) // 2] / max(1, snapshot.scope(Filters()).size)
    return min(1.0, share / FULL_SHARE) if share >= LEAST_TRUST * FULL_SHARE else 0.0


def in_script_of(snapshot: Snapshot, text: str) -> str:
    """Return a Chinese question in the script, simplified or traditional, of most texts of a library."""
    if not _HAN.search(text):
        return text
    simplified, traditional = (
        sum(map(snapshot.document_frequency, characters)) for characters in (SIMPLIFIED, TRADITIONAL)
    )
    written = simplified == traditional or _is_written_in(text, "gb2312" if simplified > traditional else "big5")
    if written or (words := _lexicon()) is None:
        return text
    return words.simplified(text) if simplified > traditional else words.traditional(text)


def chinese_words(text: str) -> list[str]:
    """Return the words of the dictionary in a Chinese text; none where it is missing."""
    return [] if (words := _lexicon()) is None else words.chinese_words(text)


def in_simplified(text: str) -> str:
    """Return a text in simplified characters, each in its place; as it is where the dictionary is missing."""
    words = None if _is_written_in(text, "gb2312") else _lexicon()
    return text if words is None else words.simplified(text)


def _is_written_in(text: str, character_set: str) -> bool:
    """Tell whether a text needs no other characters: GB 2312 has no traditional ones, Big5 no simplified ones."""
    with suppress(UnicodeEncodeError):
        return bool("".join(_HAN.findall(text)).encode(character_set))
    return False


def _lexicon() -> Lexicon | None:
    try:
        return lexicon()
    except ProviderError:
        return None


def _to_english(text: str, lexicon: Lexicon) -> Iterator[tuple[AnyOf, float]]:
    for word in lexicon.chinese_words(text):
        if word in _EMPTY or is_function_word(word):
            continue
        if ways := lexicon.english(word):
            yield AnyOf(word, tuple(ways[:MOST_WAYS])), CHARACTER_WEIGHT if len(word) == 1 else 1.0


def _to_chinese(text: str, lexicon: Lexicon) -> Iterator[tuple[AnyOf, float]]:
    stems = [stem for stem in tokens(text) if not _HAN.match(stem)]
    at = 0
    while at < len(stems):
        size, name, words = _longest_name(stems[at : at + LONGEST_NAME], lexicon)
        if words:
            longer = [word for word in words if len(word) > 1] or words
            yield AnyOf(" ".join(name), tuple(tuple(tokens(word)) for word in longer[:MOST_WAYS])), 1.0
        at += size


def _longest_name(stems: Sequence[str], lexicon: Lexicon) -> tuple[int, Meaning, list[str]]:
    """Return how many of the first stems are called something in Chinese, as many as possible, and what; else 1."""
    if not is_function_word(stems[0]):
        for size in range(LONGEST_NAME, 0 if len(stems[0]) > 1 else 1, -1):
            name = tuple(dict.fromkeys(stem for stem in stems[:size] if not is_function_word(stem)))
            if words := lexicon.chinese(name):
                return size, name, words
    return 1, (), []
