"""Questions with stretches of text that answer them, or do not: what the reader is trained on.

From question sets (``corpus.jsonl``, ``queries.jsonl`` with ``answers`` and ``answer_start``, ``qrels.tsv``) every
question gets stretches of one to five sentences around its answer, and as many that lack it: the sentences of the same
passage without the answer that share most with the question, the nearest ones of the same article, and those of
another. A third of the questions is asked in key words ("date the lease begins"). One article in five is held out.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk, split_sentences

LETTERS, LETTERS_CHINESE = 430, 200
_IN_KEY_WORDS = 0.35
_WITH_TITLE = 0.7
_HELD_OUT = 5
# What is asked for by a word in the middle of a question, and its noun.
_NOUNS = (
    (r"(?:是)?[在于於]?(?:何时|何時|什[么麼]时候|什麼時候|哪一?[年天])", "的时间", "的時間"),
    (
        r"(?:位[于於]|是|在|于|於)?在?(?:哪[里裡裏儿]|何[处處地]|(?:什[么麼]|哪[个個])地方)",
        "的地点",
        "的地點",
    ),
    (r"为什么|為什麼|为何|為何", "的原因", "的原因"),
    (r"如何|怎[么麼样樣]", "的方法", "的方法"),
)
_AT_THE_END = re.compile(
    r"(?:是|叫做?|[为為]|有|称为|稱為|[达達])?(?:[谁誰]|什[么麼](?:名字|名[称稱])?|多少|[几幾]|哪些|哪一?[个個])$"
)
_TRADITIONAL = re.compile("[麼時個為國來會這樣誰裡]")
_ENGLISH = re.compile(
    r"(what|who|which|whose|when|where|why|how many|how much|how)\b\s*"
    r"(?:is|was|were|are|did|does|do|has|have|had|can|could)?\s*(.*)$",
    re.IGNORECASE,
)
_ENGLISH_NOUNS = {
    "when": " date",
    "where": " place",
    "why": " reason",
    "how many": " number",
    "how much": " amount",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what the text stands under, the text, and the letters of the answer there; both -1 for none."""

    question: str
    title: str
    text: str
    start: int = -1
    end: int = -1

    @property
    def answers(self) -> bool:
        """True where the text answers."""
        return self.start >= 0


def held_out(title: str) -> bool:
    """Tell whether an article is kept from training."""
    return int(hashlib.md5(title.encode(), usedforsecurity=False).hexdigest(), 16) % _HELD_OUT == 0


