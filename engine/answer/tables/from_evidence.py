"""From found tables to a cited answer: the sentence of the plan with a mark for every cell it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer.marks import harmless
from engine.answer.tables.computed import Computed, cite_cells
from engine.answer.tables.table_questions import TableAnswer, answer_from_tables
from engine.answer.tables.table_source import TableSource
from engine.model import Citation, Evidence

# Tables further down were found by chance.
_FIRST = 8


@dataclass(frozen=True, slots=True)
class CitedTableAnswer:
    """An answer from tables: what was computed with its cells, and how."""

    computed: Computed
    answer: TableAnswer

    @property
    def text(self) -> str:
        """The sentence with a mark for every citation; marks in it that are not ours are put in round brackets."""
        said = harmless(self.computed.text)
        return said + " " + "".join(f"[{citation.n}]" for citation in self.citations)

    @property
    def citations(self) -> list[Citation]:
        """The citations, numbered from 1."""
        return [replace(citation, n=n) for n, citation in enumerate(self.computed.citations, 1)]


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
    citations = cite_cells(made.cells, found)
    if citations is None:
        return None
    return CitedTableAnswer(Computed(made.values, made.text, citations), made)


def _source(item: Evidence, evidence: Sequence[Evidence]) -> TableSource:
    assert item.table is not None
    beside = [
        other.text
        for other in evidence
        if other.hit.document_id == item.hit.document_id and other.hit.role in ("paragraph", "list")
    ]
    return TableSource(item.table, item.hit.document, item.hit.path, beside)
