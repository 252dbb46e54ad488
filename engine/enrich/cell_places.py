"""Where a cell stands: its node, its place among the rows and columns, its page and box, or its address in a sheet."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.enrich.units import written_unit
from engine.model import BBox, Node, Value, hull
from engine.model.sheet_columns import column_letters, column_number

_RANGE = re.compile(r"^(?:(?P<sheet>.*)!)?\$?(?P<column>[A-Z]{1,3})\$?(?P<row>\d+)(?::|$)")
# So many stretches of rows are told apart.
_MOST_RUNS = 6
# What a line holds between its spaces.
_LINE = re.compile(r"\S(?:.*\S)?")


@dataclass(frozen=True, slots=True)
class CellRef(Value):
    """The place of a value, which a citation leads to.

    ``row`` and ``column`` are 0-based places in the node's ``metadata["rows"]``, header rows included. ``address`` is
    the sheet's own ("Sheet1!B4") where the table is part of a sheet, else it counts the table's own columns and rows,
    header included ("B4"). ``page`` is 1-based, ``bbox`` in PDF points: the cell's where its edges are known, else its
    table's.
    """

    node_id: str
    row: int
    column: int
    row_header: str
    column_header: str
    text: str
    page: int | None = None
    bbox: BBox | None = None
    address: str | None = None


def page_and_box(node: Node, row: int, column: int) -> tuple[int | None, BBox | None]:
    """Return the page and box of a cell of a table; of its part of the table where no edges are known."""
    pages = node.metadata.get("row_pages") or []
    page = int(pages[row]) if row < len(pages) and pages[row] else node.page
    part = _part_of(node, row)
    edges, box, line = part.get("edges") or {}, part.get("bbox"), row - int(part.get("row", 0))
    xs, ys = edges.get("x") or [], edges.get("y") or []
    if column + 1 < len(xs) and line + 1 < len(ys):
        return page, (xs[column], ys[line], xs[column + 1], ys[line + 1])
    return page, tuple(box) if box else None


def _part_of(node: Node, row: int) -> dict[str, Any]:
    """Return what is known of where a row stands: of the part of a table on several pages that holds it."""
    spans = node.metadata.get("spans") or []
    if len(spans) < 2:
        return {"edges": node.metadata.get("edges"), "bbox": node.bbox}
    return next((span for span in reversed(spans) if span.get("row", 0) <= row), {})


def address_of(node: Node, row: int, column: int) -> str:
    """Return the address of a cell: the sheet's own, or its place in the table."""
    match = _RANGE.match(node.cell or "")
    numbers: Sequence[int] = node.metadata.get("row_numbers") or []
    if not match or row >= len(numbers):
        return f"{column_letters(column + 1)}{row + 1}"
    sheet = f"{match['sheet']}!" if match["sheet"] else ""
    return f"{sheet}{column_letters(column_number(match['column']) + column)}{numbers[row]}"


def text_at(node: Node, address: str) -> str:
    """Return what stands at an address ("B4") of a table that is part of a sheet; "" where it has no such cell."""
    match, numbers = _RANGE.match(node.cell or ""), list(node.metadata.get("row_numbers") or [])
    letters = address.rstrip("0123456789")
    digits = address[len(letters) :]
    if not match or not (letters.isascii() and letters.isupper() and digits) or int(digits) not in numbers:
        return ""
    row, column = numbers.index(int(digits)), column_number(letters) - column_number(match["column"])
    cells = node.metadata["rows"][row]
    return str(cells[column]).strip() if 0 <= column < len(cells) else ""


def range_address(first: str, last: str) -> str:
    """Return the address of a block of cells by those of its first and last ("Sheet1!A4:C9")."""
    return first if first == last else f"{first}:{last.rpartition('!')[2]}"


def addresses_of(cells: Sequence[str]) -> str:
    """Return the addresses of single cells as one: a block where they follow each other, else one by one (";")."""
    places = [re.fullmatch(r"(.*?)(\d+)", one) for one in cells]
    numbers = [int(place[2]) for place in places if place]
    below = len(numbers) == len(cells) and len({place[1] for place in places if place}) == 1
    if below and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return range_address(cells[0], cells[-1])
    return ";".join([cells[0], *(one.rpartition("!")[2] for one in cells[1:])])


def cells_shown(node: Node, text: str) -> str:
    """Return the addresses of the rows of a sheet's table that a text shows ("A7:D9, A15:D15"), "" for other tables."""
    numbers: Sequence[int] = node.metadata.get("row_numbers") or []
    if not numbers or not node.cell:
        return ""
    lines, last = set(text.split("\n")), max(map(len, node.metadata["rows"])) - 1
    shown = [row for row, at in lines_of(node).items() if node.text[slice(*at)] in lines]
    # Rows that follow each other are as far from their places among those that are shown.
    runs = [[row for _, row in run] for _, run in groupby(enumerate(shown), lambda one: numbers[one[1]] - one[0])]
    found = (range_address(address_of(node, run[0], 0), address_of(node, run[-1], last)) for run in runs[:_MOST_RUNS])
    return ", ".join(one.rpartition("!")[2] for one in found)


