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
    """Return how columns are held against each other; at most one for each phrase that compares.

    ``bare`` are the units that name nothing, ``taken`` the characters that compare with a number.
    """
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
        return made or [one for one in map(self._apart, range(len(self._units))) if one]

    def _measure(self, link: ColumnLink) -> int | None:
        """Return the one column of numbers or dates, of no period, that a link names."""
        kept = [c for c in link.columns if self._kind(c) is not None and not self._relation.columns[c].years]
        return kept[0] if len(kept) == 1 else None

    def _kind(self, column: int) -> tuple[str, str | None] | None:
        told = self._relation.columns[column]
        return (told.dtype, told.unit) if told.numeric or told.dtype == "date" else None

    def _of_phrase(self, cue: Cue) -> ColumnComparison | None:
        """Return what a phrase compares: the column behind it with the one before it, or with its only like.

        Phrases such as "from" and "since" do so only where both are named.
        """
        right, left = self._side_behind(cue.end), self._side_before(cue.start)
        if right is None or any(self._said(cue.start, cue.end) <= link.covered for link, _ in self._sides):
            return None
        sides = [right[0]]
        if left is not None and self._comparable(left[1], right[1]):
            first: int | None = left[1]
            sides.append(left[0])
        else:
            phrase = self._question[cue.start : cue.end]
            compares = cue.kind in (">", "<") or " " in phrase or phrase.startswith("不")
            first = self._partner(right[1]) if compares else None
        if first is None:
            return None
        before = [one for one in cues(self._question[: cue.start], "comparisons") if one.kind == "!="]
        denied = next((one for one in before if self._joined(one.end, cue.start)), None)
        kind, start = (_OPPOSITE[cue.kind], denied.start) if denied else (cue.kind, cue.start)
        covered = self._said(start, cue.end).union(*(link.covered for link in sides))
        return ColumnComparison(covered, first, right[1], kind, (start, cue.end))

    def _apart(self, parting: int) -> ColumnComparison | None:
        """Return what "better in English than in Maths" compares, where this unit parts the two columns."""
        unit = self._units[parting]
        left, right = self._side_before(unit.start), self._side_behind(unit.end)
        if (
            unit.form not in _PARTS
            or left is None
            or right is None
            or not self._comparable(left[1], right[1])
        ):
            return None
        chinese = is_cjk(unit.form)
        last, first = max(right[0].covered), min(left[0].covered)
        near = range(last + 1, last + 1 + _MOST_BETWEEN) if chinese else range(first - _MOST_BETWEEN, first)
        for place in (i for i in near if 0 <= i < len(self._units)):
            word = self._units[place]
            phrase = f"{word.form}于" if chinese else f"{self._question[word.start : word.end]} than"
            kind = next((one.kind for one in cues(phrase, "comparisons") if one.kind in _OPPOSITE), None)
            if kind:
                ends = sorted((word.start, word.end, unit.start, unit.end))
                covered = left[0].covered | right[0].covered | {place, parting}
                return ColumnComparison(covered, left[1], right[1], kind, (ends[0], ends[-1]))
        return None

    def _said(self, start: int, end: int) -> frozenset[int]:
        """Return the units within some characters of the question."""
        return frozenset(i for i, unit in enumerate(self._units) if start <= unit.start and unit.end <= end)

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
