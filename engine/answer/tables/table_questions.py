"""Answer a question from tables by rules: plan operators, run them, and say how the value came about.

Several plans may fit (over several tables, or two readings of one): the surest wins when it is clearly surer or
all agree; otherwise there is no answer here, and the caller quotes instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.tables.finding import Finding, Step
from engine.answer.tables.linking import Linker, TableSource
from engine.answer.tables.question import Question
from engine.answer.tables.records import RecordPlanner
from engine.answer.tables.statements import StatementPlanner
from engine.answer.tables.typed_table import CellRef

__all__ = ["TableAnswer", "TableSource", "answer_from_tables"]

_MOST_TABLES = 6
_CLEARLY = 0.08


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """An answer: its values, a sentence, the cells it rests on and the operators that were run."""

    kind: str
    values: list[str]
    text: str
    cells: list[CellRef]
    steps: list[Step]
    confidence: float


def answer_from_tables(question: str, sources: Sequence[TableSource]) -> TableAnswer | None:
    """Return the answer that the tables clearly give, or None."""
    asked = Question(question)
    found: list[Finding] = []
    for source in sources[:_MOST_TABLES]:
        if not source.table.cells:
            continue
        finding = StatementPlanner(Linker(source), asked).plan() or RecordPlanner(source, asked).plan()
        if finding is not None:
            found.append(finding)
    if not found:
        return None
    found.sort(key=lambda finding: -finding.confidence)
    best = found[0]
    if any(f.values != best.values and f.confidence > best.confidence - _CLEARLY for f in found[1:]):
        return None
    text = f"{best.label}: {best.said or '; '.join(best.values)}"
    return TableAnswer(best.kind, best.values, text, best.cells, best.steps, best.confidence)
