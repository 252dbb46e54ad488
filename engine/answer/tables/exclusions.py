"""What a question excludes or asks for by yes and no: "not open", "never absent", 还没归档, "got a bonus".

An excluded value is marked. An excluded column becomes a value of it: nought of a number, "no" of a column of yes and
no, an empty cell of any other.
"""

from dataclasses import replace

from engine.answer.tables.lexis import is_cjk
from engine.answer.tables.links import LinkedRelation, Links, ValueLink, units_of
from engine.answer.tables.query import LABEL
from engine.answer.tables.vocabulary import Cue, cues

# By these operations rows are chosen.
_OF_ROWS = frozenset({"each", "count", "distinct", "sum"})
# What may stand between a phrase and its column: a word, or two Chinese characters (没登记手机号).
_A_VERB = 1.0


def with_exclusions(links: Links, linked: LinkedRelation) -> Links:
    """Return the links of a question, what it excludes being marked; unsettled where that is nothing of the table."""
    making = _Excluding(links, linked)
    settled = all(making.value(cue) or making.column(cue) for cue in making.phrases())
    making.affirm()
    return replace(links, values=tuple(making.values), columns=tuple(making.columns),
                   numbers=tuple(making.numbers), unsettled_negation=not settled)  # fmt: skip


class _Excluding:
    def __init__(self, links: Links, linked: LinkedRelation) -> None:
        self._asked, self._units, self._linked = links, links.units, linked
        self.values, self.columns, self.numbers = list(links.values), list(links.columns), list(links.numbers)

    def affirm(self) -> None:
        """Take a column of yes and no by which rows are asked for as its yes."""
        relation, index, _ = self._linked
        keyed = any(c == LABEL or relation.tells_apart(c) for one in self.values for c in one.texts)
        if keyed or not _OF_ROWS & {cue.kind for cue in self._asked.operations}:
            return
        for link in [*self.columns]:
            yes = index.saying(link.columns[0], True) if len(link.columns) == 1 else ()
            if yes:
                self.columns.remove(link)
                self.values.append(ValueLink(link.covered, {link.columns[0]: yes}, link.share))

    def phrases(self) -> list[Cue]:
        """Return the phrases that exclude; none inside a name, a longer phrase or one that compares."""
        question = self._asked.question
        taken = [(self._units[i].start, self._units[i].end) for i in units_of(*self.values, *self.columns)]
        taken += [one.said for one in self.numbers]
        others = [*cues(question, "asking"), *cues(question, "operations")]

        def is_inside(cue: Cue) -> bool:
            longer = (one for one in others if one.end - one.start > cue.end - cue.start)
            before, behind = question[cue.start - 1 : cue.start], question[cue.end : cue.end + 1]
            return (
                any(start <= cue.start and cue.end <= end for start, end in taken)
                or any(one.start <= cue.start < one.end for one in longer)
                or (before == behind and is_cjk(behind))  # 能不能 only asks
            )

        return [cue for cue in cues(question, "comparisons") if cue.kind == "!=" and not is_inside(cue)]

    def value(self, cue: Cue) -> bool:
        """Mark the values behind a phrase, those joined to the first one, too; false where there are none."""
        reach = cue.end
        bare = {*self._asked.said, *units_of(*self.columns)}
        for place, one in sorted(enumerate(self.values), key=lambda pair: pair[1].start):
            first = self._units[one.start].start
            near = first >= reach and self._between(reach, first) <= bare
            if near and (reach == cue.end or cues(self._asked.question[reach:first], "joining")):
                self.values[place], reach = replace(one, negated=True), self._units[max(one.covered)].end
        return reach > cue.end

    def column(self, cue: Cue) -> bool:
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