def cell_of(node: Node, row: int, column: int) -> CellRef:
    """Return the reference to a cell of a table node by its place in ``metadata["rows"]``."""
    facts = node.metadata
    cells: Sequence[Any] = (facts.get("rows") or [])[row]
    own = " / ".join(str(one) for one in cells[: int(facts.get("header_columns") or 0)] if str(one).strip())
    named = "".join((facts.get("row_names") or [])[row : row + 1]) or own
    header: dict[str, Any] = next(iter((facts.get("columns") or [])[column : column + 1]), {})
    text = " ".join("".join(map(str, cells[column : column + 1])).split())
    place = *page_and_box(node, row, column), address_of(node, row, column)
    return CellRef(node.node_id, row, column, named, str(header.get("name") or ""), text, *place)


def rows_place(node: Node, start: int, end: int) -> tuple[str, int | None, BBox | None] | None:
    """Return the address, page and box of the rows that stand in a stretch of a table's text, None where none does."""
    places = [row for row, (first, last) in lines_of(node).items() if first < end and start < last]
    if not places:
        return None
    width = max(1, len(node.metadata["rows"][places[-1]]))
    address = range_address(address_of(node, places[0], 0), address_of(node, places[-1], width - 1))
    corners = [page_and_box(node, row, column) for row in places for column in (0, width - 1)]
    page = corners[0][0]
    boxes = list(filter(None, (box for on, box in corners if on == page)))
    return address, page, hull(boxes) if boxes else None


def lines_of(node: Node) -> dict[int, tuple[int, int]]:
    """Return where each row stands in its table's text, by place: the line that holds most of its cells."""
    lines = [(found.start(), found.end(), " ".join(found[0].split())) for found in _LINE.finditer(node.text)]
    places, at = dict[int, tuple[int, int]](), 0
    for index, row in enumerate(node.metadata.get("rows") or []):
        filled = [text for cell in row if (text := " ".join(str(cell).split()))]
        for ahead, (start, end, plain) in enumerate(lines[at : at + 4], at):
            if filled and sum(cell in plain for cell in filled) >= 0.6 * len(filled):
                places[index], at = (start, end), ahead + 1
                break
    return places


def called(node: Node | None) -> str:
    """Return the caption of a table and what it is measured in as a whole."""
    facts = node.metadata if node else {}
    unit = written_unit(facts.get("unit"), int(facts.get("scale") or 1))
    return " ".join(filter(None, [str(facts.get("caption") or ""), f"({unit})" if unit else ""]))


def grid_of(node: Node | None, lines: Sequence[str], said: Sequence[str]) -> list[list[str]]:
    """Return the names of a table's columns and the cells of some of its lines, merged and empty ones in their places.

    Before the first cell stands the group that the row is of, where it has one. ``said`` are the lines as they are to
    be shown, words of them in bold. Of a table whose cells are not known these are those of its lines, the first of
    which is the header.
    """
    known = {node.text[slice(*at)]: place for place, at in lines_of(node).items()} if node else {}
    at = [known.get(line.strip(), -1) for line in lines]
    if node is None or min(at) < 0 or "columns" not in node.metadata:
        first, *others = ([cell.strip() for cell in line.split("|")] for line in said)
        above = [""] * all(len(line) == len(first) + 1 for line in others)  # nothing stands above the labels
        return [[*above, *first], *others]
    header, names = int(node.metadata.get("header_rows") or 0), [one["name"] for one in node.metadata["columns"]]
    marked = ("" if "*" in own else line for own, line in zip(lines, said, strict=True))
    rows = (_shown(node, place, line) for place, line in zip(at, marked, strict=True) if place >= header)
    return [[" ".join(str(name).split()) for name in names], *rows]


def _shown(node: Node, place: int, line: str) -> list[str]:
    """Return the cells of a row behind its group, with what is in bold in its line."""
    cells = [" ".join(str(cell).split()) for cell in node.metadata["rows"][place]]
    levels = "".join((node.metadata.get("row_names") or [])[place : place + 1]).split(" / ")
    cells[0] = " / ".join([*(one for one in levels if one and one.rstrip(":：") not in cells), cells[0]])
    bold = line.split("**")[1:2]
    return [cell.replace(bold[0], f"**{bold[0]}**", 1) for cell in cells] if bold else cells
