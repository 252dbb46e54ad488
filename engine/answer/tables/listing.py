"""Plans that tell what a table holds: the periods it covers, the items of a group of rows, and how many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, years_in
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.typed_table import CellRef, Row, TypedTable
from engine.errors import UsageError

_PERIODS = re.compile(
    r"\b(?:which|what|for which)\b[^?]{0,24}\b(?:years|periods|quarters)\b|哪些(?:年|年度|年份|期间|季度)|哪几年",
    re.IGNORECASE,
)
_COVERED = re.compile(
    r"\btable\b|\b(?:provide|include|present|cover|show|highlight|list|calculate|compare|report|display)(?:s|d|ed)?\b"
    r"|\binformation\b|\bdata\b|表|包括|列示|涵盖|提供|披露",
    re.IGNORECASE,
)
_ITEMS = re.compile(
    r"\b(?:components?|items?|types?|categor(?:y|ies)|elements?|factors|kinds?|parts|lines?)\b[^?]{0,30}?"
    r"\b(?:under|of|in|within|making up|for)\b"
    r"|(?:哪些|几个?|多少个?)(?:项目|组成部分|类别|种类)|(?:包括|包含)(?:哪些|什么)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\bhow many\b|\bnumber of\b|几个?|多少", re.IGNORECASE)
_FEWEST = 2
_SURE = 0.9


def listed(question: Question, table: TypedTable) -> Finding | None:
    """Return the periods or the items of a group that the question asks to be listed or counted, or None."""
    if question.threshold is not None or question.years:
        return None
    try:
        if _PERIODS.search(question.plain) and _COVERED.search(question.plain):
            return None if question.compares else _periods(table)
        return _items(question, table) if _ITEMS.search(question.plain) else None
    except UsageError:
        return None


def _periods(table: TypedTable) -> Finding | None:
    """Return the years in the headers of the columns, or else those above rows or that name the rows."""
    heads = [
        (row, column)
        for column in range(len(table.columns))
        for row in range(table.header_rows)
        if years_in(table.text(row, column))
    ]
    above = [(place, 0) for place in table.period_rows]
    places = heads or above or [(row.index, 0) for row in table.rows if years_in(row.leaf)]
    found: dict[str, tuple[int, int]] = {}
    for row, column in places:
        years = years_in(table.text(row, column))
        if len(years) == 1:
            found.setdefault(next(iter(years)), (row, column))
    if len(found) < _FEWEST:
        return None
    return _finding(table, "periods", list(found), table.caption, [table.ref(*at) for at in found.values()])


def _items(question: Question, table: TypedTable) -> Finding | None:
    """Return the rows of the group, or else the parts of the sum, that the question names in full."""
    asked = features(question.plain)
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        if row.group and row.leaf:
            groups.setdefault(row.group, []).append(row)
    label = _named(groups, asked)
    members = _members(table, groups[label]) if label else []
    if not label and not any(_own(group) <= asked for group in groups):
        sums = {row.leaf: table.sums[row.index] for row in table.rows if row.index in table.sums}
        label = _named(sums, asked)
        members = [row for row in table.rows if row.index in sums.get(label, ())]
    rows = list({row.leaf: row for row in members}.values())
    if len(rows) < _FEWEST:
        return None
    cells = [table.ref(row.index, max(0, table.header_columns - 1)) for row in rows]
    names = [row.leaf for row in rows]
    if _COUNT.search(question.plain):
        said = f"{len(names)} ({', '.join(names)})"
        return _finding(table, "count", [str(len(names))], label, cells, said)
    return _finding(table, "items", names, label, cells)


def _named(names: Iterable[str], asked: frozenset[str]) -> str:
    """Return the one name of which the question says all and most, "" for none or several."""
    said = {name: own for name in names if (own := _own(name)) <= asked and not all(map(is_asking, own))}
    most = max(map(len, said.values()), default=0)
    best = [name for name, own in said.items() if len(own) == most]
    return best[0] if len(best) == 1 else ""


def _members(table: TypedTable, rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a group down to the first that has no name, is a total or is the sum of those above it."""
    members: list[Row] = []
    sums: dict[int, Decimal] = {}
    for row in (row for row in table.rows if row.index >= rows[0].index):
        if row not in rows:
            break
        amounts = {
            column.index: value
            for column in table.value_columns
            if (value := table.value(row.index, column.index).amount) is not None
        }
        summed = len(members) >= _FEWEST and any(
            sums.get(column) == value for column, value in amounts.items()
        )
        if row.total or summed:
            break
        members.append(row)
        for column, value in amounts.items():
            sums[column] = sums.get(column, Decimal(0)) + value
    # What is taken away from the others is none of them.
    added = [row for row in members if not _taken_away(table, row)]
    return added or members


def _taken_away(table: TypedTable, row: Row) -> bool:
    amounts = [table.value(row.index, column.index).amount for column in table.value_columns]
    filled = [amount for amount in amounts if amount is not None]
    return bool(filled) and all(amount < 0 for amount in filled)


def _own(group: str) -> frozenset[str]:
    return frozenset(f for f in features(group.rsplit(" / ", 1)[-1]) if not f.startswith("§"))


def _finding(
    table: TypedTable, kind: str, values: list[str], label: str, cells: Sequence[CellRef], said: str = ""
) -> Finding:
    step = run(table, "OPEN_TABLE_SCHEMA")
    return Finding(kind, values, label, [step], _SURE, said or "; ".join(values), list(cells))
