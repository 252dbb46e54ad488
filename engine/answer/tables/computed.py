"""A value that operators computed, with the cells it rests on as citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from engine.answer.check.locate import find_folded
from engine.answer.numbers import scaled_form, written_numbers
from engine.answer.tables.typed_table import CellRef, TypedTable
from engine.model import Citation, Evidence

MOST_CITED = 8
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Computed:
    """What was computed: its values as written, a sentence about it, and a citation for every cell.

    The citations are not numbered yet (``n`` is 0); each snippet stands word for word in its table's text.
    """

    values: list[str]
    text: str
    citations: list[Citation] = field(default_factory=list)

    def stated_in(self, text: str) -> bool:
        """True when a text states all values, in the same digits, rounded, or written with a scale."""
        return all(_stated(value, text) for value in self.values)


def cite_cells(cells: Sequence[CellRef], items: Mapping[str, Evidence]) -> list[Citation] | None:
    """Return a citation for each cell, the first :data:`MOST_CITED`; None when one cannot be located.

    ``items`` are the tables by node id.
    """
    tables = {key: TypedTable(item.table) for key, item in items.items() if item.table is not None}
    citations: list[Citation] = []
    for cell in cells[:MOST_CITED]:
        snippet = _snippet(tables[cell.node_id], cell) if cell.node_id in tables else None
        if snippet is None:
            return None
        made = _citation(items[cell.node_id], cell, snippet)
        if made not in citations:
            citations.append(made)
    return citations


def _snippet(table: TypedTable, cell: CellRef) -> str | None:
    """Return the line of the table's text that holds the cell, the cell alone where the line is long."""
    text, place = table.node.text, table.line(cell.row)
    if place is not None and cell.text in " ".join(text[place[0] : place[1]].split()):
        line = text[place[0] : place[1]]
        return line if len(line) <= _LONGEST or cell.text not in line else cell.text
    return cell.text if cell.text and cell.text in text else None


def _citation(item: Evidence, cell: CellRef, snippet: str) -> Citation:
    hit = item.hit
    return Citation(
        0, hit.document_id, hit.document, hit.version, " > ".join(hit.path), hit.node_id, cell.page, cell.bbox,
        cell.address or item.cell, snippet, round(min(1.0, max(0.0, hit.score)), 4),
    )  # fmt: skip


def _stated(value: str, text: str) -> bool:
    numbers = written_numbers(value)
    if not numbers:
        return bool(value.strip()) and bool(find_folded(value, text))
    wanted = {form for written, normal in numbers for form in (normal, scaled_form(value, written)) if form}
    for written, normal in written_numbers(text):
        stated = {normal, scaled_form(text, written)}
        if stated & wanted or any(_rounds(normal, one) for one in wanted):
            return True
    return False


def _rounds(stated: str, exact: str) -> bool:
    """True when a number of three digits or more is another one rounded to its places."""
    try:
        short, full = Decimal(stated), Decimal(exact)
    except InvalidOperation:
        return False
    places = short.as_tuple().exponent
    if not isinstance(places, int) or len(short.as_tuple().digits) < 3:
        return False
    return full.is_finite() and full.quantize(Decimal(1).scaleb(places)) == short
