"""The part of a node's text that shows why it was found, word for word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from engine.index.tokenize import Terms
from engine.structure.sentences import clause_spans
from storage.base import AnyOf, QueryTerms

SNIPPET_LETTERS = 320
# What is read of a very long node, such as a table of thousands of rows.
READ_LETTERS = 20_000


class Sought:
    """A question's terms, and the translations of its words, each with how much it tells.

    Made once a question, for all texts that they are looked for in. ``own`` are those in its own language.
    """

    def __init__(self, terms: QueryTerms) -> None:
        self.own = {term: weight for term, weight in terms if isinstance(term, str)}
        self._translated = {term: weight for term, weight in terms if isinstance(term, AnyOf)}
        self._all_own, self._all_translated = sum(self.own.values()), sum(self._translated.values())
        spoken = {token for term in self._translated for way in term.ways for token in way}
        self._terms = Terms(self.own.keys() | spoken)

    def held_by(self, text: str) -> set[str | AnyOf]:
        """Return the terms that a text holds, and the words of which it holds a translation."""
        held = self._terms.held_by(text)
        translated = {term for term in self._translated if any(held.issuperset(way) for way in term.ways)}
        return {term for term in held if term in self.own} | translated

    def weight(self, term: str | AnyOf) -> float:
        """Return how much one of the question's terms tells."""
        return self.own[term] if isinstance(term, str) else self._translated[term]

    def worth(self, terms: Iterable[str | AnyOf]) -> float:
        """Return the share of the question that some terms are, in its own language or in the other one."""
        own = translated = 0.0
        for term in terms:
            if isinstance(term, str):
                own += self.own[term]
            else:
                translated += self._translated[term]
        return max(own / self._all_own if own else 0.0, translated / self._all_translated if translated else 0.0)


@dataclass(frozen=True)
class Passage:
    """A node's text with what a question finds in each of its sentences.

    ``context`` is text that goes with every sentence, such as the titles above the node.
    """

    text: str
    context: str
    sought: Sought

    @cached_property
    def _found(self) -> tuple[Sequence[tuple[int, int]], list[set[str | AnyOf]]]:
        spans = clause_spans(self.text[:READ_LETTERS])
        return spans, [self.sought.held_by(self.text[start:end]) for start, end in spans]

    @cached_property
    def above(self) -> set[str]:
        """The terms in the context."""
        return {term for term in self._above if isinstance(term, str)}

    @cached_property
    def terms(self) -> set[str]:
        """The terms in the text."""
        return {term for found in self._found[1] for term in found if isinstance(term, str)}

    @property
    def translated(self) -> set[str]:
        """The question's words of which a translation stands in the text or the context."""
        held = self._above.union(*self._found[1])
        return {term.word for term in held if isinstance(term, AnyOf)}

    @cached_property
    def evidence(self) -> float:
        """The share of the question's terms, by weight, in the best two neighbouring sentences and context.

        Words of a question that stand together answer it more likely than words scattered over a text.
        """
        found = self._found[1]
        pairs: Sequence[set[str | AnyOf]] = [a | b for a, b in pairwise(found)] or found
        return max((self.sought.worth(terms | self._above) for terms in pairs), default=0.0)

    @property
    def best_at(self) -> int:
        """Where the first sentence (a table's row) with most of the terms begins."""
        spans, found = self._found
        best = max(range(len(spans)), key=lambda i: self.sought.worth(found[i]), default=None)
        return 0 if best is None else spans[best][0]

    def snippet(self, letters: int = SNIPPET_LETTERS) -> str:
        """Return the window of whole sentences, about ``letters`` long, that holds most of the terms.

        It is a substring of the text; a sentence that is longer than that is cut around a telling term.
        """
        if len(self.text) <= letters:
            return self.text.strip()
        spans, found = self._found
        best, best_score = (0, 0), -1.0
        last = 0
        for first in range(len(spans)):
            last = max(last, first)
            while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= letters:
                last += 1
            score = self.sought.worth(set().union(*found[first : last + 1]))
            if score > best_score:
                best, best_score = (first, last), score
        start, end = spans[best[0]][0], spans[best[1]][1]
        if end - start > letters:
            start, end = self._inside(start, end, letters)
        return self.text[start:end].strip()

    def _inside(self, start: int, end: int, letters: int) -> tuple[int, int]:
        """Cut a long sentence: a window that begins a little before its most telling term."""
        lowered = self.text[start:end].lower()
        own = self.sought.own
        for term in sorted(own, key=lambda term: (-own[term], -len(term))):
            position = lowered.find(term)
            if position >= 0:
                start += max(0, min(position - letters // 4, end - start - letters))
                break
        return start, min(end, start + letters)

    @cached_property
    def _above(self) -> set[str | AnyOf]:
        return self.sought.held_by(self.context)
