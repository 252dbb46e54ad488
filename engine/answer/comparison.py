"""Results of several tables side by side: which of two things is larger, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.answer.tables import quantity as arithmetic
from engine.answer.tables.query import RefusedOperationError
from engine.answer.tables.vocabulary import CHANGES, cues

if TYPE_CHECKING:
    from engine.answer.phrases import Phrases
    from engine.answer.tables.answering import TableAnswer
    from engine.answer.understand import Question


def compared_results(
    question: Question, answers: Sequence[TableAnswer | None], phrases: Phrases
) -> str | None:
    """Return a line that compares the numbers that the parts of a question gave.

    None where the question does not compare, a part gave no single number, or the numbers are of different units.
    """
    kinds = {cue.kind for cue in cues(question.standalone, "operations")}
    compares = kinds & (CHANGES | {"compare", "max", "min", "diff"})
    if not compares or len(answers) != len(question.parts) or len(answers) < 2:
        return None
    numbers = []
    for made in answers:
        entries = made.result.entries if made is not None else ()
        if len(entries) != 1 or entries[0].quantity is None:
            return None
        numbers.append(entries[0].quantity)
    try:
        same = arithmetic.aligned(numbers)
    except RefusedOperationError:
        return None
    order = sorted(
        range(len(same)), key=lambda i: same[i].value, reverse=not cues(question.standalone, "ascending")
    )
    chinese = phrases.language == "zh"
    told = [f"{question.parts[i].rstrip('?？。. ')}: {arithmetic.shown(numbers[i], chinese)}" for i in order]
    apart = arithmetic.difference(same[order[0]], same[order[-1]])
    return phrases.compared.format(
        first=told[0], others="; ".join(told[1:]), apart=arithmetic.shown(apart, chinese)
    )
