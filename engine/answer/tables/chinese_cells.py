"""The cell or the extreme that a Chinese question asks for in words of its own: G7345几点发车, 谁入职最早.

A thing of the table is said by its name or its rank, an attribute by its name, a piece of it or a cue
(:mod:`engine.answer.tables.chinese_cues`). Both ways of laying out a table are read: things as rows and as columns.
Where a character is left that neither accounts for, something else was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.answer.tables import chinese_cues as cues
from engine.answer.tables.finding import Finding, run, spec
from engine.answer.tables.linked_question import LinkedQuestion
from engine.answer.tables.matching import longest_piece, plain, years_in
from engine.answer.tables.question import Question
from engine.answer.tables.references import CellPlace
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.table_source import TableSource
from engine.structure.sentences import is_cjk

CONFIDENCE = 0.85
_FEWEST, _LEAST_SHARED, _SHORTEST = 2, 2, 2
# 设备 of 设备名称; 国家 and 地区 of 国家/地区.
_NOUN_ENDS = re.compile(r"[/／、]|名称$|编号$|代码$|名$")
_CODES = re.compile(r"编号$|代码$|序号$")
# Columns that add the others up, and words for how many there are to choose from.
_TOTALS = re.compile(r"合计|总计|小计|总和|合并|^计$|total", re.IGNORECASE)
_AS_MANY = re.compile(r"[两三四五六七八九十\d]+个|[里中]")
_PEOPLE = re.compile(r"姓名|名字|选手|球员|队员|员工|学生|教师|老师|候选人|负责人|作者")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Things and attributes by their places: rows and columns, or columns and rows where ``turned``."""

    things: Mapping[int, frozenset[str]]
    attributes: Mapping[int, str]
    turned: bool
    kind: str = ""


