"""Formal words for the everyday words of a question: somebody is fired, the contract speaks of termination.

Synonyms that a search engine knows, one way only (Manning et al., "Introduction to Information Retrieval", 9.2.2): what
a document may write for a word counts together as one term, as translations do (Pirkola 1998), and the question is
embedded with these words, too. The library tells which are worth looking for: those that it has, and for a word that it
hardly has itself. Chinese ones are known in simplified characters only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.index.tokenize import tokens
from engine.structure.terms import longest_known
from storage.base import AnyOf, Snapshot

FILE = Path(__file__).with_name("everyday_words.txt")
# What formal words weigh beside a question's own.
WEIGHT = 1.0
# A word that so many times as many nodes have as its formal one is the library's own.
OWN = 10
# Everyday English of up to so many words is looked up as one.
LONGEST = 4
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Formal:
    """An everyday word of a question, and what documents may write for it."""

    word: str
    said: tuple[str, ...]

    @property
    def term(self) -> AnyOf:
        """All that is said for it, as one term of the sparse view."""
        return AnyOf(self.word, tuple(tuple(tokens(one)) for one in self.said))


def formal_words(text: str, snapshot: Snapshot) -> list[Formal]:
    """Return the everyday words of a question for which the library's texts say something else."""
    found = []
    for word in _everyday(text):
        least = _nodes_with(word.word, snapshot) / OWN
        said = tuple(one for one in word.said if one not in text and _nodes_with(one, snapshot) > least)
        if said:
            found.append(Formal(word.word, said))
    return found


def _nodes_with(word: str, snapshot: Snapshot) -> int:
    return min(map(snapshot.document_frequency, tokens(word)), default=0)


def _everyday(text: str) -> Iterator[Formal]:
    """Yield the everyday words in a text with all their formal ones; of those that overlap the longest."""
    chinese, english = _words()
    if _HAN.search(text):
        taken = [False] * len(text)
        for one in chinese:
            at = text.find(one.word)
            if at >= 0 and not taken[at]:
                taken[at : at + len(one.word)] = [True] * len(one.word)
                yield one
    stems = tuple(stem for stem in tokens(text) if not _HAN.match(stem))
    for start, end in longest_known(stems, english, LONGEST):
        if known := english.get(stems[start:end]):
            yield known


@lru_cache(maxsize=1)
def _words() -> tuple[list[Formal], dict[tuple[str, ...], Formal]]:
    """Return the Chinese words, the longest first, and the English ones by their stems."""
    found: dict[str, list[str]] = {}
    for everyday, formal in _lines():
        for word in everyday:
            found.setdefault(word, []).extend(formal)
    words = [Formal(word, tuple(dict.fromkeys(said))) for word, said in found.items()]
    chinese = [one for one in words if _HAN.match(one.word)]
    english = {tuple(tokens(one.word)): one for one in words if not _HAN.match(one.word)}
    return sorted(chinese, key=lambda one: -len(one.word)), english


def _lines() -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words before and behind the colon of each line of the file."""
    for line in FILE.read_text("utf-8").splitlines():
        if ":" in line and not line.startswith("#"):
            everyday, formal = ([word.strip() for word in side.split(",")] for side in line.split(":", 1))
            yield everyday, formal
