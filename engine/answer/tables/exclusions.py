"""What a question excludes or asks for by yes and no: "not open", "never absent", 还没归档, "got a bonus".

An excluded value is marked. An excluded column becomes a value of it: nought of a number, "no" of a column of yes and
no, an empty cell of any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.answer.tables.lexis import is_cjk
from engine.answer.tables.links import Asked, ColumnLink, LinkedRelation, NumberLink, ValueLink, units_of
from engine.answer.tables.vocabulary import Cue, cues

# What may stand between a phrase and its column: a word, or two Chinese characters (没登记手机号).
_A_VERB = 1.0


class Exclusions:
    """The links of a question to one relation, in which what the question excludes is marked."""

    def __init__(
        self,
        asked: Asked,
        linked: LinkedRelation,
        values: Sequence[ValueLink],
        columns: Sequence[ColumnLink],
        numbers: Sequence[NumberLink],
    ) -> None:
        """``settled`` is false where something is excluded that is nothing of the table."""
        self._asked, self._units, self._linked = asked, asked.units, linked
        self.values, self.columns, self.numbers = list(values), list(columns), list(numbers)
        self.settled = all(self._value(cue) or self._column(cue) for cue in self._cues())

    def _cues(self) -> list[Cue]:
        """Return the phrases that exclude; none inside a name, a longer phrase or one that compares."""
        question = self._asked.question
        taken = [(self._units[i].start, self._units[i].end) for i in units_of(*self.values, *self.columns)]
        taken += [one.said for one in self.numbers]
        phrases = [*cues(question, "asking"), *cues(question, "operations")]

        def is_inside(cue: Cue) -> bool:
            longer = (one for one in phrases if one.end - one.start > cue.end - cue.start)
            doubled = (
                question[cue.start - 1 : cue.start] == question[cue.end : cue.end + 1]
            )  # 能不能 only asks
            return (
                any(start <= cue.start and cue.end <= end for start, end in taken)
                or any(one.start <= cue.start < one.end for one in longer)
                or (doubled and is_cjk(question[cue.end : cue.end + 1]))
            )

        return [cue for cue in cues(question, "comparisons") if cue.kind == "!=" and not is_inside(cue)]

    def _value(self, cue: Cue) -> bool:
        """Mark the values behind a phrase, those joined to the first one, too."""
        reach = cue.end
        bare = {*self._asked.said, *units_of(*self.columns)}
        for place, one in sorted(enumerate(self.values), key=lambda pair: pair[1].start):
            first = self._units[one.start].start
            near = first >= reach and self._between(reach, first) <= bare
            if near and (reach == cue.end or cues(self._asked.question[reach:first], "joining")):
                self.values[place], reach = replace(one, negated=True), self._units[max(one.covered)].end
        return reach > cue.end

    def _column(self, cue: Cue) -> bool:
        """Make what is told of a column that is excluded a value of it, or a date of it an excluded one."""
        for link in self.columns:
            first = min((s for i in link.covered if (s := self._units[i].start) >= cue.end), default=-1)
            between = self._between(cue.end, first) - self._asked.said
            if first < 0 or self._asked.weight(between) > _A_VERB:
                continue
            dated = self._linked.relation.columns[link.columns[0]].dtype == "date"
            for place, number in enumerate(self.numbers):
                if dated and number.is_date and number.comparison == "=":
                    self.numbers[place] = replace(number, comparison="!=")
                    return True
            self.columns.remove(link)
            found = {column: texts for column in link.columns if (texts := self._nothing(column))}
            covered = link.covered | between | self._asked.at(cue)
            self.values += [ValueLink(covered, found, link.share)] if found else []
            return len(found) == 1
        return False

    def _between(self, start: int, end: int) -> frozenset[int]:
        return frozenset(i for i, unit in enumerate(self._units) if start <= unit.start < end)

    def _nothing(self, column: int) -> tuple[str, ...]:
        """Return the texts by which a column says that there is nothing; none where it never says so."""
        relation, index, _ = self._linked
        held = {*relation.texts(column)}
        nothing = ("0", "") if relation.columns[column].numeric else ("",)
        return index.saying(column, False) or tuple(text for text in nothing if text in held)
