"""The parts of a row's or column's name that say what it is not, or what it is counted by."""

from __future__ import annotations

import re

from engine.answer.tables.matching import features
from engine.answer.tables.question import Question

# Of how many gallons there are, a "Price per gallon" says nothing.
_BY = re.compile(r"(?<=\w)\s+per\s.*", re.IGNORECASE)
# What a name says that it leaves out: "Operating cost, excluding fuel".
LEFT_OUT = re.compile(
    r"(?<=\w)[,;]?\s+\(?(?:excluding|excl\.?|exclusive of|other than|except(?: for)?|net of|less|without|ex)\s.*"
    r"|不含.*|除外.*",
    re.IGNORECASE,
)
# What a figure serves to work out, it is not: "Shares used in computing earnings per share".
_USED_FOR = re.compile(
    r"(?<=\w),?\s+(?:used )?(?:in|for|to) (?:the )?(?:comput|calculat)\w*\b.*", re.IGNORECASE
)
# What comes before tax is no tax.
_BEFORE = re.compile(r"(?<=\w\W)\s*(?:before|prior to)\s.*|税前.*", re.IGNORECASE)
# "Operating income as a % of revenue" is no revenue.
_SHARE_OF = re.compile(r"(?<=\w),? as an? (?:%|percent(?:age)?) of\b.*", re.IGNORECASE)
_SHARE_ASKED = re.compile(
    r"(?:%|\bpercent(?:age)?) of\b|\b(?:as an? percent(?:age)?|share|ratio|proportion|margin)\b",
    re.IGNORECASE,
)
_ASKED_BEFORE = re.compile(r"\b(?:before|prior|pre-?)|税前", re.IGNORECASE)
_NET = re.compile(r"\bnet\b", re.IGNORECASE)
# "Profit" and "income" are the net ones where nothing else is said.
PLAINLY = frozenset({"net"})
_RESULT = features("income profit earnings loss")
_QUALIFYING = features(
    "net operating gross tax taxes pretax interest comprehensive other per share continuing"
)


def leaves_out(name: str, asked: str) -> bool:
    """True for a name that leaves something out of which the question says nothing such."""
    found = LEFT_OUT.search(name)
    return (
        found is not None
        and not LEFT_OUT.search(asked)
        and not (_NET.search(found[0]) and _NET.search(asked))
    )


def besides(name: str, question: Question, asked: str) -> frozenset[str]:
    """Return the features that a name has only of what it leaves out or comes before, or of what it is a rate by.

    ``asked`` is the question or the part of it that the name is held against. What is counted ("how many gallons")
    is not met by what stands behind "per".
    """
    own, found = features(name), frozenset[str]()
    if leaves_out(name, asked):
        found = own - features(LEFT_OUT.sub("", name))
    if _SHARE_OF.search(name) and not _SHARE_ASKED.search(asked):
        found |= own - features(_SHARE_OF.sub("", name))
    if _BEFORE.search(name) and not _ASKED_BEFORE.search(asked):
        found |= own - features(_BEFORE.sub("", name))
    return found | question.counted & (own - features(_BY.sub("", name)))


def served(name: str, asked: str) -> frozenset[str]:
    """Return the features that a name, of one or several levels, has only of what it serves to work out."""
    if not _USED_FOR.search(name) or _USED_FOR.search(asked):
        return frozenset()
    return features(name) - features(" / ".join(_USED_FOR.sub("", level) for level in name.split(" / ")))


def is_bare_result(name: frozenset[str], question: Question) -> bool:
    """True when a question asks for income, profit or loss without more, and a row's features say no more."""
    own = frozenset(f for f in name if f[0] not in "§#") - PLAINLY
    asked = question.names
    return bool(own and own <= _RESULT and asked & _RESULT) and not asked & _QUALIFYING
