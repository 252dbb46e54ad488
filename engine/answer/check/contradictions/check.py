"""verify_consistency as a tool runs it: claims, or whole nodes, of the evidence are held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.answer.check.contradictions.verify import (
    Finding,
    Statement,
    finding,
    located,
    statements_of,
    verify,
)
from engine.model import Evidence

NAME = "verify_consistency"
DESCRIPTION = (
    "Check whether statements of the evidence contradict each other: numbers with units, dates, names, scope and "
    "negation are compared exactly. Give statements as they stand in the evidence, or node ids, or nothing for all "
    "the evidence. Use it before the final answer."
)
DESCRIPTION_ZH = (
    "检查证据中的陈述是否互相矛盾：逐项精确比较数字与单位、日期、名称、口径范围和否定。可给出证据中的陈述原文或节点编号，"
    "都不给则检查全部证据。在给出最终答案之前使用。"
)
PARAMETERS = {
    "type": "object",
    "properties": {
        "statements": {"type": "array", "items": {"type": "string"}},
        "node_ids": {"type": "array", "items": {"type": "string"}},
    },
    "required": [],
}
_MOST_SHOWN = 8
_MOST_CLAIMS = 40


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found. ``missing`` are claims that stand nowhere in the evidence."""

    findings: list[Finding]
    missing: list[str] = field(default_factory=list)
    compared: int = 0

    @property
    def contradictions(self) -> list[Finding]:
        """The findings of which both sides cannot hold."""
        return [one for one in self.findings if one.contradicts]

    @property
    def summary(self) -> str:
        """One line: how many statements were compared and what came of it."""
        agreeing = sum(one.verdict == "agree" for one in self.findings)
        scope = sum(one.verdict == "scope" for one in self.findings)
        line = (
            f"{self.compared} statements: {len(self.contradictions)} contradictions, {agreeing} pairs agree"
        )
        line += f", {scope} differ in scope only" if scope else ""
        return line + (f"; {len(self.missing)} not found in the evidence" if self.missing else "") + "."

    @property
    def text(self) -> str:
        """The findings for a model to read: both quotes with their places."""
        lines = [self.summary]
        for one in self.findings[:_MOST_SHOWN]:
            differ = (
                f" ({one.a_differs or 'nothing'} / {one.b_differs or 'nothing'})"
                if one.verdict != "agree"
                else ""
            )
            lines.append(f"{_NAMES[one.verdict]}{differ}:\n  A {_shown(one.a)}\n  B {_shown(one.b)}")
        lines += [f"Not found in the evidence: {claim[:200]}" for claim in self.missing[:_MOST_SHOWN]]
        return "\n".join(lines)


_NAMES = {
    "agree": "agree", "number": "differ in number", "date": "differ in date", "entity": "differ in entity",
    "scope": "differ in scope", "negation": "one denies the other", "not_comparable": "not comparable",
}  # fmt: skip


def check(
    evidence: Sequence[Evidence], statements: Sequence[str] = (), node_ids: Sequence[str] = ()
) -> Checked:
    """Hold statements of the evidence against each other.

    Given ``statements`` are located first and held against each other and against all the evidence;
    ``node_ids`` limits the evidence to these nodes. With neither all statements of different sources are
    compared, and only clear contradictions are kept.
    """
    wanted = set(node_ids)
    items = [item for item in evidence if not wanted or item.hit.node_id in wanted]
    everything = statements_of(items)
    if not statements:
        found = [one for one in verify(everything) if _worth_telling(one) or wanted]
        return Checked(found, [], len(everything))
    given, missing = located([text[:1000] for text in statements[:_MOST_CLAIMS]], items)
    findings = [finding(a, b) for n, a in enumerate(given) for b in given[n + 1 :] if a.node_id != b.node_id]
    known = {_key(one.a, one.b) for one in findings}
    places = {(one.node_id, one.start) for one in given}
    rest = given + [one for one in everything if (one.node_id, one.start) not in places]
    findings += [
        one for one in verify(rest, given) if _key(one.a, one.b) not in known and _worth_telling(one)
    ]
    if len(given) > 2:
        findings = [one for one in findings if one.verdict != "not_comparable"]
    findings.sort(key=lambda one: (not one.contradicts, not one.clear))
    return Checked(findings, missing, len(given))


def _worth_telling(one: Finding) -> bool:
    return one.verdict == "agree" or (one.clear and not one.a.same_source(one.b))


def _key(a: Statement, b: Statement) -> frozenset[tuple[str, int]]:
    return frozenset(((a.node_id, a.start), (b.node_id, b.start)))


def _shown(one: Statement) -> str:
    place = [one.document, f"version {one.version}", one.section, f"p. {one.page}" if one.page else ""]
    return f"[{one.node_id}] {', '.join(part for part in place if part)}: {' '.join(one.quote.split())[:300]}"
