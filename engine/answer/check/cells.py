"""A table's text as cells that know what they are of: the label of their row, the headings above, unit and scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from engine.answer.check.reading import Stated, Text, read
from engine.answer.check.values import Amount, base_of
from engine.enrich.cell_values import CellValue
from engine.enrich.tables import enrich_table, read_cell
from engine.model import Node

BORDER = " | "
_MOST_ROWS = 2000
_LONGEST_FIGURE = 24


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a value: the line and column it stands in, and what it is of.

    ``value`` has the unit and scale of its headings; ``alone`` where the cell has nothing else.
    """

    line: int
    column: int
    text: str
    value: Stated
    label: Text
    heading: Text
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table's text, and all of it as read."""

    cells: tuple[Cell, ...]
    whole: Text


def is_table(text: str) -> bool:
    """True for the text of a table: most of its lines have cells."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and sum(BORDER in line for line in lines) * 2 > len(lines)


@lru_cache(maxsize=256)
def grid_of(text: str, caption: str = "", columns: tuple[str, ...] = ()) -> Grid:
    """Read a table's text; ``caption`` may tell the unit, too, and ``columns`` are its headings where these are known.

    Headings that span columns do not stand above them in the text.
    """
    lines = text.splitlines()[:_MOST_ROWS]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    table = Node("", None, "table", metadata={"rows": rows, "caption": caption})
    facts = enrich_table(table, [caption]).metadata
    told = [str(column["name"]) for column in facts.get("columns") or []]
    headings = columns if len(columns) == width else told
    named = facts.get("header_columns") or 0
    cells: list[Cell] = []
    for line, row in enumerate(rows[facts.get("header_rows") or 0 :], facts.get("header_rows") or 0):
        label = read(" ".join(row[:named]))
        for column, cell in enumerate(row[named:], named):
            values = read(cell).values
            alone = len(values) == 1 and len(cell) <= _LONGEST_FIGURE
            typed = read_cell(facts, line, column)
            cells += [
                Cell(line, column, cell, _measured(one, typed), label, read(headings[column]), alone)
                for one in values
            ]
    return Grid(tuple(cells), read("\n".join([caption, *lines])))


def _measured(value: Stated, typed: CellValue) -> Stated:
    """Return a cell's value in the unit and scale that its headings name, where it has none of its own."""
    amount = value.amount
    if amount is None or amount.unit is not None or amount.scale != 1:
        return value
    below = typed.value is not None and typed.value < 0 < amount.value  # in brackets
    unit, factor = base_of(typed.unit)
    scale = factor * typed.scale
    number = amount.value * scale * (-1 if below else 1)
    return replace(value, amount=Amount(number, unit, amount.step * scale, Decimal(scale), amount.rounded))
