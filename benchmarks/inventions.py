"""A scripted model that tells the truth from its evidence and invents something in every answer."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from engine.model import Answer
from engine.structure.sentences import is_cjk, split_sentences
from tests.openai_server import evidence_in

GOOD = ("supported", "computed")
KINDS = ("source", "node", "quotation", "number", "sentence", "other_source")
SENTENCES = (
    "A flock of violet penguins audited the warehouse on Sunday.", "The moon office was moved to a glass submarine.",
    "Seven poets rewrote the bylaws with chalk.",
)  # fmt: skip
SENTENCES_ZH = ("一群紫色企鹅在周日盘点了仓库。", "月球办事处迁入了玻璃潜艇。", "七位诗人用粉笔重写了章程。")
QUOTATION, QUOTATION_ZH = "zebras run the northern branch office", "斑马掌管着北方的分店"


@dataclass(frozen=True)
class Invention:
    """What was invented in one answer: its kind, the words of it, and the sentence that holds it."""

    kind: str
    words: str
    sentence: str


class Inventor:
    """Replies from the evidence with one invention of each of two kinds, and checks what became of them."""

    def __init__(self, seed: int = 7) -> None:
        self._rng = random.Random(seed)
        self._made: list[Invention] = []
        self._evidence: list[str] = []
        self._total: Counter[str] = Counter()
        self._caught: Counter[str] = Counter()

    def next_answer(self) -> None:
        """Forget what was invented before."""
        self._made, self._evidence = [], []

    def reply(self, body: dict[str, Any]) -> str:
        """Return a reply to a chat call: a quotation, a paraphrase, and two inventions."""
        evidence = self._evidence = evidence_in(body)
        if not evidence:
            return "NOT_IN_DOCUMENTS"
        self._made = []
        said = [self._true(evidence, paraphrased) for paraphrased in (False, True)]
        for kind in self._rng.sample(KINDS, 2):
            made = self._invent(kind, evidence)
            if made is not None:
                self._made.append(made)
                said.append(made.sentence)
        return "".join(f"{one} " if _ended(one) else f"{one}\n" for one in said).strip()

    def hold(self, answer: Answer, show: bool) -> None:
        """Count what was invented for this answer and what of it was caught."""
        for made in self._made:
            self._total[made.kind] += 1
            caught = self._is_caught(made, answer)
            self._caught[made.kind] += caught
            if show and not caught:
                print(f"not caught: {made}\n  {answer.answer}\n  {answer.warnings}")

    def figures(self) -> dict[str, list[int]]:
        """Return (caught, invented) by kind."""
        return {kind: [self._caught[kind], self._total[kind]] for kind in KINDS}

    def _is_caught(self, made: Invention, answer: Answer) -> bool:
        if answer.engine == "extractive":  # the reply was put aside
            return True
        if made.kind in ("source", "node"):
            warned = " ".join(answer.warnings)
            return f"[{made.words}]" not in answer.answer and made.words in warned
        if made.kind == "other_source":
            return _rightly_cited(made, answer)
        return made.words not in answer.answer or any(
            made.words in answer.answer[one.start : one.end] and one.state not in GOOD for one in answer.statements
        )

    def _invent(self, kind: str, evidence: list[str]) -> Invention | None:
        chinese = is_cjk(evidence[0])
        if kind == "source":
            return Invention(kind, "98", f"{self._true(evidence, False, marked=False)} [98]")
        if kind == "node":
            return Invention(kind, "n0123456789abcd", f"{self._true(evidence, False, marked=False)} [n0123456789abcd]")
        if kind == "sentence":
            sentence = self._rng.choice(SENTENCES_ZH if chinese else SENTENCES)
            return Invention(kind, sentence[:12], f"{sentence} [1]")
        index, sentence = self._pick(evidence)
        if kind == "quotation":
            quote = QUOTATION_ZH if chinese else QUOTATION
            return Invention(kind, quote, f"{sentence.rstrip('.。')} “{quote}” [{index + 1}]")
        if kind == "number":
            numbers = list(re.finditer(r"(?<![\w.,])\d[\d,.]*\d(?![\w])", sentence))
            if not numbers or len(sentence) < 15:
                return None
            match = self._rng.choice(numbers)
            words = str(self._rng.randint(30_000_000, 90_000_000))
            changed = sentence[: match.start()] + words + sentence[match.end() :]
            return Invention(kind, words, f"{changed} [{index + 1}]")
        others = [i for i, text in enumerate(evidence) if i != index and sentence not in text]
        if not others or len(sentence) < 20:
            return None
        return Invention(kind, sentence[:30], f"{sentence} [{self._rng.choice(others) + 1}]")

    def _true(self, evidence: list[str], paraphrased: bool, marked: bool = True) -> str:
        index, sentence = self._pick(evidence)
        if paraphrased:
            words = sentence.split(" ")
            sentence = " ".join(word for i, word in enumerate(words) if i % 6 != 5) or sentence
        return f"{sentence} [{index + 1}]" if marked else sentence

    def _pick(self, evidence: list[str]) -> tuple[int, str]:
        index = self._rng.randrange(len(evidence))
        sentences = split_sentences(evidence[index], by_line=" | " in evidence[index])
        return index, self._rng.choice(sentences).text.replace("\n", " ")


def _ended(sentence: str) -> bool:
    """True when a sentence has its full stop; a row of a table or a heading stands on its own line."""
    return re.sub(r"\s*\[\w+\]$", "", sentence)[-1:] in (".", "。", "!", "?", "！", "？")


def _rightly_cited(made: Invention, answer: Answer) -> bool:
    """True when the sentence given to another source is cited from where it stands, or not at all."""
    mine = [one for one in answer.statements if made.words in answer.answer[one.start : one.end]]
    if any(one.state not in GOOD for one in mine) or not mine:
        return True
    start = answer.answer.find(made.words)
    marks = re.findall(r"\[(\d+)\]", answer.answer[start : start + len(made.sentence) + 12])
    snippets = [source.snippet for source in answer.sources if str(source.n) in marks]
    shared = [_share(made.sentence, snippet) for snippet in snippets]
    return not shared or min(shared) >= 0.3


def _share(sentence: str, snippet: str) -> float:
    """Return the share of the sentence's words (or characters) that the snippet has."""
    bare = re.sub(r"\[\d+\]$", "", sentence)
    units = set(re.findall(r"[\u4e00-\u9fff]|[A-Za-z]+|\d[\d.,]*", bare))
    return sum(unit in snippet for unit in units) / len(units) if units else 1.0
