"""Which cells of a table a question means, judged by the names of their rows and columns.

A cell gains by what its row's and column's names share with the question, and loses by what its own name says
and the question does not. All weights are relative to what the question asks about, so that 1 is a perfect fit.
Words of the question that stand in no name count against all cells, less so when the text around the table has
them. What tells names apart weighs most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.answer.tables.matching import features, plain, weights_of, years_in
from engine.answer.tables.question import GRAMMAR, Question, is_asking
from engine.answer.tables.references import CellPlace
from engine.answer.tables.typed_table import TypedTable
from engine.answer.terms import weight as term_weight
from engine.model import Node
from engine.structure.sentences import is_cjk

_OWN_LOSS, _GROUP_LOSS, _COLUMN_LOSS = 0.5, 0.08, 0.3
_UNKNOWN, _NAME, _IN_CONTEXT, _OPTIONAL = 0.4, 0.15, 0.1, 0.35
_ASIDE = re.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]")
_ABBREVIATION = re.compile(r"[(\"“ ]([A-Z][A-Z&.-]{1,7}s?)[)\"”]")
_VERBATIM = 0.12
# A cell of two years ("2018 vs. 2017") is a change.
_BETWEEN_YEARS = 0.15
_UNASKED_TOTAL = 0.05
# "The highest price" is in the column "High".
_EXTREMES = (("highest", "high"), ("lowest", "low"), ("maximum", "high"), ("minimum", "low"))
_MOST_CELLS = 6000


@dataclass(frozen=True, eq=False)
class TableSource:
    """A table that may answer: its node, its document's title, the sections above it and the texts beside it."""

    node: Node
    title: str = ""
    path: Sequence[str] = ()
    beside: Sequence[str] = ()

    @cached_property
    def table(self) -> TypedTable:
        """The typed table."""
        return TypedTable(self.node)

    @cached_property
    def context(self) -> frozenset[str]:
        """The features of what the table stands under. What the texts beside it say is theirs to answer."""
        table = self.table
        near = [
            self.title,
            *self.path,
            table.caption,
            *map(str, self.node.metadata.get("notes") or []),
        ]
        corner = [
            cell for row in table.cells[: table.header_rows] for cell in row[: max(1, table.header_columns)]
        ]
        return frozenset().union(*(features(text) for text in [*near, *corner]), frozenset())


@dataclass(frozen=True, slots=True)
class Fit:
    """A cell and how well it fits (1 is perfect)."""

    place: CellPlace
    score: float


