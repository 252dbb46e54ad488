"""Understand a question: its terms, its quoted phrases, its intent.

What a question asks for beside its words: a place, a kind of node, an operation (seed 002, 6.1, 6.2).

Everything here is told from the question alone, in Chinese and English, and is only ever a preference or a
promise to look: what a question names (a label) is looked up and never lost on the way.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from engine.enrich.figures import chart_facts
from engine.enrich.labels import Label
from engine.enrich.references import references_in
from engine.errors import UsageError
from engine.index.tokenize import query_terms
from engine.language import compiled, patterns
from engine.retrieve.everyday_words import WEIGHT, Formal
from engine.structure.terms import fold
from storage.base import AnyOf, QueryTerms

MOST_LABELS = 5

_DATA = patterns("intent")


def _any(english: str, chinese: str) -> re.Pattern[str]:
    return compiled(rf"\b(?:{english})\b|{chinese}")


_ROLE_WORDS = {role: _any(*words) for role, words in _DATA["roles"].items()}
_OPERATIONS = {name: _any(*words) for name, words in _DATA["operations"].items()}
_LITERATURE = _any(*_DATA["literature"])


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question asks for.

    ``labels`` are places it names ("Figure 3b", 第三章), ``of_a_work`` the keys of those that it says are a certain
    work's (《公司法》第十条); ``roles`` the kinds of node, ``chart_type`` that of chart it speaks of; ``operations``
    what it wants (COMPARE, RANK, TREND, PERCENT, SUM, AVERAGE, LOOKUP); ``literature`` whether works that are cited.
    """

    labels: tuple[Label, ...] = ()
    of_a_work: frozenset[str] = frozenset()
    roles: frozenset[str] = field(default_factory=frozenset)
    operations: frozenset[str] = field(default_factory=frozenset)
    literature: bool = False
    chart_type: str = ""


def intent_of(text: str) -> Intent:
    """Return what a question asks for beside its words."""
    references = references_in(text, elsewhere=True)
    labels = tuple({one.label.key: one.label for one in references}.values())[:MOST_LABELS]
    return Intent(
        labels=labels,
        of_a_work=frozenset(one.label.key for one in references if one.elsewhere),
        roles=frozenset(role for role, words in _ROLE_WORDS.items() if words.search(text)),
        operations=frozenset(name for name, words in _OPERATIONS.items() if words.search(text)),
        literature=bool(_LITERATURE.search(text)),
        chart_type=chart_facts(text).get("chart_type", ""),
    )


MAX_LETTERS = 10_000
SAMPLE_LETTERS = 1000
SYNONYM_WEIGHT = 0.5
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PHRASE = re.compile(r'"([^"]{2,200})"|“([^”]{2,200})”|「([^」]{2,200})」|『([^』]{2,200})』')


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the views need it.

    ``text`` is what is embedded, without surplus space; ``terms`` are its weighted terms for the sparse
    view, ``translated`` what its words are called in another language, ``formal`` what documents may write for its
    everyday words; ``phrases`` are what stood in quotation marks, folded for comparison; ``intent`` is what is asked
    for beside the words.
    """

    text: str
    terms: list[tuple[str, float]]
    phrases: list[str]
    intent: Intent = field(default_factory=Intent)
    translated: Sequence[tuple[AnyOf, float]] = ()
    formal: Sequence[Formal] = ()

    @property
    def sparse_terms(self) -> QueryTerms:
        """The terms, their translations and formal words."""
        return [*self.terms, *self.translated, *((one.term, WEIGHT) for one in self.formal)]


def understand(text: str, also: Sequence[str] = ()) -> Query:
    """Return the question taken apart. Raises UsageError when it is empty or far too long.

    ``also`` are other forms of words in it, by which it is found as well, though not as surely.
    """
    text = " ".join(text.split())
    if not text:
        raise UsageError("The question is empty. Type a few words.")
    if len(text) > MAX_LETTERS:
        raise UsageError(f"The question has {len(text):,} characters; at most {MAX_LETTERS:,} are read.")
    phrases = [fold(next(filter(None, groups))) for groups in _PHRASE.findall(text)]
    terms = dict(query_terms(text))
    for term, weight in query_terms("\n".join(also)):
        terms.setdefault(term, SYNONYM_WEIGHT * weight)
    return Query(text, list(terms.items()), phrases, intent_of(text))


def is_unspaced(text: str) -> bool:
    """Tell whether a text is written mainly without spaces between words, as Chinese is.

    A Chinese character says about as much as two and a half Latin letters; names in Latin letters may occur.
    """
    sample = text[:SAMPLE_LETTERS]
    return not sample.isascii() and _is_unspaced(sample)


@lru_cache(maxsize=4096)  # a search asks it of the same texts several times
def _is_unspaced(sample: str) -> bool:
    unspaced = len(_UNSPACED.findall(sample))
    return unspaced * 2.5 > sum(map(str.isalpha, sample)) - unspaced
