"""Schema and value linking: which columns, values, periods and numbers of a relation a question speaks of.

Linking is a search. A question's runs of units are looked up among the cell values; headers are scored by the share of
what sets them apart that the question says; longer and fuller matches win the units that several want. What nothing
in the table explains stays over, and tells the parser how far the table is what the question is about.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.answer.tables.column_comparisons import column_comparisons
from engine.answer.tables.exclusions import Excluding
from engine.answer.tables.lexis import (
    apart,
    base_form,
    contains,
    forms,
    fullest,
    header_forms,
    inner,
    is_cjk,
    lemmas,
    runs,
    units,
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
from engine.answer.tables.number_links import Numbers, number_of_results
from engine.answer.tables.query import LABEL
from engine.answer.tables.values import LONGEST_RUN
from engine.answer.tables.vocabulary import Cue, asking_forms, cues, is_total_word
from engine.answer.understand.exact import says_year
from engine.enrich.cell_values import is_year

# A header is spoken of when the question says this share of what sets it apart from the other headers.
_SPOKEN_OF = 0.5
_LONGEST_CODE = 8
# A run that is less of the values that hold it names none of them.
_LEAST_SHARE = 0.1
# How far a column is named by what its values are.
_BY_VALUES = 0.75
# Where this share of a column's values hold a run, it says what they are and names none of them.
_USUAL = 0.3


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

    def links(self, meant: Sequence[ColumnLink] = ()) -> Links:
        """Return the links, ``meant`` being columns that the question names in other words."""
        values = self._exact_values()
        columns = self._column_links()
        values, columns = self._settled(values, columns)
        columns += self._of_a_kind(values, columns)
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
        pairs = column_comparisons(self._question, self._units, columns, self._relation, self._bare, said)
        said += [one.said for one in pairs]
        operations = self._operations(values, columns, said)
        excluding = Excluding(self._question, self._units, self._bare, self._relation, self._values)
        out = excluding.of(values, columns, numbers, said)
        values, columns = excluding.truths(out.values, out.columns, operations)
        return Links(self._question, self._units, tuple(values), tuple(columns), tuple(periods), tuple(out.numbers),
                     tuple(operations), self._explained_by_context(), not out.settled, tuple(pairs))  # fmt: skip

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

    def _column_links(self) -> list[ColumnLink]:
        """Return the columns by how much of what sets their headers apart the question says, the best first."""
        headers = {c.index: header_forms(c.levels, bool(c.years)) for c in self._relation.columns if c.path}
        headers = {column: levels for column, levels in headers.items() if levels}
        count = Counter(
            form for levels in headers.values() for form in {f for level in levels for f in level}
        )
        scored: dict[tuple[frozenset[int], frozenset[int], float], list[int]] = {}
        for column, levels in headers.items():
            said = [self._said_of(level) for level in levels]
            covered = frozenset().union(*said)
            forms_said = {self._forms[i] for i in covered}
            weights = {form: apart(form, count[form], len(headers)) for level in levels for form in level}
            share = sum(weights[form] for form in forms_said) / sum(weights.values())
            if share < _SPOKEN_OF and self._says_head(column, headers):
                share = _SPOKEN_OF
            little = covered <= self._bare or all(form.isdigit() for form in forms_said)
            if share >= _SPOKEN_OF and covered and (share > 0.99 or not little):
                scored.setdefault((covered, said[-1] or covered, round(share, 3)), []).append(column)
        links = [
            ColumnLink(covered, tuple(columns), share, leaf)
            for (covered, leaf, share), columns in scored.items()
        ]
        links += self._group_links(headers)
        return sorted(links, key=lambda one: (-self._weight(one.covered) * one.share, one.start))

    def _says_head(self, column: int, headers: Mapping[int, Sequence[Sequence[str]]]) -> bool:
        """True where the question says how a Chinese header ends or begins, as no other one does.

        代码 says 行政区划代码, 本周 says 本周销售额.
        """
        for part in (slice(-2, None), slice(0, 2)):
            head = tuple(headers[column][-1][part])
            if len(head) == 2 and all(map(is_cjk, head)) and self._places(head):
                alone = sum(tuple(levels[-1][part]) == head for levels in headers.values()) == 1
                return alone or column == self._relation.key
        return False

    def _group_links(self, headers: Mapping[int, Sequence[Sequence[str]]]) -> list[ColumnLink]:
        """Return the columns under each upper header that the question says in full: "electricity" of four quarters."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for column, levels in headers.items():
            if len(levels) > 1:
                groups.setdefault(tuple(levels[0]), []).append(column)
        found = []
        for level, columns in groups.items():
            covered = self._said_of(level)
            full = {self._forms[i] for i in covered} >= set(level)
            if full and 1 < len(columns) < len(headers) and not covered <= self._bare:
                found.append(ColumnLink(covered, tuple(columns), 0.99, covered))
        return found

    def _said_of(self, held: Sequence[str]) -> frozenset[int]:
        """Return the question's units that a text has: the longest runs, as long as they add units of the text.

        A text that the question says again counts wherever it stands: "phosphorus" beside "highest", too. Single
        Chinese characters stand in texts by chance, unless the text is no longer.
        """
        wanted = set(held)
        found = runs([i for i, form in enumerate(self._forms) if form in wanted and i != self._limit])
        positions, known = set[int](), set[str]()
        for run in sorted(found, key=lambda one: (-len(one), one[0])):
            told = {self._forms[i] for i in run}
            lone = len(run) == 1 and is_cjk(self._forms[run[0]]) and len(held) > 1
            if not lone and (told == wanted or not told <= known):
                positions.update(run)
                known |= told
        return frozenset(positions)

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

    def _of_a_kind(self, values: Sequence[ValueLink], columns: Sequence[ColumnLink]) -> list[ColumnLink]:
        """Return the columns whose values end with the noun behind "which": 哪个区 of 雁塔区, 莲湖区 …."""
        taken, found = units_of(*values, *columns), list[ColumnLink]()
        for cue in cues(self._question, "operations"):
            behind = [
                i for i, unit in enumerate(self._units) if unit.start >= cue.end and i not in self._bare
            ]
            if cue.kind != "each" or not behind or behind[0] in taken:
                continue
            noun = self._written(behind[0], behind[0] + 1).casefold().removesuffix("s")
            kept = [c for c in self._values.texts if c != LABEL and self._values.ends_with(c, noun)]
            if len(kept) == 1:
                found.append(ColumnLink(frozenset(behind[:1]), (kept[0],), _BY_VALUES, frozenset(behind[:1])))
        return found

    def _numbered(self, values: Sequence[ValueLink], columns: Sequence[ColumnLink]) -> list[ValueLink]:
        """Return numbers by which rows are called, behind their columns' headers: "ID 3599", districts 12 and 14."""
        taken, found = set(units_of(*values)), list[ValueLink]()
        for link in columns:
            plain = [c for c in link.columns if self._relation.columns[c].plain]
            for run in runs(sorted(link.covered)) if plain else ():
                behind = itertools.takewhile(
                    lambda i: i in self._bare or self._forms[i].isdecimal(),
                    range(run[-1] + 1, len(self._forms)),
                )
                for place in behind:
                    said = self._written(place, place + 1)
                    texts = {c: (said,) for c in plain if said in self._values.numbers(c)}
                    if texts and place not in taken and not self._numbers.comparison_at(place, place + 1):
                        found.append(ValueLink(frozenset({place}), dict(texts), 1.0))
                        taken.add(place)
        return found

    def _places(self, run: Sequence[str]) -> list[int]:
        """Return where a run of units begins in the question; a single Chinese character is none."""
        size = len(run)
        if size == 1 and is_cjk(run[0]):
            return []
        return [
            i for i in range(len(self._forms) - size + 1) if tuple(self._forms[i : i + size]) == tuple(run)
        ]

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
                -round(self._weight(one.covered) * one.share, 3),
                len(runs(sorted(one.covered))),
                not self._is_literal(one),
                isinstance(one, ValueLink),
            ),
        )
        for one in order:
            free = one.covered - taken
            named = isinstance(one, ColumnLink) and one.share > 0.99
            own = one.leaf if isinstance(one, ColumnLink) else one.covered
            if self._weight(own - taken) < 0.6 * self._weight(own) or (free <= self._bare and not named):
                continue
            taken |= one.covered
            if isinstance(one, ValueLink):
                kept_values.append(one)
            else:
                kept_columns.append(one)
        return sorted(kept_values, key=lambda v: v.start), sorted(kept_columns, key=lambda c: c.start)

    def _is_literal(self, one: ValueLink | ColumnLink) -> bool:
        """True where the question writes a value or header as the table does: "open" is no "Opened"."""
        question = self._question.casefold()
        if isinstance(one, ValueLink):
            written = [text for texts in one.texts.values() for text in texts]
        else:
            written = [level for column in one.columns for level in self._relation.columns[column].levels]
        return any(
            re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", question) or (text and is_cjk(text[0]))
            for text in written
        )

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
            at = {i for i, unit in enumerate(self._units) if unit.start < cue.end and cue.start < unit.end}
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

    def _partial_values(self, taken: frozenset[int]) -> list[ValueLink]:
        """Return values that hold a run of the question, or of which it says nearly all, for units still open."""
        found: list[ValueLink] = []
        spoken = taken | self._spoken() if self._relation.is_list else taken
        about = {form for text in self._context for form in forms(text) if not is_cjk(form)}
        for run in runs([i for i in range(len(self._units)) if i not in spoken]):
            for start, end in inner(run, self._forms, LONGEST_RUN):
                covered = frozenset(range(start, end))
                bare_edge = start in self._bare or end - 1 in self._bare
                if bare_edge or covered & taken or self._too_little(self._forms[start:end]):
                    continue
                if about.issuperset(self._forms[start:end]) or self._in_title(self._forms[start:end]):
                    continue  # what the title says is said of all rows
                texts = self._values.holding(self._forms[start:end], self._written(start, end))
                if not texts or self._weight(covered - self._bare) < 1.0:
                    continue
                texts = {
                    c: one for c, one in texts.items() if not (self._is_usual(c, one) or self._remarks(c))
                }
                texts = texts and self._not_other_names(texts, start, end, taken)
                texts = {c: held for c, one in texts.items() if (held := self._in_its_words(one, start, end))}
                if texts and not is_total_word(self._written(start, end)):
                    texts, share = fullest(texts, end - start)
                    if share < _LEAST_SHARE:
                        continue  # a word in a long remark
                    found.append(ValueLink(covered, {c: tuple(t) for c, t in texts.items()}, share))
                    taken |= covered
        return found

    def _in_title(self, run: Sequence[str]) -> bool:
        """True for Chinese characters that stand side by side in what the table stands under."""
        return all(map(is_cjk, run)) and any(contains(forms(text), run) for text in self._context)

    def _in_its_words(self, texts: Sequence[str], start: int, end: int) -> list[str]:
        """Return the values that have the words of a run, inflected or not: "appear" is no word of "Appearance"."""
        if is_cjk(self._forms[start]):
            return [*texts]
        wanted = lemmas(self._written(start, end))
        return [text for text in texts if wanted <= lemmas(text)]

    def _spoken(self) -> set[int]:
        """Return the units that name no value by a part of it: words of the headers, and what says what to do."""
        headers = {form for column in self._relation.columns for part in column.path for form in forms(part)}
        asked = cues(self._question, "operations")
        return self._excluding | {
            i for i, unit in enumerate(self._units)
            if (unit.form in headers and not is_cjk(unit.form))
            or any(unit.start < cue.end and cue.start < unit.end for cue in asked)
        }  # fmt: skip

    def _not_other_names(
        self, texts: dict[int, list[str]], start: int, end: int, taken: frozenset[int]
    ) -> dict[int, list[str]]:
        """Return the values that do not go on otherwise than the question beside a run: 温州仓 is not 杭州仓."""
        run = tuple(self._forms[start:end])

        def open_character(at: int) -> str:
            there = 0 <= at < len(self._forms) and at not in taken and at not in self._bare
            touches = there and "".join(self._written(min(at, start), max(at + 1, end)).split())
            form = self._forms[at] if there else ""
            return form if touches and is_cjk(form) else ""

        before, behind = open_character(start - 1), open_character(end)

        def fits(text: str) -> bool:
            held = units(text)
            told = tuple(unit.form for unit in held)
            at = next((i for i in range(len(held)) if told[i : i + len(run)] == run), -1)
            if at < 0:
                return True
            ahead, after = text[: held[at].start][-1:], text[held[at + len(run) - 1].end :][:1]
            return not (
                (before and is_cjk(ahead) and ahead != before)
                or (behind and is_cjk(after) and after != behind)
            )

        kept = {c: [text for text in one if fits(text)] for c, one in texts.items()}
        return {c: one for c, one in kept.items() if one}

    def _is_usual(self, column: int, texts: Sequence[str]) -> bool:
        """True where so many of a column's values hold a run that it says what they are and names none of them."""
        return len(texts) > max(2, _USUAL * len(self._values.texts[column]))

    def _remarks(self, column: int) -> bool:
        """True for a column most of whose cells are empty: a word of a remark names no row."""
        return column != LABEL and 2 * sum(self._values.texts[column].values()) < len(self._relation.rows)

    def _written(self, start: int, end: int) -> str:
        return self._question[self._units[start].start : self._units[end - 1].end]

    def _too_little(self, run: Sequence[str]) -> bool:
        """True for a single Chinese character, and a bare number that is no year: these stand in texts by chance."""
        return len(run) == 1 and (is_cjk(run[0]) or (len(run[0]) < 3 and run[0].isdigit()) or len(run[0]) < 2)

    def _weight(self, covered: frozenset[int]) -> float:
        return sum(self._units[i].weight for i in covered)
