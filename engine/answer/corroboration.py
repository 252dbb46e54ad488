"""How far the found documents say the same of what is asked.

Where many documents speak of one subject (the news of a day, mails on one matter) nearly all of them hold the
words of a question about it, and words and vectors cannot tell those that answer it. But what answers it is said
more than once there: the same new words, the same date or amount, stand next to the words of the question in
several documents. It is what answers are known by in many texts (Brill, Lin, Banko, Dumais and Ng, TREC 2001),
turned round: where nothing new is said together, nothing answers.

A reader (:mod:`engine.answer.readings`) tells more: in how many documents it reads the same answer.

Every place of a sentence is as near (0..1) to the question as its pieces stand near to it, and what stands there
is held up by each document to the nearness it has there. One document may know what the others do not: a sentence
that says nearly all of the question, or means it, speaks for an answer, too.

The weights were fitted on Chinese questions of events with the web pages that a search engine found for them, with and
without those that answer, and with one of these alone, which counted a quarter (``benchmarks/refusals.py``).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.answer.calibration import Baseline
from engine.answer.candidates import Candidate
from engine.answer.check.amounts import NUMBER, amount_of
from engine.answer.check.dates import DATE, date_of
from engine.answer.expected import KINDS_OF_THING, expected_of, offers
from engine.answer.readings import AnswerSpan, agreement
from engine.answer.terms import Piece, pieces_covered, pieces_of, weight
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.providers.logistic import logistic
from engine.structure.sentences import is_cjk

# A node with this share of the question is on its subject; Chinese pieces are characters, more of which are shared.
_ON_SUBJECT, _ON_SUBJECT_CHINESE = 0.85, 0.6
# All that names its thing is on the subject of a question of fewer words than so many (two characters being one).
_LEAST_ASKED = 3.0
# Nearness falls to 1/e over so many letters, a word being worth about three characters, never below the least.
_REACH, _REACH_CHINESE = 48.0, 16.0
_LEAST_NEAR = 0.45
_IN_SENTENCE_BEFORE = 0.4
_MOST_SENTENCES = 4
_ECHOES = 8
_LEAST_WEIGHT = 0.3
_DATES, _AMOUNTS = re.compile(DATE, re.I), re.compile(NUMBER, re.I)
# So many documents are many. (Bias, echoes, the value said most, that one is asked for, the best sentence), the best
# sentence by meaning and words or by words alone.
_MANY = 3
_WEIGHTS = (-6.4, 0.94, 0.92, -1.67, 2.32)
_WEIGHTS_BY_WORDS = (-3.6, 1.09, 1.01, -1.42, 2.46)
# With a reader: the logarithm of the documents in which it reads the same, for the best sentence.
_WEIGHTS_READ = (-1.9, 0.74, 0.78, -2.47, 2.21)
_LEAST_READ = 0.05
# One sentence that holds so much of the question, and the kind of thing it asks for, answers; how surely at least.
_PLAINLY, _SURE_OF_PLAIN = 0.8, 0.6
# With a reader: where it is so sure (log odds) of one answer, and of others in so few documents together.
_SURELY_READ, _NOTHING_ELSE = 2.5, 0.02
# What a whole question in words is worth in heights of meaning.
_WORDS_IN_HEIGHTS = 1.27


class Corroboration(NamedTuple):
    """How far documents agree: ``documents`` of them are on the question's subject.

    ``echoed`` is how often, each time by nearness, what is new is said beside the question's words, in the mean of the
    eight terms that are said most; ``value`` the same of the date or amount said most, None where the question asks for
    neither. ``plainly`` is true where one sentence answers by itself, by its words or as a reader has it. ``read`` is
    how many documents a reader reads the same answer in, None without one.
    """

    documents: int
    echoed: float
    value: float | None
    plainly: bool
    read: float | None = None

    def certainty(self, found: Sequence[Candidate], base: Baseline | None) -> float:
        """Return how sure (0..1) it is that the sentences answer.

        ``base`` tells what their cosines are worth, None where there are none.
        """
        best = max((one.shared for one in found), default=0.0)
        weights: Sequence[float] = _WEIGHTS_BY_WORDS
        if base is not None:
            near = [(one.cosine, one.shared) for one in found if one.cosine is not None]
            best = max(
                (base.height(cosine) + _WORDS_IN_HEIGHTS * shared for cosine, shared in near), default=0.0
            )
            weights = _WEIGHTS
        if base is not None and self.read is not None:
            weights, best = _WEIGHTS_READ, math.log(self.read + _LEAST_READ)
        seen = [1.0, self.echoed, self.value or 0.0, float(self.value is not None), best]
        value = sum(weight * one for weight, one in zip(weights, seen, strict=True))
        sure = logistic(value)
        return max(sure, _SURE_OF_PLAIN) if self.plainly else sure


def corroboration(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    nodes: Mapping[int, frozenset[str]],
    spans: Sequence[AnswerSpan] | None = None,
) -> Corroboration | None:
    """Look through the sentences found; None where few documents are on the question's subject.

    ``nodes`` are the terms of the sentences' evidence with its titles, by its place there; ``spans`` is what a reader
    made of it.
    """
    pieces = pieces_of(question)
    least = _ON_SUBJECT_CHINESE if is_cjk(question) else _ON_SUBJECT
    document_of = {index: evidence[index].hit.document_id for index in nodes}
    on_subject = {
        document_of[index] for index, held in nodes.items() if pieces_covered(pieces, held) >= least
    }
    if sum(piece.weight for piece in pieces) < _LEAST_ASKED or len(on_subject) < _MANY:
        return None
    expected = expected_of(question)
    kind = expected if expected in ("date", "number") else None
    asked = frozenset(tokens(question))
    terms: dict[Hashable, dict[str, float]] = defaultdict(dict)
    values: dict[Hashable, dict[str, float]] = defaultdict(dict)
    before = {(one.evidence, one.position): one.terms for one in found}
    for one in _nearest(found):
        field = _Field(pieces, one, before.get((one.evidence, one.position - 1), frozenset()))
        document = document_of[one.evidence]
        for term, near in field.new_terms(one.terms - asked):
            terms[term][document] = max(near, terms[term].get(document, 0.0))
        for value, near in field.values(kind, question) if kind else ():
            values[value][document] = max(near, values[value].get(document, 0.0))
    plainly = _said_plainly(question, pieces, found, list(nodes.values()))
    said = sorted((sum(nearness.values()) for nearness in terms.values()), reverse=True)[:_ECHOES]
    most = max((sum(nearness.values()) for nearness in values.values()), default=0.0)
    read = None
    if spans is not None:
        own = [one for one in spans if one.evidence in nodes]
        read, others = agreement(own, evidence)
        surest = max((one.certainty for one in own), default=0.0)
        plainly = surest > _SURELY_READ and others < _NOTHING_ELSE
    return Corroboration(len(on_subject), sum(said) / _ECHOES, most if kind else None, plainly, read)


def _said_plainly(
    question: str, pieces: Sequence[Piece], found: Sequence[Candidate], nodes: Sequence[frozenset[str]]
) -> bool:
    """True where one sentence holds what tells the question apart, and the kind of thing it asks for."""
    expected = expected_of(question)
    held = [sum(bool(piece.terms & node) for node in nodes) for piece in pieces]
    apart = [p._replace(weight=p.weight / math.sqrt(1 + n)) for p, n in zip(pieces, held, strict=True)]
    return any(
        pieces_covered(apart, one.terms) >= _PLAINLY
        and (expected not in KINDS_OF_THING or offers(one.sentence.text, question, expected))
        for one in found
    )


def _nearest(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Return the sentences of each piece of evidence that hold most of the question."""
    of_each: dict[int, list[Candidate]] = defaultdict(list)
    for one in found:
        of_each[one.evidence].append(one)
    for ones in of_each.values():
        yield from sorted(ones, key=lambda one: (-one.shared, one.position))[:_MOST_SENTENCES]


