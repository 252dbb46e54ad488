"""The part of a node's text that shows why it was found, word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from engine.index.tokenize import terms_in
from engine.structure.sentences import clause_spans

SNIPPET_LETTERS = 320
# What is read of a very long node, such as a table of thousands of rows.
READ_LETTERS = 20_000


@dataclass(frozen=True)
class Passage:
    """A node's text with what a question finds in each of its sentences.

    ``weights`` maps the question's terms to how much they tell; ``context`` is text that goes with every
    sentence, such as the titles above the node.
    """

    text: str
    context: str
    weights: Mapping[str, float]

    @cached_property
    def _found(self) -> tuple[list[tuple[int, int]], list[set[str]]]:
        spans = clause_spans(self.text[:READ_LETTERS])
        return spans, [terms_in(self.text[start:end], self.weights) for start, end in spans]

    @cached_property
    def above(self) -> set[str]:
        """The terms in the context."""
        return terms_in(self.context, self.weights)

    @cached_property
    def terms(self) -> set[str]:
        """The terms in the text."""
        return set().union(*self._found[1])

    @cached_property
    def evidence(self) -> float:
        """The share of the question's terms, by weight, in the best two neighbouring sentences and context.

        Words of a question that stand together answer it more likely than words scattered over a text.
        """
        whole = sum(self.weights.values())
        found = self._found[1]
        pairs: Sequence[set[str]] = [a | b for a, b in pairwise(found)] or found
        best = max((self._worth(terms | self.above) for terms in pairs), default=0.0)
        return best / whole if whole else 0.0

    @property
    def best_at(self) -> int:
        """Where the first sentence (a table's row) with most of the terms begins."""
        spans, found = self._found
        best = max(range(len(spans)), key=lambda i: self._worth(found[i]), default=None)
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
            score = self._worth(set().union(*found[first : last + 1]))
            if score > best_score:
                best, best_score = (first, last), score
        start, end = spans[best[0]][0], spans[best[1]][1]
        if end - start > letters:
            start, end = self._inside(start, end, letters)
        return self.text[start:end].strip()

    def _inside(self, start: int, end: int, letters: int) -> tuple[int, int]:
        """Cut a long sentence: a window that begins a little before its most telling term."""
        lowered = self.text[start:end].lower()
        for term in sorted(self.weights, key=lambda term: (-self.weights[term], -len(term))):
            position = lowered.find(term)
            if position >= 0:
                start += max(0, min(position - letters // 4, end - start - letters))
                break
        return start, min(end, start + letters)

    def _worth(self, terms: set[str]) -> float:
        return sum(self.weights[term] for term in terms)
