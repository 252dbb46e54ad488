"""Short everyday questions of invented passages, which the reader is trained on beside the question sets.

``reader_questions/*.jsonl``, written for this project: contracts, notices, manuals, minutes, news, statutes and
articles of an encyclopedia in Chinese and English, each with what people ask of it in a few words, mostly not those of
the passage ("Who pays for freight?" of "Carriage is for the account of the Seller"), and as much that they might ask
and it does not say. One passage in ten is held out, and those in ``apart``, by another writer, are not trained on.

A line has ``title``, ``text``, ``asked`` (pairs of a question and the words of the text that answer), ``absent``
(questions), and the same in the other language, ``asked_other`` and ``absent_other``. Laws are learned from in lists
instead: the article that a question is about, among others that are near to it in meaning.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from reader_data import Example

from engine.structure.sentences import is_cjk, split_sentences

FOLDER = Path(__file__).parent / "reader_questions"
APART = FOLDER / "apart"
# Of five questions that are answered two see only some of the sentences, one all but the one that answers.
_SOME, _ALL_BUT, _SOME_OF_ABSENT = 0.45, 0.35, 0.3
_WITH_TITLE, _WITHOUT_MARK = 0.7, 0.25
_HELD_OUT, _HELD_OUT_LAWS = 10, 3
# A list is the article and so many others of those that are nearest.
OTHERS, _NEAREST = 5, 14
_LAW_LETTERS = 200


class Short:
    """Makes examples of the passages, other ones in every pass."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, folder: Path = FOLDER) -> Iterator[tuple[bool, Example]]:
        """Yield whether each is held out, and the examples of all passages."""
        for path in sorted(folder.glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                held = is_held(row["text"], _HELD_OUT)
                for example in self._of_passage(row):
                    yield held, example

    def _of_passage(self, row: dict[str, Any]) -> Iterator[Example]:
        text = row["text"]
        sentences = [one.text for one in split_sentences(text)]
        between = "" if is_cjk(text) else " "
        for question, answer in row["asked"] + row["asked_other"]:
            place = next((i for i, one in enumerate(sentences) if answer in one), None)
            shown = text
            if place is not None and len(sentences) > 1 and self._random.random() < _SOME:
                first = self._random.randint(max(0, place - 1), place)
                last = self._random.randint(place, min(len(sentences) - 1, place + 1))
                shown = between.join(sentences[first : last + 1])
            yield example(self._random, question, row["title"], shown, answer)
            rest = between.join(one for i, one in enumerate(sentences) if i != place)
            if len(sentences) > 2 and answer not in rest and self._random.random() < _ALL_BUT:
                yield example(self._random, question, row["title"], rest, "")
        for question in row["absent"] + row["absent_other"]:
            shown = text
            if len(sentences) > 2 and self._random.random() < _SOME_OF_ABSENT:
                first = self._random.randrange(len(sentences) - 1)
                shown = between.join(sentences[first : first + self._random.randint(1, 3)])
            yield example(self._random, question, row["title"], shown, "")


def example(chance: random.Random, question: str, title: str, text: str, answer: str) -> Example:
    """Return a question with a text, by ``chance`` without its question mark or without the title above the text."""
    asked = question.rstrip("?？") if chance.random() < _WITHOUT_MARK else question
    above = title if chance.random() < _WITH_TITLE else ""
    start = text.find(answer) if answer else -1
    return Example(asked, above, text, start, start + len(answer) if start >= 0 else -1)


def of_laws(folder: Path, nearest: Callable[[str], Sequence[str]], seed: int) -> Iterator[list[Example]]:
    """Yield lists of one article that a question is about and ``OTHERS`` that it is not; a law in three is held out.

    ``folder`` is a set of laws whose passages name theirs (``law``); ``nearest`` gives the ids of the articles that are
    nearest to a question (its id) in meaning.
    """
    chance = random.Random(seed)
    articles = {row["id"]: row for row in _rows(folder / "corpus.jsonl")}
    gold: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        question_id, article, *_ = line.split("\t")
        gold.setdefault(question_id, set()).add(article)
    for row in _rows(folder / "queries.jsonl"):
        about = gold.get(row["id"], set()) & articles.keys()
        if not about or any(is_held(articles[one]["law"], _HELD_OUT_LAWS) for one in about):
            continue
        others = [one for one in nearest(row["id"]) if one not in about][:_NEAREST]
        if len(others) >= OTHERS:
            shown = [chance.choice(sorted(about)), *chance.sample(others, OTHERS)]
            yield [Example(row["text"], articles[one]["title"], articles[one]["text"][:_LAW_LETTERS]) for one in shown]


def is_held(text: str, of: int) -> bool:
    """Tell whether a text is among the one in ``of`` that is kept from training."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16) % of == 0


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
