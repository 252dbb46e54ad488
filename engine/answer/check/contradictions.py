"""Statements in the evidence that speak of the same thing, and whether they agree.

Only pairs that share enough uncommon words are compared (an inverted index over their terms), so that a few
hundred sentences cost some milliseconds. Every statement is an exact stretch of its node's text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import combinations

from engine.answer.check.compare import Comparison, compare
from engine.answer.check.locate import locate, sentences_of
from engine.answer.understand.terms import weight
from engine.errors import ProviderError
from engine.index.tokenize import tokens
from engine.model import Evidence, Hit
from engine.providers.entailment import EntailmentJudge

# Terms that so many statements have say nothing of what a pair speaks of.
_COMMON = 40
_LIKELY = 0.4
_MOST_PAIRS, _MOST_STATEMENTS, _MOST_CLAIMS = 200, 600, 40
_SHORTEST, _LONGEST, _LONGEST_CLAIM = 6, 600, 1000
# A claim that is no quotation holds this share of the terms of the sentence that it is found in.
_FOUND = 0.7


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of evidence, word for word: ``evidence[index].text[start:end] == quote``."""

    index: int
    start: int
    end: int
    item: Evidence

    @property
    def quote(self) -> str:
        """The words."""
        return self.item.text[self.start : self.end]

    @property
    def hit(self) -> Hit:
        """Where it was found."""
        return self.item.hit

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: its node, and the place in it."""
        return self.hit.node_id, self.start

    def same_source(self, other: Statement) -> bool:
        """True when both stand in one version of one document."""
        return (self.hit.document_id, self.hit.version) == (other.hit.document_id, other.hit.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Comparison):
    """What holds between two statements."""

    a: Statement
    b: Statement


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


def statements_of(evidence: Sequence[Evidence]) -> list[Statement]:
    """Return the sentences of the evidence as statements, in its order; tables are left to their operators."""
    found: list[Statement] = []
    for index, item in enumerate(evidence):
        if item.hit.role != "table" and item.table is None:
            found += [
                Statement(index, sentence.start, sentence.end, item)
                for sentence in sentences_of(item.text, item.hit.role)
                if _SHORTEST <= len(sentence.text) <= _LONGEST and not sentence.text.endswith(("?", "？"))
            ]
    return found[:_MOST_STATEMENTS]


def verify(
    statements: Sequence[Statement], of: Sequence[Statement] | None = None, judge: EntailmentJudge | None = None,
) -> list[Finding]:  # fmt: skip
    """Return the comparable pairs with their verdicts, contradictions first, the surest first.

    With ``of`` only pairs with one of these in it are looked at. A statement is never held against one of
    its own node. A judge that fails is done without.
    """
    pairs = _likely_pairs(statements, of)
    try:
        made = [_finding(a, b, judge) for a, b in pairs]
    except ProviderError:
        made = [_finding(a, b, None) for a, b in pairs]
    findings = [one for one in made if one.verdict != "not_comparable"]
    return sorted(findings, key=lambda f: (not f.contradicts, f.verdict == "agree", not f.clear, -f.shared))


def _finding(a: Statement, b: Statement, judge: EntailmentJudge | None) -> Finding:
    first, second = (" ".join([*one.hit.path, one.item.title]) for one in (a, b))  # of a mail its subject
    return Finding(a=a, b=b, **asdict(compare(a.quote, b.quote, first, second, judge)))


def _likely_pairs(statements: Sequence[Statement], of: Sequence[Statement] | None) -> list[tuple[Statement, Statement]]:
    terms = [_terms(s.quote) for s in statements]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(terms):
        for term in own:
            holding[term].append(number)
    few = (numbers for numbers in holding.values() if len(numbers) <= _COMMON)
    shared = Counter(pair for numbers in few for pair in combinations(numbers, 2))
    wanted = {s.place for s in (statements if of is None else of)}
    scored = []
    for (i, j), count in shared.items():
        a, b = statements[i], statements[j]
        share = count / min(len(terms[i]), len(terms[j]))
        if share >= _LIKELY and a.hit.node_id != b.hit.node_id and not wanted.isdisjoint((a.place, b.place)):
            scored.append((-share, i, j))
    return [(statements[i], statements[j]) for _, i, j in sorted(scored)[:_MOST_PAIRS]]


@lru_cache(maxsize=2048)
def _terms(quote: str) -> frozenset[str]:
    """Return the terms of a statement without its figures: those may differ."""
    return frozenset(t for t in tokens(quote) if weight(t) > 0 and not any(c.isdigit() for c in t))


def check(
    evidence: Sequence[Evidence], statements: Sequence[str] = (), node_ids: Sequence[str] = (),
    judge: EntailmentJudge | None = None,
) -> Checked:  # fmt: skip
    """Hold statements of the evidence against each other.

    Given ``statements`` are located first and held against each other and against all the evidence;
    ``node_ids`` limits the evidence to these nodes. With neither all statements of different sources are
    compared, and only clear contradictions are kept.
    """
    items = [item for item in evidence if not node_ids or item.hit.node_id in node_ids]
    everything = statements_of(items)
    if not statements:
        found = [one for one in verify(everything, judge=judge) if node_ids or _worth_telling(one)]
        return Checked(found, [], len(everything))
    claims = [text[:_LONGEST_CLAIM] for text in statements[:_MOST_CLAIMS]]
    places = {claim: _places(claim, items) for claim in claims}
    given = {one.place: one for found in places.values() for one in found}
    rest = [one for one in everything if one.place not in given]
    told = [
        one
        for one in verify([*given.values(), *rest], list(given.values()), judge)
        if _worth_telling(one) or {one.a.place, one.b.place} <= given.keys()
    ]
    return Checked(told, [claim for claim in claims if not places[claim]], len(given))


def _places(claim: str, items: Sequence[Evidence]) -> list[Statement]:
    """Return the stretches of evidence that say a claim."""
    return [
        Statement(index, place.start, place.end, item)
        for index, item in enumerate(items)
        if (place := locate(claim, item.text, item.hit.role)) and place.score >= _FOUND
    ]


def _worth_telling(one: Finding) -> bool:
    return one.verdict == "agree" or (one.clear and not one.a.same_source(one.b))