class _Field:
    """The nearness of each place of a sentence to the question's pieces."""

    def __init__(self, pieces: Sequence[Piece], one: Candidate, before: frozenset[str]) -> None:
        self._text = one.sentence.text.lower()
        places = np.arange(len(self._text) + 1)
        self._asked = bytearray(len(places))
        near = np.zeros(len(places))
        reach = _REACH_CHINESE if is_cjk(self._text) else _REACH
        for piece in pieces:
            spans = [span for term in piece.terms for span in _occurrences(term, self._text)]
            if not spans:
                near += piece.weight * _IN_SENTENCE_BEFORE * bool(piece.terms & before)
                continue
            starts, ends = np.array(spans).T
            for start, end in spans:
                self._asked[start:end] = b"\1" * (end - start)
            apart = np.maximum(starts[:, None] - places, places - ends[:, None] + 1).clip(0).min(axis=0)
            near += piece.weight * np.maximum(np.exp(-apart / reach), _LEAST_NEAR)
        self._near: list[float] = (near / (sum(piece.weight for piece in pieces) or 1.0)).tolist()

    def new_terms(self, terms: frozenset[str]) -> Iterator[tuple[str, float]]:
        """Return the terms that stand where the question's do not, each with its nearness times its worth."""
        for term in terms:
            worth = min(weight(term), 1.0)
            if worth <= _LEAST_WEIGHT or len(term) < 2:
                continue
            spans = [span for span in _occurrences(term, self._text) if 1 not in self._asked[slice(*span)]]
            if spans:
                yield term, worth * max(self._at(start, end) for start, end in spans)

    def values(self, kind: str, question: str) -> Iterator[tuple[Hashable, float]]:
        """Return the dates or amounts that the question does not hold, in comparable form, with their nearness."""
        asked = {value for value, _, _ in _values(kind, question.lower())}
        for value, start, end in _values(kind, self._text):
            if value not in asked:
                yield value, self._at(start, end)

    def _at(self, start: int, end: int) -> float:
        return max(self._near[start], self._near[max(start, end - 1)])


def _occurrences(term: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(term)
    while at >= 0 and term:
        yield at, at + len(term)
        at = text.find(term, at + 1)


def _values(kind: str, text: str) -> Iterator[tuple[Hashable, int, int]]:
    """Return the dates (by month and day where they are said) or the amounts of a text, with their places."""
    dates = [(match, date_of(match)) for match in _DATES.finditer(text)]
    if kind == "date":
        for match, when in dates:
            if when is not None:
                year, month, day = when.readings[0]
                yield (
                    (month, day) if month is not None and day is not None else (year, month, day),
                    *match.span(),
                )
        return
    taken = [match.span() for match, when in dates if when is not None]
    for match in _AMOUNTS.finditer(text):
        found = amount_of(match)
        if found is not None and not any(start < found[1] and match.start() < end for start, end in taken):
            yield (found[0].value, found[0].unit), match.start(), found[1]
