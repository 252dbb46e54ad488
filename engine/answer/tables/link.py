"""Schema and value linking: which columns, values, periods and numbers of a relation a question speaks of.

Linking is a search. A question's runs of units are looked up among the cell values; headers are scored by the share of
what sets them apart that the question says; longer and fuller matches win the units that several want. What nothing
in the table explains stays over, and tells the parser how far the table is what the question is about.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.answer.tables.exclusions import with_exclusions
from engine.answer.tables.header_links import column_links
from engine.answer.tables.lexis import base_form, forms, fullest, inner, is_cjk, runs, units
from engine.answer.tables.links import (
    Asked,
    ColumnLink,
    LinkedRelation,
    Links,
    NumberLink,
    PeriodLink,
    ValueLink,
    units_of,
)
from engine.answer.tables.meaning import columns_by_meaning
from engine.answer.tables.number_links import Numbers
from engine.answer.tables.query import LABEL
from engine.answer.tables.values import LONGEST_RUN
from engine.answer.tables.vocabulary import Cue, cues, is_total_word
from engine.enrich.cell_values import is_year

_LONGEST_CODE, _FULL = 8, 0.99
# A run that is less of the values that hold it names none of them.
_LEAST_SHARE = 0.1
# Where this share of a column's values hold a run, it says what they are and names none of them.
_USUAL = 0.3
# A match whose own units are taken to more than this is none.
_OWN = 0.6


def link(question: str, linked: LinkedRelation) -> Links:
    """Return what a question says of a relation; deterministic, some milliseconds for a relation seen before."""
    linking = _Linking(question, linked)
    links = linking.links()
    if not (links.linked or links.operations):
        return links
    others = columns_by_meaning(links, linked.relation)
    return linking.links(others) if others else links


class _Linking:
    def __init__(self, question: str, linked: LinkedRelation) -> None:
        self._linked = linked
        self._relation, self._values, self._context = linked
        self._asked = Asked(question, units(question))
        self._question, self._units, self._forms = question, self._asked.units, self._asked.forms
        self._bare = self._asked.said
        self._excluding = self._asked.at(*(c for c in cues(question, "comparisons") if c.kind == "!="))
        self._numbers = Numbers(question, self._units, any(c.dtype == "date" for c in self._relation.columns))

    def links(self, meant: Sequence[ColumnLink] = ()) -> Links:
        """Return the links, ``meant`` being columns that the question names in other words."""
        values, columns = self._settled([*self._exact_values(), *column_links(self._asked, self._relation)])
        columns = sorted([*columns, *meant], key=lambda one: one.start)
        periods = self._period_links(values)
        taken = units_of(*values, *columns, *periods)
        numbers = self._numbers.links(taken)
        compared = units_of(*(one for one in numbers if one.comparison != "="))
        values = [one for one in values if not one.covered & compared]
        values += self._partial_values(taken | units_of(*numbers))
        values = self._where_headed(values, columns)
        found = Links(self._question, self._units, tuple(values), tuple(columns), tuple(periods), tuple(numbers),
                      tuple(self._operations(values, columns, numbers)), self._explained_by_context())  # fmt: skip
        return with_exclusions(found, self._linked)

    def _where_headed(self, values: Sequence[ValueLink], columns: Sequence[ColumnLink]) -> list[ValueLink]:
        """Take a value that stands in several columns from the one whose header the question says before it."""
        ends = {max(link.covered) + 1: set(link.columns) for link in columns}
        kept = [{c: texts for c, texts in one.texts.items() if c in ends.get(one.start, ())} for one in values]
        return [replace(one, texts=texts) if texts else one for one, texts in zip(values, kept, strict=True)]

    # Values

    def _exact_values(self) -> list[ValueLink]:
        """Return the longest runs of units that are values, none inside another one."""
        found: list[ValueLink] = []
        at, longest = 0, max(self._values.longest, _LONGEST_CODE)
        while at < len(self._forms):
            sizes = range(min(longest, len(self._forms) - at), 0, -1)
            one = next((one for size in sizes if (one := self._value_at(at, size))), None)
            found += [one] if one else []
            at += max(one.covered) + 1 - at if one else 1
        return found

    def _value_at(self, at: int, size: int) -> ValueLink | None:
        """Return the value that so many units from a place name, None where they name none."""
        run, written = self._forms[at : at + size], self._asked.written(range(at, at + size))
        texts = self._values.named_by(run, written)
        covered = frozenset(range(at, at + size))
        little = self._too_little(run)
        if not texts and size == 1 and run[0].isdecimal():  # numbers by which rows are called: "ID 3599"
            little, plain = True, (c.index for c in self._relation.columns if c.plain)
            texts = {c: [written] for c in plain if written in self._relation.texts(c)}
        if texts and little:
            texts, covered = self._beside_header(at, texts)
        # A total word asks for a sum, which the parser may find in a row so called.
        if not texts or covered <= self._bare | self._excluding or is_total_word(written):
            return None
        return ValueLink(covered, {c: tuple(self._values.listing(c, t)) for c, t in texts.items()}, 1.0)

    def _too_little(self, run: Sequence[str]) -> bool:
        """True for a single Chinese character, and a bare number that is no year: these stand in texts by chance."""
        return len(run) == 1 and (is_cjk(run[0]) or len(run[0]) < 2 or (len(run[0]) < 3 and run[0].isdigit()))

    def _beside_header(self, at: int, texts: Mapping[int, list[str]]) -> tuple[dict[int, list[str]], frozenset[int]]:
        """Return what a unit names that is too short to name anything by itself, and the units that say so.

        It does where its column's own header, or a part of it, stands right beside it: A级, floor 3.
        """
        if at == self._asked.limit[1] or self._numbers.comparison_at(at, at + 1):
            return {}, frozenset()
        beside = {place for place in (at - 1, at + 1) if 0 <= place < len(self._units)}
        lone = is_cjk(self._forms[at]) and at not in self._bare
        kept: dict[int, list[str]] = {}
        covered = {at}
        for column, held in texts.items():
            if column != LABEL:
                header = forms(" ".join(self._relation.columns[column].levels))
                said = {place for place in beside if self._forms[place] in header}
                kept |= {column: held} if said or lone else {}
                covered |= said
        return kept, frozenset(covered)

    def _partial_values(self, taken: frozenset[int]) -> list[ValueLink]:
        """Return values of which the question says a part: "Hill School" of "Hill School, Leeds", 雁塔 of 雁塔区."""
        found: list[ValueLink] = []
        asking = [*cues(self._question, "operations"), *cues(self._question, "superlatives")]
        closed = taken | self._excluding | self._asked.at(*asking if self._relation.is_list else ())
        title = self._standing_in(self._context)  # what it says is said of all rows
        for run in runs([i for i in range(len(self._units)) if i not in closed]):
            for start, end in inner(run, self._forms, LONGEST_RUN):
                covered, held = frozenset(range(start, end)), self._forms[start:end]
                bare_edge = start in self._bare or end - 1 in self._bare
                too_little = self._too_little(held) or self._asked.weight(covered - self._bare) < 1.0
                written = self._asked.written(range(start, end))
                if bare_edge or covered & taken or covered <= title or too_little or is_total_word(written):
                    continue
                texts = {}
                for c, holding in self._values.holding(held).items():
                    same = [text for text in holding if not self._goes_on_otherwise(text, start, end)]
                    if same and len(holding) <= max(2, _USUAL * len(self._values.texts[c])):
                        texts[c] = same
                texts, share = fullest(texts, end - start) if texts else ({}, 0.0)
                if share >= _LEAST_SHARE:  # less is a word in a long remark
                    found.append(ValueLink(covered, {c: tuple(t) for c, t in texts.items()}, share))
                    taken |= covered
        return found

    def _goes_on_otherwise(self, text: str, start: int, end: int) -> bool:
        """True for a Chinese value with other characters beside a run than the question has: 温州仓 is no 杭州仓."""
        first, last = self._units[start].start, self._units[end - 1].end
        at = text.find(self._question[first:last])
        if at < 0:
            return is_cjk(self._forms[start])  # 学生 is no part of 化学、生科
        beside = (
            (start - 1, self._question[first - 1 : first], text[at - 1 : at] if at else ""),
            (end, self._question[last : last + 1], text[at + last - first :][:1]),
        )
        return any(
            i not in self._bare and is_cjk(asked) and is_cjk(held) and asked != held for i, asked, held in beside
        )

    # What is settled between all

    def _settled(self, links: Sequence[ValueLink | ColumnLink]) -> tuple[list[ValueLink], list[ColumnLink]]:
        """Give each unit to the fullest match that wants it: longer values and headers before shorter ones."""
        kept, taken = list[ValueLink | ColumnLink](), set[int]()

        def order(one: ValueLink | ColumnLink) -> tuple[float, int, bool]:
            weight = round(self._asked.weight(one.covered) * one.share, 3)
            return -weight, len(runs(sorted(one.covered))), isinstance(one, ValueLink)

        for one in sorted(links, key=order):
            own = one.leaf if isinstance(one, ColumnLink) else one.covered
            named = isinstance(one, ColumnLink) and one.share > _FULL
            little = self._asked.weight(own - taken) < _OWN * self._asked.weight(own)
            if little or (one.covered - taken <= self._bare and not named):
                continue
            taken |= one.covered
            kept.append(one)
        values = [one for one in kept if isinstance(one, ValueLink)]
        return sorted(values, key=lambda v: v.start), [one for one in kept if isinstance(one, ColumnLink)]

    def _period_links(self, values: Sequence[ValueLink]) -> list[PeriodLink]:
        """Return the years of the question that headers name, unless they are part of a value's name."""
        taken = {i for one in values if len(one.covered) > 1 for i in one.covered}
        told = {c.index: c.years for c in self._relation.columns if c.years and not c.names_rows}
        years = [int(form) if is_year(form) else 0 for form in self._forms]
        found: list[PeriodLink] = []
        for at, year in enumerate(years):
            if not year or at in taken:
                continue
            for wanted in ((year, *years[at + 1 : at + 2]), (year,)):
                if columns := tuple(c for c, named in told.items() if named == wanted):
                    found.append(PeriodLink(frozenset(range(at, at + len(wanted))), wanted, columns))
                    taken |= found[-1].covered
                    break
        return found

    def _operations(
        self, values: Sequence[ValueLink], columns: Sequence[ColumnLink], numbers: Sequence[NumberLink]
    ) -> list[Cue]:
        """Return what the question asks to be done; no word of a name or beside a number does."""
        named = [one for one in columns if one.share > _FULL]

        def is_name(cue: Cue) -> bool:
            at = self._asked.at(cue)
            return (
                any(one.said[0] <= cue.start and cue.end <= one.said[1] for one in numbers)
                or any(at <= v.covered and (v.share > _FULL or len(v.covered) > len(at)) for v in values)
                or any(at & one.covered and at <= one.covered | self._bare for one in named)
            )

        return [cue for cue in cues(self._question, "operations") if not is_name(cue)]

    def _explained_by_context(self) -> frozenset[int]:
        """Return the units that stand in the title, the sections, the caption or the headers of the table."""
        told = [*self._context, self._relation.caption, self._relation.sheet]
        told += [part for column in self._relation.columns for part in column.path]
        return self._standing_in(told)

    def _standing_in(self, texts: Sequence[str]) -> frozenset[int]:
        """Return the units that stand in texts: words, their initials, two Chinese characters (one is chance)."""
        held = [forms(text) for text in texts]
        known = {form for one in held for form in one if not is_cjk(form)}
        initials = ("".join(form[0] for form in one) for one in held)
        known |= {one[a:b] for one in initials for a, b in itertools.combinations(range(len(one) + 1), 2) if b - a > 2}
        pairs = {pair for one in held for pair in itertools.pairwise(one)}
        found = {i for i, form in enumerate(self._forms) if form in known}
        for i, (one, other) in enumerate(itertools.pairwise(self._units)):
            chinese = is_cjk(one.form + other.form)
            # "food bank" of "foodbank.csv"
            joined = base_form(self._question[one.start : one.end] + other.form)
            if (one.form, other.form) in pairs if chinese else joined in known:
                found |= {i, i + 1}
        return frozenset(found)
