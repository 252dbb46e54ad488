"""Why a query over a table is refused, in English and Chinese: the algebra does not know the question's language."""

from __future__ import annotations

from engine.errors import UsageError

SAID = {
    "unknown_name": (
        "The table has no {kind} “{name}”. It has: {known}.",
        "表格中没有{kind}“{name}”，现有：{known}。",
    ),
    "comparison_unknown": (
        "{operator} does not know {comparison!r}. Use one of {known}.",
        "{operator} 不支持比较符“{comparison}”，可用的有：{known}。",
    ),
    "value_missing": ("A condition on “{name}” has no value.", "对“{name}”的条件缺少取值。"),
    "columns_missing": ("Name the column to compute with.", "请指明要计算的列。"),
    "sides_missing": (
        "Name the two cells: two rows of one column, one row in two columns, or “a” and “b”.",
        "请指明两个单元格：同一列的两行、同一行的两列，或“a”和“b”。",
    ),
    "no_number": ("“{cell}” ({name}) is no number.", "“{cell}”（{name}）不是数字。"),
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
# Kinds of names as they are said in Chinese.
_KINDS = {"column": "列", "value": "值", "operation": "运算"}


class RefusedOperationError(UsageError):
    """A query that cannot be run; its text is English, :meth:`said` has it in either language."""

    def __init__(self, reason: str, **values: object) -> None:
        """``reason`` names what is said, ``values`` are filled in."""
        self._reason, self._values = reason, values
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """Return what is wrong in Chinese for "zh", else in English."""
        english, chinese = SAID[self._reason]
        if language != "zh":
            return english.format(**self._values)
        kind = self._values.get("kind")
        return chinese.format(**{**self._values, "kind": _KINDS.get(str(kind), kind)})
