"""Open sets of questions about tables, as rows and texts: TAT-QA, AIT-QA, WikiTableQuestions, FeTaQA.

Each set is a folder of JSON lines (WikiTableQuestions: CSV files as well). Nothing here knows how answers are made.
"""

from __future__ import annotations

import csv
import html
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SETS = ("aitqa", "tatqa", "wtq", "fetaqa")


@dataclass(frozen=True)
class SetTable:
    """A table of a set with its title and the paragraphs beside it."""

    table_id: str
    title: str
    rows: list[list[str]]
    paragraphs: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SetQuestion:
    """A question of a set with its gold answers, the scale they are in, and the gold cells (row, column from 0)."""

    table_id: str
    text: str
    answers: list[str]
    scale: str = ""
    computed: bool = False
    cells: tuple[tuple[int, int], ...] = ()


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSON lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def page(title: str, rows: list[list[str]], paragraphs: list[str]) -> str:
    """Return a web page with a table."""
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    heading = f"<h1>{html.escape(title)}</h1>" if title else ""
    text = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs)
    return f"<!doctype html><html><body>{heading}<table>{body}</table>{text}</body></html>"


def aitqa_rows(table: dict[str, Any]) -> list[list[str]]:
    """Return the rows of a table whose headers are given apart, level by level."""
    columns, rows = table["column_header"], table["row_header"]
    depth, width = max(map(len, columns), default=0), max(map(len, rows), default=0)
    header = [[""] * width + [c[level] if level < len(c) else "" for c in columns] for level in range(depth)]
    names = [[*row, *[""] * (width - len(row))] for row in rows] or [[] for _ in table["data"]]
    return header + [names[index] + data for index, data in enumerate(table["data"])]


def load_set(folder: Path, name: str) -> tuple[dict[str, SetTable], list[SetQuestion]]:
    """Return all tables of a set by id, and its questions."""
    queries = list(lines(folder / name / "queries.jsonl"))
    key = "context" if name == "tatqa" else "table"
    tables = {table.table_id: table for table in _tables(folder / name, name)}
    questions = [
        SetQuestion(
            query[key], query["text"], [str(answer) for answer in query["answers"]], query.get("scale", ""),
            query.get("answer_type") in ("arithmetic", "count"), tuple((r, c) for r, c in query.get("cells", [])),
        )
        for query in queries
    ]  # fmt: skip
    return tables, questions


def _tables(folder: Path, name: str) -> Iterator[SetTable]:
    if name == "wtq":
        for row in lines(folder / "corpus.jsonl"):
            with (folder / "tables_csv" / row["id"]).open(encoding="utf-8", newline="") as file:
                yield SetTable(row["id"], row["title"], list(csv.reader(file)))
        return
    if name == "tatqa":
        rows_by_id, paragraphs = {}, defaultdict(list)
        for row in lines(folder / "corpus.jsonl"):
            if row["kind"] == "table":
                rows_by_id[row["id"]] = row["rows"]
            else:
                paragraphs[row["table"]].append(row["text"])
        for identifier, rows in rows_by_id.items():
            yield SetTable(identifier, "", rows, paragraphs[identifier])
        return
    for row in lines(folder / "tables.jsonl"):
        yield SetTable(row["id"], row.get("title", ""), row["rows"] if "rows" in row else aitqa_rows(row))
