"""What a question excludes or asks for by yes and no: "not open", "never absent", 还没归档, "got a bonus".

An excluded value is marked. An excluded column becomes a value of it: nought of a number, "no" of a column of yes and
no, an empty cell of any other; a column of yes and no that a list is asked by becomes its "yes".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from engine.answer.tables.lexis import Unit, is_cjk
from engine.answer.tables.links import ColumnLink, NumberLink, ValueLink, units_of
from engine.answer.tables.relation import Relation
from engine.answer.tables.values import ValueIndex
from engine.answer.tables.vocabulary import Cue, cues

# What may stand between a phrase and its column: a word, or two Chinese characters (没登记手机号).
_A_VERB = 1.0


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The links of a question, what it excludes being marked; not ``settled`` where that is nothing of the table."""

    values: list[ValueLink]
    columns: list[ColumnLink]
    numbers: list[NumberLink]
    settled: bool


class Excluding:
    """What one question excludes of one relation."""

    def __init__(
        self,
        question: str,
        units: Sequence[Unit],
        bare: Collection[int],
        relation: Relation,
        index: ValueIndex,
    ) -> None:
        """``bare`` are the places of the units that name nothing."""
        self._question, self._units, self._bare = question, units, bare
        self._relation, self._index = relation, index

    def of(
        self,
        values: Sequence[ValueLink],
        columns: Sequence[ColumnLink],
        numbers: Sequence[NumberLink],
        compared: Sequence[tuple[int, int]],
    ) -> Exclusions:
        """Return the links with what is excluded; ``compared`` are the characters that compare with something."""
        made = Exclusions(list(values), list(columns), list(numbers), True)
        settled = True
        for cue in self._cues(values, columns, compared):
            settled &= self._value(cue, made) or self._column(cue, made)
        return replace(made, settled=settled)

    def _cues(
        self, values: Sequence[ValueLink], columns: Sequence[ColumnLink], compared: Sequence[tuple[int, int]]
    ) -> list[Cue]:
        """Return the phrases that exclude; none inside a name, a longer phrase or one that compares."""
        inside = {(self._units[i].start, self._units[i].end) for i in units_of(*values, *columns)}
        longer = [*cues(self._question, "asking"), *cues(self._question, "operations")]
        return [
            cue for cue in cues(self._question, "comparisons")
            if cue.kind == "!="
            and not any(start <= cue.start and cue.end <= end for start, end in (*compared, *inside))
            and not any(
                one.start <= cue.start < one.end and one.end - one.start > cue.end - cue.start for one in longer
            )
            and not self._is_doubled(cue)
        ]  # fmt: skip

    def _is_doubled(self, cue: Cue) -> bool:
        """True for 能不能, which asks and excludes nothing."""
        before = self._question[cue.start - 1 : cue.start]
        return is_cjk(before or " ") and before == self._question[cue.end : cue.end + 1]

    def _value(self, cue: Cue, made: Exclusions) -> bool:
        """Mark the values behind a phrase, those joined to the first one, too."""
        reach = cue.end
        bare = {*self._bare, *units_of(*made.columns)}
        for place, one in sorted(enumerate(made.values), key=lambda pair: pair[1].start):
            first = self._units[one.start].start
            between = [i for i, u in enumerate(self._units) if reach <= u.start < first]
            if first >= reach and all(i in bare for i in between) and (
                reach == cue.end or cues(self._question[reach:first], "joining")
            ):  # fmt: skip
                made.values[place], reach = replace(one, negated=True), self._units[max(one.covered)].end
        return reach > cue.end

    def _column(self, cue: Cue, made: Exclusions) -> bool:
        """Make what is told of a column that is excluded a value of it, or a date of it an excluded one."""
        for link in made.columns:
            first = min((s for i in link.covered if (s := self._units[i].start) >= cue.end), default=-1)
            between = {i for i, unit in enumerate(self._units) if cue.end <= unit.start < first} - {
                *self._bare
            }
            if first < cue.end or sum(self._units[i].weight for i in between) > _A_VERB:
                continue
            dated = self._relation.columns[link.columns[0]].dtype == "date"
            for place, number in enumerate(made.numbers):
                if dated and number.is_date and number.comparison == "=":
                    made.numbers[place] = replace(number, comparison="!=")
                    return True
            made.columns.remove(link)
            return self._without(link.columns, link.covered | between, link.share, cue, made)
        return False

    def _without(
        self, columns: Sequence[int], covered: frozenset[int], share: float, cue: Cue, made: Exclusions
    ) -> bool:
        """Take the one of some columns that says in some rows that there is nothing by what it says there."""
        found = {column: texts for column in columns if (texts := self._nothing(column))}
        if len(found) != 1:
            return False
        said = {i for i, u in enumerate(self._units) if cue.start <= u.start < cue.end}
        made.values.append(ValueLink(covered | said, found, share))
        return True

    def _nothing(self, column: int) -> tuple[str, ...]:
        """Return the texts by which a column says that there is nothing; none where it never says so."""
        nothing = ("0", "") if self._relation.columns[column].numeric else ("",)
        held = {*self._relation.texts(column)}
        return self._index.saying(column, False) or tuple(text for text in nothing if text in held)
