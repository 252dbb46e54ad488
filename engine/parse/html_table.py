"""HTML tables -> table blocks, with spans and header rows."""

from itertools import accumulate, product, takewhile
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from engine.errors import LimitExceededError
from engine.model import Block
from engine.parse.html_spacers import without_spacers
from engine.parse.html_text import collapsed, is_hidden, plain_text
from engine.parse.table_text import Cell, table_block
from engine.structure.numbering import bullet, numbering_of

MAX_SPAN = 1000
MAX_AREA = 4_000_000
LAYOUT_LENGTH = 1500
MOST_LINE_ROWS = 3  # a line of text, with rows that only set the widths
# Elements that a line of text does not hold.
_NO_LINE = "table, ul, ol, img, pre, h1, h2, h3, h4, h5, h6, p + p"
_GROUPS = frozenset({"thead", "tbody", "tfoot"})


class Row(NamedTuple):
    """A row of a table: its element, its cells, whether it stands in the table's head."""

    node: LexborNode
    cells: list[LexborNode]
    in_head: bool


class Table(NamedTuple):
    """What was read: the block (None when no cell has text), the caption, the pictures in cells."""

    block: Block | None
    caption: str
    pictures: list[LexborNode]


def rows_of(table: LexborNode) -> list[Row]:
    """Return the table's own rows, not those of tables in its cells; a foot goes last."""
    rows: list[Row] = []
    foot: list[Row] = []
    for child in table.iter():
        if child.tag == "tr":
            rows.append(_row(child, False))
        elif child.tag in _GROUPS and not is_hidden(child):
            group = foot if child.tag == "tfoot" else rows
            group += [_row(inner, child.tag == "thead") for inner in child.iter() if inner.tag == "tr"]
    return [row for row in rows + foot if not is_hidden(row.node)]


def _row(node: LexborNode, in_head: bool) -> Row:
    cells = [child for child in node.iter() if child.tag in {"td", "th"} and not is_hidden(child)]
    return Row(node, cells, in_head)


def is_layout(table: LexborNode) -> bool:
    """Tell whether a table only places things on the page: it says so, has one cell, or frames other tables."""
    if (table.attributes.get("role") or "").lower() in {"presentation", "none"}:
        return True
    cells = [cell for row in rows_of(table) for cell in row.cells]
    if len(cells) <= 1:
        return True
    if len(table.css("table")) <= 1 or any(cell.tag == "th" for cell in cells):
        return False
    return any(len(collapsed([cell.text()])) > LAYOUT_LENGTH for cell in cells)


def line_of(table: LexborNode) -> list[LexborNode]:
    """Return the cells of a table that only sets a line of text: one row, of one text, or a bullet or number and what
    it stands before."""
    rows = rows_of(table)
    if len(rows) > MOST_LINE_ROWS:
        return []
    filled = list(filter(None, map(_filled, rows)))
    cells = filled[0] if len(filled) == 1 else []
    if len(cells) > 2 or any(cell.tag != "td" or cell.css(_NO_LINE) for cell in cells):
        return []
    return cells if len(cells) < 2 or _marks(*map(plain_text, cells)) else []


def _filled(row: Row) -> list[LexborNode]:
    return [cell for cell in row.cells if plain_text(cell)]


def _marks(mark: str, text: str) -> bool:
    """Tell whether a text before another is but its bullet or number."""
    whole = f"{mark} {text}"
    number = numbering_of(whole)
    label = number.label if number else mark[:1] if bullet(whole) else ""
    return len(mark) <= len(label) + bool(number)


def read_table(table: LexborNode, name: str) -> Table:
    """Return a table; each cell takes the next place that no earlier one covers. Raises LimitExceededError."""
    cells: list[Cell] = []
    covered: set[tuple[int, int]] = set()
    rows, heights = _joined(rows_of(table))
    claimed, pictures = 0, list[LexborNode]()
    for index, row in enumerate(rows):
        column = 0
        for cell in row.cells:
            high, wide = heights[id(cell)], _span(cell, "colspan", MAX_SPAN)
            claimed += high * wide
            _check_area(claimed, name)
            while (index, column) in covered:
                column += 1
            cells.append(Cell(plain_text(cell), index, column, high, wide))
            covered.update(product(range(index + 1, index + high), range(column, column + wide)))
            column += wide
            pictures += cell.css("img")
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    _check_area(width * len(rows), name)
    header = sum(1 for _ in takewhile(lambda at: _names_columns(rows[at], at), range(len(rows))))
    captions = (plain_text(child) for child in table.iter() if child.tag == "caption")
    block = table_block(cells if header else without_spacers(cells, width), header if header < len(rows) else 0)
    return Table(block, next(captions, ""), pictures)


def _names_columns(row: Row, index: int) -> bool:
    """Tell whether a row is one of the header; a later one of tall cells only names the rows beside it."""
    named = row.in_head or (all(cell.tag == "th" for cell in row.cells) and not (index and _is_tall(row)))
    return bool(row.cells) and named


def _check_area(cells: int, name: str) -> None:
    if cells > MAX_AREA:
        raise LimitExceededError(f"{name} has a table of more than {MAX_AREA:,} cells. Split it into smaller files.")


def _joined(rows: list[Row]) -> tuple[list[Row], dict[int, int]]:
    """Join rows of nothing but tall cells with the row below, as they are shown; return also how many of the
    rows left each cell covers, by the cell's identity."""
    low = [
        row.in_head or index in {0, len(rows) - 1} or not _is_tall(row)
        or any(cell.tag != "th" for cell in row.cells)
        for index, row in enumerate(rows)
    ]  # fmt: skip
    before = list(accumulate(low, initial=0))
    joined: list[Row] = []
    heights: dict[int, int] = {}
    waiting: list[LexborNode] = []
    for index, row in enumerate(rows):
        for cell in row.cells:
            end = index + _span(cell, "rowspan", len(rows) - index)
            heights[id(cell)] = max(1, before[end] - before[index])
        waiting += row.cells
        if low[index]:
            joined.append(Row(row.node, waiting, row.in_head))
            waiting = []
    return joined, heights


def _is_tall(row: Row) -> bool:
    return bool(row.cells) and all(_span(cell, "rowspan", 2) > 1 for cell in row.cells)


def _span(cell: LexborNode, name: str, limit: int) -> int:
    digits = (cell.attributes.get(name) or "").strip()[:6]
    if not digits.isdecimal():
        return 1
    # A row span of 0 reaches to the table's end.
    return min(int(digits) or (limit if name == "rowspan" else 1), limit) or 1
