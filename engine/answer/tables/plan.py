"""A model writes the queries: it sees schema, sample rows and matching values, and answers in the algebra as JSON.

The model only chooses columns, conditions and an operation; every number comes from the cells. A plan that cannot be
run is sent back once with the reason; after that the question goes the way without a model's plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.answer.phrases import CHINESE, ENGLISH
from engine.answer.tables.answering import TableAnswer, TableHit, answered, touched_rows
from engine.answer.tables.cite import Computed
from engine.answer.tables.link import link
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.named import UnknownNameError, query_of
from engine.answer.tables.parse import Reading
from engine.answer.tables.quantity import Quantity, difference, percent_change, quotient, shown, written
from engine.answer.tables.query import Operation, RefusedOperationError
from engine.answer.tables.relation import Column, Relation
from engine.answer.tables.store import QueryFailedError
from engine.answer.tables.wording import MOST_TOLD
from engine.enrich.units import written_unit
from engine.errors import ProviderError
from engine.index.tokenize import tokens
from engine.providers.context_window import is_small
from engine.providers.prompts import prompt

if TYPE_CHECKING:
    from engine.providers.llm import Llm

MOST_TABLES = 3
_MOST_TOKENS = 1500
_KEPT_REPLY = 1200
# What may be done with the numbers that two queries give.
_THEN: dict[Operation, Callable[..., Quantity]]
_THEN = {"diff": difference, "divide": quotient, "percent_change": percent_change}
_JSON = re.compile(r"\[\s*\{.*\}\s*\]|\{.*\}", re.DOTALL)
_SAMPLES, _MATCHING = 3, 5
# A table of so few rows is shown whole: its rows have names that a query needs.
_SMALL = 15
_LONGEST_CELL = 60
_MOST_COLUMNS, _MOST_NAMED = 40, 200
_MOST_VALUES, _MOST_LEFT = 12, 12


@dataclass(frozen=True, slots=True)
class Planned:
    """What became of asking for a plan: the answer, or why there is none, and the plan as the model wrote it."""

    answer: TableAnswer | None
    plan: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


def plan_answer(
    question: str, tables: Sequence[TableHit], chinese: bool, llm: Llm, cancelled: Callable[[], bool] | None = None,
    further: Sequence[TableHit] = (),
) -> Planned:  # fmt: skip
    """Return what a model's query over the tables gives; ``further`` ones it may ask by their names alone.

    One with a small window is shown one table, once. Raises CancelledError; a model that fails or writes no plan gives
    no answer, and the reason.
    """
    small = is_small(llm.context_tokens)
    shown = list(tables[: 1 if small else MOST_TABLES])
    tables_text = "\n\n".join(described(n, table.linked, question) for n, table in enumerate(shown, 1))
    left = [] if small else [one for one in (*tables, *further) if one not in shown]
    if left := list({id(one.linked): one for one in left}.values())[:_MOST_LEFT]:
        named = (f"table {n}: {_place(one.linked)}" for n, one in enumerate(left, len(shown) + 1))
        tables_text += f"\n\nFurther tables, not shown, with columns of their own: {'; '.join(named)}"
    messages: list[dict[str, str]] = [
        {"role": "system", "content": prompt("table_query")},
        {"role": "user", "content": f"{tables_text}\n\nQuestion: {' '.join(question.split())}"},
    ]
    plan: Mapping[str, Any] = {}
    reason = ""
    for _ in range(1 if small else 2):
        try:
            reply = llm.complete(messages, max_tokens=_MOST_TOKENS, json=True, cancelled=cancelled)
        except ProviderError as error:
            return Planned(None, plan, str(error))
        plan = _read(reply.text)
        if not _queries(plan):
            return Planned(None, plan)
        try:
            return Planned(_run(plan, question, [*shown, *left], chinese), plan)
        except (RefusedOperationError, QueryFailedError) as error:
            reason = str(error)
        messages = [
            *messages,
            {"role": "assistant", "content": reply.text[:_KEPT_REPLY] or "…"},
            {"role": "user", "content": f"{reason} Reply with the corrected JSON object."},
        ]
    return Planned(None, plan, reason)


def _run(plan: Mapping[str, Any], question: str, tables: Sequence[TableHit], chinese: bool) -> TableAnswer:
    first, *others = (_answered(one, question, tables, chinese) for one in _queries(plan))
    if others and (then := next((one for one in _THEN if one == plan.get("then")), None)):
        return _of_both(then, first, others[0], chinese)
    return replace(first, others=tuple(others))


def _of_both(then: Operation, first: TableAnswer, second: TableAnswer, chinese: bool) -> TableAnswer:
    """Return what the single numbers of two queries, of two tables perhaps, come to, before what each gives."""
    entries = [*first.result.entries, *second.result.entries]
    if len(entries) != 2 or any(one.quantity is None for one in entries):
        raise RefusedOperationError("sides_missing")
    a, b = (one.quantity for one in entries if one.quantity)
    made = _THEN[then](a, b)
    words, of = (CHINESE if chinese else ENGLISH).table_words, first.result.query.columns
    measure = first.table.linked.relation.short_name(of[0]) if of else words["count"]
    text = words["is"].format(what=words[then].format(measure=measure), value=shown(made, chinese))
    text = f"{text[:1].upper()}{text[1:]} ({shown(a, chinese)}; {shown(b, chinese)})"
    cited = [*first.computed.citations, *second.computed.citations]
    result = replace(first.result, query=replace(first.result.query, operation=then))
    return replace(first, computed=Computed([written(made.value)], text, cited), result=result, others=(first, second))


def _answered(plan: Mapping[str, Any], question: str, tables: Sequence[TableHit], chinese: bool) -> TableAnswer:
    number = plan.get("table", 1)
    table = tables[number - 1] if isinstance(number, int) and 1 <= number <= len(tables) else tables[0]
    links = link(question, table.linked)
    try:
        query = query_of(plan, table.linked, [c for one in links.columns for c in one.columns])
    except UnknownNameError as error:
        said = frozenset(tokens(error.name)) or {""}
        others = (n for n, one in enumerate(tables, 1) if one is not table and said <= one.linked.named)
        known = [*(f"{error.name} (table {n})" for n in others), *error.known]
        raise UnknownNameError(error.kind, error.name, known) from error
    made = answered(Reading(query, 1.0, links), table, chinese, MOST_TOLD)
    if made is None:
        raise RefusedOperationError("nothing_chosen")
    return replace(made, score=1.0, planned=True)  # the model saw what words alone leave open


def _queries(plan: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the queries of a plan, which may be one itself; none where the tables do not tell."""
    told = plan.get("queries")
    found = [one for one in told if isinstance(one, Mapping)] if isinstance(told, list) else []
    return [one for one in found or [plan] if str(one.get("operation", "")).casefold() != "none"]


