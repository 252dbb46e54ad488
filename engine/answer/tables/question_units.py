"""A question held against one relation: its units, and those among them that only build it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.lexis import is_cjk, units
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.number_links import Numbers, number_of_results
from engine.answer.tables.vocabulary import asking_forms, cues


class QuestionUnits:
    """The units of a question, the relation it is held against, and the numbers that the question compares with."""

    def __init__(self, question: str, linked: LinkedRelation) -> None:
        self._question = question
        self._relation, self._values = linked.relation, linked.values
        self._units = units(question)
        self._context = linked.context
        self._forms = [unit.form for unit in self._units]
        asking = cues(question, "asking")
        self._bare = {
            i for i, unit in enumerate(self._units)
            if unit.form in asking_forms() or any(cue.start <= unit.start and unit.end <= cue.end for cue in asking)
        }  # fmt: skip
        excluding = [cue for cue in cues(question, "comparisons") if cue.kind == "!="]
        self._excluding = {
            i for i, unit in enumerate(self._units)
            if any(cue.start <= unit.start and unit.end <= cue.end for cue in excluding)
        }  # fmt: skip
        self._limit = number_of_results(question, self._units)
        dated = any(column.dtype == "date" for column in linked.relation.columns)
        self._numbers = Numbers(question, self._units, dated)

    def _places(self, run: Sequence[str]) -> list[int]:
        """Return where a run of units begins in the question; a single Chinese character is none."""
        size = len(run)
        if size == 1 and is_cjk(run[0]):
            return []
        return [
            i for i in range(len(self._forms) - size + 1) if tuple(self._forms[i : i + size]) == tuple(run)
        ]

    def _written(self, start: int, end: int) -> str:
        return self._question[self._units[start].start : self._units[end - 1].end]

    def _too_little(self, run: Sequence[str]) -> bool:
        """True for a single Chinese character, and a bare number that is no year: these stand in texts by chance."""
        return len(run) == 1 and (is_cjk(run[0]) or (len(run[0]) < 3 and run[0].isdigit()) or len(run[0]) < 2)

    def _weight(self, covered: frozenset[int]) -> float:
        return sum(self._units[i].weight for i in covered)
