"""Question sets: a folder with ``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv`` (the form of BEIR).

A set of pages has a folder ``pdfs`` in the place of the corpus; its passages are the pages, by their file's name
without ".pdf" and the page counted from 0: ``report#12``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import UsageError


@dataclass(frozen=True)
class Passage:
    """A row of the corpus."""

    passage_id: str
    title: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question with the ids of the passages that answer it and its row's other fields."""

    question_id: str
    text: str
    gold: frozenset[str]
    facts: dict[str, Any]


@dataclass(frozen=True)
class Dataset:
    """A question set; only questions with a text and at least one gold passage are kept.

    ``files`` are the PDF files of a set of pages, which has no ``passages``.
    """

    passages: list[Passage]
    questions: list[Question]
    files: list[Path] = field(default_factory=list)


def load_dataset(folder: Path, limit: int | None = None) -> Dataset:
    """Read a question set, at most ``limit`` questions. Raises UsageError that names file and line."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder. Give one with corpus.jsonl, queries.jsonl and qrels.tsv.")
    files = [] if (folder / "corpus.jsonl").exists() else sorted((folder / "pdfs").glob("*.pdf"))
    passages = [] if files else _passages(folder / "corpus.jsonl")
    known = {path.stem for path in files} | {passage.passage_id for passage in passages}
    questions = _questions(folder / "queries.jsonl", _qrels(folder / "qrels.tsv", known, of_pages=bool(files)))
    if not questions:
        raise UsageError(f"{folder} has no question with a gold passage in its corpus.")
    return Dataset(passages, questions[:limit], files)


def _passages(path: Path) -> list[Passage]:
    passages = [Passage(row.id, (row.model_extra or {}).get("title") or "", row.text) for row in _rows(path)]
    return [passage for passage in passages if (passage.title + passage.text).strip()]


def _questions(path: Path, gold: Mapping[str, set[str]]) -> list[Question]:
    return [
        Question(row.id, row.text, frozenset(gold[row.id]), row.model_extra or {})
        for row in _rows(path)
        if row.id in gold and row.text.strip()
    ]


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow", coerce_numbers_to_str=True)

    id: str
    text: str


def _rows(path: Path) -> Iterator[_Row]:
    for place, line in _lines(path):
        try:
            yield _Row.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            named = ".".join(map(str, first["loc"])) or "the row"
            raise UsageError(f"{place} is not as it should be: {named}: {first['msg']}.") from error


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield f"{path}, line {number},", line.rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error


def _qrels(path: Path, known: set[str], of_pages: bool) -> dict[str, set[str]]:
    """Return the gold passages of each question that are among the ``known`` passages, or files of pages."""
    gold: dict[str, set[str]] = {}
    for number, (place, line) in enumerate(_lines(path)):
        fields = line.split("\t")
        try:
            question, passage, score = fields[0], fields[1], float(fields[2])
        except (IndexError, ValueError) as error:
            if number == 0:
                continue  # the header
            raise UsageError(f"{place} is not 'query-id<TAB>corpus-id<TAB>score'.") from error
        if score > 0 and (passage.rpartition("#")[0] if of_pages else passage) in known:
            gold.setdefault(question, set()).add(passage)
    return gold
