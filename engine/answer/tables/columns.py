"""Which columns and rows a question means: those it asks for of those it names, and those that nobody names."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.conditions import Conditions
from engine.answer.tables.lexis import base_form, forms, is_cjk
from engine.answer.tables.links import ColumnLink, LinkedRelation, Links
from engine.answer.tables.query import LABEL, Period
from engine.answer.tables.request import Request
from engine.answer.tables.vocabulary import Cue, cues
from engine.answer.understand.kinds import expects

_SAMPLE, _FULL = 2000, 0.99
# So much of a header names its column rather than something that has it: 任务 is no 任务状态.
_WELL = 0.6
# So many words may not stand between "which" and what is asked for.
_BETWEEN = 2
# Of places in an order so many differ.
_ALL_APART = 0.8


class ColumnChoice:
    """The columns of one reading, whose conditions and what is asked for are known."""

    def __init__(
        self,
        links: Links,
        linked: LinkedRelation,
        asked: Request,
        given: Conditions,
    ) -> None:
        self._links, self._relation, self._asked = links, linked.relation, asked
        self._where = list(given.where)
        self._compared = given.compared
        self._unsettled = given.unsettled
        self._periods = list(given.periods)
        used = {c for one in given.where for c in one.used}
        used |= {c.index for c in self._relation.columns if c.names_rows} if LABEL in used else set()
        columns = [c for link in links.columns if link not in given.compared for c in link.columns]
        self._numeric = [c for c in columns if self._relation.columns[c].numeric and c not in used]
        self._named = [
            c for c in columns
            if not self._relation.columns[c].numeric and c not in used
        ]  # fmt: skip
        self._period, self._dates = self._by_period()
        self._by = asked.by or self._dates is not None

    def _by_period(self) -> tuple[Period, int | None]:
        """Return by what the question groups dates, and the column of these; nothing where a column has it already."""
        relation = self._relation
        found = [cue for cue in cues(self._links.question, "periods") if not self._in_a_header(cue)]
        dates = [c.index for c in relation.columns if c.dtype == "date"]
        if not found or not dates or not relation.is_list or self._links.periods:
            return "", None
        return found[0].kind, next((c for c in self._named if c in dates), dates[0])  # type: ignore[return-value]

    def _in_a_header(self, cue: Cue) -> bool:
        """True where the header of an asked column says a period: rents in "£/month"."""
        said = {
            form for c in self._numeric for part in self._relation.columns[c].path for form in forms(part)
        }
        return base_form(self._links.question[cue.start : cue.end].split()[-1].casefold()) in said

    def _measures(self) -> list[int]:
        """Return the columns to compute with: those named, all of a statement, or the one nearest in meaning."""
        if self._numeric:
            return self._numeric
        relation = self._relation
        if not relation.is_list and any(LABEL in one.columns for one in self._where):
            return [c.index for c in relation.columns if c.numeric and not c.names_rows]
        return self._only_measure()

    def _only_measure(self) -> list[int]:
        """Return the one column of numbers of a list, where the question asks for nothing that the table lacks.

        Numbers in front name or count the rows.
        """
        used = {c for one in self._where for c in one.columns}
        free = [
            c.index for c in self._relation.columns[1:]
            if c.index not in used and c.path and c.numeric and not c.names_rows
        ]  # fmt: skip
        only = len(free) == 1 and self._relation.is_list
        return free if only and not self._links.unexplained else []

    def _of_one_measure(self, measures: list[int]) -> list[int]:
        """Of tied columns, keep those of one measure: all of a statement or under one header, else the best named.

        Of those named as well, the one nearest to the words that ask for an operation: "the highest phosphorus".
        """
        if not self._relation.is_list or self._under_one_header(measures):
            return measures
        asking = self._links.at(*self._links.operations)
        named: dict[int, tuple[float, int]] = {}
        for link in self._links.columns:
            away = min((abs(unit - one) for unit in link.covered for one in asking), default=0)
            named.update((c, (link.share, -away)) for c in link.columns)
        return [max(measures, key=lambda c: named.get(c, (0.0, 0)))]

    def _dated_columns(self, columns: Sequence[int]) -> list[int]:
        """Return the free columns of dates and times, where the question asks when and names none of these."""
        if expects(self._links.question) != "date" or not self._relation.is_list:
            return []
        dated = [c.index for c in self._relation.columns if c.dtype in ("date", "time")]
        used = {c for one in self._where for c in one.used}
        return [] if set(dated) & set(columns) else [c for c in dated if c not in used]

    def _asked_for(self, columns: list[int]) -> list[int]:
        """Of columns that the question speaks of, return those it asks for.

        Names that stand side by side are asked for together; else the first of them in English, the last in Chinese,
        where what is asked for stands at the end.
        """
        links = sorted(
            (one for one in self._links.columns if set(one.columns) & set(columns)), key=lambda one: one.start
        )
        if len(links) < 2:
            return columns
        chains = [[links[0]]]
        for link in links[1:]:
            chains[-1].append(link) if self._side_by_side(chains[-1][-1], link) else chains.append([link])
        chinese = is_cjk(self._links.units[links[-1].start].form)
        chosen = {c for link in (chains[-1] if chinese else chains[0]) for c in link.columns}
        return [c for c in columns if c in chosen]

    def _under_one_header(self, columns: Sequence[int]) -> bool:
        """True where the question names columns of a list only by the header above them all: their sum is asked for."""
        links = [one for one in self._links.columns if set(columns) & set(one.columns)]
        named_above = len(columns) > 1 and len(links) == 1
        return self._relation.is_list and named_above and all(c in self._numeric for c in columns)

    def _side_by_side(self, first: ColumnLink, second: ColumnLink) -> bool:
        """True where nothing but words that join stands between two names, or they share units."""
        if first.covered & second.covered:
            return True
        units, question = self._links.units, self._links.question
        gap = question[units[max(first.covered)].end : units[min(second.covered)].start]
        rest = gap
        for cue in reversed(cues(gap, "joining")):
            rest = rest[: cue.start] + rest[cue.end :]
        return rest != gap and not any(map(str.isalnum, rest.replace("the", "")))

    def _of_kind(self, kind: str) -> list[int]:
        """Return the column of the kind that a superlative is of: prices, dates."""
        columns = self._relation.columns
        found = [c for c in self._named if columns[c].dtype == kind]
        every = [c.index for c in columns if c.dtype == kind]
        found = found or every[:1]
        self._named = [c for c in self._named if c not in found]
        return found

    def _told(self, columns: Sequence[int]) -> tuple[int, ...]:
        """Return the columns that tell the found rows apart: the key, and a date where keys recur and none is fixed."""
        relation = self._relation
        if not relation.is_list and any(row.label for row in relation.rows[:3]):
            return ()
        fixed = {
            c for one in self._where for c in one.columns if len(one.values) == 1 and one.comparison == "="
        }
        key = relation.key
        if key is not None and expects(self._links.question) == "person":
            key = key if (name := self._name_beside(key)) is None else name
        told = [key] if key is not None and key not in columns else []
        names = relation.texts(key)[:_SAMPLE] if key is not None else []
        if names and len(set(names)) == len(names):
            return tuple(told)
        dates = [c.index for c in relation.columns if c.dtype == "date" and c.index not in (*columns, *told)]
        return (*told, *([] if fixed & set(dates) else dates[:1]))

    def _name_beside(self, key: int) -> int | None:
        """Return the column that says in words what a row is whose key is a code, None where there is none."""
        texts = self._relation.texts(key)[:_SAMPLE]
        if sum(any(map(str.isdigit, text)) for text in texts) < len(texts) / 2:
            return None
        words = [
            c.index for c in self._relation.columns
            if c.index != key and c.dtype == "text" and c.path and not self._repeats(c.index)
        ]  # fmt: skip
        return words[0] if words else None

    def _grouping(self) -> int | None:
        if self._dates is not None:
            return self._dates
        return next((c for c in (*self._asked_which, *self._named) if self._repeats(c)), None)

    @property
    def _asked_which(self) -> list[int]:
        """The columns whose headers stand right behind "which": their values are asked for, numbers, too."""
        behind = {max(self._links.at(cue)) + 1 for cue in self._links.operations if cue.kind == "each"}
        return [c for link in self._links.columns if link.start in behind for c in link.columns]

    def _named_well(self, column: int) -> bool:
        """True where the question says most of the words of a column's header."""
        held = forms(self._relation.columns[column].levels[-1])
        covered = (len(link.leaf or link.covered) for link in self._links.columns if column in link.columns)
        return max(covered, default=0) >= _WELL * len(held)

    def _repeats(self, column: int) -> bool:
        rows = range(min(len(self._relation.rows), _SAMPLE))
        texts = [text for row in rows if (text := self._relation.text(row, column))]
        return len(set(texts)) < 0.9 * len(texts)
