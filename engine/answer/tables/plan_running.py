"""A plan that a model made, run by the table operators.

The model chose the names; the values come from the cells alone. What fits several cells, or none, is
:class:`RefusedPlanError`: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.answer.tables.finding import Finding, Step, run
from engine.answer.tables.matching import years_in
from engine.answer.tables.plan_reading import Plan
from engine.answer.tables.quantity import shown, written
from engine.answer.tables.question import Question
from engine.answer.tables.record_words import LESS, MORE, WANTED
from engine.answer.tables.references import CellPlace, sortable
from engine.answer.tables.typed_table import CellRef
from engine.answer.tables.value_types import asks_name
from engine.enrich.cell_values import NUMERIC
from engine.errors import UsageError

_DECIMALS = 2
_MOST_VALUES = 6
_PLURAL = re.compile(r"哪些|列出|\b(?:list|name) all\b|\bwhat are\b|\bwho are\b", re.IGNORECASE)


class RefusedPlanError(Exception):
    """A plan that does not do what the question asks, or gives no single value; the text says why."""


def run_plan(plan: Plan, question: Question) -> Finding:
    """Return what the plan's operators find. Raises RefusedPlanError."""
    runner = _Runner(plan, question)
    how: Mapping[str, Callable[[], Finding]] = {
        "LOOKUP": runner.looked_up, "COUNT": runner.counted, "MIN": runner.extreme, "MAX": runner.extreme,
        "SUM": runner.folded, "AVERAGE": runner.folded,
    }  # fmt: skip
    try:
        return how.get(plan.operator, runner.of_two)()
    except UsageError as error:
        raise RefusedPlanError(str(error)) from error


def numeric_columns(plan: Plan) -> list[int]:
    """Return the columns of numbers of the plan's table."""
    return [column.index for column in plan.table.columns if column.dtype in NUMERIC]


