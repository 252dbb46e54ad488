"""The table operators as tools: they compute, the model only says with what (seed 002, 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.answer.agent.browse_tools import opened
from engine.answer.agent.plan import EvidenceSource, Gap, ObservedEvidence
from engine.answer.agent.search_tools import hit_of
from engine.answer.agent.tool_phrases import ENGLISH, ToolPhrases
from engine.answer.agent.tools import Desk, Tool, ToolResult
from engine.answer.tables.computed import Computed, cite_cells
from engine.answer.tables.observation import Observation
from engine.answer.tables.operators import OPERATORS, Operator
from engine.answer.tables.refused_operation import RefusedOperationError
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.units import written_unit
from engine.errors import UsageError
from engine.model import Evidence, Node

_LONGEST = 2000


def table_tools(
    desk: Desk, tables: Callable[[], Sequence[Node]], phrases: ToolPhrases = ENGLISH
) -> list[Tool]:
    """Return every operator as a tool; ``tables`` gives the tables of the evidence, the best first."""
    return [_tool(operator, desk, tables, phrases) for operator in OPERATORS.values()]


def observed(observation: Observation) -> list[ObservedEvidence]:
    """Return what an operator saw, once for each cell that it used (seed 002, 7.2)."""
    return [
        ObservedEvidence(
            observation.value,
            observation.type,
            written_unit(observation.unit, observation.scale) or None,
            EvidenceSource(
                cell.node_id,
                None if cell.page is None else cell.page - 1,
                {"row": cell.row_header, "col": cell.column_header},
            ),
            observation.method,
            observation.scale,
        )
        for cell in observation.cells
    ]


def _tool(operator: Operator, desk: Desk, tables: Callable[[], Sequence[Node]], phrases: ToolPhrases) -> Tool:
    def run(**params: Any) -> ToolResult:
        known = [TypedTable(node) for node in tables()]
        for node_id in _named(params):
            if all(one.node_id != node_id for one in known):
                known.insert(0, _opened_table(desk, node_id, phrases))
        if not known:
            raise UsageError(phrases.no_table.format(operator=operator.name))
        try:
            observation = operator.run(known, **params)
        except RefusedOperationError as error:
            raise UsageError(error.said(phrases.language)) from error
        return _told(desk, observation, _missing(observation, params))

    return Tool(
        operator.name, "table", operator.description, operator.description_zh, operator.parameters, run
    )


def _named(params: Mapping[str, Any]) -> list[str]:
    """Return the node ids of tables that the arguments name, at any depth."""
    found: list[str] = []
    for name, value in params.items():
        if name == "table" and isinstance(value, str):
            found.append(value)
        elif isinstance(value, Mapping):
            found += _named(value)
        elif isinstance(value, list):
            found += [one for item in value if isinstance(item, Mapping) for one in _named(item)]
    return list(dict.fromkeys(found))


def _opened_table(desk: Desk, node_id: str, phrases: ToolPhrases) -> TypedTable:
    stored = desk.node(node_id)
    if stored.node.role != "table":
        raise UsageError(phrases.not_a_table.format(node=node_id, role=stored.node.role))
    return TypedTable(stored.node)


def _missing(observation: Observation, params: Mapping[str, Any]) -> list[Gap]:
    """Return the column or row that an operator was asked for and found in no table."""
    if observation.status != "not_found":
        return []
    given = {
        **params,
        **{key: value for one in params.values() if isinstance(one, Mapping) for key, value in one.items()},
    }
    needs = (("column", "has_col"), ("name", "has_col"), ("row", "has_row"))
    return [
        Gap(need, str(given[name]), "same_document")
        for name, need in needs
        if given.get(name) is not None and f"“{given[name]}”" in observation.text
    ][:1]


def _told(desk: Desk, observation: Observation, gaps: list[Gap]) -> ToolResult:
    text = observation.text[:_LONGEST]
    if observation.derivation and observation.derivation not in text:
        text += f" ({observation.derivation[:_LONGEST]})"
    if observation.unit and observation.unit not in text:
        text += f" [{observation.unit}]"
    ok = observation.status == "ok"
    nodes = [desk.node(node_id) for node_id in dict.fromkeys(cell.node_id for cell in observation.cells)]
    texts = [opened(one) for one in nodes]
    return ToolResult(
        text[:300],
        text,
        "good" if ok else "empty",
        hits=[(hit_of(one, observation.method), one) for one in nodes],
        opened=texts,
        observed=observed(observation) if ok else [],
        computed=_computed(observation, text, texts) if ok else [],
        gaps=gaps,
    )


def _computed(observation: Observation, text: str, tables: Sequence[Evidence]) -> list[Computed]:
    """Return a single value with its cells; lists and mappings are for the model to read."""
    if observation.type not in ("number", "date", "text") or not observation.cells:
        return []
    cited = cite_cells(observation.cells, {item.hit.node_id: item for item in tables})
    return [] if cited is None else [Computed([str(observation.value)], text, cited)]
