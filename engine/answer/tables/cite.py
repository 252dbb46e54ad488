"""Cells as citations: each leads to the row of its table, word for word, with sheet and cell or page and box."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.cells import CellRef, range_address, row_lines
from engine.answer.tables.relation import Relation
from engine.model import Citation, Evidence, Hit

MOST_CITED = 8
_LONGEST = 400


def cite(cells: Sequence[tuple[int, int]], relation: Relation, hit: Hit) -> list[Citation]:
    """Return citations for cells (row, column) of a relation, not numbered yet (``n`` is 0).

    At most :data:`MOST_CITED`: of more cells the last citation is the block from the first to the last one. ``hit``
    says which document and version the table is of.
    """
    made: list[Citation] = []
    chosen = cells if len(cells) <= MOST_CITED else cells[: MOST_CITED - 1]
    for row, column in chosen:
        citation = _citation(relation.ref(row, column), _snippet(relation, row, column), hit)
        if citation is not None and citation not in made:
            made.append(citation)
    if len(cells) > MOST_CITED:
        columns = [column for _, column in cells]
        first = relation.ref(min(cells)[0], min(columns))
        last = relation.ref(max(cells)[0], max(columns))
        block = range_address(str(first.address), str(last.address))
        snippet = _snippet(relation, *max(cells))
        if snippet:
            made.append(_made(last, snippet, hit, block))
    return made


def cite_cell(cell: CellRef, item: Evidence) -> Citation | None:
    """Return the citation of one cell of a piece of evidence, None where its text does not hold it."""
    assert item.table is not None
    rows = [[str(one) for one in row] for row in item.table.metadata.get("rows") or []]
    text, place = item.table.text, row_lines(item.table.text, rows).get(cell.row)
    line = text[place[0] : place[1]] if place else ""
    fits = cell.text in " ".join(line.split()) and len(line) <= _LONGEST
    snippet = line if line and fits else cell.text if cell.text and cell.text in text else ""
    return _citation(cell, snippet, item.hit)


def _snippet(relation: Relation, row: int, column: int) -> str:
    """Return the line of the table's text that holds a cell, the cell alone where the line is long; "" without one."""
    node = relation.nodes[relation.rows[row].node]
    said, place = relation.text(row, column), relation.line(row)
    if place is not None:
        line = node.text[place[0] : place[1]]
        if said in " ".join(line.split()):
            return line if len(line) <= _LONGEST or said not in line else said
    return said if said and said in node.text else ""


def _citation(cell: CellRef, snippet: str, hit: Hit) -> Citation | None:
    return _made(cell, snippet, hit, cell.address) if snippet else None


def _made(cell: CellRef, snippet: str, hit: Hit, address: str | None) -> Citation:
    return Citation(
        0, hit.document_id, hit.document, hit.version, " > ".join(hit.path), cell.node_id, cell.page, cell.bbox,
        address, snippet, round(min(1.0, max(0.0, hit.score)), 4),
    )  # fmt: skip
