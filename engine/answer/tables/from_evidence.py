"""From found tables to a cited answer: the sentence of the plan with a mark for every cell it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.answer.check.marks import harmless
from engine.answer.tables.computed import Computed, cite_cells
from engine.answer.tables.joined_parts import joined
from engine.answer.tables.model_plan import Planned, plan_answer, plannable
from engine.answer.tables.table_questions import TableAnswer, answer_from_tables
from engine.answer.tables.table_source import TableSource
from engine.model import Citation, Evidence

if TYPE_CHECKING:
    from engine.providers.llm import Llm

# Tables further down were found by chance.
_FIRST = 8
# A model, which finds a plan for nearly everything, is only shown tables among the best few.
_PLANNED_OVER = 4


PartsOf = Callable[[Sequence[Evidence]], Iterable[Sequence[Evidence]]]


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


def answer_with_more(
    question: str,
    evidence: Sequence[Evidence],
    more_tables: Callable[[], Sequence[Evidence]],
    parts_of: PartsOf | None = None,
) -> tuple[CitedTableAnswer | None, list[Evidence]]:
    """Return the answer of the tables, and the evidence with those tables beside it that the answer cites.

    ``more_tables`` is asked where the evidence does not tell, or tells only of the parent company; ``parts_of`` last,
    for all parts of the long sheets of which the evidence has some.
    """
    made, evidence = answer_from_evidence(question, evidence), list(evidence)
    if not evidence or (made is not None and not made.answer.of_parent):
        return made, evidence
    more = more_tables()
    if made is None:
        made = answer_from_evidence(question, evidence, more)
    else:  # the group's own statements go first, where there are any
        groups = answer_from_evidence(question, [*more, *evidence])
        made = made if groups is None else groups
    if made is None and parts_of is not None:
        made, more = _from_parts(question, evidence, parts_of)
    known = {item.hit.node_id for item in evidence}
    used = {citation.node_id for citation in made.citations} - known if made else set()
    return made, [*evidence, *(item for item in more if item.hit.node_id in used)]


def _from_parts(
    question: str, evidence: Sequence[Evidence], parts_of: PartsOf
) -> tuple[CitedTableAnswer | None, Sequence[Evidence]]:
    """Return what a long sheet gives, read as one table, and its parts."""
    for parts in parts_of(evidence[:_FIRST]):
        whole = joined([item.table for item in parts if item.table is not None])
        made = answer_from_tables(question, [_source(replace(parts[0], table=whole), evidence)])
        items = {item.hit.node_id: item for item in parts}
        citations = cite_cells(made.cells, items) if made is not None and made.cells else None
        if made is not None and citations is not None:
            return CitedTableAnswer(Computed(made.values, made.text, citations), made), parts
    return None, ()


def plan_from_evidence(
    question: str, evidence: Sequence[Evidence], llm: Llm, cancelled: Callable[[], bool] | None = None
) -> tuple[CitedTableAnswer | None, Planned] | None:
    """Return what a model's plan over the tables among the best evidence gives, and the plan.

    None where no such table is there, or the question is none for a table: the model is not asked then. Raises
    CancelledError.
    """
    found = {item.table.node_id: item for item in evidence[:_PLANNED_OVER] if item.table is not None}
    sources = plannable(question, [_source(item, evidence) for item in found.values()])
    if not sources:
        return None
    planned = plan_answer(question, sources, llm, cancelled)
    made = planned.answer
    citations = cite_cells(made.cells, found) if made is not None and made.cells else None
    if made is None or citations is None:
        return None, planned
    return CitedTableAnswer(Computed(made.values, made.text, citations), made), planned


def _source(item: Evidence, evidence: Sequence[Evidence]) -> TableSource:
    assert item.table is not None
    beside = [
        other.text
        for other in evidence
        if other.hit.document_id == item.hit.document_id and other.hit.role in ("paragraph", "list")
    ]
    return TableSource(item.table, item.hit.document, item.hit.path, beside)
