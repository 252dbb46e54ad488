"""A sheet as one grid, the way its own program shows it: every table and lone text at its address.

A long sheet comes in parts of some hundred rows. Rows in which nothing stands are left out; their numbers tell.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from engine.model import Node
from engine.model.sheet_columns import column_letters
from pages.widgets.table_grid import MOST_COLUMNS, cells_of, cited_in, header_of, rows_of, start_of

CELLS_A_PART = 5000
ROWS_A_PART = (40, 400)


class Sheet:
    """The nodes of a sheet that lie on its cells. Immutable once made; rows are 1-based, as on the sheet."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._placed: dict[str, tuple[Node, int, list[int]]] = {}
        on_row: dict[int, list[tuple[str, int]]] = {}
        for node in nodes:
            if (place := _place(node)) is None:
                continue
            column, numbers = place
            self._placed[node.node_id] = node, column, numbers
            for index, number in enumerate(numbers):
                on_row.setdefault(number, []).append((node.node_id, index))
        self._on_row = on_row
        self.rows = sorted(on_row)
        rights = [column + len(row) for node, column, _ in self._placed.values() for row in rows_of(node)]
        self._left = min((column for _, column, _ in self._placed.values()), default=1)
        self._right = min(max(rights, default=1), self._left + MOST_COLUMNS)
        least, most = ROWS_A_PART
        self._size = max(least, min(most, CELLS_A_PART // (self._right - self._left + 1)))
        self.parts = max(1, -(-len(self.rows) // self._size))

    def has(self, node: Node) -> bool:
        """Tell whether a node lies on the cells of the sheet."""
        return node.node_id in self._placed

    def part_of(self, node: Node | None, cell: str = "") -> int:
        """Return the part, 1-based, in which a node begins, or in which its cited cell lies."""
        if node is None or node.node_id not in self._placed:
            return 1
        numbers, begin = self._placed[node.node_id][2], start_of(cell)
        if begin is None:
            row = next((n for n in numbers if self._on_row[n][0][0] == node.node_id), numbers[0])
        else:
            row = begin[1] if begin[1] in numbers else numbers[-1]
        return min(bisect_left(self.rows, row) // self._size + 1, self.parts)

    def bounds(self, part: int) -> tuple[int, int]:
        """Return the first and last row of a part."""
        shown = self._shown(part)
        return shown[0], shown[-1]

    def block(
        self, part: int, *, active: Node | None = None, quote: str = "", cell: str = "", label: str = ""
    ) -> dict[str, Any]:
        """Return a part as a block of ``node_block``; ``holds`` lists the nodes on it.

        Above it stands the header of a table that began before. Its cells are those of ``table_grid.table_of`` with
        the id of their node added; the kind "a" marks those of the active node, "e" cells that belong to no node.
        """
        body, head = self._shown(part), self._header_above(part)
        shown = head + body
        at = {number: index for index, number in enumerate(shown)}
        grid: dict[tuple[int, int], list[Any]] = {}
        covered: set[tuple[int, int]] = set()
        ids = list(dict.fromkeys(node_id for number in body for node_id, _ in self._on_row[number]))
        for node_id in ids:
            chosen = active is not None and node_id == active.node_id
            self._put(node_id, at, grid, covered, chosen=chosen, quote=quote, cell=cell)
        rows = [
            [
                grid.get((row, column), ["", 1, 1, "e", ""])
                for column in range(self._left, self._right)
                if (row, column) not in covered
            ]
            for row in range(len(shown))
        ]
        table = {
            "grid": rows, "head": len(head), "numbers": shown, "skipped": 0, "left": 0,
            "letters": [column_letters(column) for column in range(self._left, self._right)],
        }  # fmt: skip
        return {"id": "", "role": "sheet", "text": "", "label": label, "table": table, "holds": ids}

    def _header_above(self, part: int) -> list[int]:
        """Return the header rows, in parts before, of the table that goes on at the top of a part."""
        first = self._shown(part)[0]
        node, _, numbers = self._placed[self._on_row[first][0][0]]
        return [number for number in numbers[: header_of(node)] if number < first]

    def _shown(self, part: int) -> list[int]:
        return self.rows[(part - 1) * self._size : part * self._size]

    def _put(
        self,
        node_id: str,
        at: dict[int, int],
        grid: dict[tuple[int, int], list[Any]],
        covered: set[tuple[int, int]],
        *,
        chosen: bool,
        quote: str,
        cell: str,
    ) -> None:
        """Write the cells of a node that are shown into the grid; what stands there already stays."""
        node, left, numbers = self._placed[node_id]
        marked = cited_in(node, quote=quote, cell=cell) if chosen else set()
        inside = [index for index, number in enumerate(numbers) if number in at]
        cells, hidden = cells_of(node, inside, min(self._right - left, len(rows_of(node)[0])), marked)
        covered |= {(at[numbers[row]], left + column) for row, column in hidden} - grid.keys()
        for (row, column), (text, down, across, kind) in cells.items():
            place = at[numbers[row]], left + column
            if place not in grid and place not in covered:
                grid[place] = [text, down, across, kind + ("a" if chosen else ""), node_id]


def _place(node: Node) -> tuple[int, list[int]] | None:
    """Return the 1-based column and the row numbers of a node, or None when it lies on no cell."""
    if (begin := start_of(node.cell)) is None:
        return None
    if node.role == "table":
        numbers = list(node.metadata.get("row_numbers") or [])
        return (begin[0], numbers) if numbers and len(numbers) == len(rows_of(node)) else None
    if node.role == "section" or node.metadata.get("note") or not node.text:
        return None
    return begin[0], [begin[1]]