class Linker:
    """Scores the cells of one table for questions."""

    def __init__(self, source: TableSource) -> None:
        self.source = source
        self.table = source.table
        self._row_names = {row.index: row.name for row in self.table.rows}
        self._columns = self.table.value_columns or self.table.columns
        names = [row.name for row in self.table.rows] + [column.name for column in self._columns]
        self._weights = weights_of([name for name in names if name])

    @cached_property
    def known(self) -> frozenset[str]:
        """The features of all names of rows and columns."""
        return frozenset(self._weights)

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        """The features of the caption and of the header over the row names: they hold for every cell."""
        corner = [column.name for column in self.table.columns[: self.table.header_columns]]
        return frozenset().union(*(features(text) for text in [self.table.caption, *corner]))

    def years_at(self, row: int, column: int) -> frozenset[str]:
        """Return the years that a cell's row names, or else its column."""
        header = self.table.columns[column].name
        return frozenset(years_in(self._row_names.get(row, "")) or years_in(header))

    @cached_property
    def dated(self) -> bool:
        """True when rows or columns are named by years; else a year of the question chooses nothing."""
        names = [*self._row_names.values(), *(column.name for column in self.table.columns)]
        return any(years_in(name) for name in names)

    def weight(self, feature: str, names: frozenset[str] = frozenset()) -> float:
        """Return what a feature of the question weighs; ``names`` are the proper names in it."""
        if feature in self._weights:
            return self._weights[feature] * (_OPTIONAL if is_asking(feature) else 1.0)
        if is_asking(feature) or feature[0] in "§#":
            return 0.0
        if feature in self.source.context or feature in self._everywhere:
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

    def fits(
        self, question: Question, asked: frozenset[str], year: str | None = None, text: str = ""
    ) -> list[Fit]:
        """Return the filled cells that fit ``asked``, the best first; with ``year`` only those of that year."""
        asked = self._spelled_out(asked)
        weights = {f: self.weight(f, question.proper) for f in asked}
        total = sum(weight for f, weight in weights.items() if not is_asking(f)) or 1.0
        found: list[Fit] = []
        if len(self.table.rows) * len(self._columns) > _MOST_CELLS:
            return []
        common = asked & self._everywhere
        rows = [(row, *self._row_score(row.name, question, asked, text)) for row in self.table.rows]
        columns = [(c, features(c.name) & asked, self._column_loss(c.name, asked)) for c in self._columns]
        for row, row_shared, row_loss in rows:
            for column, column_shared, column_loss in columns:
                shared = row_shared | column_shared
                if not shared or (year is not None and year not in self.years_at(row.index, column.index)):
                    continue
                if self.table.value(row.index, column.index).dtype == "empty":
                    continue
                shared |= common
                gain = sum(weights[f] for f in shared)
                for metric in (f for f in shared if f.startswith("§")):
                    gain += sum(weights[f] for f in (question.form_of(metric) & asked) - shared)
                score = (gain - row_loss - column_loss) / total
                if year is not None and len(self.years_at(row.index, column.index)) > 1:
                    score -= _BETWEEN_YEARS
                if row.total and "total" not in asked:
                    score -= _UNASKED_TOTAL
                found.append(Fit(CellPlace(self.table, row.index, column.index), score))
        return sorted(found, key=lambda fit: -fit.score)

    @cached_property
    def _short_forms(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """The abbreviations of the names, those in brackets and initials, with what they stand for."""
        found = []
        for name in [row.leaf for row in self.table.rows] + [
            c.name.rsplit(" / ", 1)[-1] for c in self._columns
        ]:
            main = _ASIDE.sub("", name).strip()
            short = frozenset(t for form in _ABBREVIATION.findall(name) for t in features(form)) | _initials(
                main
            )
            if short:
                found.append((short, features(main)))
        return found

    def _spelled_out(self, asked: frozenset[str]) -> frozenset[str]:
        """Return the question's features with abbreviations of this table's names spelled out."""
        for short, full in self._short_forms:
            if short & asked and not full <= asked:
                asked = (asked - short) | full
        return asked | {short for word, short in _EXTREMES if word in asked and short in self._weights}

    def said(self, row: int, question: Question, other: int) -> bool:
        """True when the question says something of a row's own name that the other row's name does not."""
        own, rest = features(self._row_names[row]), features(self._row_names[other])
        return bool((own & question.names) - rest)

    def _row_score(
        self, name: str, question: Question, asked: frozenset[str], text: str
    ) -> tuple[frozenset[str], float]:
        """Return what a row's name shares with the question, and what it loses by what it says beyond it."""
        leaf = name.rsplit(" / ", 1)[-1]
        main = _ASIDE.sub("", leaf).strip() or leaf
        own, leaf_features = features(name), features(main)
        wide = asked | set(question.years)
        loss = _OWN_LOSS * self._lacking(leaf_features, wide) + _GROUP_LOSS * self._lacking(
            own - leaf_features, wide
        )
        bare = plain(main)
        if len(bare) > 3 and bare in plain(text or question.plain):
            loss -= _VERBATIM
        return own & asked, loss

    def _column_loss(self, name: str, asked: frozenset[str]) -> float:
        leaf = features(_ASIDE.sub("", name.rsplit(" / ", 1)[-1]))
        lacking = frozenset(f for f in leaf if not years_in(f))
        rest = frozenset(f for f in features(name) - leaf if not years_in(f))
        return _COLUMN_LOSS * self._lacking(lacking, asked) + _GROUP_LOSS * self._lacking(rest, asked)

    def _lacking(self, own: frozenset[str], asked: frozenset[str]) -> float:
        """Return the weight of what a name says beyond the question; a metric said twice counts once."""
        metrics = {f for f in own & asked if f.startswith("§")}
        beyond = [
            f for f in own - asked - {"total"} if not f.startswith("§") and not (metrics and not is_asking(f))
        ]
        return sum(self._weights.get(f, 0.5) * (0.5 if is_asking(f) else 1.0) for f in beyond)


def _initials(name: str) -> frozenset[str]:
    """Return "asm" and its plural for "Available seat miles"."""
    words = [
        word
        for word in re.findall(r"[A-Za-z]+", name)
        if word.lower() not in ("of", "and", "the", "per", "in")
    ]
    if len(words) < 3:
        return frozenset()
    short = "".join(word[0] for word in words).lower()
    return features(short) | features(short + "s")
