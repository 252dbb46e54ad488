"""Word tables -> table blocks, with merged cells, nested tables and what else stands in cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.model import Block
from engine.parse.docx_inline import Inline, InlineReader
from engine.parse.ooxml import W, integer, is_on, value
from engine.parse.table_text import Cell, table_block

MAX_NESTING = 8
MAX_COLUMNS = 1000
_WRAPPERS = frozenset(
    f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag")
)
LabelOf = Callable[[Any, bool], str]


@dataclass
class Table:
    """What was read: the block (None when no cell has text), what stands in cells besides text, and
    ``single``, the only cell of a table that is but a frame around other contents."""

    block: Block | None = None
    inlines: list[Inline] = field(default_factory=list)
    single: Any | None = None


def read_table(element: Any, reader: InlineReader, label_of: LabelOf) -> Table:
    """Read a table; ``label_of`` counts a cell's paragraph and returns its number or bullet."""
    rows = list(_below(element, f"{W}tr"))
    if len(rows) == 1:
        cells = list(_below(rows[0], f"{W}tc"))
        if len(cells) == 1:
            return Table(single=cells[0])
    table = Table()
    cells_read = _cells(rows, _CellReader(reader, label_of, table))
    headers = _header_rows(element, rows)
    table.block = table_block(cells_read, header_rows=headers)
    return table


def _below(element: Any, tag: str) -> Iterator[Any]:
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _below(child, tag)


def _header_rows(element: Any, rows: list[Any]) -> int:
    """Return how many rows repeat as headers; else one where the table's look sets off its first row."""
    count = 0
    while count < len(rows) and is_on(rows[count].find(f"{W}trPr/{W}tblHeader")):
        count += 1
    if count or len(rows) < 2:
        return count
    look = element.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return 1
    first = look.get(f"{W}firstRow")
    if first is None:
        bits = value(look) or "0020"
        return 1 if all(c in "0123456789abcdefABCDEF" for c in bits) and int(bits, 16) & 0x20 else 0
    return 1 if first in {"1", "true", "on"} else 0


def _cells(rows: list[Any], reader: _CellReader) -> list[Cell]:
    cells: list[Cell] = []
    open_merges: dict[int, int] = {}
    for row_number, row in enumerate(rows):
        column = integer(value(row.find(f"{W}trPr/{W}gridBefore")))
        still_open: dict[int, int] = {}
        for element in _below(row, f"{W}tc"):
            properties = element.find(f"{W}tcPr")
            span = merge = None
            if properties is not None:
                span, merge = properties.find(f"{W}gridSpan"), properties.find(f"{W}vMerge")
            width = min(max(integer(value(span), 1), 1), MAX_COLUMNS)
            above = open_merges.get(column)
            if merge is not None and value(merge) != "restart" and above is not None:
                cell = cells[above]
                cells[above] = Cell(
                    cell.text, cell.row, cell.column, row_number - cell.row + 1, cell.column_span
                )
                still_open[column] = above
            else:
                cells.append(Cell(reader.text(element), row_number, column, 1, width))
                if merge is not None:
                    still_open[column] = len(cells) - 1
            column += width
        open_merges = still_open
    return cells


class _CellReader:
    def __init__(self, inline: InlineReader, label_of: LabelOf, table: Table) -> None:
        self._inline = inline
        self._label_of = label_of
        self._table = table

    def text(self, cell: Any, depth: int = 0) -> str:
        """Return a cell's paragraphs as lines; a nested table gives its rows as lines."""
        lines: list[str] = []
        for element in cell:
            if element.tag == f"{W}p":
                inline = self._inline.read(element)
                text = inline.text
                label = self._label_of(element, bool(text))
                if text:
                    lines.append(label + text)
                self._table.inlines.append(inline)
            elif element.tag == f"{W}tbl" and depth < MAX_NESTING:
                for row in _below(element, f"{W}tr"):
                    texts = (
                        self.text(inner, depth + 1).replace("\n", " ") for inner in _below(row, f"{W}tc")
                    )
                    lines.append(" | ".join(texts).strip(" |"))
            elif element.tag in _WRAPPERS:
                lines.append(self.text(element, depth))
        return "\n".join(line for line in lines if line)
