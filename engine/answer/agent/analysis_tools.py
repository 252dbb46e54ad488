"""Analysis (seed 003, 6.2.5 and 6.2.7): what was found so far, whether it agrees, and the last word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.answer.agent.protocol import FINAL
from engine.answer.agent.tool_phrases import ENGLISH, ToolPhrases
from engine.answer.agent.tools import Quality, Tool, ToolResult, schema
from engine.answer.check.contradictions import (
    DESCRIPTION,
    DESCRIPTION_ZH,
    NAME,
    PARAMETERS,
    Checked,
    check,
)
from engine.answer.evidence.units import units_of
from engine.model import Evidence
from engine.retrieve.pack import tokens_of

_BUDGET = 800


def analysis_tools(
    evidence: Callable[[], Sequence[Evidence]], question: str, phrases: ToolPhrases = ENGLISH
) -> list[Tool]:
    """Return the tools that look at what was found; ``evidence`` gives it, the best first."""
    return [
        Tool(NAME, "analysis", DESCRIPTION, DESCRIPTION_ZH, PARAMETERS,
             lambda statements=(), node_ids=(): consistency(statements, evidence(), node_ids, phrases)),
        Tool("summarize_findings", "analysis", "List the sentences found so far that bear on a focus.",
             "汇总目前找到的与某一方面相关的句子。",
             schema(focus={"type": "string", "default": ""}),
             lambda focus: findings(focus or question, evidence(), phrases)),
        Tool(FINAL, "terminal",
             "Give the final answer; every sentence ends with the number of its evidence, such as [2].",
             "给出最终答案；每句话后用 [编号] 标注证据。",
             schema(["answer"], answer={"type": "string"},
                    confidence={"type": "string", "enum": ["high", "medium", "low"], "default": "medium"},
                    sources={"type": "array", "default": []}),
             lambda **_: ToolResult("")),
    ]  # fmt: skip


def web_search(phrases: ToolPhrases = ENGLISH) -> Tool:
    """Return the tool in the place of a search of the web: there is none behind it, and nothing is fetched."""
    return Tool("search_web", "external", "Search the web (not set up).", "互联网检索（未设置）。",
                schema(["query"], query={"type": "string"}),
                lambda query: ToolResult("0", phrases.no_web, "empty"))  # fmt: skip


def consistency(
    claims: Sequence[str],
    evidence: Sequence[Evidence],
    node_ids: Sequence[str] = (),
    phrases: ToolPhrases = ENGLISH,
) -> ToolResult:
    """Return the pairs of statements that disagree, with their places and verdicts; both sides are opened."""
    checked = check(evidence, claims, node_ids)
    quality: Quality = "contradictions_found" if checked.contradictions else "consistent"
    sides = {side.node_id for one in checked.contradictions for side in (one.a, one.b)}
    opened = [item for item in evidence if item.hit.node_id in sides]
    summary = _summary(checked, phrases)
    return ToolResult(summary, f"{summary}\n{checked.text}".strip(), quality, opened=opened)


def _summary(checked: Checked, phrases: ToolPhrases) -> str:
    """Return a line for the trace: how many statements were compared, and what came of it."""
    agreeing = sum(one.verdict == "agree" for one in checked.findings)
    scope = sum(one.verdict == "scope" for one in checked.findings)
    line = phrases.statements.format(
        compared=checked.compared, contradictions=len(checked.contradictions), agreeing=agreeing
    )
    line += phrases.differ_in_scope.format(count=scope) if scope else ""
    return line + (phrases.not_in_evidence.format(count=len(checked.missing)) if checked.missing else "")


def findings(focus: str, evidence: Sequence[Evidence], phrases: ToolPhrases = ENGLISH) -> ToolResult:
    """Return the sentences of the evidence that share most with a focus, word for word, with their places."""
    found = sorted(units_of(focus, evidence), key=lambda one: -(one.shared + 0.5 * one.context))
    lines: list[str] = []
    left = _BUDGET
    for one in found:
        hit = evidence[one.evidence].hit
        line = f"- {' '.join(one.text.split())} ({' > '.join([hit.document, *hit.path])})"
        left -= tokens_of(line)
        if left < 0 or one.context <= 0:
            break
        lines.append(line)
    if not lines:
        return ToolResult("0", phrases.no_bearing, "empty")
    return ToolResult(str(len(lines)), "\n".join(lines))
