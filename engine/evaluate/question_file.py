"""Saved questions as JSON lines, to keep or to take to another library.

A line has ``question``, ``kind``, ``filters`` (only those that are set) and ``expected``: the nodes by
``node_id``, with document, page and snippet for whoever reads the file. The same file gives the same node ids
in any library.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import UsageError
from engine.model import Filters, SavedQuestion

MOST_LINES = 5000
_DEFAULTS = {field.name: field.default for field in dataclasses.fields(Filters)}
_LISTS = {name for name, default in _DEFAULTS.items() if default == ()} | {"pages"}


@dataclass(frozen=True, slots=True)
class Row:
    """A question as a line tells it, with the line's number from 1."""

    line: int
    text: str
    node_ids: list[str]
    kind: str
    filters: Filters


def to_jsonl(questions: Iterable[SavedQuestion]) -> str:
    """Return the questions as JSON lines."""
    return "".join(json.dumps(_line(question), ensure_ascii=False) + "\n" for question in questions)


def from_jsonl(text: str) -> list[Row]:
    """Return what JSON lines hold. Raises UsageError that names the line."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise UsageError("The file has no questions: each line is a JSON object with question and expected.")
    if len(lines) > MOST_LINES:
        raise UsageError(f"The file has {len(lines):,} questions; at most {MOST_LINES:,} are taken at once.")
    return [_row(number, line) for number, line in lines]


def _line(question: SavedQuestion) -> dict[str, Any]:
    expected = [
        {"node_id": one.node_id, "document": one.document, "page": one.page, "snippet": one.snippet}
        for one in question.expected
    ]
    filters = {name: value for name, value in question.filters.to_dict().items() if value not in (None, [])}
    return {"question": question.text, "kind": question.kind, "filters": filters, "expected": expected}


def _row(number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"Line {number} is not JSON: {error}.") from error
    if not isinstance(row, dict) or not isinstance(row.get("question"), str):
        raise UsageError(f"Line {number} has no text under 'question'.")
    expected = row.get("expected")
    if not isinstance(expected, list) or not expected:
        raise UsageError(f"Line {number} has no list of nodes under 'expected'.")
    ids: list[Any] = [one.get("node_id") if isinstance(one, dict) else one for one in expected]
    if not all(isinstance(one, str) for one in ids):
        raise UsageError(f"Line {number} has an expected node without a 'node_id'.")
    kind = row.get("kind") or ""
    return Row(number, row["question"], ids, str(kind), _filters(row.get("filters") or {}, number))


def _filters(given: Any, number: int) -> Filters:
    if not isinstance(given, Mapping) or given.keys() - _DEFAULTS.keys():
        raise UsageError(f"Line {number} has 'filters' that are none.")
    told = {name: value for name, value in given.items() if value is not None}
    if not all(isinstance(told[name], list) for name in told if name in _LISTS):
        raise UsageError(f"Line {number} has a filter that is not a list.")
    return Filters.from_dict(told)
