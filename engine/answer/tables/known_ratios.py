"""Ratios of Chinese statements that have a name of their own and are seldom printed: 毛利率, 管理费用率, 流动比率.

The items they are made of are read as the question would name them (:mod:`engine.answer.tables.named_items`),
from any of the tables, and divided by an operator that cites both cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.answer.tables.finding import Finding, run, spec
from engine.answer.tables.named_items import NamedItemPlanner
from engine.answer.tables.quantity import shown, written
from engine.answer.tables.question import Question
from engine.answer.tables.references import CellPlace
from engine.answer.tables.table_source import TableSource
from engine.errors import UsageError

CONFIDENCE = 0.85
# Keeps those of several tables that the question is about.
Choose = Callable[[Sequence[tuple[Finding, TableSource]]], Sequence[tuple[Finding, TableSource]]]
_SALES = ("营业收入", "营业总收入")


@dataclass(frozen=True, slots=True)
class KnownRatio:
    """What a name means: ``part`` over ``whole`` (each by its possible names), or what is left of the whole."""

    name: str
    part: tuple[str, ...]
    whole: tuple[str, ...]
    rest: bool = False
    percent: bool = True


_KNOWN: tuple[tuple[str, KnownRatio], ...] = (
    (r"(?:销售|综合)?毛利率", KnownRatio("", ("营业成本",), _SALES, rest=True)),
    (r"(?:销售)?净利(?:润)?率", KnownRatio("", ("净利润",), _SALES)),
    (r"(?:管理|销售|财务|研发)费用率", KnownRatio("", ("{}费用",), _SALES)),
    (r"营业成本率", KnownRatio("", ("营业成本",), _SALES)),
    (r"资产负债率", KnownRatio("", ("负债合计",), ("资产总计", "资产合计"))),
    (r"流动比率", KnownRatio("", ("流动资产合计",), ("流动负债合计",), percent=False)),
)


def known_ratio(question: str) -> KnownRatio | None:
    """Return the ratio that a question names, if it is one that everybody computes alike."""
    for pattern, ratio in _KNOWN:
        if match := re.search(pattern, question, re.IGNORECASE):
            parts = tuple(name.format(match[0][:2]) for name in ratio.part)
            return KnownRatio(match[0], parts, ratio.whole, ratio.rest, ratio.percent)
    return None


def item_questions(question: str, ratio: KnownRatio) -> list[str]:
    """Return the questions for the items of a ratio, by which their tables are found."""
    return [question.replace(ratio.name, name) for name in (ratio.part[0], ratio.whole[0])]


def compute(
    question: str, ratio: KnownRatio, sources: Sequence[TableSource], choose: Choose
) -> Finding | None:
    """Return the ratio from the cells of its items; None where one is missing or stands there in two ways."""
    part = _item(question, ratio.name, ratio.part, sources, choose)
    whole = _item(question, ratio.name, ratio.whole, sources, choose)
    if part is None or whole is None:
        return None
    tables = list({place.table.node_id: place.table for place in (part, whole)}.values())
    try:
        if ratio.rest:
            step = run(tables, "PERCENT_CHANGE", old=spec(whole), new=spec(part))
        else:
            step = run(tables, "DIVIDE", a=spec(part), b=spec(whole), percent=ratio.percent)
    except UsageError:
        return None
    number = step.observation.number
    if step.observation.status != "ok" or number is None:
        return None
    number, derivation = (-number, f"−({step.observation.derivation})") if ratio.rest else (
        number, step.observation.derivation
    )  # fmt: skip
    said = f"{shown(number, Question(question).chinese)} ({derivation})"
    values = [written(number.value, 2) + ("%" if number.unit == "%" else "")]
    label = f"{ratio.name}, {part.ref.column_header}"
    return Finding("ratio", values, label, [step], CONFIDENCE, said, list(step.observation.cells))


def _item(
    question: str, name: str, names: Sequence[str], sources: Sequence[TableSource], choose: Choose
) -> CellPlace | None:
    """Return the cell of an item under the first of its names that any table has."""
    for one in names:
        asked = Question(question.replace(name, one))
        found = [
            (finding, source)
            for source in sources
            if source.table.cells and (finding := NamedItemPlanner(source, asked).plan()) is not None
        ]
        kept = choose(found)
        if not kept:
            continue
        if len({finding.values[0] for finding, _ in kept}) > 1:
            return None
        finding, source = kept[0]
        return CellPlace(source.table, finding.cells[0].row, finding.cells[0].column)
    return None
