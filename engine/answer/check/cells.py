"""A table's text as cells that know what they are of: the label of their row, the headings above, unit and scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from engine.answer.check.amounts import Amount, base_of
from engine.answer.check.reading import Stated, Text, read
from engine.enrich.units import Measure, header_measure, note_measure

BORDER = " | "
_MOST_HEADINGS = 4
_MOST_ROWS = 2000
_LONGEST_FIGURE = 24


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a value: the line and column it stands in, and what it is of.

    ``value`` has the unit and scale of its headings, ``bare`` only its own; ``alone`` where the cell has
    nothing else.
    """

    line: int
    column: int
    text: str
    value: Stated
    bare: Stated
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
    first = _first_record(rows)
    known = bool(columns) and max(map(len, rows), default=0) == len(columns)
    headings = dict(enumerate(columns)) if known else _headings(rows[:first])
    note = note_measure("\n".join([caption, *lines[: max(1, first)]]))
    cells: list[Cell] = []
    for line in range(first, len(rows)):
        label = next((cell for cell in rows[line] if cell and not _is_figure(cell)), "")
        own = header_measure(label)
        for column, cell in enumerate(rows[line]):
            heading = headings.get(column, "")
            if not cell or cell == label:
                continue
            measure = own or header_measure(heading) or note
            values = _values(cell)
            alone = len(values) == 1 and len(cell) <= _LONGEST_FIGURE
            cells += [
                Cell(line, column, cell, _measured(value, measure), value, read(label), read(heading), alone)
                for value in values
            ]
    return Grid(tuple(cells), read("\n".join([caption, *lines])))


def _first_record(rows: list[list[str]]) -> int:
    """Return the first row below the headings: the first with a figure after its label."""
    for index, row in enumerate(rows[: _MOST_HEADINGS + 1]):
        if any(_is_figure(cell) for cell in row[1:]) or (len(row) > 1 and _is_figure(row[0])):
            return max(index, 1 if len(rows) > 1 and index == 0 and not _is_figure(rows[0][0]) else index)
    return 1


def _headings(rows: list[list[str]]) -> dict[int, str]:
    """Return what stands above each column; an empty cell belongs to the heading on its left."""
    found: dict[int, str] = {}
    width = max((len(row) for row in rows), default=0)
    for row in rows:
        if len(row) < 2:
            continue
        left = ""
        for column, cell in enumerate([*row, *[""] * (width - len(row))]):
            left = cell or left if column else cell
            if left and left not in found.get(column, ""):
                found[column] = f"{found.get(column, '')} {left}".strip()
    return found


@lru_cache(maxsize=8192)
def _is_figure(cell: str) -> bool:
    """True for a cell that holds an amount and hardly anything else; a year alone is a heading."""
    values = [value for value in read(cell).values if value.amount is not None]
    letters = sum(character.isalpha() for character in cell)
    return bool(values) and letters <= 6 and not any(value.when for value in read(cell).values)


def _values(cell: str) -> list[Stated]:
    values = list(read(cell).values)
    if len(values) == 1 and values[0].amount is not None and cell.startswith("(") and cell.endswith(")"):
        amount = values[0].amount
        return [replace(values[0], amount=replace(amount, value=-abs(amount.value)))]
    return values


def _measured(value: Stated, measure: Measure | None) -> Stated:
    """Return a cell's value in the unit and scale that its headings name, where it has none of its own."""
    amount = value.amount
    if amount is None or measure is None or amount.unit is not None or amount.scale != 1:
        return value
    unit, factor = base_of(measure.unit)
    scale = factor * measure.scale
    made = Amount(amount.value * scale, unit, amount.step * scale, scale, amount.rounded)
    return replace(value, amount=made)
