"""What an operator saw: a value, how it came about, and every cell it used."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from engine.answer.tables.quantity import Quantity, written
from engine.answer.tables.typed_table import CellRef
from engine.model import Value

ObservationType = Literal["number", "date", "text", "list", "boolean", "schema"]
Status = Literal["ok", "ambiguous", "not_found"]


@dataclass(frozen=True, slots=True)
class Observation(Value):
    """One result, ready for JSON.

    ``value`` is exact: a decimal number as text ("57.5", in ``unit`` and ``scale``), a text, a list, or a
    mapping. ``text`` is the same for readers, ``derivation`` the arithmetic ("1,234 − 1,100 = 134"). With the status
    "ambiguous" several rows or columns fit and ``candidates`` names them: nothing was guessed.
    """

    method: str
    value: Any
    type: ObservationType
    text: str
    unit: str | None = None
    scale: int = 1
    cells: list[CellRef] = field(default_factory=list)
    derivation: str = ""
    status: Status = "ok"
    candidates: list[dict[str, Any]] = field(default_factory=list)

    @property
    def number(self) -> Quantity | None:
        """The value as a quantity, where it is a number."""
        return Quantity(Decimal(self.value), self.unit, self.scale) if self.type == "number" else None


def numeric(
    method: str, quantity: Quantity, text: str, cells: list[CellRef], derivation: str = ""
) -> Observation:
    """Return the observation of a number."""
    value = written(quantity.value).replace(",", "")
    return Observation(method, value, "number", text, quantity.unit, quantity.scale, cells, derivation)


def ambiguous(method: str, wanted: str, candidates: list[dict[str, Any]]) -> Observation:
    """Return the observation that several rows or columns fit a name."""
    names = ", ".join(f"“{candidate['name']}”" for candidate in candidates[:6])
    text = f"“{wanted}” fits several: {names}. Name one of them."
    return Observation(method, None, "text", text, status="ambiguous", candidates=candidates)


def not_found(method: str, wanted: str, candidates: list[dict[str, Any]]) -> Observation:
    """Return the observation that nothing fits a name; ``candidates`` are what there is."""
    names = ", ".join(f"“{candidate['name']}”" for candidate in candidates[:12])
    text = f"Nothing fits “{wanted}”." + (f" There are: {names}." if names else "")
    return Observation(method, None, "text", text, status="not_found", candidates=candidates)
