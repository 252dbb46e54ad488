"""A node as plain values that the browser draws: heading, paragraph, list, picture, caption, code, table; a sheet.

A table has header levels, spans, numbers to the right, and what was cited in it marked. Of a very long table the rows
around the cited one are drawn, below its header. A sheet is one grid, the way its own program shows it: every table and
lone text at its address. A long one comes in parts of some hundred rows. Rows in which nothing stands are left out;
their numbers tell.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.model import Node
from engine.model.sheet_columns import column_letters, column_number
from engine.model.tree import DOUBTED

MOST_CELLS = 6000
MOST_COLUMNS = 120
MOST_PINNED = 2
LEAST_ROWS = 40
CELL_CHARACTERS = 2000
NUMERIC = {"number", "percent", "currency"}
Place = tuple[int, int]
Grid = Sequence[Sequence[str]]
_ADDRESS = re.compile(r"(?:.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$")
CELLS_A_PART = 5000
ROWS_A_PART = (40, 400)
BLOCK_CHARACTERS = 20_000
MARKS = ("note", "number", "author", "changes", "quote", "generated", "hidden", "chart")
_BULLET = re.compile(
    r"(?:[•◦▪‣·●○■□–—*-]|\(?(?:\d{1,3}|[A-Za-z]{1,4}|[一二三四五六七八九十]{1,3})[.)、）])\s+"
    r"|(?:[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十\d]{1,4}）)\s*"
)


def table_of(node: Node, *, quote: str = "", cell: str = "") -> dict[str, Any]:
    """Return a table node as plain values to draw.

    ``grid`` holds, for each row, ``[text, row span, column span, kind]``; a kind is made of the letters
    h (header), r (names its row), p (stays in view beside the others), n (number), f (note) and m (cited).
    ``head`` is how many rows of the grid are header, ``numbers`` and ``letters`` a sheet's row numbers and column
    letters, ``skipped`` and ``left`` how many rows are not drawn above and below. ``quote`` (words of the table) or
    ``cell`` (an address such as "Sheet1!B7", or several with ";" between) says what was cited.
    """
    rows = rows_of(node)
    width, head = len(rows[0]) if rows else 0, header_of(node)
    marked = cited_in(node, quote=quote, cell=cell)
    start, end = _window(len(rows), width, head, min((row for row, _ in marked), default=head))
    shown = [*range(head), *range(start, end)]
    cells, _ = cells_of(node, shown, width, marked)
    return {
        "grid": [[cells[row, column] for column in range(width) if (row, column) in cells] for row in shown],
        "head": head, "skipped": start - head, "left": len(rows) - end,
        **_sheet_marks(node, len(rows), shown, width),
    }  # fmt: skip


def _sheet_marks(node: Node, count: int, shown: Sequence[int], width: int) -> dict[str, list[Any]]:
    """The numbers of the rows that are shown of ``count`` and the letters of the columns; none outside a sheet."""
    begin, numbers = _addresses(node, count)
    if node.cell is None or begin is None:
        return {"numbers": [], "letters": []}
    letters = [column_letters(begin[0] + column) for column in range(width)]
    return {"numbers": [numbers[row] for row in shown], "letters": letters}


def cited_in(node: Node, *, quote: str = "", cell: str = "") -> set[Place]:
    """Return which cells (row, column; 0-based) of a table, or of a text on a sheet, a quote or an address names."""
    rows = rows_of(node)
    if cell and (found := set().union(*(_at_address(node, rows, one) for one in cell.split(";")))):
        return found
    return _quoted(rows, header_of(node), quote) if quote else set()


def rows_of(node: Node) -> list[list[str]]:
    """Return a table's rows as texts, all as long as the longest; a text alone is one cell."""
    if node.role != "table":
        return [[node.text]]
    rows = [[str(text) for text in row[:MOST_COLUMNS]] for row in node.metadata.get("rows") or []]
    width = max((len(row) for row in rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def header_of(node: Node) -> int:
    """Return how many rows of a table are its header."""
    return min(node.metadata.get("header_rows") or 0, len(node.metadata.get("rows") or []))


def _window(count: int, width: int, head: int, wanted: int) -> tuple[int, int]:
    room = max(LEAST_ROWS, MOST_CELLS // max(width, 1))
    if count - head <= room:
        return head, count
    start = max(head, min(wanted - room // 3, count - room))
    return start, start + room


def cells_of(
    node: Node, shown: Sequence[int], width: int, marked: set[Place]
) -> tuple[dict[Place, list[Any]], set[Place]]:
    """Return what :func:`table_of` draws of some rows and the first columns, by place, and what merged cells cover."""
    rows, kind = rows_of(node), kinds_of(node)
    spans, covered = spans_of(node, set(shown), width)
    cells = {
        (row, column): [
            text[:CELL_CHARACTERS], *spans.get((row, column), (1, 1)),
            kind(row, column) + ("m" if (row, column) in marked else ""),
        ]
        for row in shown
        for column, text in enumerate(rows[row][:width])
        if (row, column) not in covered
    }  # fmt: skip
    return cells, covered


def kinds_of(node: Node) -> Callable[[int, int], str]:
    """Return a function that gives the kind of a cell (row, column; 0-based) of a table."""
    facts, head = node.metadata, header_of(node)
    names = int(facts.get("header_columns") or 0)
    count = len(facts.get("rows") or [])
    notes = range(count - int(facts.get("note_rows") or 0), count)
    types = [column.get("dtype") for column in facts.get("columns") or []]

    def kind(row: int, column: int) -> str:
        numeric = column < len(types) and types[column] in NUMERIC
        found = "h" if row < head else "r" if column < names else "n" if numeric else ""
        beside = "p" if node.role == "table" and column < min(max(names, 1), MOST_PINNED) else ""
        return found + beside + ("f" if row in notes else "")

    return kind


def spans_of(node: Node, shown: set[int], width: int) -> tuple[dict[Place, Place], set[Place]]:
    """Return the spans of merged cells by their first drawn place, and the places that they cover.

    ``shown`` are the rows of the table that are drawn, ``width`` how many of its columns.
    A span never reaches from the header into the body: the two are drawn as parts of their own.
    """
    spans: dict[Place, Place] = {}
    covered: set[Place] = set()
    head = header_of(node)
    for cell in node.metadata.get("merged") or []:
        top, left = cell["row"], cell["column"]
        if left >= width:
            continue
        across = max(1, min(cell["column_span"], width - left))
        for part in _drawn_parts(range(top, top + cell["row_span"]), shown, head):
            places = {(row, column) for row in part for column in range(left, left + across)}
            if places.isdisjoint(covered | spans.keys()):
                spans[part[0], left] = len(part), across
                covered |= places - {(part[0], left)}
    return spans, covered


def _drawn_parts(rows: Iterable[int], shown: set[int], head: int) -> list[list[int]]:
    """Those of some rows that are drawn, the ones of the header and the ones of the body, as far as there are any."""
    drawn = [row for row in rows if row in shown]
    parts = [row for row in drawn if row < head], [row for row in drawn if row >= head]
    return [part for part in parts if part]


def _addresses(node: Node, count: int) -> tuple[Place | None, Sequence[int]]:
    """The column and row, 1-based, where a table begins and its rows' numbers; None where its cells have no address."""
    if node.cell is None:  # of no sheet: the table's own columns and rows are counted
        return (1, 1), range(1, count + 1)
    numbers = node.metadata.get("row_numbers") or []
    return (start_of(node.cell) if len(numbers) == count else None), numbers


def addresses_of(node: Node, places: Sequence[Place]) -> str:
    """Return the addresses of cells (row, column; 0-based) of a table, joined; "" where they have none."""
    begin, numbers = _addresses(node, len(rows_of(node)))
    if begin is None:
        return ""
    return ";".join(f"{column_letters(begin[0] + column)}{numbers[row]}" for row, column in places)


def _at_address(node: Node, rows: Grid, cell: str) -> set[Place]:
    wanted = _ADDRESS.match(cell)
    begin, numbers = _addresses(node, len(rows))
    if wanted is None or begin is None or cell == node.cell:
        return set()
    left, right = column_number(wanted[1]), column_number(wanted[3] or wanted[1])
    top, bottom = int(wanted[2]), int(wanted[4] or wanted[2])
    inside = [row for row, number in enumerate(numbers) if top <= number <= bottom]
    return {(row, column) for row, column in _cells(rows, inside) if left <= column + begin[0] <= right}


def _quoted(rows: Grid, head: int, quote: str) -> set[Place]:
    """Return the cells that a quote names: whole rows that stand in it, or the cell that it stands in."""
    wanted = _words(quote)
    lines = [_words(" ".join(dict.fromkeys(row))) for row in rows]
    whole = [row for row, line in enumerate(lines) if len(line) > 3 and line in wanted]
    if whole:
        return _cells(rows, [row for row in whole if row >= head] or whole)
    return _holding(wanted, rows, lines, _words) or _holding(wanted.replace(" ", ""), rows, lines, bare)


def _cells(rows: Grid, places: Iterable[int]) -> set[Place]:
    return {(row, column) for row in places for column in range(len(rows[row]))}


def _holding(wanted: str, rows: Grid, lines: Sequence[str], of: Callable[[str], str]) -> set[Place]:
    """The cells of the first row with a text in it that have it themselves, or all of them; ``of`` spells a text so."""
    row = next((row for row, line in enumerate(lines) if wanted in of(line)), None)
    if row is None or not wanted.strip():
        return set()
    return {(row, column) for column, text in enumerate(rows[row]) if wanted in of(text)} or _cells(rows, [row])


def _words(text: str) -> str:
    """Return a text with one space between its words and around it, the bars between cells left out."""
    return f" {' '.join(text.replace('|', ' ').split())} "


def bare(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def start_of(address: str | None) -> tuple[int, int] | None:
    """Return the column and row, 1-based, at which one or several addresses on a sheet begin; else None."""
    found = _ADDRESS.match((address or "").partition(";")[0])
    return (column_number(found[1]), int(found[2])) if found else None


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

    def shown(self, part: int) -> list[int]:
        """Return the rows of a part."""
        return self.rows[(part - 1) * self._size : part * self._size]

    def block(
        self, part: int, *, active: Node | None = None, quote: str = "", cell: str = "", label: str = ""
    ) -> dict[str, Any]:
        """Return a part as a block of ``node_block``; ``holds`` lists the nodes on it.

        Above it stands the header of a table that began before. Its cells are those of ``table_grid.table_of`` with
        the id of their node added; the kind "a" marks those of the active node, "e" cells that belong to no node.
        """
        body, head = self.shown(part), self._header_above(part)
        shown, columns = head + body, range(self._left, self._right)
        at = {number: index for index, number in enumerate(shown)}
        grid: dict[tuple[int, int], list[Any]] = {}
        covered: set[tuple[int, int]] = set()
        ids = list(dict.fromkeys(node_id for number in body for node_id, _ in self._on_row[number]))
        for node_id in ids:
            chosen = active is not None and node_id == active.node_id
            self._put(node_id, at, grid, covered, chosen=chosen, quote=quote, cell=cell)
        rows = [
            [grid.get((row, column), ["", 1, 1, "e", ""]) for column in columns if (row, column) not in covered]
            for row in range(len(shown))
        ]
        table = {
            "grid": rows, "head": len(head), "numbers": shown, "skipped": 0, "left": 0,
            "letters": [*map(column_letters, columns)],
        }  # fmt: skip
        return {"id": "", "role": "sheet", "text": "", "label": label, "table": table, "holds": ids}

    def _header_above(self, part: int) -> list[int]:
        """Return the header rows, in parts before, of the table that goes on at the top of a part."""
        first = self.shown(part)[0]
        node, _, numbers = self._placed[self._on_row[first][0][0]]
        return [number for number in numbers[: header_of(node)] if number < first]

    def _put(
        self, node_id: str, at: dict[int, int], grid: dict[Place, list[Any]], covered: set[Place],
        *, chosen: bool, quote: str, cell: str,
    ) -> None:  # fmt: skip
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


def block_of(node: Node, *, quote: str = "", cell: str = "", picture: str = "") -> dict[str, Any]:
    """Return a node as plain values: id, role, text, and what its role needs besides.

    A section has its ``level``, a list its ``items`` as [depth, marker, text], a table what
    ``table_grid.table_of`` gives, a picture its address ``source`` (``picture``), ``text`` in its place and the lines
    that were ``read`` in it, by cells.
    ``marks`` says what else is known: a note's kind and author, tracked changes, a quotation, a title that was made up.
    ``doubtful`` lists what text recognition was not sure of, in percent. ``quote`` and ``cell`` say what of a table was
    cited.
    """
    block: dict[str, Any] = {"id": node.node_id, "role": node.role, "text": node.text[:BLOCK_CHARACTERS]}
    if len(node.text) > BLOCK_CHARACTERS:
        block["text"] += " …"
    block |= _remarks(node)
    if node.role == "section":
        block |= {"text": node.title, "level": min(max(node.level or node.depth, 1), 6)}
    elif node.role == "list":
        block["items"] = _items(str(block["text"]))
    elif node.role == "table" and node.metadata.get("rows"):
        block["table"] = table_of(node, quote=quote, cell=cell)
        block["text"] = ""
    elif node.role == "image":
        told = (node.text, *(node.metadata.get(key) for key in ("description", "alt", "caption", "ocr_text")))
        block |= {"text": next((str(one) for one in told if one), ""), "source": picture}
        block["read"] = [line.split(" | ") for line in str(node.metadata.get("ocr_text") or "").splitlines()]
    return block


def _remarks(node: Node) -> dict[str, Any]:
    """What is known of a node beside its text: its marks, and lines that may have been read wrongly."""
    facts = node.metadata
    marks = {key: facts[key] for key in MARKS if facts.get(key)}
    doubtful = [
        (line["text"], int(100 * line["confidence"]))
        for line in facts.get("ocr_lines") or []
        if line["confidence"] < DOUBTED
    ]
    return {name: found for name, found in (("marks", marks), ("doubtful", doubtful)) if found}


def _items(text: str) -> list[list[Any]]:
    items: list[list[Any]] = []
    marked = any(_BULLET.match(line.strip()) for line in text.split("\n"))
    for line in text.split("\n"):
        bare = line.strip()
        found = _BULLET.match(bare)
        depth = min((len(line) - len(line.lstrip(" "))) // 2, 8)
        marker = found[0].strip() if found else "" if marked else "•"
        items.append([depth, marker, bare[found.end() :] if found else bare])
    return items
