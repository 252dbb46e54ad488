"""Why an operator does not compute, in English and Chinese: operators do not know the language of the question."""

from __future__ import annotations

from engine.errors import UsageError

SAID = {
    "no_parameter": (
        "{operator} has no parameter {name!r}. Its parameters are: {known}.",
        "{operator} 没有参数“{name}”，可用的参数为：{known}。",
    ),
    "parameter_missing": (
        "{operator} needs {name!r}. Its parameters are: {known}.",
        "{operator} 缺少参数“{name}”，可用的参数为：{known}。",
    ),
    "no_table": (
        "There is no table {table!r} here. The tables are: {known}.",
        "这里没有表格“{table}”，现有表格为：{known}。",
    ),
    "cells_malformed": (
        '{operator} needs cells of the form {{"row": …, "column": …}}.',
        '{operator} 的单元格须写作 {{"row": …, "column": …}}。',
    ),
    "columns_missing": ("{operator} needs the columns to compute over.", "{operator} 缺少要计算的列。"),
    "comparison_unknown": (
        "{operator} does not know {comparison!r}. Use one of {known}.",
        "{operator} 不支持比较符“{comparison}”，可用的有：{known}。",
    ),
    "no_such_column": (
        "The table has {size} columns, counted from 0; there is no {place}.",
        "表格有 {size} 列（从 0 数起），没有第 {place} 列。",
    ),
    "no_such_row": (
        "The table has {size} rows, counted from 0; there is no {place}.",
        "表格有 {size} 行（从 0 数起），没有第 {place} 行。",
    ),
    "trend_of_nothing": ("TREND needs a row or a column.", "TREND 需要指定一行或一列。"),
    "no_order": (
        "The cell “{cell}” ({name}) holds no number or date to compare.",
        "单元格“{cell}”（{name}）中没有可比较的数字或日期。",
    ),
    "no_number": ("The cell “{cell}” ({name}) holds no number.", "单元格“{cell}”（{name}）中没有数字。"),
    "nothing_chosen": (
        "No cell with a number was chosen, so there is nothing to compute.",
        "没有选中含数字的单元格，无从计算。",
    ),
    "divided_by_zero": (
        "The second value is zero, so nothing can be divided by it.",
        "第二个数值为零，不能作除数。",
    ),
    "change_from_zero": (
        "The value at the start is zero, so the change has no percentage.",
        "起始值为零，无法计算变化的百分比。",
    ),
    "units_differ": (
        "The cells have different units ({first} and {second}), so they cannot be computed together. "
        "Choose cells of one unit.",
        "单元格的单位不同（{first} 与 {second}），不能一起计算。请选择同一单位的单元格。",
    ),
}


class RefusedOperationError(UsageError):
    """An operator cannot do what it is asked for; its text is English, :meth:`said` has it in either language."""

    def __init__(self, reason: str, **values: object) -> None:
        """``reason`` names what is said, ``values`` are filled in."""
        self._reason, self._values = reason, values
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """Return what is wrong in Chinese for "zh", else in English."""
        english, chinese = SAID[self._reason]
        return (chinese if language == "zh" else english).format(**self._values)
