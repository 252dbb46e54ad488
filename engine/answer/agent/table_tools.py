"""The table operators as tools: they compute, the model only says with what (seed 002, 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine.answer.agent.library_tools import hit_of, opened
from engine.answer.agent.plan import EvidenceSource, Gap, ObservedEvidence
from engine.answer.agent.tools import Desk, Tool, ToolResult, schema
from engine.answer.phrases import ENGLISH, Phrases
from engine.answer.tables.cite import Computed, cite
from engine.answer.tables.found_tables import relation_at
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.named import UnknownNameError, query_of
from engine.answer.tables.plan import described
from engine.answer.tables.quantity import written
from engine.answer.tables.query import OPERATORS, TABLE, Operator, RefusedOperationError
from engine.answer.tables.run import Result, run
from engine.answer.tables.store import QueryFailedError
from engine.answer.tables.wording import sentence
from engine.enrich.units import written_unit
from engine.errors import UsageError
from engine.index.affordances import supports
from engine.model import Node

_LONGEST = 2000
_SUMMARY = 300
_MOST_SEEN = 50


def table_tools(
    desk: Desk, tables: Callable[[], Sequence[Node]], phrases: Phrases = ENGLISH.tools
) -> list[Tool]:
    """Return every operator as a tool; ``tables`` gives the tables of the evidence, the best first."""
    return [
        _schema_tool(desk, tables, phrases),
        *(_tool(one, desk, tables, phrases) for one in OPERATORS.values()),
    ]


def _schema_tool(desk: Desk, tables: Callable[[], Sequence[Node]], phrases: Phrases) -> Tool:
    def run_schema(table: str = "") -> ToolResult:
        node_id, linked = _opened_table("OPEN_TABLE_SCHEMA", table, desk, tables, phrases)
        text = described(1, linked, "")[:_LONGEST]
        stored = desk.node(node_id)
        return ToolResult(text.splitlines()[0], text, hits=[(hit_of(stored, "opened"), stored)])

    return Tool("OPEN_TABLE_SCHEMA", "table", "The columns of a table with units and types, and sample rows.",
                schema(table=TABLE), run_schema)  # fmt: skip


def _tool(operator: Operator, desk: Desk, tables: Callable[[], Sequence[Node]], phrases: Phrases) -> Tool:
    def run_operator(table: str = "", **params: Any) -> ToolResult:
        node_id, linked = _opened_table(operator.name, table, desk, tables, phrases)
        try:
            result = run(query_of({**params, "operation": operator.operation}, linked), linked.relation)
        except UnknownNameError as error:
            told = error.said(phrases.language)
            return ToolResult(told[:_SUMMARY], told, "empty", gaps=_missing(error))
        except RefusedOperationError as error:
            raise UsageError(error.said(phrases.language)) from error
        except QueryFailedError as error:
            raise UsageError(str(error)) from error
        return _told(operator.name, desk, node_id, linked, result, phrases)

    return Tool(operator.name, "table", operator.description, operator.parameters, run_operator)


def _opened_table(
    operator: str, node_id: str, desk: Desk, tables: Callable[[], Sequence[Node]], phrases: Phrases
) -> tuple[str, LinkedRelation]:
    """Return the table that a call names, else the best one found that affords it. Raises UsageError, NotFoundError."""
    found = [] if node_id else sorted(tables(), key=lambda table: not supports(table, operator))
    node_id = node_id or next((table.node_id for table in found), "")
    if not node_id:
        raise UsageError(phrases.no_table.format(operator=operator))
    stored = desk.node(node_id)
    if stored.node.role != "table":
        raise UsageError(phrases.not_a_table.format(node=node_id, role=stored.node.role))
    return node_id, relation_at(stored, desk.storage)


def _missing(error: UnknownNameError) -> list[Gap]:
    """Return the column or row that was asked for and is in no table."""
    return [Gap("has_col" if error.kind == "column" else "has_row", error.name, "same_document")]


def _told(
    method: str, desk: Desk, node_id: str, linked: LinkedRelation, result: Result, phrases: Phrases
) -> ToolResult:
    text = sentence(result, linked.relation, phrases.language == "zh")[:_LONGEST]
    stored = desk.node(node_id)
    hit = hit_of(stored, method)
    citations = cite(result.cells, linked.relation, hit)
    made = ToolResult(text[:_SUMMARY], text, "empty", hits=[(hit, stored)], opened=[opened(stored)])
    if not (result.entries and citations):
        return made
    first = result.entries[0]
    value = first.said or (written(first.quantity.value) if first.quantity else "")
    observed = _observed(method, linked, result)
    return replace(made, quality="good", observed=observed, computed=[Computed([value], text, citations)])


def _observed(method: str, linked: LinkedRelation, result: Result) -> list[ObservedEvidence]:
    """Return what an operator saw, once for each cell of an entry, some at most (seed 002, 7.2)."""
    found = []
    places = [(entry, place) for entry in result.entries for place in entry.cells]
    for entry, place in places[:_MOST_SEEN]:
        cell = linked.relation.ref(*place)
        quantity = entry.quantity
        unit = written_unit(quantity.unit, quantity.scale) if quantity else ""
        source = EvidenceSource(
            cell.node_id, None if cell.page is None else cell.page - 1,
            {"row": cell.row_header, "col": cell.column_header},
        )  # fmt: skip
        value = str(quantity.value) if quantity else entry.said
        kind = "number" if quantity else "text"
        found.append(
            ObservedEvidence(value, kind, unit or None, source, method, quantity.scale if quantity else 1)
        )
    return found