class _Runner:
    """Runs one plan for one question."""

    def __init__(self, plan: Plan, question: Question) -> None:
        self._plan, self._question, self._table = plan, question, plan.table
        self._rows = plan.chosen

    def looked_up(self) -> Finding:
        """Read the cells of the rows and columns."""
        plan = self._plan
        if not plan.rows and not plan.where and len(self._table.records) > 1:
            raise RefusedPlanError("No row is named.")
        columns = list(plan.columns) or self._only_values()
        cells = [CellPlace(self._table, row, column) for row in self._rows for column in columns]
        cells = [cell for cell in cells if cell.text]
        if not cells or len(cells) > _MOST_VALUES:
            raise RefusedPlanError(f"{len(cells)} cells are meant.")
        steps = [self._read(cell) for cell in cells]
        values = list(dict.fromkeys(cell.text for cell in cells))
        named = max(len(plan.rows), 1) * max(len(plan.columns), 1)
        if len(values) > 1 and (len(values) > named or plan.where) and not self._several_asked():
            raise RefusedPlanError("Several values are meant, one is asked for.")
        return self._finding("lookup", values, steps)

    def counted(self) -> Finding:
        """Count the rows that meet the conditions."""
        plan = self._plan
        if plan.rows and plan.columns and set(plan.columns) <= set(numeric_columns(plan)):
            return self.looked_up()  # how many each has
        if plan.rows:
            raise RefusedPlanError("Rows are counted by conditions.")
        step = run(self._table, "COUNT", where=list(plan.where))
        number = str(step.observation.value)
        if number == "0":
            raise RefusedPlanError("No row meets the conditions.")
        at = plan.where[0]["column"] if plan.where else 0
        # The cells that meet the condition are what the count rests on.
        cells = [self._table.ref(cell.row, at) for cell in step.observation.cells]
        names = [name for cell in cells if (name := cell.row_header or self._table.text(cell.row, 0))][:6]
        said = f"{number} ({', '.join(names)}{'…' if int(number) > len(names) else ''})"
        return self._finding("count", [number], [step], said, cells)

    def folded(self) -> Finding:
        """Add the numbers up, or take their mean."""
        columns = list(self._plan.columns) or self._only_values()
        if any(column not in numeric_columns(self._plan) for column in columns) and len(columns) > 1:
            raise RefusedPlanError("A column holds no numbers.")
        if len(self._rows) == len(columns) == 1 and self._plan.rows:
            return self.looked_up()  # the cell of a row or column that is a sum itself
        step = run(self._table, self._plan.operator, rows=self._rows, columns=columns)
        if len(step.observation.cells) < 2:
            raise RefusedPlanError("There are fewer than two numbers.")
        return self._computed(self._plan.operator.casefold(), step)

    def extreme(self) -> Finding:
        """Find the row, or the column of one row, with the most or the least."""
        plan = self._plan
        columns, by = list(plan.columns), plan.by
        able = [column for column in columns if self._orders(column)]
        if by is not None and not self._orders(by) and len(able) == 1:
            by, columns = able[0], [by, *(column for column in columns if column != able[0])]
        along = by is None and len(self._rows) == 1 and len(able) > 1
        if by is None and not along and able:
            by, columns = able[0], [column for column in columns if column != able[0]]
        if not along and (by is None or not self._orders(by)):
            raise RefusedPlanError("No column of numbers is named for the extreme.")
        over = able if along or by is None else [by]
        if len(self._rows) * len(over) < 2:
            raise RefusedPlanError("There is nothing to choose from.")
        step = run(self._table, plan.operator, rows=self._rows, columns=over)
        found = step.observation.cells
        if len({(cell.row, cell.column) for cell in found}) != 1:
            raise RefusedPlanError("Several are equal.")
        (cell,) = found[:1]
        return self._extreme_of(cell, step, [c for c in columns if c != by], along)

    def of_two(self) -> Finding:
        """Hold two cells against each other."""
        first, second = self._pair()
        operator = self._plan.operator
        if operator == "COMPARE":
            return self._compared(first, second)
        years = [_years_of(cell) for cell in (first, second)]
        dated = all(len(found) == 1 for found in years) and years[0] != years[1]
        if dated and operator in ("DIFF", "PERCENT_CHANGE"):
            earlier, later = sorted((first, second), key=lambda cell: min(_years_of(cell)))
            first, second = (later, earlier) if operator == "DIFF" else (earlier, later)
        elif operator == "PERCENT_CHANGE":
            raise RefusedPlanError("The two cells are not of two years.")
        if operator == "PERCENT_CHANGE":
            return self._computed("percent_change", self._two(operator, old=first, new=second))
        if operator == "DIVIDE":
            percent = self._question.measure == "percent" or self._question.kind == "ratio"
            return self._computed("ratio", self._two(operator, percent=percent, a=first, b=second))
        step = self._two(operator, a=first, b=second)
        if not dated and str(step.observation.value).startswith("-"):
            step = self._two(operator, a=second, b=first)
        return self._computed("difference", step)

    # --- parts --------------------------------------------------------------------------------------

    def _pair(self) -> tuple[CellPlace, CellPlace]:
        """Return the two cells that are named: two rows and one column, or one row and two columns."""
        plan = self._plan
        columns = list(plan.columns) or self._only_values()
        rows = list(plan.rows)
        if not rows and len(plan.where) == 2 and plan.where[0]["column"] == plan.where[1]["column"]:
            rows = [row for one in plan.where for row in Plan("", plan.source, where=(one,)).chosen]
        elif plan.where:
            rows = self._rows
        cells = [CellPlace(self._table, row, column) for row in rows for column in columns]
        if len(cells) != 2:
            raise RefusedPlanError(f"{len(cells)} cells are named, two are needed.")
        return cells[0], cells[1]

    def _compared(self, first: CellPlace, second: CellPlace) -> Finding:
        less, more = LESS.search(self._question.plain), MORE.search(self._question.plain)
        if bool(less) == bool(more) or first.column != second.column:
            raise RefusedPlanError("It is not clear which of the two is asked for.")
        step = self._two("COMPARE", a=first, b=second)
        if step.observation.value == "=":
            raise RefusedPlanError("Both are equal.")
        winner = first if (step.observation.value == ">") == bool(more) else second
        name = self._name(winner.row)
        return self._finding("compare", [name], [step], f"{name} ({step.observation.text})")

    def _two(self, operator: str, percent: bool = False, **cells: CellPlace) -> Step:
        params: dict[str, Any] = {key: {"row": c.row, "column": c.column} for key, c in cells.items()}
        return run(self._table, operator, **params, **({"percent": True} if percent else {}))

    def _extreme_of(self, cell: CellRef, step: Step, columns: Sequence[int], along: bool) -> Finding:
        """Tell of an extreme what is asked for: its period, its amount, or a column of its row."""
        if along:
            value = cell.text if self._question.amount else cell.column_header
            return self._finding("extreme", [value], [step], f"{value} ({step.observation.text})")
        if not columns and not self._amount_asked():
            name = self._name(cell.row)
            return self._finding("extreme", [name], [step], f"{name} ({step.observation.text})")
        if not columns:
            return self._finding("extreme", [cell.text], [step])
        if len(columns) > 1:
            raise RefusedPlanError("Several columns are to be told.")
        read = self._read(CellPlace(self._table, cell.row, columns[0]))
        value = self._table.text(cell.row, columns[0])
        return self._finding("extreme", [value], [step, read], f"{value} ({step.observation.text})")

    def _amount_asked(self) -> bool:
        return self._question.amount or (
            not asks_name(self._question) and WANTED.search(self._question.plain) is None
        )

    def _read(self, cell: CellPlace) -> Step:
        step = run(self._table, "READ_CELL", row=cell.row, column=cell.column)
        if step.observation.status != "ok":
            raise RefusedPlanError(step.observation.text)
        return step

    def _only_values(self) -> list[int]:
        """Return the one column of values, where none is named."""
        able = [c for c in numeric_columns(self._plan) if c >= self._table.header_columns]
        if len(able) != 1:
            raise RefusedPlanError("No column is named.")
        return able

    def _orders(self, column: int) -> bool:
        """True for a column nearly all of whose cells, in the rows that are meant, can be compared."""
        cells = [CellPlace(self._table, row, column) for row in self._rows]
        filled = [cell for cell in cells if cell.value.dtype != "empty"]
        able = [cell for cell in filled if sortable(cell.value, cell.text) is not None]
        return bool(filled) and len(able) >= 0.85 * len(filled)

    def _name(self, row: int) -> str:
        """Return what a row is called: its name, or its first text."""
        found = self._table.row(row)
        texts = [c.index for c in self._table.columns if c.dtype == "text"]
        name = found.leaf if found and self._table.header_columns else ""
        name = name or (self._table.text(row, texts[0]) if texts else "")
        if not name:
            raise RefusedPlanError("The row has no name.")
        return name

    def _several_asked(self) -> bool:
        match = WANTED.search(self._question.plain)
        words = self._question.plain[match.end() :].split()[:2] if match else []
        return bool(_PLURAL.search(self._question.plain)) or any(
            word.endswith("s") and not word.endswith("ss") for word in words
        )

    def _computed(self, kind: str, step: Step) -> Finding:
        number = step.observation.number
        if step.observation.status != "ok" or number is None:
            raise RefusedPlanError(step.observation.text)
        percent = "%" if number.unit == "%" and kind != "difference" else ""
        places = _DECIMALS if kind in ("average", "ratio", "percent_change") else None
        said = f"{shown(number, self._question.chinese)} ({step.observation.derivation})"
        return self._finding(kind, [written(number.value, places) + percent], [step], said)

    def _finding(
        self, kind: str, values: list[str], steps: list[Step], said: str = "", cells: Sequence[CellRef] = ()
    ) -> Finding:
        refs = [*cells] or [cell for step in reversed(steps) for cell in step.observation.cells]
        unique = list({(cell.row, cell.column): cell for cell in refs}.values())
        return Finding(kind, values, self._label(), steps, 0.0, said or "; ".join(values), unique)

    def _label(self) -> str:
        """Return what the values are: rows and columns by their names."""
        plan = self._plan
        rows = [name for row in plan.rows[:2] if (name := self._name_or_none(row))]
        asked = [*plan.columns, *([plan.by] if plan.by is not None else [])]
        columns = [name for column in dict.fromkeys(asked) if (name := self._table.columns[column].name)]
        told = [
            str(w["value"])
            if w["is"] in ("=", "contains")
            else f"{self._table.columns[w['column']].name} {w['is']} {w['value']}"
            for w in plan.where
        ]
        return ", ".join(dict.fromkeys([*rows, *told, *columns[:3]])) or self._table.caption

    def _name_or_none(self, row: int) -> str:
        try:
            return self._name(row)
        except RefusedPlanError:
            return ""


def _years_of(cell: CellPlace) -> set[str]:
    """Return the years that a cell's column names, or else its row."""
    return years_in(cell.ref.column_header) or years_in(cell.ref.row_header)
