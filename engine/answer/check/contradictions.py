"""verify_consistency: statements in the evidence that speak of the same thing, and whether they agree.

Only pairs that share enough uncommon words are compared (an inverted index over their terms), so that a few
hundred sentences cost some milliseconds. Every statement is an exact stretch of its node's text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from engine.answer.check.compare import Comparison, Verdict, compare
from engine.answer.check.locate import locate, sentences_of
from engine.answer.understand.terms import weight
from engine.index.tokenize import tokens
from engine.model import Evidence

# Terms that so many statements have say nothing of what a pair speaks of.
_COMMON = 40
_LIKELY = 0.4
_MOST_PAIRS = 400
_MOST_STATEMENTS = 600
_SHORTEST, _LONGEST = 6, 600


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of evidence, word for word: ``evidence[index].text[start:end] == quote``.

    ``titles`` are those above it: of its document, such as a mail's subject, and of its sections.
    """

    index: int
    start: int
    end: int
    quote: str
    node_id: str
    document_id: str
    document: str
    version: int
    section: str
    page: int | None
    titles: str = ""

    def same_source(self, other: Statement) -> bool:
        """True when both stand in one version of one document."""
        return (self.document_id, self.version) == (other.document_id, other.version)


@dataclass(frozen=True, slots=True)
class Finding:
    """What holds between two statements; ``a_differs`` and ``b_differs`` are the words that disagree.

    ``clear`` and ``plain`` are those of the comparison.
    """

    verdict: Verdict
    a: Statement
    b: Statement
    a_differs: str
    b_differs: str
    shared: float
    clear: bool
    plain: bool = False

    @property
    def contradicts(self) -> bool:
        """True when both cannot hold."""
        return self.verdict in ("number", "date", "entity", "negation")


def statements_of(evidence: Sequence[Evidence]) -> list[Statement]:
    """Return the sentences of the evidence as statements, in its order; tables are left to their operators."""
    found: list[Statement] = []
    for index, item in enumerate(evidence):
        if item.hit.role == "table" or item.table is not None:
            continue
        found += [
            statement(evidence, index, sentence.start, sentence.end)
            for sentence in sentences_of(item.text, item.hit.role)
            if _SHORTEST <= len(sentence.text) <= _LONGEST and not sentence.text.endswith(("?", "？"))
        ]
    return found[:_MOST_STATEMENTS]


def statement(evidence: Sequence[Evidence], index: int, start: int, end: int) -> Statement:
    """Return the statement ``evidence[index].text[start:end]``."""
    item = evidence[index]
    hit = item.hit
    return Statement(
        index, start, end, item.text[start:end], hit.node_id, hit.document_id, hit.document, hit.version,
        " > ".join(hit.path), hit.page, " ".join([*hit.path, item.title]),
    )  # fmt: skip


def located(claims: Sequence[str], evidence: Sequence[Evidence]) -> tuple[list[Statement], list[str]]:
    """Find claims in the evidence; return their statements, and the claims that stand nowhere in it.

    A claim that several nodes hold gives a statement for each.
    """
    found: dict[tuple[int, int, int], Statement] = {}
    missing: list[str] = []
    for claim in claims:
        places = [(i, place) for i, e in enumerate(evidence) if (place := locate(claim, e.text, e.hit.role))]
        exact = [(i, place) for i, place in places if place.kind != "sentence" or place.score >= 0.7]
        for index, place in exact:
            found[index, place.start, place.end] = statement(evidence, index, place.start, place.end)
        if not exact:
            missing.append(claim)
    return list(found.values()), missing


def verify(statements: Sequence[Statement], of: Sequence[Statement] | None = None) -> list[Finding]:
    """Return the comparable pairs with their verdicts, contradictions first, the surest first.

    With ``of`` only pairs with one of these in it are looked at. A statement is never held against one of
    its own node.
    """
    findings: list[Finding] = []
    for a, b in _likely_pairs(statements, of):
        found = finding(a, b)
        if found.verdict != "not_comparable":
            findings.append(found)
    return sorted(findings, key=lambda f: (not f.contradicts, f.verdict == "agree", not f.clear, -f.shared))


def finding(a: Statement, b: Statement) -> Finding:
    """Return the verdict on two statements, whatever it is."""
    done: Comparison = compare(a.quote, b.quote, a.titles, b.titles)
    return Finding(done.verdict, a, b, done.a, done.b, done.shared, done.clear, done.plain)


def _likely_pairs(
    statements: Sequence[Statement], of: Sequence[Statement] | None
) -> list[tuple[Statement, Statement]]:
    terms = [_terms(s.quote) for s in statements]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(terms):
        for term in own:
            holding[term].append(number)
    wanted = None if of is None else {(s.node_id, s.start) for s in of}
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in holding.values():
        if 1 < len(numbers) <= _COMMON:
            shared.update(combinations(numbers, 2))
    scored = []
    for (i, j), count in shared.items():
        a, b = statements[i], statements[j]
        likely = count >= _LIKELY * min(len(terms[i]), len(terms[j]))
        asked = wanted is None or {(a.node_id, a.start), (b.node_id, b.start)} & wanted
        if likely and asked and a.node_id != b.node_id:
            scored.append((-count / min(len(terms[i]), len(terms[j])), i, j))
    return [(statements[i], statements[j]) for _, i, j in sorted(scored)[:_MOST_PAIRS]]


@lru_cache(maxsize=2048)
def _terms(quote: str) -> frozenset[str]:
    """Return the terms of a statement without its figures: those may differ."""
    return frozenset(t for t in tokens(quote) if weight(t) > 0 and not any(c.isdigit() for c in t))


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
    def text(self) -> str:
        """The findings for a model to read: both quotes with their places."""
        lines = []
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
