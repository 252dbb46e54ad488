"""What a reader makes of the evidence: where each passage answers the question, if it does.

Of each piece of evidence the reader is given the sentences around the best one. A text answers when the reader is
sure of it, and the surer where several documents are read to give the same answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from engine.answer.bridges import Article, article, bridges
from engine.answer.candidates import Candidate
from engine.answer.check.locate import sentences_of
from engine.model import Evidence
from engine.providers.logistic import logistic
from engine.providers.reading import Passage
from engine.structure.sentences import is_cjk

if TYPE_CHECKING:
    from engine.providers.reading import Reader

MOST = 8
# So many of the best pieces are read in two places: what answers may share no word with the question.
_TWICE = 3
# So sure (log odds) of one of them that no other place is read.
_SURE = 2.0
# Letters of what is read at once: some 130 tokens.
_LETTERS, _LETTERS_CHINESE = 430, 200
_SAME = 0.5
# What several documents say alike needs less certainty in each: log odds are divided by this.
_BESIDE = 3.0
_WORD = re.compile(r"[a-z0-9]+|[^\W_]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """The letters ``start`` to ``end`` of a piece of evidence (its index) that are read to answer; see ``Reading``."""

    evidence: int
    start: int
    end: int
    certainty: float

    @property
    def probability(self) -> float:
        """How sure it is that they do, 0..1, by the reader alone."""
        return logistic(self.certainty)

    @property
    def probability_beside(self) -> float:
        """How sure it is beside other documents in which the same is read, 0..1."""
        return logistic(self.certainty / _BESIDE)


def read(
    question: str, evidence: Sequence[Evidence], found: Sequence[Candidate], reader: Reader
) -> list[AnswerSpan]:
    """Return what the reader makes of the best pieces of evidence, in their order. Raises ProviderError.

    Where it is sure of none of them, the best pieces are read in another place, too.
    """
    windows = list(_windows(evidence, found))
    shown = list(dict.fromkeys(window.evidence for window in windows))
    led = bridges(question, [_article(evidence[index]) for index in shown])
    titles = {
        index: "\n".join(filter(None, (line, _title(evidence[index]))))
        for index, line in zip(shown, led, strict=True)
    }

    def spans(again: bool) -> list[AnswerSpan]:
        chosen = [window for window in windows if window.again == again]
        passages = [
            Passage(titles[one.evidence], evidence[one.evidence].text[one.start : one.end]) for one in chosen
        ]
        return [
            AnswerSpan(window.evidence, window.start + one.start, window.start + one.end, one.certainty)
            for window, one in zip(chosen, reader.read(question, passages), strict=True)
        ]

    surest = {span.evidence: span for span in spans(again=False)}
    if max((span.certainty for span in surest.values()), default=_SURE) < _SURE:
        for span in spans(again=True):
            surest[span.evidence] = max(surest[span.evidence], span, key=lambda one: one.certainty)
    return list(surest.values())


class _Window(NamedTuple):
    """The letters of a piece of evidence that are read at once; ``again`` where another place of it is read before."""

    evidence: int
    start: int
    end: int
    again: bool


def with_readings(found: Sequence[Candidate], spans: Sequence[AnswerSpan]) -> list[Candidate]:
    """Return the sentences with how sure the reader is of each; those without an answer keep 0."""
    by_evidence: dict[int, list[AnswerSpan]] = defaultdict(list)
    for span in spans:
        by_evidence[span.evidence].append(span)
    return [
        replace(one, read=max(sure))
        if (
            sure := [
                span.probability
                for span in by_evidence.get(one.evidence, ())
                if one.sentence.start <= span.start < one.sentence.end
            ]
        )
        else one
        for one in found
    ]


class Agreement(NamedTuple):
    """How far readings agree: in how many documents, each as far as it is sure, the answer stands that most give.

    What several read alike each may be read less surely: a certainty counts a third there. ``others`` is in how many
    documents another answer stands, each as far as it is sure alone.
    """

    documents: float
    others: float


def agreement(spans: Sequence[AnswerSpan], evidence: Sequence[Evidence]) -> Agreement:
    """Return how far what is read in the documents is the same."""
    by_document: dict[str, list[tuple[AnswerSpan, frozenset[str]]]] = defaultdict(list)
    for one in spans:
        item = evidence[one.evidence]
        said = _pairs(item.text[one.start : one.end])
        by_document[item.hit.document_id].append((one, said))

    def alike(said: frozenset[str]) -> float:
        return sum(
            max((one.probability_beside for one, other in answers if _alike(said, other)), default=0.0)
            for answers in by_document.values()
        )

    def unlike(said: frozenset[str]) -> float:
        return sum(
            max((one.probability for one, other in answers if not _alike(said, other)), default=0.0)
            for answers in by_document.values()
        )

    given = {said for answers in by_document.values() for _, said in answers}
    most = max(given, key=alike, default=None)
    return Agreement(0.0, 0.0) if most is None else Agreement(alike(most), unlike(most))


def _windows(evidence: Sequence[Evidence], found: Sequence[Candidate]) -> Iterator[_Window]:
    """Yield each piece of evidence that is prose with the letters to read there: its best sentence and those around.

    Of the best pieces also the sentence nearest in meaning that is left, and those around it.
    """
    of_each: dict[int, list[Candidate]] = defaultdict(list)
    for one in found:
        if one.role != "table":
            of_each[one.evidence].append(one)
    for place, (index, ones) in enumerate(list(of_each.items())[:MOST]):
        text = evidence[index].text
        first, last = _around(ones, text, _nearness)
        yield _Window(index, *_letters(ones[first : last + 1], text), again=False)
        rest = max(ones[:first], ones[last + 1 :], key=lambda left: max(map(_meaning, left), default=-1.0))
        if place < _TWICE and rest:
            first, last = _around(rest, text, _meaning)
            yield _Window(index, *_letters(rest[first : last + 1], text), again=True)


def _around(ones: Sequence[Candidate], text: str, worth: Callable[[Candidate], float]) -> tuple[int, int]:
    """Return the places of the first and last sentence around the best one that are read at once."""
    first = last = max(range(len(ones)), key=lambda i: (worth(ones[i]), -i))
    while True:
        wider = [
            (a, b)
            for a, b in ((first - 1, last), (first, last + 1))
            if a >= 0 and b < len(ones) and ones[b].sentence.end - ones[a].sentence.start <= _most(text)
        ]
        if not wider:
            return first, last
        first, last = max(wider, key=lambda ab: worth(ones[ab[0] if ab[0] < first else ab[1]]))


def _letters(ones: Sequence[Candidate], text: str) -> tuple[int, int]:
    start, end = ones[0].sentence.start, ones[-1].sentence.end
    return start, min(end, start + 2 * _most(text))


def _most(text: str) -> int:
    return _LETTERS_CHINESE if is_cjk(text) else _LETTERS


def _meaning(one: Candidate) -> float:
    return one.shared if one.cosine is None else one.cosine


def _nearness(one: Candidate) -> float:
    return one.shared + 0.5 * one.context


def _title(item: Evidence) -> str:
    return item.title or (item.hit.path[-1] if item.hit.path else "")


def _article(item: Evidence) -> Article:
    document = item.hit.document.rsplit(".", 1)[0]
    titles = dict.fromkeys(filter(None, (_title(item), *item.hit.path[-1:], *item.hit.path[:1], document)))
    return article(list(titles), [one.text for one in sentences_of(item.text, item.hit.role)])


def _pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring characters (of Chinese) or the words of an answer."""
    pieces = _WORD.findall(text.casefold())
    if not is_cjk(text):
        return frozenset(pieces)
    return frozenset(map("".join, pairwise(pieces))) or frozenset(pieces)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and len(one & other) / min(len(one), len(other)) >= _SAME
