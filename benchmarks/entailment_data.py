"""Statements with texts that say them, contradict them or leave them open: what the judge is trained on.

Most worth have the statements written for this project (``statements/*.jsonl``): true and false ones about sections of
the invented documents and about tables, in other words and across Chinese and English; those of ``r*.jsonl`` are about
real ones (each with its source and licence), of which one document in four is held out. Beside them come statements
made from question sets: a text's own sentences, their parts, the same sentence in the other language (XQuAD), and the
same with one thing altered (a number, an answer put for another, a word for its contrary, a denial) or of another
passage. One document in eight of all others is held out. InfoTabS (Gupta et al., ACL 2020; Apache-2.0, github
infotabs/infotabs) has statements about small tables of Wikipedia.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.evaluate.datasets import load_dataset
from engine.structure.sentences import is_cjk, split_sentences

FOLDER = Path(__file__).parent / "statements"
ENTAILED, NEUTRAL, CONTRADICTED = range(3)
_HELD_OUT = 8
_WITH_TITLE = 0.7
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SHORTEST, _SHORTEST_ZH = 25, 10
_TABLE = 60, 620
# What is left of a text that does not say a statement any more.
_WITHOUT = 0.15
_DENIALS = (
    (r"\b(is|was|are|were|can|may|will|must|should)\b(?! not)", r"\1 not"),
    (r"(?<![不没未])(可以|必须|应当|能够|允许|属于|包括|需要)", r"不\1"),
    (r"(?<![不没未])(?<=[\u4e00-\u9fff])是(?=[\u4e00-\u9fff])", "不是"),
)
# What stands on one side is contrary to what stands on the other.
_CONTRARIES = (
    (
        "increase increased increases increasing rise rises rose risen rising grow grows grew grown growth climbed",
        "decrease decreased decreases decreasing fall falls fell fallen falling decline declined declines drop dropped "
        "shrank shrunk",
    ),
    (
        "accept accepted accepts approve approved approves approval granted",
        "reject rejected rejects refused denied",
    ),
    ("open opened opens", "closed close closes"),
    ("enabled enable", "disabled disable"),
    ("won win wins", "lost lose loses"),
    ("true", "false"),
    ("successful succeeded success", "failed fails failure"),
    ("profit", "loss"),
    ("includes include included", "excludes exclude excluded"),
    ("highest", "lowest"),
    ("largest", "smallest"),
    ("maximum", "minimum"),
    ("上升 增加 增长 上涨 提高 上调 攀升", "下降 减少 下跌 降低 下调 下滑"),
    ("盈利", "亏损"),
    ("同意 批准 通过 赞成", "反对 否决 驳回 拒绝"),
    ("支持", "反对 驳回"),
    ("开放 开启 打开", "关闭"),
    ("启用", "禁用 停用"),
    ("成功", "失败"),
    ("最高", "最低"),
    ("最大", "最小"),
)


class Case(NamedTuple):
    """A statement, what the text stands under ("" for nothing), the text, and what the text says of it."""

    statement: str
    title: str
    text: str
    label: int


def written(files: str = "*.jsonl") -> Iterator[tuple[bool, list[Case]]]:
    """Yield whether each is held out, and the cases of a text, of all written statements."""
    for path in sorted(FOLDER.glob(files)):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            title, text = " > ".join([row["document"], *row["path"]]), row["text"]
            said = [Case(one, title, text, ENTAILED) for one in row["true"]]
            for one in row["false"]:
                label = NEUTRAL if one.get("unsaid") else CONTRADICTED
                said.append(Case(one["text"], title, text, label))
            yield held_out(row), said


def of_tables(folder: Path, count: int) -> list[Case]:
    """Return statements of InfoTabS about tables that are not long, as the check sends a table's rows."""
    by_table: dict[str, list[list[str]]] = {}
    for line in (folder / "data/maindata/infotabs_train.tsv").read_text("utf-8").splitlines()[1:]:
        _, table, statement, label, *_ = line.split("\t")
        by_table.setdefault(table, []).append([statement, label])
    found = []
    for table in random.sample(sorted(by_table), len(by_table)):
        told = json.loads((folder / "data/tables/json" / f"{table}.json").read_text("utf-8"))
        title = told.pop("title", [""])[0]
        text = "\n".join(f"{name} | {', '.join(values)}" for name, values in told.items())
        if _TABLE[0] < len(text) < _TABLE[1]:
            cases = random.sample(by_table[table], min(4, len(by_table[table])))
            found += [Case(one, title, text, "ENC".index(label)) for one, label in cases]
    return found[:count]


def held_out(row: dict[str, Any]) -> bool:
    """Return whether a text is held out; those of real documents say it themselves."""
    return bool(row["held"]) if "held" in row else is_held(row["document"])


def is_held(name: str) -> bool:
    """Return whether what belongs to a document is held out."""
    return hashlib.sha256(name.encode()).digest()[0] % _HELD_OUT == 0


