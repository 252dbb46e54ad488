"""The rows with the largest or smallest value of a column; "the second largest" is the one behind it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.finding import Step, run
from engine.answer.tables.record_words import PLACE_OF, RANKED
from engine.answer.tables.typed_table import Column, TypedTable


def best_rows(
    table: TypedTable, rows: Sequence[int], measure: Column, lowest: bool, before: str
) -> tuple[Step, list[int], list[tuple[int, int]]]:
    """Return the operator that was run, the best rows, and where a place ("second") was said.

    ``before`` is the question up to the superlative. Of a place that several share there is no row.
    """
    ranked = RANKED.search(before)
    if ranked is None:
        step = run(table, "MIN" if lowest else "MAX", columns=[measure.index], rows=list(rows))
        return step, list(dict.fromkeys(cell.row for cell in step.observation.cells)), []
    place = PLACE_OF[ranked["place"].casefold()]
    order = "ascending" if lowest else "descending"
    step = run(table, "RANK", columns=[measure.index], rows=list(rows), order=order, top=place + 1)
    cells = step.observation.cells
    amounts = {table.value(cell.row, cell.column).value for cell in cells}
    alone = len(cells) >= place and len(amounts) == len(cells)
    return step, [cells[place - 1].row] if alone else [], [ranked.span()]
