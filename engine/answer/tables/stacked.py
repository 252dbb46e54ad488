"""Tables printed as one: below its rows the header stands again, with other periods, over further rows.

Each is read by itself, with the rows of the others left empty, so that a cell's place stays the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.enrich.cell_values import is_year, parse_cell
from engine.enrich.tables import enrich_table
from engine.model import Node

_MOST_ROWS = 200
_FEWEST_AGAIN, _FEWEST_BELOW = 2, 2


def stacked(node: Node) -> list[Node]:
    """Return the tables that an enriched table node holds, itself where it is only one."""
    rows = [[str(cell).strip() for cell in row] for row in node.metadata.get("rows") or []]
    header = int(node.metadata.get("header_rows") or 0)
    if not header or len(rows) > _MOST_ROWS:
        return [node]
    again = [place for place in range(header + 1, len(rows)) if _repeats(rows[:header], rows[place])]
    starts = [0, *dict.fromkeys(_with_lines_above(rows, place, header) for place in again)]
    ends = [*starts[1:], len(rows)]
    if len(starts) < 2 or any(end - start <= _FEWEST_BELOW for start, end in zip(starts, ends, strict=True)):
        return [node]
    return [_alone(node, rows, start, end) for start, end in zip(starts, ends, strict=True)]


def _repeats(header: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """True for a row without figures that has several different texts of the header in their columns."""
    if _has_figures(row):
        return False
    filled = [cell for cell in row if cell]
    if not row[0] and len(filled) >= _FEWEST_AGAIN and all(map(_is_period, filled)):
        return True
    again = {
        cell
        for level in header
        for cell, above in zip(row[1:], level[1:], strict=False)
        if cell == above != ""
    }
    return len(again) >= _FEWEST_AGAIN


def _is_period(cell: str) -> bool:
    return is_year(cell) or parse_cell(cell).dtype == "date"


def _with_lines_above(rows: Sequence[Sequence[str]], place: int, header: int) -> int:
    """Return where a header that ends or begins at a place begins: lines above it without names and figures are of it.

    "December 31, 2021" stands over "Amount | Fair value".
    """
    while (
        place > header + 1
        and not rows[place - 1][0]
        and any(rows[place - 1])
        and not _has_figures(rows[place - 1])
    ):
        place -= 1
    return place


def _has_figures(row: Sequence[str]) -> bool:
    return any(parse_cell(cell).numeric and not is_year(cell) for cell in row[1:])


def _alone(node: Node, rows: Sequence[Sequence[str]], start: int, end: int) -> Node:
    own = [list(row) if start <= place < end else [""] * len(row) for place, row in enumerate(rows)]
    facts = {
        name: node.metadata[name]
        for name in node.metadata.keys() - {"row_names", "row_measures", "note_rows"}
    }
    header = int(node.metadata["header_rows"])
    if start:
        header = next(
            place for place in range(start, end) if place == start + header or _has_figures(rows[place])
        )
    return enrich_table(replace(node, metadata=facts | {"rows": own, "header_rows": header}))