class Examples:
    """Makes examples from question sets, other ones in every pass."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(
        self,
        texts: Path,
        questions: Path,
        nearest: Callable[[str], Sequence[str]],
        simplified: Callable[[str], str] | None = None,
    ) -> Iterator[tuple[bool, Example]]:
        """Yield whether each is held out, and the examples of the texts of one set and the questions of a parallel one.

        ``nearest`` gives the ids of the passages that are nearest to a question (its id) in meaning; ``simplified``
        turns both into another script.
        """
        change = simplified or (lambda text: text)
        passages = {
            row["id"]: {key: change(row[key]) for key in ("title", "text")} for row in _rows(texts / "corpus.jsonl")
        }
        original = {row["id"]: row["title"] for row in _rows(texts / "corpus.jsonl")}
        asked = {row["id"]: change(row["text"]) for row in _rows(questions / "queries.jsonl")}
        gold = dict(line.split("\t")[:2] for line in (texts / "qrels.tsv").read_text("utf-8").splitlines()[1:])
        by_article: dict[str, list[str]] = {}
        for key, title in original.items():
            by_article.setdefault(title, []).append(key)
        sentences = {key: [one.text for one in split_sentences(row["text"])] for key, row in passages.items()}
        for row in _rows(texts / "queries.jsonl"):
            key = gold[row["id"]]
            answer, title = change(row["answers"][0]), passages[key]["title"]
            hit = _sentence_of(passages[key]["text"], sentences[key], answer, row.get("answer_start"))
            if hit is None or row["id"] not in asked:
                continue
            held = held_out(original[key])
            question = asked[row["id"]] if held else self._in_key_words(asked[row["id"]])
            for most in (1, self._random.choice((2, 3, 4, 5))):
                yield held, self._example(question, title, self._around(sentences[key], hit, most), answer)
            near = [other for other in by_article[original[key]] if other != key]
            far = [other for other in nearest(row["id"]) if original[other] != original[key]]
            far = [other for other in far if held_out(original[other]) == held][:4]
            for stretch, others in (
                (sentences[key], [key]),
                *(([], group) for group in (near, far) if group),
            ):
                text = self._unanswering(question, answer, stretch, [sentences[other] for other in others])
                if text:
                    yield held, self._example(question, passages[others[0]]["title"], text, "")

    def of_reports(self, folder: Path) -> Iterator[tuple[bool, Example]]:
        """Yield the same of TAT-QA's questions whose answer is a stretch of a paragraph beside a table."""
        beside: dict[str, list[str]] = {}
        for row in _rows(folder / "corpus.jsonl"):
            if row["kind"] == "text":
                beside.setdefault(row["table"], []).append(row["text"])
        for row in _rows(folder / "queries.jsonl"):
            if row["answer_type"] != "span" or row["answer_from"] != "text":
                continue
            answer, held = row["answers"][0], held_out(row["context"])
            paragraphs = [[one.text for one in split_sentences(text)] for text in beside.get(row["context"], [])]
            found = [(one, place) for one in paragraphs for place, text in enumerate(one) if answer in text]
            if len(found) != 1 or len(answer) > 150:
                continue
            question = row["text"] if held else self._in_key_words(row["text"])
            sentences, hit = found[0]
            for most in (1, 3):
                yield held, self._example(question, "", self._around(sentences, hit, most), answer)
            others = [one for one in paragraphs if one is not sentences]
            for text in (
                self._unanswering(question, answer, sentences, []),
                self._unanswering(question, answer, [], others),
            ):
                if text:
                    yield held, self._example(question, "", text, "")

    def _unanswering(self, question: str, answer: str, own: Sequence[str], others: Sequence[Sequence[str]]) -> str:
        """Return sentences without the answer that share most with the question."""
        groups = [[one for one in own if answer not in one]] if own else [list(one) for one in others]
        wanted = set(tokens(question))
        nearest = [
            (len(wanted & set(tokens(one))) / (len(one) ** 0.5 + 5), group, place)
            for group in groups
            for place, one in enumerate(group)
            if answer not in one
        ]
        if not nearest:
            return ""
        _, group, place = self._random.choice(sorted(nearest, key=lambda one: -one[0])[:2])
        text = self._around(group, place, self._random.choice((1, 2, 3, 4)))
        return "" if answer in text else text

    def _around(self, sentences: Sequence[str], place: int, most: int) -> str:
        """Return up to so many neighbouring sentences with the one at this place."""
        first = last = place
        chinese = is_cjk(sentences[place])
        room = LETTERS_CHINESE if chinese else LETTERS
        while last - first + 1 < most:
            free = [at for at in (first - 1, last + 1) if 0 <= at < len(sentences)]
            length = sum(map(len, sentences[first : last + 1]))
            free = [at for at in free if length + len(sentences[at]) <= room]
            if not free:
                break
            at = self._random.choice(free)
            first, last = min(first, at), max(last, at)
        return ("" if chinese else " ").join(sentences[first : last + 1])

    def _example(self, question: str, title: str, text: str, answer: str) -> Example:
        start = text.find(answer) if answer else -1
        above = title.replace("_", " ") if self._random.random() < _WITH_TITLE else ""
        return Example(question, above, text, start, start + len(answer) if answer else -1)

    def _in_key_words(self, question: str) -> str:
        """Return a question as somebody types it into a search box, every third time."""
        if self._random.random() > _IN_KEY_WORDS:
            return question
        bare = question.rstrip("?？。. ")
        if not is_cjk(question):
            match = _ENGLISH.match(bare)
            return match[2] + _ENGLISH_NOUNS.get(match[1].lower(), "") if match and len(match[2]) > 8 else question
        traditional = bool(_TRADITIONAL.search(bare))
        for pattern, noun, in_traditional in _NOUNS:
            if re.search(pattern, bare):
                return re.sub(pattern, "", bare, count=1).rstrip("的是") + (in_traditional if traditional else noun)
        short = _AT_THE_END.sub("", bare).rstrip("的")
        return short if 3 < len(short) < len(bare) else question


def _sentence_of(text: str, sentences: Sequence[str], answer: str, start: int | None) -> int | None:
    """Return the place of the sentence with the answer."""
    if start is None or text[start : start + len(answer)] != answer:
        start = text.find(answer)
    at = 0
    for place, one in enumerate(sentences):
        at = text.find(one, at)
        if 0 <= at <= start and start + len(answer) <= at + len(one):
            return place
        at = max(at, 0)
    return None


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
