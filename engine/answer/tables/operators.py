"""The table operators by name: what a planner, a model or a person may call.

Each takes typed tables and parameters and returns an :class:`Observation` (value, unit, text, method, cells).
They are pure: the same tables and parameters give the same observation, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.answer.tables import computing, reading
from engine.answer.tables.observation import Observation
from engine.answer.tables.references import COMPARISONS
from engine.answer.tables.refused_operation import RefusedOperationError
from engine.answer.tables.typed_table import TypedTable

_PLACE = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}
_TABLE = {"type": "string", "description": "node id of the table; the first one if left out"}
_CELL = {
    "type": "object",
    "properties": {"table": _TABLE, "row": _PLACE, "column": _PLACE},
    "required": ["row", "column"],
}
_PLACES = {"type": "array", "items": _PLACE}
_WHERE = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "column": _PLACE,
            "is": {"type": "string", "enum": list(COMPARISONS)},
            "value": {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array"}]},
        },
        "required": ["column", "value"],
    },
}
_SET = {
    "rows": _PLACES,
    "columns": _PLACES,
    "where": _WHERE,
    "cells": {"type": "array", "items": _CELL},
}


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator: ``parameters`` is a JSON schema, the descriptions are one line each."""

    name: str
    parameters: Mapping[str, Any]
    description: str
    description_zh: str
    compute: Callable[..., Observation]

    def run(self, tables: TypedTable | Sequence[TypedTable], **params: Any) -> Observation:
        """Return what the operator sees in one or several tables.

        Raises UsageError for parameters it does not have and what cannot be computed (UnitsDifferError for
        mixed units); names that fit nothing or several come back as an observation with candidates.
        """
        known, required = self.parameters["properties"], self.parameters["required"]
        unknown = sorted(set(params) - set(known))
        missing = [name for name in required if params.get(name) is None]
        if unknown or missing:
            reason = "no_parameter" if unknown else "parameter_missing"
            name = (unknown or missing)[0]
            raise RefusedOperationError(reason, operator=self.name, name=name, known=", ".join(known))
        several = [tables] if isinstance(tables, TypedTable) else list(tables)
        return self.compute(several, **{name: value for name, value in params.items() if value is not None})


def _operator(
    name: str,
    compute: Callable[..., Observation],
    properties: Mapping[str, Any],
    required: Sequence[str],
    description: str,
    description_zh: str,
) -> Operator:
    schema = {"type": "object", "properties": {"table": _TABLE, **properties}, "required": list(required)}
    return Operator(name, MappingProxyType(schema), description, description_zh, compute)


_CROSSING = {"row": _PLACE, "column": _PLACE}
_TWO = {"a": _CELL, "b": _CELL}
_ALL = (
    _operator("OPEN_CAPTION", reading.open_caption, {}, (),
              "The label and caption of a table.", "表格的编号和标题。"),
    _operator("OPEN_TABLE_SCHEMA", reading.open_table_schema, {}, (),
              "The columns of a table with units and types, and its row names.", "表格的列（单位、类型）和行名。"),
    _operator("FIND_COL", reading.find_col,
              {"name": {"type": "string"}, "aliases": {"type": "array", "items": {"type": "string"}}}, ("name",),
              "The column that fits a name or one of its aliases.", "按名称或别名查找列。"),
    _operator("LOCATE_CELL", reading.locate_cell, _CROSSING, ("row", "column"),
              "The place of the cell where a row and a column cross.", "行与列交叉处单元格的位置。"),
    _operator("READ_CELL", reading.read_cell, _CROSSING, ("row", "column"),
              "What a cell says, with unit and scale.", "读取单元格的值及其单位。"),
    _operator("LOOKUP", reading.lookup, {**_CROSSING, "where": _WHERE}, ("column",),
              "The value where a row and a column cross, or a column's values in the rows that meet conditions.",
              "按行名和列名（或条件）查值。"),
    _operator("FILTER", reading.filter_rows, {"where": _WHERE}, ("where",),
              "The rows that meet all conditions.", "筛选满足全部条件的行。"),
    _operator("COUNT", computing.count, {"where": _WHERE, "column": _PLACE, "distinct": {"type": "boolean"}}, (),
              "How many rows meet the conditions; totals are left out.", "统计满足条件的行数，合计行不计。"),
    _operator("SUM", computing.sum_cells, _SET, (), "The sum of cells of one unit.", "同单位单元格求和。"),
    _operator("AVERAGE", computing.average, _SET, (), "The mean of cells of one unit.", "同单位单元格求平均。"),
    _operator("MIN", computing.minimum, _SET, (), "The smallest of the cells, with its row.", "最小值及其所在行。"),
    _operator("MAX", computing.maximum, _SET, (), "The largest of the cells, with its row.", "最大值及其所在行。"),
    _operator("RANK", computing.rank,
              {**_SET, "order": {"type": "string", "enum": ["descending", "ascending"]},
               "top": {"type": "integer", "minimum": 0}}, (),
              "The cells in order of their values.", "按数值大小排序。"),
    _operator("COMPARE", computing.compare, _TWO, ("a", "b"),
              "Which of two cells is larger.", "比较两个单元格的大小。"),
    _operator("DIFF", computing.diff, _TWO, ("a", "b"), "The first cell minus the second.", "两个单元格之差。"),
    _operator("DIVIDE", computing.divide, {**_TWO, "percent": {"type": "boolean"}}, ("a", "b"),
              "The first cell divided by the second, as a percentage if wanted.", "两个单元格之商，可用百分比表示。"),
    _operator("PERCENT_CHANGE", computing.percent_change_of, {"old": _CELL, "new": _CELL}, ("old", "new"),
              "The change from one cell to another in percent.", "两个单元格之间的百分比变化。"),
    _operator("TREND", computing.trend, _CROSSING, (),
              "How the numbers of a row or column develop.", "一行或一列数值的变化趋势。"),
)  # fmt: skip

OPERATORS: Mapping[str, Operator] = MappingProxyType({operator.name: operator for operator in _ALL})