class Made:
    """Makes cases of question sets, other ones with every seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, texts: Path, parallel: Path | None = None) -> Iterator[tuple[bool, Case]]:
        """Yield cases of a set; ``parallel`` has the same passages in the other language."""
        dataset = load_dataset(texts)
        others = {one.passage_id: one.text for one in load_dataset(parallel).passages} if parallel else {}
        answers = _answers(texts)
        passages = list(dataset.passages)
        for at, passage in enumerate(passages):
            held = is_held(passage.title or passage.passage_id)
            sentences = [one.text for one in split_sentences(passage.text, False)]
            in_other = [one.text for one in split_sentences(others.get(passage.passage_id, ""), False)]
            aligned = in_other if len(in_other) == len(sentences) else []
            nearby = [one for one in passages[max(0, at - 3) : at + 4] if one is not passage]
            for place in range(len(sentences)):
                for case in self._of_sentence(
                    sentences, place, passage.title, aligned, nearby, answers.get(passage.passage_id, [])
                ):
                    yield held, case

    def _of_sentence(
        self,
        sentences: Sequence[str],
        place: int,
        title: str,
        aligned: Sequence[str],
        nearby: Sequence[object],
        answers: Sequence[str],
    ) -> Iterator[Case]:
        own = sentences[place]
        if len(own) < (_SHORTEST_ZH if is_cjk(own) else _SHORTEST):
            return
        first = max(0, place - self._random.randint(0, 3))
        stretch = list(sentences[first : place + 1 + self._random.randint(0, 3)])
        title = title.replace("_", " ") if self._random.random() < _WITH_TITLE else ""
        text = _joined(stretch)
        said = aligned[place] if aligned and self._random.random() < 0.6 else own
        clause = self._part(said)
        yield Case(clause, title, text, ENTAILED)
        if altered := self._altered(said, answers if said is own else [], text):
            yield Case(self._part(altered, keep=altered), title, text, CONTRADICTED)
        if self._random.random() < _WITHOUT and len(stretch) > 1:
            yield Case(clause, title, _joined([one for one in stretch if one is not own]), NEUTRAL)
        elif nearby and self._random.random() < _WITHOUT:
            yield Case(clause, title, getattr(self._random.choice(nearby), "text", "")[:900], NEUTRAL)

    def _part(self, sentence: str, keep: str = "") -> str:
        """Return a sentence, or one half of it where it has a comma."""
        halves = re.split(r"(?<=[，；])|(?<=[,;]) ", sentence)
        if keep or len(halves) < 2 or self._random.random() < 0.6:
            return sentence
        cut = self._random.randint(1, len(halves) - 1)
        least = _SHORTEST_ZH if is_cjk(sentence) else _SHORTEST
        joint = "" if is_cjk(sentence) else " "
        part = self._random.choice([joint.join(halves[:cut]), joint.join(halves[cut:])]).strip(" ,，;；")
        return part if len(part) >= least else sentence

    def _altered(self, sentence: str, answers: Sequence[str], text: str) -> str:
        """Return a sentence with one thing put for another, "" where nothing can be."""
        ways = [self._other_number, self._contrary, self._denied]
        self._random.shuffle(ways)
        if (swapped := self._other_answer(sentence, answers)) and self._random.random() < 0.6:
            return swapped
        return next((made for way in ways if (made := way(sentence)) and made not in text), "")

    def _other_answer(self, sentence: str, answers: Sequence[str]) -> str:
        there = [one for one in answers if one in sentence and len(one) < 0.6 * len(sentence)]
        if not there:
            return ""
        old = self._random.choice(there)
        alike = [
            one
            for one in answers
            if one not in sentence and bool(_NUMBER.search(one)) == bool(_NUMBER.search(old))
            and 0.5 < len(one) / len(old) < 2
        ]  # fmt: skip
        return sentence.replace(old, self._random.choice(alike)) if alike else ""

    def _other_number(self, sentence: str) -> str:
        found = list(_NUMBER.finditer(sentence))
        if not found:
            return ""
        one = self._random.choice(found)
        digits = one[0]
        at = self._random.choice([i for i, letter in enumerate(digits) if letter.isdigit()])
        new = self._random.choice([digit for digit in "123456789" if digit != digits[at]])
        return sentence[: one.start() + at] + new + sentence[one.start() + at + 1 :]

    def _contrary(self, sentence: str) -> str:
        pairs = [(a.split(), b.split()) for a, b in _CONTRARIES]
        for own, other in self._random.sample([*pairs, *((b, a) for a, b in pairs)], 2 * len(pairs)):
            for at, word in enumerate(own):
                pattern = word if is_cjk(word) else rf"\b{word}\b"
                if re.search(pattern, sentence):
                    return re.sub(pattern, other[min(at, len(other) - 1)], sentence, count=1)
        return ""

    def _denied(self, sentence: str) -> str:
        for pattern, new in _DENIALS:
            if re.search(pattern, sentence):
                return re.sub(pattern, new, sentence, count=1)
        return ""


def _joined(sentences: Sequence[str]) -> str:
    return ("" if is_cjk(sentences[0]) else " ").join(sentences)


def _answers(folder: Path) -> dict[str, list[str]]:
    """Return the answers of all questions to each passage."""
    asked = {}
    for line in (folder / "queries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        asked[row["id"]] = row.get("answers") or []
    found: dict[str, list[str]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        question, passage, *_ = line.split("\t")
        found.setdefault(passage, []).extend(asked.get(question, [])[:1])
    return found
