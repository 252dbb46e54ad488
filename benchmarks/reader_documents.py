"""Invented documents with everyday questions, which the reader is trained on beside question sets and short passages.

``reader_documents/*.jsonl``, written for this project: agreements, handbooks, reports, papers, minutes, manuals and
articles in Chinese and English, of six to eighteen sections each. In some the sections are articles that name each
other, and questions take two steps; in some they are snippets of a search engine or passages of an office on things
of one kind (the men's event and the women's, two years, a country and its province, the price and the number), and
what is absent is told of another of them. What people ask stands there in other words, and as much is asked that no
section says, though it is on their very subjects. The sections of one document that are the nearest to a question in
meaning are what a reader is shown in truth, so each is an example.

A line has ``title``, ``sections`` (``heading``, ``text``), ``asked`` (a question, the words of the text that answer
and, where these are in more than one section, the heading of the one meant), ``absent`` (questions), and the same in
the other language, ``asked_other`` and ``absent_other``. One document in eight is held out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bridges import Article, article, bridges
from reader_data import LETTERS, LETTERS_CHINESE, Example
from reader_questions import example, is_held

from engine.providers.embedding_e5 import E5
from engine.structure.sentences import is_cjk, split_sentences

FOLDER = Path(__file__).parent / "reader_documents"
_HELD_OUT = 8
# A question is shown with so many sections that do not answer it; in a list there are so many.
_NEAREST_OF_ASKED, _NEAREST_OF_ABSENT, OTHERS = 3, 3, 3
_ALL_BUT = 0.35
_QUERY, _PASSAGE = "query: ", "passage: "


class _Stretch(NamedTuple):
    """Neighbouring sentences of a section, as long as a reader reads at once; what leads there from the question."""

    title: str
    text: str
    led: str = ""


class Documents:
    """Makes examples of the documents, other ones in every pass."""

    def __init__(self, model: E5, seed: int) -> None:
        self._model, self._random = model, random.Random(seed)

    def of(self, folder: Path = FOLDER) -> Iterator[tuple[bool, list[Example]]]:
        """Yield whether each is held out, and the examples of a question, the one that answers first.

        Where none answers, none of the examples does.
        """
        for path in sorted(folder.glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                for examples in self._of_document(row):
                    yield is_held(row["title"], _HELD_OUT), examples

    def _of_document(self, row: dict[str, Any]) -> Iterator[list[Example]]:
        asked = row["asked"] + row["asked_other"]
        absent = row["absent"] + row["absent_other"]
        sections = [_Stretch(one["heading"], one["text"]) for one in row["sections"]]
        order = self._nearest([one[0] for one in asked] + absent, sections)
        articles = [article([one.title], [s.text for s in split_sentences(one.text)]) for one in sections]
        bare = sections
        for (question, answer, *heading), near in zip(asked, order, strict=False):
            sections = _led(question, bare, articles)
            home = [i for i, one in enumerate(sections) if answer in one.text and heading in ([], [None], [one.title])]
            if not home:
                continue
            others = [i for i in _first_led(near, sections) if answer not in sections[i].text]
            found = sections[home[0]]
            examples = [self._example(question, found, self._around(found.text, answer), answer)]
            examples += [self._without(question, sections[i]) for i in others[:_NEAREST_OF_ASKED]]
            rest = _without_sentence(found.text, answer)
            if rest and self._random.random() < _ALL_BUT:
                examples.append(self._without(question, found._replace(text=rest)))
            yield examples
        for question, near in zip(absent, order[len(asked) :], strict=True):
            sections = _led(question, bare, articles)
            yield [self._without(question, sections[i]) for i in _first_led(near, sections)[:_NEAREST_OF_ABSENT]]

    def _nearest(self, questions: Sequence[str], sections: Sequence[_Stretch]) -> list[list[int]]:
        held = self._model.raw([f"{_PASSAGE}{one.title}\n{one.text}" for one in sections])
        asked = self._model.raw([_QUERY + one for one in questions])
        return [[int(i) for i in row] for row in np.argsort(-(asked @ held.T), axis=1)]

    def _around(self, text: str, answer: str) -> str:
        """Return sentences around the answer, as many as a reader reads at once or fewer."""
        sentences = split_sentences(text)
        at = text.find(answer)
        first = max(i for i, one in enumerate(sentences) if one.start <= at or i == 0)
        last = max(first, *(i for i, one in enumerate(sentences) if one.start < at + len(answer)))
        most = self._random.choice((0.5, 1, 1)) * (LETTERS_CHINESE if is_cjk(text) else LETTERS)
        while True:
            wider = [
                (a, b)
                for a, b in ((first - 1, last), (first, last + 1))
                if a >= 0 and b < len(sentences) and sentences[b].end - sentences[a].start <= most
            ]
            if not wider:
                break
            first, last = self._random.choice(wider)
        return text[sentences[first].start : sentences[last].end]

    def _without(self, question: str, section: _Stretch) -> Example:
        sentences = split_sentences(section.text)
        middle = self._random.choice(sentences)
        return self._example(question, section, self._around(section.text, middle.text.strip()), "")

    def _example(self, question: str, section: _Stretch, text: str, answer: str) -> Example:
        made = example(self._random, question, section.title, text, answer)
        return replace(made, title=f"{section.led}\n{section.title}") if section.led else made


def _first_led(order: Sequence[int], sections: Sequence[_Stretch]) -> list[int]:
    """Return the order with those that are led to before the others, or whatever is led to would answer."""
    return sorted(order, key=lambda i: not sections[i].led)


def _led(question: str, sections: Sequence[_Stretch], articles: Sequence[Article]) -> list[_Stretch]:
    led = bridges(question, articles)
    return [one._replace(led=line) for one, line in zip(sections, led, strict=True)]


def _without_sentence(text: str, answer: str) -> str:
    sentences = [one.text for one in split_sentences(text)]
    kept = [one for one in sentences if answer not in one]
    rest = ("" if is_cjk(text) else " ").join(kept)
    return rest if len(kept) < len(sentences) and len(kept) > 1 and answer not in rest else ""
