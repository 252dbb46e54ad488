"""Two columns held against each other, row by row: "below their reorder level", 超预算, "better at X than at Y".

Where a question names one of the two only, the other is the one column of its kind and unit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.answer.tables.lexis import Unit, is_cjk
from engine.answer.tables.links import ColumnComparison, ColumnLink
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import Cue, cues

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
# The comparison of "better in English than in Maths" and 本周比上周好 is said apart from what parts the two columns.
_PARTS = ("than", "比")
_MOST_BETWEEN = 3


def column_comparisons(
    question: str,
    units: Sequence[Unit],
    columns: Sequence[ColumnLink],
    relation: Relation,
    bare: Collection[int],
    taken: Sequence[tuple[int, int]],
) -> list[ColumnComparison]:
    """Return how the columns of a list are held against each other; at most one for each phrase that compares.

    ``bare`` are the units that name nothing, ``taken`` the characters that compare with a number.
    """
    if not relation.is_list:
        return []
    return _Comparing(question, units, columns, relation, bare).found(taken)


class _Comparing:
    def __init__(
        self,
        question: str,
        units: Sequence[Unit],
        columns: Sequence[ColumnLink],
        relation: Relation,
        bare: Collection[int],
    ) -> None:
        self._question, self._units, self._relation, self._bare = question, units, relation, bare
        self._sides = [(link, c) for link in columns if (c := self._measure(link)) is not None]

    def found(self, taken: Sequence[tuple[int, int]]) -> list[ColumnComparison]:
        phrases = [
            cue for cue in cues(self._question, "comparisons")
            if cue.kind in _OPPOSITE and (cue.start, cue.end) not in taken
        ]  # fmt: skip
        made = [one for one in map(self._of_phrase, phrases) if one]
        return made or [one for one in map(self._apart, self._units) if one]

    def _measure(self, link: ColumnLink) -> int | None:
        """Return the one column of numbers or dates that a link names."""
        kept = [c for c in link.columns if self._kind(c) is not None]
        return kept[0] if len(kept) == 1 else None

    def _kind(self, column: int) -> tuple[str, str | None] | None:
        told = self._relation.columns[column]
        return (told.dtype, told.unit) if told.numeric or told.dtype == "date" else None

    def _of_phrase(self, cue: Cue) -> ColumnComparison | None:
        """Return what a phrase compares: the column behind it with the one before it, or with its only like."""
        said = {i for i, unit in enumerate(self._units) if cue.start <= unit.start and unit.end <= cue.end}
        right = self._side_behind(cue.end)
        if right is None or any(said <= link.covered for link, _ in self._sides):
            return None
        left = self._side_before(cue.start)
        named = left is not None and self._comparable(left[1], right[1])
        first = left[1] if left and named else self._partner(right[1])
        if first is None:
            return None
        before = [one for one in cues(self._question[: cue.start], "comparisons") if one.kind == "!="]
        denied = next((one for one in before if self._joined(one.end, cue.start)), None)
        kind = _OPPOSITE[cue.kind] if denied else cue.kind
        reach = (denied.start if denied else cue.start, cue.end)
        sides = [right[0], *([left[0]] if left and first == left[1] else [])]
        return self._made(first, right[1], kind, reach, sides)

    def _apart(self, parting: Unit) -> ColumnComparison | None:
        """Return what "better in English than in Maths" compares, where this unit parts the two columns."""
        if parting.form not in _PARTS:
            return None
        left, right = self._side_before(parting.start), self._side_behind(parting.end)
        if left is None or right is None or not self._comparable(left[1], right[1]):
            return None
        chinese = is_cjk(parting.form)
        last, first = max(right[0].covered), min(left[0].covered)
        near = self._units[last + 1 :][:_MOST_BETWEEN] if chinese else self._units[:first][-_MOST_BETWEEN:]
        for unit in near:
            phrase = f"{unit.form}于" if chinese else f"{self._question[unit.start : unit.end]} than"
            kind = next((one.kind for one in cues(phrase, "comparisons") if one.kind in _OPPOSITE), None)
            if kind:
                said = (parting.start, unit.end) if chinese else (unit.start, parting.end)
                return self._made(left[1], right[1], kind, said, [left[0], right[0]], [unit, parting])
        return None

    def _made(
        self,
        first: int,
        second: int,
        kind: str,
        said: tuple[int, int],
        sides: Sequence[ColumnLink],
        saying: Sequence[Unit] = (),
    ) -> ColumnComparison:
        words = {
            i for i, unit in enumerate(self._units)
            if unit in saying or (not saying and said[0] <= unit.start and unit.end <= said[1])
        }  # fmt: skip
        return ColumnComparison(
            frozenset(words).union(*(one.covered for one in sides)), first, second, kind, said
        )

    def _comparable(self, first: int, second: int) -> bool:
        """True for two columns of one kind, in whatever units: the question names both."""
        columns = self._relation.columns
        return first != second and columns[first].dtype == columns[second].dtype

    def _alike(self, first: int, second: int) -> bool:
        return first != second and self._kind(first) == self._kind(second)

    def _partner(self, column: int) -> int | None:
        """Return the one other column of a column's kind and unit, None where there is none or are several."""
        found = [
            one.index for one in self._relation.columns
            if one.path and one.index != self._relation.key and self._alike(one.index, column)
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def _side_behind(self, end: int) -> tuple[ColumnLink, int] | None:
        """Return the column that the question names next behind a place."""
        return next(
            (s for s in self._sides if any(self._joined(end, self._units[i].start) for i in s[0].covered)),
            None,
        )

    def _side_before(self, start: int) -> tuple[ColumnLink, int] | None:
        """Return the column that the question names last before a place."""
        return next(
            (s for s in self._sides if any(self._joined(self._units[i].end, start) for i in s[0].covered)),
            None,
        )

    def _joined(self, end: int, start: int) -> bool:
        """True where nothing but words that name nothing stands between two places of the question."""
        between = [i for i, unit in enumerate(self._units) if end <= unit.start < start]
        return start >= end and len(between) <= _MOST_BETWEEN and all(i in self._bare for i in between)
