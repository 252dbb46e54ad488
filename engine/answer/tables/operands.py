"""Whether a finding does all that a question says with all that it names: one of two amounts is no sum of both."""

from __future__ import annotations

import re

from engine.answer.computations import states, wants_computed
from engine.answer.tables.finding import Finding
from engine.answer.tables.word_families import alike, same_root
from engine.answer.terms import content_terms
from engine.index.tokenize import tokens

# "the sum of A and B", "add A and B", "compare A with B", A与B之和: the two that are joined.
_JOINED = (
    re.compile(
        r"\b(?:sum|average|mean|total) (?:of|between) (?:both )?(?P<a>[^,;?]+?) (?:and|plus) (?P<b>[^,;?]+)",
        re.I,
    ),
    re.compile(r"\b(?:add|combine) (?P<a>[^,;?]+?) (?:and|to|plus|with) (?P<b>[^,;?]+)", re.I),
    re.compile(r"\bcompare (?P<a>[^,;?]+?) (?:and|to|with|against) (?P<b>[^,;?]+)", re.I),
    re.compile(
        r"(?P<a>[^，。？\s]{2,}?)(?:和|与|與|及|加上?)(?P<b>[^，。？\s]{2,}?)的?(?:之和|总和|總和|相加|加起来|平均)"
    ),
    re.compile(r"比较(?P<a>[^，。？\s]{2,}?)(?:和|与|與|及)(?P<b>[^，。？\s]{2,})"),
)
_TOGETHER = frozenset({"sum", "average", "difference"})
_SHARE_ASKED = re.compile(
    r"\bhow many percent\b|\b(?:what|which) percent(?:age)?\b|\bby (?:how many|what) percent|百分之[几幾多]",
    re.I,
)
_HOW_LONG = re.compile(
    r"\bhow long (?:did|does|do|will|would|has|have|had)\b.*\b(?:take|taken|last|lasted|run|need)\b"
    r"|多久|多[长長][时時][间間]",
    re.I,
)
_TIME = re.compile(
    r"\b(?:time|duration|seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms|min|hrs?|[hs])\b|\d\s?[hs]\b|\d:\d\d\b"
    r"|[时時][间間长長]|[天日周月年秒]|小[时時]|分[钟鐘]|期限",
    re.I,
)
# What two have between them, no one cell says.
_OF_SEVERAL = re.compile(
    r"\bthe (?:two|three|four) [a-z]+s\b.*\b(?:between them|together|combined|in all)\b|两[个位者].{0,12}(?:一共"
    r"|总共|合计)",
    re.I,
)
_IN_ORDER = re.compile(
    r"^\W*(?:please )?(?:rank|sort|order|list|show)\b.*\b(?:by|from|in (?:de|a)scending)\b|\b(?:de|a)scending order\b"
    r"|\bfrom (?:the )?(?:high|larg|bigg|great|low|small)est to (?:the )?\w+est\b"
    r"|[从從由][高大多低小少]到[低小少高大多]|[升降]序|排序",
    re.I,
)


def does_all_that_is_asked(question: str, finding: Finding) -> bool:
    """True for a finding that neither leaves out what the question joins nor gives an amount of another kind."""
    said = " ".join([*finding.values, finding.said])
    headers = " ".join(f"{cell.row_header} {cell.column_header}" for cell in finding.cells)
    if _SHARE_ASKED.search(question) and finding.kind == "difference" and "%" not in said:
        return False
    if _HOW_LONG.search(question) and not _TIME.search(f"{headers} {said}"):
        return False
    if _OF_SEVERAL.search(question) and finding.kind == "lookup" and len(finding.cells) == 1:
        return False
    if _IN_ORDER.search(question) and finding.kind in ("superlative", "extreme") and len(finding.values) == 1:
        return False
    return _has_both(question, finding, f"{finding.label} {headers}")


def _has_both(question: str, finding: Finding, told: str) -> bool:
    """False where the question joins two amounts and the finding is one of them, or lacks words of the other."""
    joined = next((match for words in _JOINED if (match := words.search(question))), None)
    if joined is None:
        return True
    computed = wants_computed(question) & _TOGETHER
    if finding.kind == "lookup" and len(finding.cells) < 2 and not states(told, computed):
        return False
    held = frozenset(tokens(told))
    return all(_spoken_of(joined[part], held) for part in ("a", "b"))


def _spoken_of(part: str, held: frozenset[str]) -> bool:
    wanted = content_terms(part)
    return not wanted or any(
        term in held or alike(term) & held or any(same_root(term, one) for one in held) for term in wanted
    )
