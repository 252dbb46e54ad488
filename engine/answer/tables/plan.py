"""A model writes the query: it sees schema, sample rows and matching values, and answers in the algebra as JSON.

The model only chooses columns, conditions and an operation; every number comes from the cells. A plan that cannot be
run is sent back once with the reason; after that the question goes the way without a model's plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.answer.tables.answering import TableAnswer, TableHit, answered
from engine.answer.tables.link import link
from engine.answer.tables.named import query_of
from engine.answer.tables.parse import Reading
from engine.answer.tables.query import RefusedOperationError
from engine.answer.tables.schema_text import described
from engine.answer.tables.store import QueryFailedError
from engine.errors import ProviderError
from engine.providers.prompts import prompt

if TYPE_CHECKING:
    from engine.providers.llm import Llm

MOST_TABLES = 3
_MOST_TOKENS = 400
_KEPT_REPLY = 600
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Planned:
    """What became of asking for a plan: the answer, or why there is none, and the plan as the model wrote it."""

    answer: TableAnswer | None
    plan: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


def plan_answer(
    question: str,
    tables: Sequence[TableHit],
    chinese: bool,
    llm: Llm,
    cancelled: Callable[[], bool] | None = None,
) -> Planned:
    """Return what a model's query over the tables gives.

    Raises CancelledError; a model that fails or writes no plan gives no answer, and the reason.
    """
    shown = list(tables[:MOST_TABLES])
    tables_text = "\n\n".join(described(n, table.linked, question) for n, table in enumerate(shown, 1))
    messages: list[dict[str, str]] = [
        {"role": "system", "content": prompt("table_query")},
        {"role": "user", "content": f"{tables_text}\n\nQuestion: {' '.join(question.split())}"},
    ]
    plan: Mapping[str, Any] = {}
    reason = ""
    for _ in range(2):
        try:
            reply = llm.complete(messages, max_tokens=_MOST_TOKENS, json=True, cancelled=cancelled)
        except ProviderError as error:
            return Planned(None, plan, str(error))
        plan = _read(reply.text)
        if str(plan.get("operation", "")).casefold() == "none":
            return Planned(None, plan)
        try:
            return Planned(_run(plan, question, shown, chinese), plan)
        except (RefusedOperationError, QueryFailedError) as error:
            reason = str(error)
        messages = [
            *messages,
            {"role": "assistant", "content": reply.text[:_KEPT_REPLY] or "…"},
            {"role": "user", "content": f"{reason} Reply with the corrected JSON object."},
        ]
    return Planned(None, plan, reason)


def _run(plan: Mapping[str, Any], question: str, tables: Sequence[TableHit], chinese: bool) -> TableAnswer:
    number = plan.get("table", 1)
    table = tables[number - 1] if isinstance(number, int) and 1 <= number <= len(tables) else tables[0]
    query = query_of(plan, table.linked)
    reading = Reading(query, 1.0, link(question, table.linked))
    made = answered(reading, table, chinese)
    if made is None:
        raise RefusedOperationError("nothing_chosen")
    return made


def _read(text: str) -> dict[str, Any]:
    """Return the JSON object in a reply, {} where there is none."""
    match = _OBJECT.search(text)
    try:
        found = json.loads(match[0]) if match else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
