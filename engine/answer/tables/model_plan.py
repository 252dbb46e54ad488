"""Where rules find no answer in the tables: a model plans, operators compute, checks decide.

The model is asked once for one plan over the few best tables, once more where its reply is no plan. It only chooses
an operator and names (LOOKUP of a row and a column, COUNT with a condition …): every number comes from the cells, which
are all cited. A plan that does not fit the question (:mod:`engine.answer.tables.plan_checks`) is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.answer.tables.finding import Finding
from engine.answer.tables.matching import features
from engine.answer.tables.plan_checks import checked
from engine.answer.tables.plan_prompt import messages_for
from engine.answer.tables.plan_reading import Plan, UnknownNameError, UnreadablePlanError, read_plan
from engine.answer.tables.plan_running import RefusedPlanError, run_plan
from engine.answer.tables.plausible import silent_names
from engine.answer.tables.question import YES_NO, Question, is_asking
from engine.answer.tables.table_questions import TableAnswer
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.value_types import fits_type
from engine.errors import ProviderError

if TYPE_CHECKING:
    from engine.providers.llm import Llm, Usage

MOST_TABLES = 2
_MOST_TOKENS = 160
_KEPT_REPLY = 600
# No value answers a question for a cause: it fits none.
_NO_VALUE = Finding("lookup", [], "", [], 0.0)


@dataclass(frozen=True, slots=True)
class Planned:
    """What became of asking for a plan: the answer, or why there is none; the plan by its names; the tokens."""

    answer: TableAnswer | None
    plan: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    usage: Sequence[Usage] = ()


def plannable(question: str, sources: Sequence[TableSource]) -> list[TableSource]:
    """Return the tables that a model is to plan over, the best first; none where the question is none for a table.

    Left out are explanations and yes or no, and tables that hold no word of what is asked.
    """
    asked = Question(question)
    if asked.prose or not fits_type(asked, _NO_VALUE) or YES_NO.search(asked.plain) or asked.kind == "trend":
        return []
    wanted = {f for f in asked.names | set(asked.years) if not is_asking(f)}
    return [source for source in sources if len(source.table.rows) > 0 and wanted & _held(source)][
        :MOST_TABLES
    ]


def _held(source: TableSource) -> frozenset[str]:
    table = source.table
    texts = [column.name for column in table.columns]
    texts += [cell for row in table.rows for cell in table.cells[row.index]]
    return frozenset().union(*map(features, texts), frozenset())


def plan_answer(
    question: str, sources: Sequence[TableSource], llm: Llm, cancelled: Callable[[], bool] | None = None
) -> Planned:
    """Return what a model's plan over the tables gives. Raises CancelledError; a failing model gives no answer."""
    asked = Question(question)
    usage: list[Usage] = []
    try:
        plan = _asked(asked, sources, llm, usage, cancelled)
    except (UnreadablePlanError, ProviderError) as error:
        return Planned(None, {}, str(error), usage)
    if plan is None:
        return Planned(None, {"operator": "NONE"}, "", usage)
    try:
        finding = run_plan(plan, asked)
        sure = checked(plan, finding, asked)
    except RefusedPlanError as refused:
        return Planned(None, plan.named, str(refused), usage)
    return Planned(_answer(plan, finding, asked, sure), plan.named, "", usage)


def _asked(
    question: Question,
    sources: Sequence[TableSource],
    llm: Llm,
    usage: list[Usage],
    cancelled: Callable[[], bool] | None,
) -> Plan | None:
    """Ask for a plan; where the reply is none, say why and ask once more.

    A plan with names that are not there is not asked for again: told so, small models answered that the table does not
    tell, or chose another name at random.
    """
    messages = messages_for(question, sources)
    for last in (False, True):
        reply = llm.complete(messages, max_tokens=_MOST_TOKENS, json=True, cancelled=cancelled)
        usage.append(reply.usage)
        try:
            return read_plan(reply.text, sources, question)
        except UnreadablePlanError as error:
            if last or isinstance(error, UnknownNameError):
                raise
            messages = [
                *messages,
                {"role": "assistant", "content": reply.text[:_KEPT_REPLY] or "…"},
                {"role": "user", "content": f"{error} Reply with the corrected JSON object."},
            ]
    raise AssertionError("a second unreadable reply raises")


def _answer(plan: Plan, finding: Finding, question: Question, sure: float) -> TableAnswer:
    text = f"{finding.label}: {finding.said}" if finding.label else finding.said
    return TableAnswer(
        finding.kind,
        finding.values,
        text,
        finding.cells,
        finding.steps,
        sure,
        silent_names(question, plan.source),
    )
