"""Measure when questions are refused: each half of a dataset's questions with and without its passages.

    python benchmarks/refusals.py DATASET_FOLDER… [--questions 100] [--no-vectors]

A dataset has the form of ``dropqa eval``. For half of the sampled questions every gold passage (and every
passage that holds a known answer, with ``--strict``) is left out of a temporary library; those should be
refused, the others answered. Printed are precision and recall of the refusals, and how many of the
answered questions' answers hold a known answer string.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.config import Settings
from engine.library import Library


def main() -> None:
    """Run the measurement for each folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("datasets", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--no-vectors", action="store_true")
    parser.add_argument("--show", action="store_true", help="print every wrong verdict")
    options = parser.parse_args()
    for folder in options.datasets:
        print(json.dumps({"dataset": folder.name, **measure(folder, options)}))


def measure(folder: Path, options: argparse.Namespace) -> dict[str, float]:
    """Build the library of one dataset, ask, and return the figures."""
    corpus = {row["id"]: row for row in _rows(folder / "corpus.jsonl")}
    gold = _gold(folder / "qrels.tsv")
    questions = [row for row in _rows(folder / "queries.jsonl") if gold.get(row["id"])]
    random.Random(11).shuffle(questions)
    questions = questions[: options.questions]
    without = questions[: len(questions) // 2]
    hidden = set().union(*(gold[question["id"]] for question in without))
    if options.strict:
        answers = [a for q in without for a in _strings(q.get("answers", [])) if len(a) > 1]
        hidden |= {key for key, row in corpus.items() if any(a in _folded(row["text"]) for a in answers)}
    answerable = [q for q in questions[len(without) :] if not gold[q["id"]] & hidden]
    settings = Settings.model_validate({"embedding": {"enabled": not options.no_vectors}})
    with (
        tempfile.TemporaryDirectory() as temporary,
        Library.open(Path(temporary) / "library", settings=settings, background=False) as library,
    ):
        rows = [(f"{key}.txt", _text(row)) for key, row in corpus.items() if key not in hidden]
        library.add_texts(rows)
        library.embed_pending()
        refused, _ = _asked(library, without, options.show and "answered")
        wrongly, right = _asked(library, answerable, options.show and "refused")
    return {
        "unanswerable": len(without),
        "answerable": len(answerable),
        "refusal_precision": round(refused / max(1, refused + wrongly * len(without) / max(1, len(answerable))), 3),
        "refusal_recall": round(refused / max(1, len(without)), 3),
        "wrongly_refused": round(wrongly / max(1, len(answerable)), 3),
        "answers_hold_answer": round(right / max(1, len(answerable)), 3),
    }


def _asked(library: Library, questions: list[dict[str, Any]], show: str | bool) -> tuple[int, int]:
    """Ask all; return how many were refused, and how many answers hold a known answer."""
    refused = right = 0
    for question in questions:
        answer = library.ask(question["text"])
        refused += not answer.answered
        right += _holds_answer(answer.answer, question)
        if (show == "refused" and not answer.answered) or (show == "answered" and answer.answered):
            print(f"{show}: {question['text']} {question.get('answers')}\n  {answer.answer!r}")
    return refused, right


def _holds_answer(text: str, question: dict[str, Any]) -> bool:
    return any(answer in _folded(text) for answer in _strings(question.get("answers", [])))


def _strings(answers: Any) -> Iterator[str]:
    for answer in answers if isinstance(answers, list) else [answers]:
        if isinstance(answer, list):
            yield from _strings(answer)
        else:
            yield _folded(str(answer))


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _text(row: dict[str, Any]) -> str:
    title = row.get("title") or ""
    return f"{title}\n\n{row['text']}" if title else str(row["text"])


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _gold(path: Path) -> dict[str, set[str]]:
    gold: dict[str, set[str]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        query, document, score = line.split("\t")
        if float(score) > 0:
            gold.setdefault(query, set()).add(document)
    return gold


if __name__ == "__main__":
    main()
