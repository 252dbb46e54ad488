"""What the Chinese-English dictionary tells of words: where Chinese ones end, and which only say what is done."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from engine.errors import ProviderError
from engine.providers.dictionary import entries
from engine.structure.terms import longest_known

LONGEST_WORD = 6
# A word that is so many times as often explained as a verb ("to write") as it is as a noun is a verb.
MOSTLY = 4
# How the dictionary explains what is done, or ought to be.
DONE = ("to ", "should", "ought ", "must", "can ", "may ", "CL:")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``words`` are Chinese words of several characters, ``verbs`` Chinese and English ones that are verbs alone."""

    words: frozenset[str]
    verbs: frozenset[str]

    def parted(self, run: str) -> list[str]:
        """Return the words of a run of Chinese characters, the longest that the dictionary has first."""
        return [run[start:end] for start, end in longest_known(run, self.words, LONGEST_WORD)]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon, read once; an empty one where the dictionary is missing, which is told elsewhere."""
    words, verbs = set(), set()
    done, named = Counter[str](), Counter[str]()
    with suppress(ProviderError):
        for entry in entries():
            forms = [form for form in (entry.simplified, entry.traditional) if 1 < len(form) <= LONGEST_WORD]
            words.update(forms)
            if all(meaning.startswith(DONE) for meaning in entry.meanings):
                verbs.update(forms)
            _count(entry.meanings, done, named)
    verbs |= {word for word, count in done.items() if count > MOSTLY * named[word]}
    return Lexicon(frozenset(words), frozenset(verbs))


def _count(meanings: Iterable[str], done: Counter[str], named: Counter[str]) -> None:
    """Count the English words by which a Chinese one is explained, as a verb or as a noun."""
    for parts in (meaning.split(" ", 4) for meaning in meanings):
        if parts[0] == "to":
            done.update(parts[1:2])
        elif len(parts) < 4:
            named[parts[-1]] += 1
