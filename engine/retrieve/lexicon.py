"""What words are called in the other language: CC-CEDICT's meanings as the tokens that the sparse view knows."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache

from engine.index.tokenize import is_function_word, tokens
from engine.language import words_that_say_little
from engine.providers.dictionary import Entry, entries
from engine.structure.terms import longest_known

# A longer meaning explains a word, it does not translate it.
LONGEST_MEANING = 4
LONGEST_WORD = 12
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_POINTER = re.compile(
    r"(?:(?:old|archaic|Japanese|erhua) )?variant of|surname |CL:|see |also written|used in |abbr\. |same as"
    r"|classifier|particle",
    re.I,
)
_BETWEEN = re.compile("[;,]")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_OF_DICTIONARIES = words_that_say_little("dictionary")

Meaning = tuple[str, ...]


class Lexicon:
    """A dictionary in both directions. English is stems, Chinese words are in both scripts."""

    def __init__(self, words: Iterable[Entry]) -> None:
        """Read the words."""
        self._meanings: dict[str, str] = {}
        self._traditional: dict[str, str] = {}
        self._simplified: dict[str, str] = {}
        pairs: Counter[tuple[str, str]] = Counter()
        for traditional, simplified, meanings in words:
            if len(traditional) == len(simplified) <= LONGEST_WORD:
                pairs.update(zip(traditional, simplified, strict=True))
                if traditional != simplified and len(traditional) > 1:
                    self._traditional.setdefault(simplified, traditional)
            self._learn({traditional, simplified}, meanings)
        for (traditional, simplified), _ in pairs.most_common():
            self._traditional.setdefault(simplified, traditional)
            self._simplified.setdefault(traditional, simplified)
        in_traditional, in_simplified = (set(script) for script in zip(*pairs, strict=True))
        self._only_traditional = in_traditional - in_simplified
        self._only_simplified = in_simplified - in_traditional
        self._words: dict[Meaning, list[str]] | None = None

    def _learn(self, words: Set[str], meanings: Iterable[str]) -> None:
        """Add meanings to those of a word in both its scripts."""
        kept = "/".join(one for one in meanings if not _POINTER.match(one))
        for word in words:
            if kept and len(word) <= LONGEST_WORD:
                before = self._meanings.get(word)
                self._meanings[word] = f"{before}/{kept}" if before else kept

    def english(self, word: str) -> list[Meaning]:
        """Return the stems of each of a Chinese word's meanings; none for a word that is not known."""
        return list(dict.fromkeys(_meanings(self._meanings.get(word, ""))))

    def chinese(self, meaning: Meaning) -> list[str]:
        """Return the Chinese words that mean just these English stems, in both scripts."""
        if self._words is None:
            by_text: dict[str, list[str]] = {}
            for word, text in self._meanings.items():
                by_text.setdefault(text, []).append(word)
            found: dict[Meaning, list[str]] = {}
            for text, words in by_text.items():
                for one in dict.fromkeys(_meanings(text)):
                    found.setdefault(one, []).extend(words)
            self._words = found
        return self._words.get(meaning, [])

    def simplified(self, text: str) -> str:
        """Return a text in simplified characters; as it is where none of its characters tells that it is not."""
        if self._only_traditional.isdisjoint(text):
            return text
        return "".join(self._simplified.get(character, character) for character in text)

    def traditional(self, text: str) -> str:
        """Return a text in traditional characters, as :meth:`simplified`; words decide: 头发 is 頭髮, 出发 is 出發."""
        if self._only_simplified.isdisjoint(text):
            return text
        words = (text[start:end] for start, end in longest_known(text, self._traditional, LONGEST_WORD))
        return "".join(self._traditional.get(word, word) for word in words)

    def chinese_words(self, text: str) -> list[str]:
        """Return the known words in a Chinese text, the longest at each place."""
        return [
            run[start:end]
            for run in _HAN_RUN.findall(text)
            for start, end in longest_known(run, self._meanings, LONGEST_WORD)
            if run[start:end] in self._meanings
        ]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the embedded dictionary, read the first time. Raises ProviderError when it is missing."""
    return Lexicon(entries())


def _meanings(text: str) -> Iterator[Meaning]:
    for one in text.split("/"):
        for part in _BETWEEN.split(_ASIDE.sub(" ", one) if "(" in one or "[" in one else one):
            if part.lstrip().startswith("-"):
                continue
            stems = dict.fromkeys(stem for word in part.split() for stem in _stems(word))
            if 0 < len(stems) <= LONGEST_MEANING:
                yield tuple(stems)


@lru_cache(maxsize=1 << 16)
def _stems(word: str) -> tuple[str, ...]:
    """The stems that tell something in a word of a meaning; most words stand in many meanings."""
    return tuple(
        stem
        for stem in tokens(word)
        if stem.isascii() and len(stem) > 1 and not is_function_word(stem) and stem not in _OF_DICTIONARIES
    )
