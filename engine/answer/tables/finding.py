"""What a plan found: values, the operators that gave them, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.answer.tables.observation import Observation
from engine.answer.tables.operators import OPERATORS
from engine.answer.tables.references import CellPlace
from engine.answer.tables.typed_table import CellRef, TypedTable


@dataclass(frozen=True, slots=True)
class Step:
    """One operator that was run."""

    operator: str
    params: Mapping[str, Any]
    observation: Observation


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a plan.

    ``values`` are the answer as texts ("134", "Poland"), ``label`` names what they are ("Total sales, 2018 → 2019"),
    ``confidence`` (0..1) says how well the question fits.
    """

    kind: str
    values: list[str]
    label: str
    steps: list[Step]
    confidence: float
    said: str = ""
    cells: list[CellRef] = field(default_factory=list)


def run(tables: list[TypedTable] | TypedTable, operator: str, **params: Any) -> Step:
    """Run an operator. Raises UsageError as it does."""
    return Step(operator, params, OPERATORS[operator].run(tables, **params))


def spec(place: CellPlace) -> dict[str, Any]:
    """Return the parameter that means a cell."""
    return {"table": place.table.node_id, "row": place.row, "column": place.column}
