"""By which column people call the rows of a list: its names rather than the numbers beside them (姓名 and not 工号)."""

from __future__ import annotations

import re

from engine.answer.tables.typed_table import Column, TypedTable

NUMBERED = re.compile(r"\b(?:id|code)\b|编号|单号|工号", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(?:id|code|no\.?|nr\.?|number)$|编号|单号|工号|学号|序号", re.IGNORECASE)
_NAMES = re.compile(r"\bname\b|姓名|名称|员工|人员", re.IGNORECASE)
# Two people may have the same name.
_TELLING_SHARE = 0.9
_FARTHEST = 2


def names_beside(table: TypedTable, number: Column) -> Column | None:
    """Return the column of names right behind one of numbers, where it tells the rows apart; None without one."""
    for column in table.columns[number.index + 1 : number.index + 1 + _FARTHEST]:
        texts = [table.text(row.index, column.index) for row in table.records]
        if column.dtype == "text" and _NAMES.search(column.name) and all(texts):
            return column if len(set(texts)) >= _TELLING_SHARE * len(texts) else None
    return None


def called_by(table: TypedTable, column: Column) -> Column:
    """Return the column that people call the rows by, where ``column`` tells them apart."""
    numbered = (
        _NUMBERS.search(column.name)
        or NUMBERED.search(column.name)
        or (column.index == 0 and table.numbers_things)
    )
    return (names_beside(table, column) if numbered else None) or column
