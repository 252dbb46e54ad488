"""Figures that a cell gives in two units: "250.5 km (155.7 mi)", "1,245 m (4,085 ft)". The first is its value."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.enrich.cell_values import CellValue, parse_cell

_TWICE = re.compile(r"(?P<own>[^()]*\d[^()]*?)\s*\((?P<other>[^()]*\d[^()]*)\)")
# As many of a column's cells must be figures for it to be one of numbers.
_MOSTLY = 0.8


def value_of(text: str) -> CellValue:
    """Return what a cell says; of a figure in two units the first."""
    value = parse_cell(text)
    if value.dtype != "text" or (match := _TWICE.fullmatch(text.strip())) is None:
        return value
    own, other = parse_cell(match["own"]), parse_cell(match["other"])
    both = own.dtype == other.dtype == "number" and own.unit and other.unit and own.unit != other.unit
    return own if both else value


def unit_of(texts: Iterable[str]) -> str | None:
    """Return the unit of a column of such figures, None where not nearly all its cells are of one unit."""
    values = [value_of(text) for text in texts if text.strip()]
    units = [value.unit for value in values if value.numeric]
    common = set(units)
    return common.pop() if len(common) == 1 and len(units) >= _MOSTLY * len(values) else None