class ChineseCellPlanner:
    """Reads one cell, or the thing of an extreme, for one question over one table."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._question, self._table = source, question, source.table
        self._text = plain(question.plain)

    def plan(self) -> Finding | None:
        """Return what is asked for, or None where the question is not Chinese, not clear, or says more."""
        table = self._table
        if not is_cjk(self._text) or self._question.years or not table.header_rows:
            return None
        if (
            len(table.records) < _FEWEST
            or len(table.columns) < _FEWEST
            or any(r.group for r in table.records)
        ):
            return None
        if (ranked := self._ranked()) is not None:
            return ranked
        if (extreme := self._extreme()) is not None:
            return extreme
        if cues.BEYOND.search(self._text):
            return None
        found = [made for layout in self._layouts if (made := self._cell(layout)) is not None]
        return found[0] if len(found) == 1 else None

    # --- the table ------------------------------------------------------------------------------------

    @cached_property
    def _entity(self) -> int | None:
        entity = LinkedQuestion(self._source, self._question).entity
        return entity.index if entity is not None else None

    @cached_property
    def _layouts(self) -> list[_Layout]:
        table = self._table
        columns = {column.index: column.name for column in table.columns}
        naming = [
            index
            for index in columns
            if len({table.text(row.index, index) for row in table.records}) == len(table.records)
            and (index == self._entity or table.columns[index].dtype == "text")
        ]
        rows = {
            row.index: frozenset(plain(table.text(row.index, index)) for index in naming)
            for row in table.records
        }
        kind = columns.get(self._entity, "") if self._entity is not None else ""
        lists = _Layout(rows, columns, False, kind)
        if any(years_in(name) for name in columns.values()):
            return [lists]
        heads = {
            c.index: frozenset([plain(c.name), plain(without_asides(c.name))])
            for c in table.value_columns
            if c.name and " / " not in c.name
        }
        leaves = {row.index: row.leaf for row in table.records}
        return [lists, _Layout(heads, leaves, True)]

    @cached_property
    def _heads(self) -> str:
        return " ".join([self._source.title, self._table.caption, *self._source.path]).casefold()

    # --- one cell -------------------------------------------------------------------------------------

    def _cell(self, layout: _Layout) -> Finding | None:
        said = {
            name: place
            for place, names in layout.things.items()
            for name in names
            if len(name) >= _SHORTEST and _says(self._text, name)
        }
        longest = [name for name in said if not any(name != other and name in other for other in said)]
        if len({said[name] for name in longest}) != 1:
            return None
        thing, rest = said[longest[0]], self._text
        for name in longest:
            rest = rest.replace(name, " ", 1)
        return self._of(thing, frozenset(longest), rest, layout)

    def _of(self, thing: int, said: frozenset[str], rest: str, layout: _Layout) -> Finding | None:
        """Return the cell of a thing under the attribute that the rest of the question asks for."""
        cue = next((cue for cue in cues.CUES if cue[0].search(rest)), None)
        options = {
            place: name
            for place, name in layout.attributes.items()
            if plain(self._at(thing, place, layout)) not in said
        }
        bare = cue[0].sub(" ", rest, count=1) if cue else rest
        if cue:
            called = (
                {place: name for place, name in options.items() if one.search(plain(without_asides(name)))}
                for one in cue[1]
            )
            options = next((found for found in called if found), {})
        place = _most_shared(bare, options, cue is not None)
        if place is None:
            return None
        row, column = (place, thing) if layout.turned else (thing, place)
        cells = [self._table.text(thing, c.index) for c in self._table.columns] if not layout.turned else []
        if self._left(bare, [layout.attributes[place], layout.kind], cells):
            return None
        return self._read(row, column)

    def _at(self, thing: int, place: int, layout: _Layout) -> str:
        return self._table.text(place, thing) if layout.turned else self._table.text(thing, place)

    def _ranked(self) -> Finding | None:
        """排名第四的是哪个国家: the row of that rank."""
        match = cues.RANKED.search(self._text)
        ranks = [column for column in self._table.columns if cues.RANKS.search(plain(column.name))]
        if match is None or len(ranks) != 1 or not (cues.WHICH.search(self._text) or "谁" in self._text):
            return None
        number = cues.number_in(match["a"] or match["b"])
        rows = [
            row.index
            for row in self._table.records
            if self._table.text(row.index, ranks[0].index).strip("第名.") == str(number)
        ]
        rest = self._text.replace(match[0], " ", 1)
        column = self._things_asked(rest)
        if len(rows) != 1 or column is None or column == ranks[0].index:
            return None
        if self._left(rest, [self._table.columns[column].name], []):
            return None
        return self._read(rows[0], column)

    # --- extremes -------------------------------------------------------------------------------------

    def _extreme(self) -> Finding | None:
        """谁入职最早, 哪趟车最便宜: the thing whose measure is the most or the least."""
        found = [
            (m, called, least) for said, called, least in cues.EXTREMES if (m := said.search(self._text))
        ]
        if len(found) != 1 or not (cues.WHICH.search(self._text) or "谁" in self._text):
            return None
        match, called, least = found[0]
        rest = self._text.replace(match[0], " ", 1)
        if cues.BEYOND.search(rest):
            return None
        if (turned := self._extreme_of_row(rest, called, least)) is not None:
            return turned
        column = self._things_asked(rest)
        if column is None:
            return None
        options = {
            each.index: each.name
            for each in self._table.columns
            if each.index != column
            and each.dtype != "text"
            and (called is None or called.search(plain(without_asides(each.name))))
        }
        measure = _most_shared(rest, options, called is not None)
        if measure is None or self._left(
            rest, [self._table.columns[index].name for index in (column, measure)], []
        ):
            return None
        step = run(self._table, "MIN" if least else "MAX", columns=[measure])
        observed = step.observation
        if observed.status != "ok" or len(observed.cells) != 1:
            return None
        cell = observed.cells[0]
        name = self._table.text(cell.row, column)
        if not name:
            return None
        cells = [self._table.ref(cell.row, column), cell]
        return Finding(
            "superlative", [name], cell.column_header, [step], CONFIDENCE, f"{name} ({cell.text})", cells
        )

    def _extreme_of_row(self, rest: str, called: re.Pattern[str] | None, least: bool) -> Finding | None:
        """哪个基地取水最多 where each base has a column: the column whose cell of a row is the most or the least."""
        columns = [c for c in self._table.value_columns if not _TOTALS.search(plain(c.name))]
        if len(columns) < _FEWEST or any(years_in(c.name) or " / " in c.name or not c.name for c in columns):
            return None
        options = {
            row.index: row.leaf
            for row in self._table.records
            if called is None or called.search(plain(without_asides(row.leaf)))
        }
        row = _most_shared(rest, options, called is not None)
        if row is None or self._left(_AS_MANY.sub(" ", rest), [options[row]], []):
            return None
        cells = [CellPlace(self._table, row, c.index) for c in columns]
        if not all(cell.value.numeric for cell in cells):
            return None
        step = run(self._table, "MIN" if least else "MAX", cells=[spec(cell) for cell in cells])
        observed = step.observation
        if observed.status != "ok" or len(observed.cells) != 1:
            return None
        cell = observed.cells[0]
        said = f"{cell.column_header} ({cell.text})"
        return Finding("superlative", [cell.column_header], cell.row_header, [step], CONFIDENCE, said, [cell])

    def _things_asked(self, rest: str) -> int | None:
        """Return the column of the things that are asked for: the one that is said, people for 谁, or the rows' own."""
        columns = {c.index: plain(without_asides(c.name)) for c in self._table.columns if c.dtype == "text"}
        if "谁" in rest:
            people = [index for index, name in columns.items() if _PEOPLE.search(name)]
            return people[0] if len(people) == 1 else None
        behind = rest[match.end() :] if (match := cues.WHICH.search(rest)) else ""
        said = [
            index
            for index, name in columns.items()
            if any(
                len(part) >= _SHORTEST and behind.startswith(part) for part in _NOUN_ENDS.split(name) if part
            )
        ]
        said = [index for index in said if not _CODES.search(columns[index])] or said
        return said[0] if len(said) == 1 else self._entity if not said else None

    # --- what is left ---------------------------------------------------------------------------------

    def _left(self, rest: str, names: Iterable[str], cells: Iterable[str]) -> str:
        """Return the characters that neither names, nor cells of the row, nor what the table stands under hold."""
        for cell in sorted((plain(text) for text in cells), key=len, reverse=True):
            if len(cell) >= _SHORTEST:
                rest = rest.replace(cell, " ")
        kept, at = [], 0
        while at < len(rest):
            end = at + 1
            while end < len(rest) and rest[at : end + 1] in self._heads:
                end += 1
            kept.append(" " if end - at >= _LEAST_SHARED else rest[at:end])
            at = end
        known = set("".join(plain(name) for name in names))
        return "".join(c for c in cues.IDLE.sub(" ", "".join(kept)) if c not in known and not c.isspace())

    def _read(self, row: int, column: int) -> Finding | None:
        place = CellPlace(self._table, row, column)
        step = run(self._table, "LOOKUP", row=row, column=column)
        if step.observation.status != "ok" or not place.text:
            return None
        ref = place.ref
        label = ", ".join(part for part in (ref.row_header, ref.column_header) if part)
        return Finding("lookup", [place.text], label, [step], CONFIDENCE, cells=list(step.observation.cells))


def _most_shared(text: str, options: Mapping[int, str], told: bool) -> int | None:
    """Return the attribute that shares most of its name with a text; one alone needs no more where it is ``told``."""
    if told and len(options) == 1:
        return next(iter(options))
    shares = {place: _shared(plain(without_asides(name)), text) for place, name in options.items()}
    best = max(shares.values(), default=0.0)
    chosen = [place for place, share in shares.items() if share == best]
    return chosen[0] if best and len(chosen) == 1 else None


def _shared(name: str, text: str) -> float:
    """Return the longest piece of a name that a text says, and its part of the name; 0 for one character of more."""
    longest = longest_piece(name, text)
    return longest + longest / len(name) if longest >= min(_LEAST_SHARED, max(1, len(name))) and name else 0.0


def _says(text: str, name: str) -> bool:
    """True where a text says a name; a code must not be a piece of a longer one."""
    start = r"(?<![a-z0-9.-])" if name[:1].isascii() else ""
    end = r"(?![a-z0-9]|\.\d)" if name[-1:].isascii() else ""
    return re.search(f"{start}{re.escape(name)}{end}", text) is not None
