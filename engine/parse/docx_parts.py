"""Parts of a Word document: tables, with merged cells, nested tables and what else stands in cells; and beside its body
notes, charts, diagrams."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from string import hexdigits
from typing import Any

from engine.model import Block
from engine.parse.docx_inline import Inline, InlineReader
from engine.parse.ooxml import A, C, W, integer, is_on, value
from engine.parse.table_text import Cell, table_block

MAX_POINTS, MAX_NESTING, MAX_COLUMNS = 2000, 8, 1000
WRAPPERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
LabelOf = Callable[[Any, bool], str]


def notes_of(root: Any | None) -> dict[str, tuple[int, Any]]:
    """Return footnotes, endnotes or comments by id: the number as shown, and the element."""
    shown = (note for note in (() if root is None else root) if note.get(f"{W}type", "normal") == "normal")
    return {note.get(f"{W}id", ""): (number, note) for number, note in enumerate(shown, 1)}


def chart_block(root: Any | None) -> Block | None:
    """Return a chart's cached values as a table: categories down, one column a series."""
    if root is None:
        return None
    title = root.find(f".//{C}title")
    words = "" if title is None else " ".join("".join(title.itertext(f"{A}t", with_tail=False)).split())
    kinds = (plot.tag for plot in root.iterfind(f".//{C}plotArea/*") if plot.tag.endswith("Chart"))
    cells: list[Cell] = []
    for column, item in enumerate(list(root.iter(f"{C}ser"))[:50], 1):
        cells.append(Cell(_points(item.find(f"{C}tx")).get(0, f"{column}"), 0, column))
        categories = _points(item.find(f"{C}cat"), item.find(f"{C}xVal"))
        values = _points(item.find(f"{C}val"), item.find(f"{C}yVal"))
        for row in sorted(values)[:MAX_POINTS]:
            if column == 1:
                cells.append(Cell(categories.get(row, str(row + 1)), row + 1, 0))
            cells.append(Cell(values[row], row + 1, column))
    cells.sort(key=lambda cell: (cell.row, cell.column))
    kind = next(kinds, "").removeprefix(C).removesuffix("Chart")
    return table_block(cells, header_rows=1, caption=words, chart=kind)


def _points(*holders: Any | None) -> dict[int, str]:
    for holder in holders:
        if holder is not None:
            points = {integer(p.get("idx")): _shown(p.findtext(f"{C}v") or "") for p in holder.iter(f"{C}pt")}
            single = holder.findtext(f"{C}v")
            return points or ({0: single} if single else {})
    return {}


def _shown(text: str) -> str:
    """Return a number without the noise of binary fractions (4.4000000000000004)."""
    try:
        return text if len(text) < 14 else f"{float(text):.12g}"
    except ValueError:
        return text


def diagram_text(root: Any | None) -> str:
    """Return the words of a SmartArt diagram, one shape a line."""
    if root is None:
        return ""
    bodies = (e for e in root.iter() if e.tag.endswith("}t") and e.find(f"{A}p") is not None)
    lines = (" ".join("".join(body.itertext(f"{A}t", with_tail=False)).split()) for body in bodies)
    return "\n".join(line for line in lines if line)


@dataclass
class Table:
    """What was read: the block (None when no cell has text), what stands in cells besides text, and
    ``single``, the only cell of a table that is but a frame around other contents."""

    block: Block | None = None
    inlines: list[Inline] = field(default_factory=list)
    single: Any | None = None


def read_table(element: Any, reader: InlineReader, label_of: LabelOf) -> Table:
    """Read a table; ``label_of`` counts a cell's paragraph and returns its number or bullet."""
    rows = [row for row in _below(element, f"{W}tr") if row.find(f"{W}trPr/{W}del") is None]
    if len(rows) == 1 and len(alone := list(_below(rows[0], f"{W}tc"))) == 1:
        return Table(single=alone[0])
    inlines: list[Inline] = []
    cells = _cells(rows, lambda cell: _text_of(cell, reader, label_of, inlines))
    return Table(table_block(cells, header_rows=_header_rows(element, rows)), inlines)


def _below(element: Any, tag: str) -> Iterator[Any]:
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in WRAPPERS:
            yield from _below(child, tag)


def _header_rows(element: Any, rows: list[Any]) -> int:
    """Return how many rows repeat as headers; else one where the table's look sets off its first row."""
    count = sum(1 for _ in takewhile(lambda row: is_on(row.find(f"{W}trPr/{W}tblHeader")), rows))
    if count or len(rows) < 2:
        return count
    look = element.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return 1
    if (first := look.get(f"{W}firstRow")) is not None:
        return int(first in {"1", "true", "on"})
    bits = value(look) or "0020"
    return int(set(bits) <= set(hexdigits) and bool(int(bits, 16) & 0x20))


def _cells(rows: list[Any], text_of: Callable[[Any], str]) -> list[Cell]:
    cells: list[Cell] = []
    open_merges: dict[int, int] = {}
    for row_number, row in enumerate(rows):
        column = integer(value(row.find(f"{W}trPr/{W}gridBefore")))
        still_open: dict[int, int] = {}
        for element in _below(row, f"{W}tc"):
            merge = element.find(f"{W}tcPr/{W}vMerge")
            width = min(max(integer(value(element.find(f"{W}tcPr/{W}gridSpan")), 1), 1), MAX_COLUMNS)
            above = open_merges.get(column)
            if merge is not None and value(merge) != "restart" and above is not None:
                cells[above] = replace(cells[above], row_span=row_number - cells[above].row + 1)
                still_open[column] = above
            else:
                cells.append(Cell(text_of(element), row_number, column, 1, width))
                if merge is not None:
                    still_open[column] = len(cells) - 1
            column += width
        open_merges = still_open
    return cells


def _text_of(cell: Any, reader: InlineReader, label_of: LabelOf, inlines: list[Inline], depth: int = 0) -> str:
    """Return a cell's paragraphs as lines; a nested table gives its rows as lines."""
    lines: list[str] = []
    for element in cell:
        if element.tag == f"{W}p":
            inline = reader.read(element)
            text = inline.text
            label = label_of(element, bool(text))
            lines.append(label + text if text else "")
            inlines.append(inline)
        elif element.tag == f"{W}tbl" and depth < MAX_NESTING:
            for row in _below(element, f"{W}tr"):
                cells = _below(row, f"{W}tc")
                texts = (_text_of(inner, reader, label_of, inlines, depth + 1) for inner in cells)
                lines.append(" | ".join(text.replace("\n", " ") for text in texts).strip(" |"))
        elif element.tag in WRAPPERS:
            lines.append(_text_of(element, reader, label_of, inlines, depth))
    return "\n".join(line for line in lines if line)
