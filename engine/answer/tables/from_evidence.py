"""From found tables to a cited answer: the sentence of the plan with a mark for every cell it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.tables.linking import TableSource
from engine.answer.tables.table_questions import TableAnswer, answer_from_tables
from engine.answer.tables.typed_table import CellRef, TypedTable
from engine.model import Citation, Evidence

# Tables further down were found by chance.
_FIRST = 8
_MOST_CITED = 8
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class CitedTableAnswer:
    """An answer from tables: its text with marks, the citations, and what was done."""

    text: str
    citations: list[Citation]
    answer: TableAnswer


def answer_from_evidence(
    question: str, evidence: Sequence[Evidence], beside: Sequence[Evidence] = ()
) -> CitedTableAnswer | None:
    """Return the answer that the tables among the best evidence clearly give, or None.

    Tables further down, and those ``beside`` the evidence, answer only what the question names in full. Each
    cited snippet stands word for word in its table's text; where one cannot be located there is no answer.
    """
    first = {item.table.node_id: item for item in evidence[:_FIRST] if item.table is not None}
    rest = {item.table.node_id: item for item in [*evidence[_FIRST:], *beside] if item.table is not None}
    found = {**rest, **first}
    sources = {key: _source(item, evidence) for key, item in found.items()}
    others = [source for key, source in sources.items() if key not in first]
    made = answer_from_tables(question, [sources[key] for key in first], others)
    if made is None or not made.cells:
        return None
    citations: list[Citation] = []
    for cell in made.cells[:_MOST_CITED]:
        item = found[cell.node_id]
        snippet = _snippet(sources[cell.node_id].table, cell)
        if snippet is None:
            return None
        if not any(
            c.node_id == cell.node_id and (c.snippet, c.cell) == (snippet, cell.address) for c in citations
        ):
            citations.append(_citation(len(citations) + 1, item, cell, snippet))
    marks = "".join(f"[{citation.n}]" for citation in citations)
    return CitedTableAnswer(f"{_without_marks(made.text)} {marks}", citations, made)


def _source(item: Evidence, evidence: Sequence[Evidence]) -> TableSource:
    assert item.table is not None
    beside = [
        other.text
        for other in evidence
        if other.hit.document_id == item.hit.document_id and other.hit.role in ("paragraph", "list")
    ]
    return TableSource(item.table, item.hit.document, item.hit.path, beside)


def _snippet(table: TypedTable, cell: CellRef) -> str | None:
    """Return the line of the table's text that holds the cell, the cell alone where the line is long."""
    text, place = table.node.text, table.line(cell.row)
    if place is not None and cell.text in " ".join(text[place[0] : place[1]].split()):
        line = text[place[0] : place[1]]
        return line if len(line) <= _LONGEST or cell.text not in line else cell.text
    return cell.text if cell.text and cell.text in text else None


def _citation(n: int, item: Evidence, cell: CellRef, snippet: str) -> Citation:
    hit = item.hit
    return Citation(
        n, hit.document_id, hit.document, hit.version, " > ".join(hit.path), hit.node_id, cell.page, cell.bbox,
        cell.address or item.cell, snippet, round(min(1.0, max(0.0, hit.score)), 4),
    )  # fmt: skip


def _without_marks(text: str) -> str:
    """Keep reference marks in cells from looking like ours."""
    return text.replace("[", "(").replace("]", ")")
