"""Which cells of a table a question means, judged by the names of their rows and columns.

A cell gains by what its row's and column's names share with the question, and loses by what its own name says
and the question does not. All weights are relative to what the question asks about, so that 1 is a perfect fit.
Words of the question that stand in no name count against all cells, less so when the text around the table has
them. What tells names apart weighs most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.answer.tables.cell_kinds import kind_fit, may_answer
from engine.answer.tables.cell_years import CellYears
from engine.answer.tables.dated_names import undated
from engine.answer.tables.header_blocks import own_names
from engine.answer.tables.matching import features, plain, tokens_of_metric, weights_of, years_in
from engine.answer.tables.name_parts import PLAINLY, besides, is_bare_result, leaves_out, served
from engine.answer.tables.namesakes import group_rise, namesakes
from engine.answer.tables.periods import asks_of_moment
from engine.answer.tables.question import GRAMMAR, MONTHS, Question, is_asking
from engine.answer.tables.record_words import NUMBERS
from engine.answer.tables.references import CellPlace
from engine.answer.tables.row_relations import RowRelations
from engine.answer.tables.said_units import words_of_unit
from engine.answer.tables.short_forms import ShortForms, without_asides
from engine.answer.tables.spans_of_time import of_other_span
from engine.answer.tables.statement_words import CHANGES, TOTAL
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column, Row
from engine.answer.tables.word_families import alike, same_root
from engine.answer.terms import weight as term_weight
from engine.structure.sentences import is_cjk

_OWN_LOSS, _GROUP_LOSS, _COLUMN_LOSS = 0.5, 0.08, 0.3
_UNKNOWN, _NAME, _IN_CONTEXT, _OPTIONAL = 0.4, 0.15, 0.1, 0.35
_VERBATIM, _SHORT = 0.12, 3
# A word that says nearly the same.
_ALIKE, _LIKEWISE = 0.9, 0.6
# What a row is only by the sum it stands in.
_SUMMED = 0.7
# A cell of two years ("2018 vs. 2017") is a change.
_BETWEEN_YEARS = 0.15
# What happened within a year is no balance at its end.
_NOT_THEN = 0.3
_UNASKED_TOTAL, _UNASKED_RATE = 0.05, 0.05
_RATE = re.compile(r"\bper\b|\w/\w|\baverage\b|每|均", re.IGNORECASE)
_PER = re.compile(r"\bper\b|每", re.IGNORECASE)
_BARE_PERCENT = re.compile(r"\W*(?:%|percent(?:age)?|pct\.?|share|百分比|占比|比例)\W*", re.IGNORECASE)
_RATE_ASKED = 0.15
# "In 2018" is the whole year.
_PART_OF_YEAR = re.compile(
    r"\b(?:(?:three|six|nine|[369]) months?|quarters?|Q[1-4]|half|H[12]|(?:13|26|39) weeks)\b|季度|半年|个月",
    re.IGNORECASE,
)
_LEVEL_VERBATIM = 0.06
_UNASKED_PART, _UNASKED_CHANGE = 0.06, 0.15
_SHARE_UNASKED = 1.0
# "The quarter ended July 30" is not within the six months to it.
_OTHER_SPAN = 0.15
# What a cell's kind (money, percentage, count) counts where the question says which it wants.
_KIND = 0.1
_GROUP_SAID, _GROUP_TOTAL = 0.06, 0.2
_TOTAL = features("total")
# What a column of amounts beside one of shares is called says nothing more.
_AMOUNT = features("amount value")
# What stands behind a comma says how a row is meant: "Long-term debt, net of current portion".
_QUALIFIED = 0.4
# "The highest price" is in the column "High".
_EXTREMES = (("highest", "high"), ("lowest", "low"), ("maximum", "high"), ("minimum", "low"))
# What is counted tells most: "how many seats" asks for the column of seats.
_COUNTED = 1.5
_UNSHARED = 0.9
_MOST_CELLS = 6000
_APART = 0.05
_SAID_IN_FULL = 3
_COUNTS = 0.12
# "Income" and "profit" are the net ones where nothing else is said.
_UNSTRESSED = 0.3
_UNQUALIFIED = 0.12


@dataclass(frozen=True, slots=True)
class Fit:
    """A cell and how well it fits (1 is perfect)."""

    place: CellPlace
    score: float


@dataclass(frozen=True, slots=True)
class _Need:
    """A feature of the question, what else says the same, and what it weighs."""

    feature: str
    others: frozenset[str]
    weight: float
    nearly: float = _ALIKE

    def met(self, own: frozenset[str]) -> float:
        """Return how far a name with these features meets the need: 0 to 1."""
        return 1.0 if self.feature in own else self.nearly if self.others & own else 0.0


@dataclass(frozen=True, slots=True)
class _Side:
    """A row or column: how far its name meets each need, what it loses, and whether the question says it in full."""

    index: int
    met: list[float]
    loss: float
    rise: float = 0.0
    named: bool = False


class Linker:
    """Scores the cells of one table for questions."""

    def __init__(self, source: TableSource) -> None:
        self.source = source
        self.table = source.table
        self._row_names = {row.index: row.name for row in self.table.rows}
        self._columns = self.table.value_columns or self.table.columns
        names = [row.name for row in self.table.rows] + [column.name for column in self._columns]
        self._weights = weights_of([name for name in names if name])
        self.years = CellYears(self.table, self._row_names, self._columns)
        self._forms = ShortForms(names)
        self._relations = RowRelations(self.table)

    @cached_property
    def known(self) -> frozenset[str]:
        """The features of all names of rows and columns."""
        return frozenset(self._weights)

    @cached_property
    def _subject(self) -> frozenset[str]:
        """The Chinese features of what the document's title names, and of rows called so with more (a company's
        full name): what all of a document is about asks for none of its rows."""
        titled = re.findall(r"[\u4e00-\u9fff]{3,}", self.source.title)
        names = [name for name in self._row_names.values() if any(text in name for text in titled)]
        return frozenset(f for text in [*titled, *names] for f in features(text) if is_cjk(f))

    @cached_property
    def _whole_names(self) -> frozenset[str]:
        """The features that are all of a row's or column's name, or of a level of it: whose is asked for there."""
        names = [*self._row_names.values(), *(column.name for column in self._columns)]
        levels = {level for name in names for level in name.split(" / ")}
        return frozenset().union(*(own for level in levels if len(own := features(level)) == 1))

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        """The features of the caption and of the header over the row names: they hold for every cell."""
        corner = [column.name for column in self.table.columns[: self.table.header_columns]]
        return frozenset().union(*(features(text) for text in [self.table.caption, *corner]))

    def fits(
        self, question: Question, asked: frozenset[str], year: str | None = None, text: str = ""
    ) -> list[Fit]:
        """Return the filled cells that fit ``asked``, the best first; with ``year`` only those of that year.

        In a table that names no other year, cells without a year are of the year as well.
        """
        if len(self.table.rows) * len(self._columns) > _MOST_CELLS:
            return []
        needs = [self._need(feature, question) for feature in sorted(asked)]
        said = asked | self._forms.spelled(asked) | frozenset().union(*(need.others for need in needs))
        # Beside text a cell must be named more fully: the question may be of the text.
        room = _told_weight(needs) if not self.source.stands_in_text else math.inf
        named = [row for row in self.table.rows if re.search(r"\w", row.name)] or self.table.rows
        rows = [self._row_side(row, question, needs, said, text, room) for row in named]
        rows = self._with_namesakes(rows, question)
        columns = [self._column_side(column, question, needs, said) for column in self._columns]
        if any(row.named and sum(row.met) >= _SAID_IN_FULL for row in rows):
            # What the question says word for word is no part of another name.
            rows = [row if row.named else replace(row, rise=min(row.rise, 0.0)) for row in rows]
        columns = self._with_counts(columns, needs, question)
        everywhere = [need.met(asked & self._everywhere) for need in needs]
        undated = year is not None and self.years.named <= {year}
        flows = self.years.flows if asks_of_moment(question.plain) else frozenset()
        per = bool(_PER.search(text or question.plain))
        found: list[Fit] = []
        for row in rows:
            for column in columns:
                years = self.years.at(row.index, column.index)
                if year is not None and year not in years and (years or not undated):
                    continue
                unit = self._unit_met(self.table.value(row.index, column.index).unit, needs)
                met = [max(each) for each in zip(row.met, column.met, unit, strict=True)]
                told = any(
                    own and not is_asking(need.feature) and need.feature not in self._subject
                    for own, need in zip(met, needs, strict=True)
                )
                # Words of asking alone choose a row only when they are its name.
                if not (told or (row.named and any(met))) or not may_answer(
                    self.table, row.index, column.index, question
                ):
                    continue
                score = _score(needs, met, everywhere, row.loss + column.loss) + row.rise + column.rise
                if year is not None and len(years) > 1:
                    score -= _BETWEEN_YEARS
                if row.index in flows and not row.named:
                    score -= _NOT_THEN
                if per and not _RATE.search(
                    f"{self._row_names[row.index]} {self.table.columns[column.index].name}"
                ):
                    score -= _RATE_ASKED
                score += _KIND * kind_fit(self.table, row.index, column.index, question)
                found.append(Fit(CellPlace(self.table, row.index, column.index), score))
        if undated:
            found = self._of_year(found, year)
        return sorted(found, key=lambda fit: -fit.score)

    @staticmethod
    def _unit_met(unit: str | None, needs: Sequence[_Need]) -> list[float]:
        """Return how far what a cell is measured in meets each need: "in square metres" asks for a cell in m²."""
        said = words_of_unit(unit) if unit else frozenset[str]()
        return [float(need.feature in said) for need in needs]

    @cached_property
    def _namesakes(self) -> list[list[Row]]:
        """The rows that mean the same item in different groups."""
        return namesakes(self.table.rows, self._forms)

    def _with_namesakes(self, rows: list[_Side], question: Question) -> list[_Side]:
        """Name rows of the same item alike, and tell them apart by the groups that the question says."""
        sides = {side.index: side for side in rows}
        for same in self._namesakes:
            own = [sides[row.index] for row in same if row.index in sides]
            if len(own) < len(same):
                continue
            rise = group_rise(same, question.names)
            shortened = len({features(without_asides(row.leaf)) for row in same}) > 1
            met = [max(each) for each in zip(*(side.met for side in own), strict=True)]
            loss, named = min(side.loss for side in own), any(side.named for side in own)
            for side in own:
                alike_named = replace(side, met=met, loss=loss, named=named) if shortened else side
                sides[side.index] = replace(alike_named, rise=side.rise + rise[side.index])
        return list(sides.values())

    def _with_counts(self, columns: list[_Side], needs: Sequence[_Need], question: Question) -> list[_Side]:
        """Raise the columns of counts where the question names no column: "how many A320 are there?"."""
        telling = [at for at, need in enumerate(needs) if not is_asking(need.feature)]
        if not question.counted or any(side.met[at] for side in columns for at in telling):
            return columns
        told = [bool(features(column.name) & NUMBERS) for column in self._columns]
        return [
            replace(side, rise=side.rise + _COUNTS) if own else side
            for side, own in zip(columns, told, strict=True)
        ]

    def _of_year(self, fits: Sequence[Fit], year: str | None) -> list[Fit]:
        """Leave out the cells without a year where a row of the same name is of the year."""
        named = {self._leaf(fit) for fit in fits if year in self.years.at(fit.place.row, fit.place.column)}
        return [
            fit
            for fit in fits
            if year in self.years.at(fit.place.row, fit.place.column) or self._leaf(fit) not in named
        ]

    def _leaf(self, fit: Fit) -> str:
        return plain(self._row_names.get(fit.place.row, "").rsplit(" / ", 1)[-1])

    def _need(self, feature: str, question: Question) -> _Need:
        """Return what a feature of the question needs of a name."""
        others = self.known & {f for f in question.names if f[0] == "§" and feature in question.form_of(f)}
        nearly = _ALIKE
        if feature in self.known and not others and feature not in question.proper:
            # A word that another name has literally may still stand for its like here.
            others, nearly = alike(feature) & self.known, _LIKEWISE
        elif feature not in self.known and not others:
            others = alike(feature) & self.known if feature not in question.proper else frozenset()
            if not others and not is_asking(feature):
                others = frozenset(f for f in self.known if same_root(feature, f))
        others |= {short for word, short in _EXTREMES if word == feature and short in self.known}
        telling = feature in question.head and self._weights.get(feature, 0.0) > _UNSHARED
        counted = _COUNTED if telling or feature in question.counted else 1.0
        return _Need(
            feature, others, counted * self._weight(feature, others, question.proper, question.owners), nearly
        )

    def _weight(
        self,
        feature: str,
        others: frozenset[str],
        names: frozenset[str],
        owners: frozenset[str] = frozenset(),
    ) -> float:
        """Return what a feature of the question weighs; ``names`` are its proper names, ``owners`` some."""
        own = max((self._weights[f] for f in {feature, *others} if f in self._weights), default=0.0)
        own = own or float(feature in self._forms.all)
        if own and (feature in self._subject or feature in owners - self._whole_names):
            return min(own, _NAME)
        if own:
            return own * (_OPTIONAL if is_asking(feature) and feature not in MONTHS else 1.0)
        if is_asking(feature) or feature[0] in "§#":
            return 0.0
        if feature in self.source.context | self.source.announced | self._everywhere:
            return _IN_CONTEXT
        if is_cjk(feature):
            # A pair across the border of two names says nothing, nor does grammar.
            return 0.0 if self._characters.issuperset(feature) else _UNKNOWN * term_weight(feature)
        return _NAME if feature in names else _UNKNOWN

    @cached_property
    def _characters(self) -> frozenset[str]:
        """The characters of all names of rows and columns."""
        names = [*self._row_names.values(), *(column.name for column in self.table.columns)]
        return frozenset("".join(names)) | GRAMMAR

    def column_of(self, question: Question) -> int | None:
        """Return the column of numbers that the question names best, in the year that it says; None for several."""
        year = question.years[0] if question.years else None
        needs = [self._need(feature, question) for feature in sorted(question.names)]
        said = question.names | frozenset().union(*(need.others for need in needs))
        found: list[tuple[float, int]] = []
        for column in self._columns:
            dated = years_in(column.name)
            if column.dtype in ("text", "date", "time") or (year is not None and dated and year not in dated):
                continue
            if (column.unit == "%") != (question.measure == "percent"):
                continue
            side = self._column_side(column, question, needs, said)
            gain = sum(need.weight * met for need, met in zip(needs, side.met, strict=True))
            if gain or (year is not None and year in dated):
                found.append((gain - side.loss + side.rise, column.index))
        found.sort(reverse=True)
        if not found or (len(found) > 1 and found[0][0] < found[1][0] + _APART):
            return None
        return found[0][1]

    def short_forms_of(self, leaf: str) -> frozenset[str]:
        """Return what a name is called in short, beyond the features it has itself."""
        own = features(leaf)
        return (self._forms.of(leaf) | self._forms.both_ways(own)) - own

    def told(self, row: int, question: Question) -> bool:
        """True when the question says all of a row's own name, in short or in full."""
        leaf = self._row_names[row].rsplit(" / ", 1)[-1]
        whole = self._forms.both_ways(question.names) | set(question.years)
        return bool(self._forms.of(leaf) & whole) or features(without_asides(leaf)) <= whole

    def said(self, row: int, question: Question, other: int) -> bool:
        """True when the question says something of a row's own name that the other row's name does not."""
        own, rest = features(self._row_names[row]), features(self._row_names[other])
        return bool((own & question.names) - rest)

    def _row_side(
        self,
        row: Row,
        question: Question,
        needs: Sequence[_Need],
        said: frozenset[str],
        text: str,
        room: float,
    ) -> _Side:
        """Return how far a row's name meets each need, and what it loses by what it says beyond them."""
        name, leaf = row.name, row.leaf
        main, asked = without_asides(leaf), plain(text or question.plain)
        own, leaf_features, head = features(name), features(main), features(main.split(", ", 1)[0])
        wide = said | set(question.years)
        loss = _GROUP_LOSS * self._lacking(own - leaf_features, wide)
        if not self._forms.of(leaf) & said:
            beyond = self._lacking(leaf_features & head, wide)
            beyond += _QUALIFIED * self._lacking(leaf_features - head, wide)
            loss += _OWN_LOSS * beyond * self._share(room, leaf_features)
        rise = 0.0
        if any(level <= question.names for level in map(features, name.split(" / ")[:-1]) if level):
            # "Current assets" are their total.
            rise += _GROUP_SAID + (_GROUP_TOTAL if TOTAL.match(leaf) else 0.0)
        if is_bare_result(leaf_features, question):
            rise += _UNQUALIFIED
        if row.total and "total" not in said:
            rise -= _UNASKED_TOTAL
        if _PER.search(main) and not _RATE.search(asked):
            rise -= 2 * _UNASKED_RATE
        bare = plain(main)
        verbatim = f" {bare} " in f" {asked} "
        if (verbatim and len(bare) > 1) or (len(bare) > _SHORT and bare in asked):
            loss -= _VERBATIM
        if leaves_out(main, asked):
            rise -= _UNASKED_PART
        of_amounts = question.measure != "percent" or question.kind == "percent_change"
        if row.index in self._relations.shares and of_amounts:
            rise -= _SHARE_UNASKED
        held = own - besides(main, question, asked) - served(name, asked)
        whole, around = self._forms.both_ways(held), self._relations.summed.get(row.index, frozenset())
        for total, features_of_total in self._relations.sums_of.get(row.index, ()):
            if f" {total} " in f" {asked} ":
                around = around | features_of_total
        if leaf_features == _TOTAL and not self._names_a_row(question.totalled):
            around = around | question.totalled
        met = [max(need.met(whole), _SUMMED * need.met(around)) for need in needs]
        named = verbatim or (len(leaf_features) > 1 and leaf_features <= said)
        return _Side(row.index, met, loss, rise, named)

    def _names_a_row(self, asked: frozenset[str]) -> bool:
        """True when these features are all of a row's own name, or a total's with it."""
        leaves = (features(without_asides(name.rsplit(" / ", 1)[-1])) for name in self._row_names.values())
        return any(own and (own <= asked or (own > _TOTAL and own & asked)) for own in leaves)

    def _column_side(
        self, column: Column, question: Question, needs: Sequence[_Need], said: frozenset[str]
    ) -> _Side:
        """Return the same for a column; dates in its name are no loss."""
        name = column.name
        own = features(name)
        own_name = without_asides(self._own_names[column.index])
        leaf = features(undated(own_name))
        lacking = frozenset(f for f in leaf - self._in_all_columns - _AMOUNT if f[0] != "#")
        rest = frozenset(f for f in own - leaf - self._in_all_columns if not years_in(f))
        rise = 0.0
        loss = _COLUMN_LOSS * self._lacking(lacking, said) + _GROUP_LOSS * self._lacking(rest, said)
        if _RATE.search(name) and not _RATE.search(question.plain):
            rise -= _UNASKED_RATE
        if CHANGES.search(name) and len(years_in(name)) > 1 and not CHANGES.search(question.plain):
            rise -= _UNASKED_CHANGE
        if _PART_OF_YEAR.search(name) and not _PART_OF_YEAR.search(question.plain):
            rise -= _UNASKED_PART
        if of_other_span(question.plain, name):
            rise -= _OTHER_SPAN
        bare = plain(own_name)
        if len(bare) > _SHORT and lacking <= said and f" {bare} " in f" {plain(question.plain)} ":
            loss -= _VERBATIM
        if any(
            len(features(level)) > 1 and f" {plain(level)} " in f" {plain(question.plain)} "
            for level in own_name.split(" / ")[:-1]
        ):
            loss -= _LEVEL_VERBATIM
        own |= self._of_percent(column)
        aside = besides(without_asides(name), question, plain(question.plain))
        aside |= served(name, plain(question.plain))
        whole = self._forms.both_ways(own - aside)
        return _Side(column.index, [need.met(whole) for need in needs], loss, rise)

    @cached_property
    def _own_names(self) -> dict[int, str]:
        return own_names({column.index: column.name for column in self._columns})

    def _of_percent(self, column: Column) -> frozenset[str]:
        """Return the features of the column that a mere "%" stands behind: it is that in percent."""
        if not column.index or not _BARE_PERCENT.fullmatch(column.name.rsplit(" / ", 1)[-1]):
            return frozenset()
        before = self.table.columns[column.index - 1]
        return features(before.name) if before in self._columns and before.unit != "%" else frozenset()

    @cached_property
    def _in_all_columns(self) -> frozenset[str]:
        """The features of a level of the header that stands over all columns."""
        names = [features(column.name) for column in self._columns]
        return frozenset.intersection(*names) if len(names) > 1 else frozenset()

    def _share(self, room: float, name: frozenset[str]) -> float:
        """Return what part of a name's weight a question of the weight ``room`` could say at most."""
        return min(1.0, room / (self._lacking(name, frozenset()) or 1.0))

    def _lacking(self, own: frozenset[str], said: frozenset[str]) -> float:
        """Return the weight of what a name says beyond the question; a metric in other words is not beyond."""
        forms = {t for f in own & said if f.startswith("§") for t in tokens_of_metric(f.removeprefix("§"))}
        beyond = [f for f in own - said - forms - {"total"} if not f.startswith("§")]
        return sum(
            self._weights.get(f, 0.5)
            * (_UNSTRESSED if f in PLAINLY else 0.5 if is_asking(f) and f not in MONTHS else 1.0)
            for f in beyond
        )


def _score(needs: Sequence[_Need], met: Sequence[float], everywhere: Sequence[float], loss: float) -> float:
    """Return what a cell's names meet less what they lose, relative to what is asked."""
    total = _told_weight(needs)
    gain = sum(need.weight * max(pair) for need, *pair in zip(needs, met, everywhere, strict=True))
    return (gain - loss) / total


def _told_weight(needs: Sequence[_Need]) -> float:
    """Return what the question's words weigh together, those of asking left out."""
    told = sum(need.weight for need in needs if not is_asking(need.feature))
    return told or sum(need.weight for need in needs) or 1.0
