"""The table operators as tools: they compute, the model only says with what (seed 002, 7.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.answer.agent.library_tools import hit_of, opened
from engine.answer.agent.plan import EvidenceSource, Gap, ObservedEvidence
from engine.answer.agent.tools import Desk, Tool, ToolResult, told_tool
from engine.answer.phrases import ENGLISH, Phrases
from engine.answer.tables.answering import computed_of
from engine.answer.tables.found_tables import relation_at
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.named import UnknownNameError, query_of
from engine.answer.tables.plan import described
from engine.answer.tables.quantity import written
from engine.answer.tables.query import OPERATORS, Operator, RefusedOperationError
from engine.answer.tables.run import Result, run
from engine.answer.tables.store import QueryFailedError
from engine.answer.tables.wording import MOST_TOLD, sentence
from engine.enrich.units import written_unit
from engine.errors import UsageError
from engine.index.affordances import supports
from engine.model import Node
from storage.base import StoredNode

_MOST_SEEN = 50


def table_tools(desk: Desk, tables: Callable[[], Sequence[Node]], phrases: Phrases = ENGLISH.tools) -> list[Tool]:
    """Return every operator as a tool; ``tables`` gives the tables of the evidence, the best first."""
    found = _Tables(desk, tables, phrases)
    return [
        told_tool("OPEN_TABLE_SCHEMA", found.schema),
        *(Tool(one.name, "table", one.description, one.parameters, partial(found.operate, one))
          for one in OPERATORS.values()),
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Tables:
    """What the operators run over, and how they say it."""

    desk: Desk
    found: Callable[[], Sequence[Node]]
    phrases: Phrases

    def schema(self, table: str = "") -> ToolResult:
        stored, linked = self._opened("OPEN_TABLE_SCHEMA", table)
        text = described(1, linked, "")
        return ToolResult(text.splitlines()[0], text, hits=[(hit_of(stored, "opened"), stored)])

    def operate(self, operator: Operator, table: str = "", **params: Any) -> ToolResult:
        stored, linked = self._opened(operator.name, table)
        try:
            result = run(query_of({**params, "operation": operator.operation}, linked), linked.relation)
        except UnknownNameError as error:
            told = error.said(self.phrases.language)
            need = "has_col" if error.kind == "column" else "has_row"
            return ToolResult(told, told, "empty", gaps=[Gap(need, error.name, "same_document")])
        except RefusedOperationError as error:
            raise UsageError(error.said(self.phrases.language)) from error
        except QueryFailedError as error:
            raise UsageError(str(error)) from error
        return self._told(operator.name, stored, linked, result)

    def _opened(self, operator: str, node_id: str) -> tuple[StoredNode, LinkedRelation]:
        """Return the table that is named, else the best one that affords it. Raises UsageError, NotFoundError."""
        found = [] if node_id else sorted(self.found(), key=lambda table: not supports(table, operator))
        node_id = node_id or next((table.node_id for table in found), "")
        if not node_id:
            raise UsageError(self.phrases.no_table.format(operator=operator))
        stored = self.desk.node(node_id)
        if stored.node.role != "table":
            raise UsageError(self.phrases.not_a_table.format(node=node_id, role=stored.node.role))
        return stored, relation_at(stored, self.desk.storage)

    def _told(self, method: str, stored: StoredNode, linked: LinkedRelation, result: Result) -> ToolResult:
        text = sentence(result, linked.relation, self.phrases.language == "zh", MOST_TOLD)
        hit = hit_of(stored, method)
        made = ToolResult(text, text, "empty", hits=[(hit, stored)], opened=[opened(stored)])
        if not result.entries:
            return made
        first = result.entries[0]
        value = first.said or (written(first.quantity.value) if first.quantity else "")
        computed = computed_of([value] if value else [], text, result, linked.relation, hit)
        if not computed.citations:
            return made
        return replace(made, quality="good", observed=_observed(method, linked, result), computed=[computed])


def _observed(method: str, linked: LinkedRelation, result: Result) -> list[ObservedEvidence]:
    """Return what an operator saw, once for each cell of an entry, some at most (seed 002, 7.2)."""
    found = []
    places = [(entry, place) for entry in result.entries for place in entry.cells]
    for entry, place in places[:_MOST_SEEN]:
        cell = linked.relation.ref(*place)
        header = {"row": cell.row_header, "col": cell.column_header}
        source = EvidenceSource(cell.node_id, None if cell.page is None else cell.page - 1, header)
        if (quantity := entry.quantity) is None:
            found.append(ObservedEvidence(entry.said, "text", None, source, method))
            continue
        unit = written_unit(quantity.unit, quantity.scale) or None
        found.append(ObservedEvidence(str(quantity.value), "number", unit, source, method, quantity.scale))
    return found
