"""A list with columns of several years, read as a list of one of them: "which regions were above 450 in 2022?".

What stands in the columns of the other years is left out, so that what is left is a list whose one column of amounts
is called as its table is ("Revenue by region"); a cell keeps its place. Statements, whose rows are items and not
things, are none of these: over the names of a list's rows stands what they are.
"""

from __future__ import annotations

import re
from dataclasses import replace

from engine.answer.tables.dated_names import is_only_period, undated
from engine.answer.tables.finding import Finding, Step
from engine.answer.tables.matching import features, quarters_in, years_in
from engine.answer.tables.periods import PERIOD
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.statement_words import CHANGES
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import CellRef, TypedTable
from engine.enrich.units import measure_of
from engine.model import Node

_FEWEST = 2
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)年?")
_NAMED_BY = re.compile(r"\s*(?:\b(?:by|per|in|for|across)\b|[(（:：,，—–]).*", re.IGNORECASE)
_EACH_ZH = re.compile(r"^各(?:[^年]{2,4}?(?=年|历年|的))?")
# Headers over names that say nothing of what these are.
_ANY = features("item items name names description particulars 项目 科目 指标")


def in_one_year(question: Question, source: TableSource) -> tuple[TableSource, Question] | None:
    """Return the list in the year of a question, and the question without the year.

    Of a question without a year only the columns without one are left. None where the table is no list with
    columns of several years, or has no column of the year.
    """
    table, years = source.table, list(dict.fromkeys(question.years))
    dated = {c.index: own for c in table.columns if (own := years_in(c.name))}
    if len(dated) < _FEWEST or len(years) > 1 or not _is_list(table) or quarters_in(question.plain):
        return None
    kept = {index for index, own in dated.items() if years and own == {years[0]}}
    if years and not kept:
        return None
    node = _narrowed(source, kept, set(dated) - kept)
    asked = PERIOD.sub(" ", question.plain) if years else question.plain
    return replace(source, node=node), Question(" ".join(asked.split()))


def as_printed(finding: Finding, table: TypedTable) -> Finding:
    """Return a finding whose cells are named as the whole table names them."""

    def whole(cells: list[CellRef]) -> list[CellRef]:
        return [table.ref(cell.row, cell.column) for cell in cells]

    steps = [
        Step(step.operator, step.params, replace(step.observation, cells=whole(step.observation.cells)))
        for step in finding.steps
    ]
    return replace(finding, cells=whole(finding.cells), steps=steps)


def _is_list(table: TypedTable) -> bool:
    """True where the rows stand in no groups and the header over their names says what they are."""
    if not table.header_rows or not table.header_columns or table.grouped:
        return False
    head = table.columns[0].name.rsplit(" / ", 1)[-1]
    told = {f for f in features(head) - _ANY if not is_asking(f)}
    return bool(told) and not years_in(head) and measure_of(head) is None and not is_only_period(head)


def _narrowed(source: TableSource, kept: set[int], dropped: set[int]) -> Node:
    """Return the table's node without the columns that are dropped; those kept are called without their years."""
    table = source.table
    body = {row.index for row in table.rows}
    rows = [
        [text if place in body and column not in dropped else "" for column, text in enumerate(row)]
        for place, row in enumerate(table.cells)
    ]
    columns = [
        {
            "name": _timeless(column.name, source) if column.index in kept else column.name,
            "unit": column.unit,
            "scale": column.scale,
            "dtype": column.dtype,
        }
        if column.index not in dropped and not (kept and CHANGES.search(column.name))
        else {"name": "", "dtype": "text"}
        for column in table.columns
    ]
    return replace(table.node, metadata={**table.node.metadata, "rows": rows, "columns": columns})


def _timeless(name: str, source: TableSource) -> str:
    """Return a column's name without the levels that are a year; where nothing is left, what its table is called."""
    levels = [_YEAR.sub("", level).strip() for level in name.split(" / ") if not is_only_period(level)]
    if levels and undated(" ".join(levels)):
        return " / ".join(level for level in levels if level)
    called = next((text for text in (source.table.caption, *reversed(source.path), source.title) if text), "")
    return _EACH_ZH.sub("", _NAMED_BY.sub("", called))
