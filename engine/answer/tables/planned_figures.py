"""Figures that were aimed at: a table of targets or of a budget tells what was to be, and not what was sold."""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding
from engine.answer.tables.question import Question
from engine.answer.tables.table_source import TableSource

_AIMED = re.compile(r"\b(?:targets?|goals?|quotas?|budget(?:s|ed)?)\b|目标|预算|任务|指标任务", re.IGNORECASE)
_ASKED_AHEAD = re.compile(
    r"\b(?:targets?|goals?|quotas?|budget\w*|plan\w*|aim\w*|expect\w*|will)\b|目标|预算|任务|计划|预计|指标",
    re.I,
)
_ACHIEVED = re.compile(
    r"\b(?:sales|revenues?|turnover|takings|sold|sell|sellers?|earned?|order value|worth)\b"
    r"|销售|卖|营业额|营收|收入|业绩|成交",
    re.IGNORECASE,
)


def is_only_aimed_at(question: Question, source: TableSource, finding: Finding) -> bool:
    """True where a question for what was sold or earned would be answered from targets that it does not ask for."""
    if not _ACHIEVED.search(question.plain) or _ASKED_AHEAD.search(question.plain):
        return False
    near = " ".join([*source.path[-1:], source.table.caption])
    heads = [f"{cell.row_header} {cell.column_header}" for cell in finding.cells]
    return bool(_AIMED.search(near)) or (bool(heads) and all(map(_AIMED.search, heads)))
