"""A table as it is drawn: header levels, spans, numbers to the right, and what was cited in it marked.

Of a very long table the rows around the cited one are drawn, below its header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.model import Node
from engine.model.sheet_columns import column_letters, column_number

MOST_CELLS = 6000
MOST_COLUMNS = 120
LEAST_ROWS = 40
CELL_CHARACTERS = 2000
NUMERIC = {"number", "percent", "currency"}
Place = tuple[int, int]
Grid = Sequence[Sequence[str]]
_ADDRESS = re.compile(r"(?:.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$")


def table_of(node: Node, *, quote: str = "", cell: str = "") -> dict[str, Any]:
    """Return a table node as plain values to draw.

    ``grid`` holds, for each row, ``[text, row span, column span, kind]``; a kind is made of the letters
    h (header), r (names its row), n (number), f (note) and m (cited). ``head`` is how many rows of the grid are
    header. ``numbers`` and ``letters`` are a sheet's row numbers and column letters, ``skipped`` and ``left``
    how many rows are not drawn above and below. ``quote`` (words of the table) or ``cell`` (an address such as
    "Sheet1!B7") says what was cited.
    """
    facts, rows = node.metadata, _rows(node)
    width = len(rows[0]) if rows else 0
    head = min(_header_rows(facts, rows), len(rows))
    if not head and (names := _column_names(facts)):
        rows, head = [(names + [""] * width)[:width], *rows], 1
    marked = cited_cells(node, rows, head, quote, cell)
    start, end = _window(len(rows), width, head, min((row for row, _ in marked), default=head))
    shown = [*range(head), *range(start, end)]
    grid = _drawn(rows, shown, head, facts, marked)
    numbers = facts.get("row_numbers") or []
    first = first_column(node.cell)
    sheet = first is not None and len(numbers) == len(rows)
    return {
        "grid": grid,
        "head": head,
        "numbers": [numbers[row] for row in shown] if sheet else [],
        "letters": [column_letters(first + column) for column in range(width)] if sheet and first else [],
        "skipped": start - head,
        "left": len(rows) - end,
    }


def cited_in(node: Node, *, quote: str = "", cell: str = "") -> set[Place]:
    """Return which cells (row, column; 0-based) of a table node a quote or an address names."""
    rows = _rows(node)
    return cited_cells(node, rows, min(_header_rows(node.metadata, rows), len(rows)), quote, cell)


def _rows(node: Node) -> list[list[str]]:
    """Return a table's rows as texts, all as long as the longest."""
    rows = [[str(text) for text in row[:MOST_COLUMNS]] for row in node.metadata.get("rows") or []]
    width = max((len(row) for row in rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def _header_rows(facts: Mapping[str, Any], rows: Grid) -> int:
    given = facts.get("header_rows")
    if isinstance(given, int):
        return max(given, 0)
    names = _column_names(facts)
    return int(bool(rows) and bool(names) and [cell.strip() for cell in rows[0]] == names)


def _column_names(facts: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns where there is no header row that shows them."""
    if facts.get("header_rows") is not None:
        return []
    columns = facts.get("columns") or []
    names = [str(c.get("name") or "") if isinstance(c, dict) else str(c) for c in columns]
    names = [name.strip() for name in names]
    return names if any(names) else []


def _window(count: int, width: int, head: int, wanted: int) -> tuple[int, int]:
    room = max(LEAST_ROWS, MOST_CELLS // max(width, 1))
    if count - head <= room:
        return head, count
    start = max(head, min(wanted - room // 3, count - room))
    return start, start + room


def _drawn(
    rows: Grid, shown: Sequence[int], head: int, facts: Mapping[str, Any], marked: set[Place]
) -> list[list[list[Any]]]:
    spans, covered = _spans(facts, set(shown), head, len(rows[0]) if rows else 0)
    kind = kinds_of(facts, len(rows), head)
    grid = []
    for row in shown:
        cells: list[list[Any]] = []
        for column, text in enumerate(rows[row]):
            if (row, column) not in covered:
                mark = "m" if (row, column) in marked else ""
                cells.append(
                    [text[:CELL_CHARACTERS], *spans.get((row, column), (1, 1)), kind(row, column) + mark]
                )
        grid.append(cells)
    return grid


def kinds_of(facts: Mapping[str, Any], count: int, head: int) -> Callable[[int, int], str]:
    """Return a function that gives the kind of a cell (row, column; 0-based) of a table of ``count`` rows."""
    names = int(facts.get("header_columns") or 0)
    notes = count - int(facts.get("note_rows") or 0)
    types = [str(c.get("dtype") or "") if isinstance(c, dict) else "" for c in facts.get("columns") or []]

    def kind(row: int, column: int) -> str:
        numeric = column < len(types) and types[column] in NUMERIC
        found = "h" if row < head else "r" if column < names else "n" if numeric else ""
        return found + ("f" if row >= notes else "")

    return kind


def _spans(
    facts: Mapping[str, Any], shown: set[int], head: int, width: int
) -> tuple[dict[Place, Place], set[Place]]:
    """Return the spans of merged cells by their first drawn place, and the places that they cover.

    A span never reaches from the header into the body: the two are drawn as parts of their own.
    """
    spans: dict[Place, Place] = {}
    covered: set[Place] = set()
    for cell in facts.get("merged") or []:
        top, left = cell["row"], cell["column"]
        across = max(1, min(cell["column_span"], width - left))
        whole = [row for row in range(top, top + cell["row_span"]) if row in shown]
        for part in ([row for row in whole if row < head], [row for row in whole if row >= head]):
            if not part or left >= width:
                continue
            places = {(row, column) for row in part for column in range(left, left + across)}
            if places & (covered | spans.keys()):
                continue
            spans[part[0], left] = len(part), across
            covered |= places - {(part[0], left)}
    return spans, covered


def cited_cells(node: Node, rows: Grid, head: int, quote: str, cell: str) -> set[Place]:
    """Return which cells (row, column; 0-based) a quote or an address names."""
    if cell and (found := _addressed(node, rows, cell)):
        return found
    return _quoted(rows, head, quote) if quote else set()


def _addressed(node: Node, rows: Grid, cell: str) -> set[Place]:
    wanted, first = _ADDRESS.match(cell), first_column(node.cell)
    numbers = node.metadata.get("row_numbers") or []
    if node.cell is None:  # of no sheet: the table's own columns and rows are counted
        first, numbers = 1, range(1, len(rows) + 1)
    if wanted is None or first is None or cell == node.cell or len(numbers) != len(rows):
        return set()
    left, right = column_number(wanted[1]), column_number(wanted[3] or wanted[1])
    top, bottom = int(wanted[2]), int(wanted[4] or wanted[2])
    return {
        (row, column)
        for row, number in enumerate(numbers)
        for column in range(len(rows[row]))
        if top <= number <= bottom and left <= column + first <= right
    }


def _quoted(rows: Grid, head: int, quote: str) -> set[Place]:
    """Return the cells that a quote names: whole rows that stand in it, or the cell that it stands in."""
    wanted = _words(quote)
    lines = [_words(" ".join(dict.fromkeys(row))) for row in rows]
    whole = [row for row, line in enumerate(lines) if len(line) > 3 and line in wanted]
    body = [row for row in whole if row >= head]
    if whole:
        return {(row, column) for row in body or whole for column in range(len(rows[row]))}
    for sought, of in ((wanted, _words), (wanted.replace(" ", ""), _bare)):
        for row, line in enumerate(lines):
            if sought.strip() and sought in of(line):
                inside = {(row, column) for column, text in enumerate(rows[row]) if sought in of(text)}
                return inside or {(row, column) for column in range(len(rows[row]))}
    return set()


def _words(text: str) -> str:
    """Return a text with one space between its words and around it, the bars between cells left out."""
    return f" {' '.join(text.replace('|', ' ').split())} "


def _bare(text: str) -> str:
    return "".join(text.split())


def first_column(address: str | None) -> int | None:
    """Return the 1-based column in which a table begins on its sheet, or None when it is on none."""
    found = _ADDRESS.match(address or "")
    return column_number(found[1]) if found else None


def first_row(address: str | None) -> int | None:
    """Return the 1-based row of an address on a sheet, the first one of a range; None where it is none."""
    found = _ADDRESS.match(address or "")
    return int(found[2]) if found else None
