"""Analysis (seed 003, 6.2.5 and 6.2.7): what was found so far, whether it agrees, and the last word."""

from collections.abc import Callable, Sequence

from engine.answer.agent.protocol import FINAL
from engine.answer.agent.tools import Quality, Tool, ToolResult, told_tool
from engine.answer.check.contradictions import Checked, Statement, check
from engine.answer.evidence.units import units_of
from engine.answer.phrases import ENGLISH, Phrases
from engine.model import Evidence
from engine.providers.entailment import open_judge
from engine.providers.llm import estimate_tokens

_BUDGET = 800
_MOST_SHOWN = 8
_VERDICTS = {
    "agree": "agree", "number": "differ in number", "date": "differ in date", "entity": "differ in entity",
    "scope": "differ in scope", "negation": "one denies the other",
}  # fmt: skip


def analysis_tools(
    evidence: Callable[[], Sequence[Evidence]], question: str, phrases: Phrases = ENGLISH.tools
) -> list[Tool]:
    """Return the tools that look at what was found; ``evidence`` gives it, the best first."""
    return [
        told_tool("verify_consistency",
                  lambda statements=(), node_ids=(): consistency(statements, evidence(), node_ids, phrases)),
        told_tool("summarize_findings", lambda focus: findings(focus or question, evidence(), phrases)),
        told_tool(FINAL, lambda **_: ToolResult("")),
    ]  # fmt: skip


def consistency(
    claims: Sequence[str], evidence: Sequence[Evidence], node_ids: Sequence[str], phrases: Phrases
) -> ToolResult:
    """Return the pairs of statements that disagree, with their places and verdicts; both sides are opened."""
    checked = check(evidence, claims, node_ids, open_judge())
    quality: Quality = "contradictions_found" if checked.contradictions else "consistent"
    sides = {side.hit.node_id for one in checked.contradictions for side in (one.a, one.b)}
    opened = [item for item in evidence if item.hit.node_id in sides]
    summary = _summary(checked, phrases)
    return ToolResult(summary, f"{summary}\n{_told(checked)}".strip(), quality, opened=opened)


def _told(checked: Checked) -> str:
    """Return the findings for a model to read: both quotes with their places."""
    lines = []
    for one in checked.findings[:_MOST_SHOWN]:
        differ = f" ({one.a_differs or 'nothing'} / {one.b_differs or 'nothing'})"
        told = _VERDICTS[one.verdict] + (differ if one.verdict != "agree" else "")
        lines.append(f"{told}:\n  A {_side(one.a)}\n  B {_side(one.b)}")
    lines += [f"Not found in the evidence: {claim[:200]}" for claim in checked.missing[:_MOST_SHOWN]]
    return "\n".join(lines)


def _side(one: Statement) -> str:
    hit = one.hit
    page = f"p. {hit.page}" if hit.page else ""
    place = ", ".join(filter(None, (hit.document, f"version {hit.version}", " > ".join(hit.path), page)))
    return f"[{hit.node_id}] {place}: {' '.join(one.quote.split())[:300]}"


def _summary(checked: Checked, phrases: Phrases) -> str:
    """Return a line for the trace: how many statements were compared, and what came of it."""
    agreeing = sum(one.verdict == "agree" for one in checked.findings)
    scope = sum(one.verdict == "scope" for one in checked.findings)
    line = phrases.statements.format(
        compared=checked.compared, contradictions=len(checked.contradictions), agreeing=agreeing
    )
    line += phrases.differ_in_scope.format(count=scope) if scope else ""
    return line + (phrases.not_in_evidence.format(count=len(checked.missing)) if checked.missing else "")


def findings(focus: str, evidence: Sequence[Evidence], phrases: Phrases) -> ToolResult:
    """Return the sentences of the evidence that share most with a focus, word for word, with their places."""
    found = sorted(units_of(focus, evidence), key=lambda one: -(one.shared + 0.5 * one.context))
    lines: list[str] = []
    left = _BUDGET
    for one in found:
        hit = evidence[one.evidence].hit
        line = f"- {' '.join(one.text.split())} ({' > '.join([hit.document, *hit.path])})"
        left -= estimate_tokens(line)
        if left < 0 or one.context <= 0:
            break
        lines.append(line)
    if not lines:
        return ToolResult("0", phrases.no_bearing, "empty")
    return ToolResult(str(len(lines)), "\n".join(lines))
