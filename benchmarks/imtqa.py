"""IM-TQA: are the cells that answer a question about a Chinese or English table found, all of them and no others?

    python benchmarks/imtqa.py DATA_FOLDER [--limit 100] [--seed 7] [--lang zh|en] [--wrong] [--json]

DATA_FOLDER holds ``tables/imtqa``. Each table, whatever its kind (horizontal, vertical, hierarchical, complex), is
written as a workbook with its cells merged as they were, and a question is asked of its own workbook without a
model. ``exact``: the answer says the gold cells' texts, and the cells it cites, without those that only name rows
and columns, are the gold ones; ``all cells``: the gold cells are among the cited ones; ``said``: their texts stand in
the answer.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
from workbooks import values
from workbooks.judging import Gold, ranges_of, says

from engine.ingest import Source
from engine.library import Library
from engine.model import Filters

_VALUES = {"zh": "chinese_cell_value_list", "en": "english_cell_value_list"}
_QUESTIONS = {"zh": "chinese_question", "en": "english_question"}


def workbook_of(table: Mapping[str, Any], language: str) -> bytes:
    """Return a table as a workbook: a cell that stands in several places of the matrix is merged."""
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Sheet1", 0)
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row, cells in enumerate(table["cell_ID_matrix"], 1):
        for column, cell in enumerate(cells, 1):
            places[cell].append((row, column))
    for cell, at in places.items():
        (top, left), (bottom, right) = at[0], at[-1]
        sheet.cell(top, left, table[_VALUES[language]][cell].strip() or None)
        if len(at) == (bottom - top + 1) * (right - left + 1) > 1:
            sheet.merge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def cells_of(citation: str, matrix: Sequence[Sequence[int]]) -> set[int]:
    """Return the ids of the cells that a citation names."""
    return {
        matrix[row - 1][column - 1]
        for _, left, top, right, bottom in ranges_of(citation)
        for row in range(top, min(bottom, len(matrix)) + 1)
        for column in range(left, min(right, len(matrix[row - 1])) + 1)
    }


def outcome(
    question: Mapping[str, Any], table: Mapping[str, Any], answer: Mapping[str, Any], language: str
) -> dict[str, bool]:
    """Return what became of a question: answered, exact, all cells, said."""
    gold = set(question["answer_cell_list"])
    heads = {*table["column_attribute"], *table["row_attribute"], *table["column_index"], *table["row_index"]}
    cited: set[int] = set()
    for source in answer["sources"]:
        cited |= cells_of(source["cell"] or "", table["cell_ID_matrix"])
    texts = table[_VALUES[language]]
    told = [_gold(texts[cell]) for cell in gold if texts[cell].strip()]
    answered = bool(answer["answered"])
    said = answered and says(told, str(answer["answer"]))
    return {
        "answered": answered,
        "exact": said and bool(cited) and cited - (heads - gold) == gold,
        "all cells": answered and gold <= cited,
        "said": said,
    }


def _gold(text: str) -> Gold:
    number = values.number(text.strip())
    return Gold((text,)) if number is None else Gold((), number, text.strip().endswith("%"))


def measure(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Ask the questions and return the figures by kind of table and of question."""
    language = options.lang
    tables = {t["table_id"]: t for t in json.loads((folder / "imtqa_dev_tables.json").read_text("utf-8"))}
    questions = json.loads((folder / "imtqa_dev_questions.json").read_text("utf-8"))
    asked = random.Random(options.seed).sample(questions, min(options.limit, len(questions)))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with (
        tempfile.TemporaryDirectory() as temporary,
        Library.open(Path(temporary) / "library", background=False) as library,
    ):
        needed = sorted({question["table_id"] for question in asked})
        library.add([Source(f"{name}.xlsx", workbook_of(tables[name], language)) for name in needed])
        library.embed_pending()
        for question in asked:
            table = tables[question["table_id"]]
            text, filters = (
                question[_QUESTIONS[language]],
                Filters(documents=(f"{question['table_id']}.xlsx",)),
            )
            answer = library.ask(text, filters=filters).to_dict()
            found = outcome(question, table, answer, language)
            for group in ("all", table["table_type"], question["question_type"]):
                counts[group].update(asked=1, **{name: int(value) for name, value in found.items()})
            if options.wrong and not found["exact"]:
                gold = [table[_VALUES[language]][cell] for cell in question["answer_cell_list"]]
                told = {
                    "kind": [table["table_type"], question["question_type"]],
                    "question": text,
                    "gold": gold,
                }
                cited = [source["cell"] for source in answer["sources"]]
                print(
                    json.dumps(
                        {**told, **found, "cited": cited, "answer": answer["answer"][:300]},
                        ensure_ascii=False,
                    )
                )
    return {group: _figures(count) for group, count in counts.items()}


def _figures(count: Counter[str]) -> dict[str, float]:
    asked, answered = count["asked"], count["answered"]
    names = ("asked", "answered", "exact", "all cells", "said")
    return {name: count[name] for name in names} | {
        "exact %": round(100 * count["exact"] / asked, 1),
        "precision of exact %": round(100 * count["exact"] / max(1, answered), 1),
        "precision of all cells %": round(100 * count["all cells"] / max(1, answered), 1),
        "precision of texts %": round(100 * count["said"] / max(1, answered), 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    for flag in ("--wrong", "--json"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    figures = measure(options.data / "tables" / "imtqa", options)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return
    for group, row in figures.items():
        print(f"{group:16}" + ", ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
