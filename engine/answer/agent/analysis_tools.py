"""Analysis (seed 003, 6.2.5 and 6.2.7): what was found so far, whether it agrees, and the last word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.answer.agent.tools import FINAL, Tool, ToolResult, schema
from engine.answer.candidates import candidates
from engine.answer.consistency.verify import Finding, Statement, located, statements_of, verify
from engine.model import Evidence
from engine.retrieve.pack import tokens_of

_MOST_FINDINGS = 6
_QUOTE = 300
_BUDGET = 800


def analysis_tools(evidence: Callable[[], Sequence[Evidence]], question: str) -> list[Tool]:
    """Return the tools that look at what was found; ``evidence`` gives it, the best first."""
    return [
        Tool("verify_consistency", "analysis",
             "Check whether statements, as the evidence words them, agree with the rest of the evidence.",
             "核对陈述与其余证据是否一致，找出矛盾。",
             schema(statements={"type": "array", "items": {"type": "string"}, "default": []}),
             lambda statements: consistency(statements, evidence())),
        Tool("summarize_findings", "analysis", "List the sentences found so far that bear on a focus.",
             "汇总目前找到的与某一方面相关的句子。",
             schema(focus={"type": "string", "default": ""}),
             lambda focus: findings(focus or question, evidence())),
        Tool(FINAL, "terminal",
             "Give the final answer; every sentence ends with the number of its evidence, such as [2].",
             "给出最终答案；每句话后用 [编号] 标注证据。",
             schema(["answer"], answer={"type": "string"},
                    confidence={"type": "string", "enum": ["high", "medium", "low"], "default": "medium"},
                    sources={"type": "array", "default": []}),
             lambda **_: ToolResult("")),
    ]  # fmt: skip


def web_search() -> Tool:
    """Return the tool in the place of a search of the web: there is none behind it, and nothing is fetched."""
    return Tool("search_web", "external", "Search the web (not set up).", "互联网检索（未设置）。",
                schema(["query"], query={"type": "string"}),
                lambda query: ToolResult("0", "No web search is set up; use the documents.", "empty"))  # fmt: skip


def consistency(claims: Sequence[str], evidence: Sequence[Evidence]) -> ToolResult:
    """Return the pairs of statements that disagree, with their places and verdicts."""
    everything = statements_of(evidence)
    of, missing = located(claims, evidence) if claims else (None, [])
    found = verify(everything, of or None)
    against = [one for one in found if one.contradicts]
    lines = [_line(one) for one in (against or found)[:_MOST_FINDINGS]]
    lines += [f"Not in the evidence: “{claim[:_QUOTE]}”" for claim in missing[:_MOST_FINDINGS]]
    if not lines:
        lines = ["No two statements in the evidence speak of the same thing."]
    agree = len(found) - len(against)
    summary = f"{len(against)} contradictions, {agree} agreements"
    return ToolResult(summary, "\n".join(lines), "contradictions_found" if against else "consistent")


def findings(focus: str, evidence: Sequence[Evidence]) -> ToolResult:
    """Return the sentences of the evidence that share most with a focus, word for word, with their places."""
    found = sorted(candidates(focus, evidence), key=lambda one: -(one.shared + 0.5 * one.context))
    lines: list[str] = []
    left = _BUDGET
    for one in found:
        hit = evidence[one.evidence].hit
        line = f"- {' '.join(one.sentence.text.split())} ({' > '.join([hit.document, *hit.path])})"
        left -= tokens_of(line)
        if left < 0 or one.context <= 0:
            break
        lines.append(line)
    if not lines:
        return ToolResult("0", "Nothing found bears on it.", "empty")
    return ToolResult(str(len(lines)), "\n".join(lines))


def _line(found: Finding) -> str:
    return (
        f"{found.verdict}: “{found.a.quote[:_QUOTE]}” ({_place(found.a)}) — "
        f"“{found.b.quote[:_QUOTE]}” ({_place(found.b)})"
    )


def _place(one: Statement) -> str:
    page = f"p. {one.page}" if one.page else ""
    return ", ".join(part for part in (f"{one.document} v{one.version}", one.section, page) if part)
