"""Columns that a question names: by their headers, by what their values are, and by a number behind a header."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from engine.answer.tables.lexis import apart, contains, header_forms, is_cjk, runs, units
from engine.answer.tables.links import Asked, ColumnLink, LinkedRelation, ValueLink, units_of
from engine.answer.tables.number_links import Numbers, number_of_results
from engine.answer.tables.vocabulary import cues

# A header is spoken of when the question says this share of what sets it apart from the other headers.
_SPOKEN_OF = 0.5


class QuestionUnits:
    """The units of a question, the relation it is held against, and the numbers that the question compares with."""

    def __init__(self, question: str, linked: LinkedRelation) -> None:
        self._relation, self._values, self._context = linked
        self._asked = Asked(question, units(question))
        self._question, self._units = question, self._asked.units
        self._forms = [unit.form for unit in self._units]
        self._bare = self._asked.said
        self._excluding = self._asked.at(*(c for c in cues(question, "comparisons") if c.kind == "!="))
        self._limit = number_of_results(question, self._units)
        self._numbers = Numbers(question, self._units, any(c.dtype == "date" for c in self._relation.columns))

    def _written(self, start: int, end: int) -> str:
        return self._asked.written(range(start, end))

    def _too_little(self, run: Sequence[str]) -> bool:
        """True for a single Chinese character, and a bare number that is no year: these stand in texts by chance."""
        return len(run) == 1 and (is_cjk(run[0]) or (len(run[0]) < 3 and run[0].isdigit()) or len(run[0]) < 2)


class HeaderLinks(QuestionUnits):
    """The links of a question to the columns of a relation."""

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
        return sorted(links, key=lambda one: (-self._asked.weight(one.covered) * one.share, one.start))

    def _says_head(self, column: int, headers: Mapping[int, Sequence[Sequence[str]]]) -> bool:
        """True where the question says how a Chinese header ends or begins, as no other one does.

        代码 says 行政区划代码, 本周 says 本周销售额.
        """
        for part in (slice(-2, None), slice(0, 2)):
            head = tuple(headers[column][-1][part])
            if len(head) == 2 and all(map(is_cjk, head)) and contains(self._forms, head):
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