def _read(text: str) -> dict[str, Any]:
    """Return the JSON object in a reply, a list of queries as one, {} where there is none."""
    match = _JSON.search(text)
    try:
        found = json.loads(match[0]) if match else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {"queries": found}


def described(number: int, linked: LinkedRelation, question: str) -> str:
    """Return a relation for a prompt: name, columns, three sample rows, and the rows that the question touches."""
    relation = linked.relation
    lines = [f"Table {number}: {_place(linked)} ({len(relation.rows)} rows)", "Columns:"]
    filled = [one for one in relation.columns if any(relation.texts(one.index))]
    columns = filled[:_MOST_COLUMNS]
    for column in columns:
        unit = written_unit(column.unit, column.scale)
        values = sorted(linked.values.texts.get(column.index, {}).items(), key=lambda one: -one[1])
        few = ", ".join(_cut(text, 24) for text, _ in values) if len(values) <= _MOST_VALUES else ""
        told = ", ".join(filter(None, (column.dtype, unit, _own_scale(relation, column))))
        lines.append(f"- {relation.called[column.index]} ({told})" + (f": {few}" if few else ""))
    if further := filled[_MOST_COLUMNS:_MOST_NAMED]:
        called = "; ".join(relation.called[one.index] for one in further)
        lines.append(f"- further columns, of which no cells are shown: {called}")
    first = len(relation.rows) if len(relation.rows) <= _SMALL else _SAMPLES
    shown = list(dict.fromkeys([*range(first), *touched_rows(link(question, linked), relation)[:_MATCHING]]))
    lines.append("Rows:" if first == len(relation.rows) else "Rows, for example:")
    lines += [" | ".join(_cut(relation.text(row, c.index), _LONGEST_CELL) for c in columns) for row in shown]
    return "\n".join(lines)


def _place(linked: LinkedRelation) -> str:
    told = (*linked.context, linked.relation.sheet, linked.relation.caption)
    return _cut(" / ".join(dict.fromkeys(filter(None, told))), 160)


def _own_scale(relation: Relation, column: Column) -> str:
    """Return what a cell with a scale of its own counts as ("335万 is 3350000"), "" where the column has one."""
    if not column.numeric:
        return ""
    words = ((row, text) for row, text in enumerate(relation.texts(column.index)) if any(map(str.isalpha, text)))
    told = ((text, one) for row, text in words if (one := relation.quantity(row, column.index)) is not None)
    return next((f"{text} is {one.amount:f}" for text, one in told if one.scale not in (1, column.scale)), "")


def _cut(text: str, longest: int) -> str:
    """Return a text on one line without what would read as another column, and not too long."""
    plain = " ".join(text.replace("|", "/").split())
    return plain if len(plain) <= longest else plain[: longest - 1].rstrip() + "…"
