"""Two questions in one: "how many orders are overdue and what are they worth?" counts rows and adds them up."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.answer.tables.aggregates import AggregatePlanner
from engine.answer.tables.finding import Finding, run
from engine.answer.tables.quantity import shown, written
from engine.answer.tables.question import Question
from engine.answer.tables.table_source import TableSource
from engine.errors import UsageError

_AND_WORTH = re.compile(
    r",?\s*\b(?:and|&)\s+(?:(?:for )?(?:what|how much)\b[^?]*\b(?:worth|cost|total|value|amount|come to|add up)\b[^?]*"
    r"|(?:what|how much) (?:is|was) (?:their|its|the) (?:total |combined )?(?:value|amount|worth)\b[^?]*)\W*$"
    r"|[，,、]\s*(?:它们|这些(?:订单)?|其)?(?:的)?(?:一共|总共|合计|总计|共|总)?(?:是|值|卖了?|有)?(?:的?总?(?:金额|价值|金额合计|额)"
    r"(?:一共|总共|合计)?(?:是|为|有)?多少(?:钱|元)?|多少(?:钱|元))\W*$",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\bhow many\b|\bnumber of\b|多少[笔个条张份单]|几[笔个条张份单]|[多少几]+‹", re.IGNORECASE
)


def without_worth(question: str) -> str | None:
    """Return the first of the two questions, None where it is no count or no second one follows."""
    match = _AND_WORTH.search(question)
    return question[: match.start()] if match and _COUNTS.search(question[: match.start()]) else None


def counted_and_added(question: str, source: TableSource, amounts: int) -> Finding | None:
    """Return the number of the rows that are counted, and the sum of their amounts in a column."""
    first = without_worth(question)
    counted = AggregatePlanner(source, Question(first)).plan() if first else None
    if counted is None or counted.kind != "count":
        return None
    where = counted.steps[0].params.get("where") or []
    try:
        added = run(source.table, "SUM", columns=[amounts], where=where)
    except UsageError:
        return None
    number = added.observation.number
    if added.observation.status != "ok" or number is None:
        return None
    said = f"{counted.said}; {shown(number, Question(question).chinese)} ({added.observation.derivation})"
    cells = list(dict.fromkeys([*counted.cells, *added.observation.cells]))
    label = f"{counted.label}, {source.table.columns[amounts].name}"
    values = [*counted.values, written(number.value, 2)]
    return replace(counted, values=values, label=label, steps=[*counted.steps, added], said=said, cells=cells)
