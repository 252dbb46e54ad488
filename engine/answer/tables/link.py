"""Schema and value linking: which columns, values, periods and numbers of a relation a question speaks of.

Linking is a search. A question's runs of units are looked up among the cell values; headers are scored by the share of
what sets them apart that the question says; longer and fuller matches win the units that several want. What nothing
in the table explains stays over, and tells the parser how far the table is what the question is about.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.answer.tables.exclusions import Excluding
from engine.answer.tables.header_links import HeaderLinks
from engine.answer.tables.lexis import (
    base_form,
    forms,
    is_cjk,
    runs,
)
from engine.answer.tables.links import (
    ColumnLink,
    LinkedRelation,
    Links,
    PeriodLink,
    ValueLink,
    units_of,
)
from engine.answer.tables.meaning import columns_by_meaning
from engine.answer.tables.partial_values import PartialValues
from engine.answer.tables.query import LABEL
from engine.answer.tables.vocabulary import Cue, cues, is_total_word
from engine.answer.understand.exact import says_year
from engine.enrich.cell_values import is_year

_LONGEST_CODE = 8


def link(question: str, linked: LinkedRelation) -> Links:
    """Return what a question says of a relation; deterministic, some milliseconds for a relation seen before."""
    linking = _Linking(question, linked)
    links = linking.links()
    if not (links.linked or links.operations):
        return links
    others = columns_by_meaning(links, linked.relation)
    return linking.links(others) if others else links


class _Linking(PartialValues, HeaderLinks):
    def links(self, meant: Sequence[ColumnLink] = ()) -> Links:
        """Return the links, ``meant`` being columns that the question names in other words."""
        values = self._exact_values()
        columns = self._column_links()
        values, columns = self._settled(values, columns)
        columns += meant
        values = [*values, *self._short_values(values, columns)]
        values += self._numbered(values, columns)
        periods = self._period_links(values)
        taken = units_of(*values, *columns, *periods)
        numbers = self._numbers.links(taken)
        compared = [one.covered for one in numbers if one.comparison != "="]
        values = [one for one in values if not any(one.covered & covered for covered in compared)]
        values += self._partial_values(taken | units_of(*numbers))
        values = self._where_headed(values, columns)
        said = [one.said for one in numbers]
        operations = self._operations(values, columns, said)
        excluding = Excluding(self._question, self._units, self._bare, self._relation, self._values)
        out = excluding.of(values, columns, numbers, said)
        return Links(self._question, self._units, tuple(out.values), tuple(out.columns), tuple(periods),
                     tuple(out.numbers), tuple(operations), self._explained_by_context(), not out.settled)  # fmt: skip

    def _where_headed(self, values: Sequence[ValueLink], columns: Sequence[ColumnLink]) -> list[ValueLink]:
        """Take a value that stands in several columns from the one whose header the question says before it."""
        ends = {max(link.covered) + 1: set(link.columns) for link in columns}
        made = []
        for one in values:
            kept = {c: texts for c, texts in one.texts.items() if c in ends.get(one.start, ())}
            made.append(replace(one, texts=kept) if kept else one)
        return made

    def _exact_values(self) -> list[ValueLink]:
        """Return the longest runs of units that are values, none inside another one."""
        found: list[ValueLink] = []
        longest = 0
        self._values.named_by(())  # builds the index, which knows the longest value
        at = 0
        while at < len(self._forms):
            longest = min(max(self._values.longest, _LONGEST_CODE), len(self._forms) - at)
            step = 1
            for size in range(longest, 0, -1):
                run = self._forms[at : at + size]
                texts = self._values.named_by(run, self._written(at, at + size))
                covered = frozenset(range(at, at + size))
                if texts and self._too_little(run):
                    texts, covered = self._beside_header(at, texts)
                if not texts or covered <= self._bare | self._excluding:
                    continue
                if is_total_word(self._written(at, at + size)):
                    continue  # it asks for a sum, which the parser may find in a row so called
                listed = {c: tuple(self._values.listing(c, t)) for c, t in texts.items()}
                found.append(ValueLink(covered, listed, 1.0))
                step = size
                break
            at += step
        return found

    def _beside_header(
        self, at: int, texts: Mapping[int, list[str]]
    ) -> tuple[dict[int, list[str]], frozenset[int]]:
        """Return what a unit names that is too short to name anything by itself, and the units that say so.

        It does where its column's own header, or a part of it, stands right beside it: A级, floor 3.
        """
        if at == self._limit or self._numbers.comparison_at(at, at + 1):
            return {}, frozenset()
        beside = [
            place for place in (at - 1, at + 1)
            if 0 <= place < len(self._units)
            and max(self._units[place].start - self._units[at].end, self._units[at].start - self._units[place].end) < 2
        ]  # fmt: skip
        kept: dict[int, list[str]] = {}
        covered = {at}
        for column, held in texts.items():
            header = () if column == LABEL else self._relation.columns[column].levels
            said = {place for place in beside for level in header if self._forms[place] in forms(level)}
            if said:
                kept[column] = held
                covered |= said
        return kept, frozenset(covered)

    def _short_values(self, values: Sequence[ValueLink], columns: Sequence[ColumnLink]) -> list[ValueLink]:
        """Return values of a single character: 女 anywhere, one that also builds sentences (是) in a named column."""
        taken = units_of(*values, *columns)
        named = {column for link in columns for column in link.columns}
        found = []
        for place, form in enumerate(self._forms):
            if place in taken or not is_cjk(form):
                continue
            texts = {
                c: tuple(t)
                for c, t in self._values.named_by((form,)).items()
                if c != LABEL
                and (place not in self._bare or (c in named and not self._values.saying(c, True)))
            }
            if texts:
                found.append(ValueLink(frozenset({place}), texts, 1.0))
        return found

    def _settled(
        self, values: list[ValueLink], columns: list[ColumnLink]
    ) -> tuple[list[ValueLink], list[ColumnLink]]:
        """Give each unit to the fullest match that wants it: longer values and headers before shorter ones."""
        kept_columns: list[ColumnLink] = []
        kept_values: list[ValueLink] = []
        taken: set[int] = set()
        order: list[ValueLink | ColumnLink] = sorted(
            [*values, *columns],
            key=lambda one: (
                -round(self._asked.weight(one.covered) * one.share, 3),
                len(runs(sorted(one.covered))),
                isinstance(one, ValueLink),
            ),
        )
        for one in order:
            free = one.covered - taken
            named = isinstance(one, ColumnLink) and one.share > 0.99
            own = one.leaf if isinstance(one, ColumnLink) else one.covered
            if self._asked.weight(own - taken) < 0.6 * self._asked.weight(own) or (
                free <= self._bare and not named
            ):
                continue
            taken |= one.covered
            if isinstance(one, ValueLink):
                kept_values.append(one)
            else:
                kept_columns.append(one)
        return sorted(kept_values, key=lambda v: v.start), sorted(kept_columns, key=lambda c: c.start)

    def _period_links(self, values: Sequence[ValueLink]) -> list[PeriodLink]:
        """Return the years of the question that headers name, unless they are part of a value's name."""
        taken = {i for one in values if len(one.covered) > 1 for i in one.covered}
        told = {c.index: c.years for c in self._relation.columns if c.years and not c.names_rows}
        found: list[PeriodLink] = []
        at = 0
        while at < len(self._forms):
            years = [int(self._forms[at])] if is_year(self._forms[at]) and at not in taken else []
            if years and at + 1 < len(self._forms) and is_year(self._forms[at + 1]):
                gap = self._question[self._units[at].end : self._units[at + 1].start]
                years += [int(self._forms[at + 1])] if gap.strip() in ("/", "-") else []
            while years:
                wanted = tuple(years)
                columns = tuple(
                    c for c, named in told.items() if named == wanted or named == wanted[:1] * len(named)
                )
                if columns:
                    found.append(PeriodLink(frozenset(range(at, at + len(wanted))), wanted, columns))
                    at += len(wanted) - 1
                    break
                years.pop()
            at += 1
        return found

    def _operations(
        self, values: Sequence[ValueLink], columns: Sequence[ColumnLink], compared: Sequence[tuple[int, int]]
    ) -> list[Cue]:
        """Return what the question asks to be done; no word of a name or beside a number does."""
        found = []
        for cue in cues(self._question, "operations"):
            if any(start <= cue.start and cue.end <= end for start, end in compared):
                continue
            at = self._asked.at(cue)
            if any(at <= one.covered and (one.share > 0.99 or len(one.covered) > len(at)) for one in values):
                continue
            if any(
                at & one.covered and at <= one.covered | self._bare and one.share > 0.99 for one in columns
            ):
                continue
            found.append(cue)
        return found

    def _explained_by_context(self) -> frozenset[int]:
        """Return the units that stand in the title, the sections, the caption or the units of the table."""
        relation = self._relation
        told = [*self._context, relation.caption, relation.sheet]
        told += [part for column in relation.columns for part in column.path]
        known: set[str] = set()
        pairs: set[tuple[str, str]] = set()
        for text in told:
            held = forms(text)
            known.update(form for form in held if not is_cjk(form))
            pairs.update(itertools.pairwise(held))
        # A single Chinese character stands in texts by chance.
        chinese = {
            place
            for i, pair in enumerate(zip(self._forms, self._forms[1:], strict=False))
            if pair in pairs and is_cjk(pair[0] + pair[1])
            for place in (i, i + 1)
        }
        dated = {
            i for i, form in enumerate(self._forms)
            if is_year(form) and any(says_year(int(form), text) for text in told)
        }  # fmt: skip
        joined = {
            place
            for i, (one, other) in enumerate(itertools.pairwise(self._units))
            if not is_cjk(one.form) and base_form(self._question[one.start : one.end] + other.form) in known
            for place in (i, i + 1)
        }  # "food bank" of "foodbank.csv"
        return frozenset(i for i, form in enumerate(self._forms) if form in known) | chinese | dated | joined
