"""Whether a question wants something computed from figures: ranks, sums, means, differences, shares, changes, limits.

A text answers such a question only where it states the outcome in words of the same family: "the highest accuracy" is
told by "the best system", not by a list of accuracies. Only surface cues are used, in Chinese and English.
"""

from __future__ import annotations

import re

_HIGH_LOW = (
    r"high|larg|bigg|great|long|fast|slow|low|small|short|cheap|old|young|new|earli|lat|few|tall|deep|strong|weak"
    r"|heavi|light|wid|clos|costli|dear"
)
_FIGURE = r"[$€£¥]?\s?(?:\d|zero|one|two|three|four|five|six|seven|eight|nine|ten|half)"
_FAMILIES = {
    "rank": re.compile(
        rf"\b(?:(?:{_HIGH_LOW})est|most|least|best|worst|top|maximum|minimum)\b"
        r"|\b(?:rank(?:s|ed|ing)?|sort(?:ed)?|order(?:ed)? by|(?:de|a)scending)\b"
        r"|最[高低大小多少长長短快慢好差贵貴早晚新旧舊强強弱]|排[名序列]|从[高大多]到[低小少]|从[低小少]到[高大多]"
        r"|[升降]序|由[高大多低小少]到|倒数第|第[一二三]名",
        re.IGNORECASE,
    ),
    "sum": re.compile(
        r"\b(?:sum|total(?:s|ed)?|altogether|combined|in all|add(?:ed)? (?:up|together)|add)\b|\bplus\b"
        r"|合[计計]|[总總](?:[计計和数數量额額]|共)|之和|一共|共[计計]|加起[来來]|相加|加上",
        re.IGNORECASE,
    ),
    "average": re.compile(r"\b(?:average|mean|median)\b|平均|均值|中位", re.IGNORECASE),
    "difference": re.compile(
        r"\b(?:difference|differs?|minus|less than|more than)\b|\bhow (?:much|many) (?:more|less|fewer|\w+er)\b"
        r"|\b(?:compare|comparison)\b|相差|差[值额額距多]|之差|比较|比較|[对對]比|减去|減去|[多少高低]出?多少",
        re.IGNORECASE,
    ),
    "share": re.compile(
        r"\b(?:percent(?:age)?|proportion|ratio|share|fraction) of\b"
        r"|\bas an? (?:percent|share|ratio|proportion|fraction)"
        r"|\bdivided by\b|\bhow many (?:percent|times)\b|\btimes as\b"
        r"|占.{0,12}[比百几幾多]|占比|之比|[几幾]倍|的倍|百分之[几幾多]",
        re.IGNORECASE,
    ),
    "change": re.compile(
        r"\b(?:gr[eo]w(?:n|th|ing)?|(?:in|de)creas(?:e|es|ed|ing)|chang(?:e|es|ed)|declin(?:e|es|ed)|r[io]se|risen"
        r"|f[ae]ll(?:en)?|drop(?:s|ped)?|trend|develop(?:s|ed|ment)?)\b"
        r"|增[长長加减減幅]|下降|上升|[变變]化|[趋趨][势勢]|同比|[环環]比|[涨漲]幅|降幅|减少|減少",
        re.IGNORECASE,
    ),
    "limit": re.compile(
        rf"\b(?:above|below|over|under|exceed(?:s|ed|ing)?|at (?:least|most)|(?:more|less|fewer|greater|higher|lower"
        rf"|larger|smaller) than) {_FIGURE}"
        r"|(?:超[过過]|[大小高低多少]于|[大小高低多少]於|不足|至少|至多|不超[过過])\s*[\d一二三四五六七八九十百千]"
        r"|\d\s*[^\s\d，。]{0,4}以[上下]",
        re.IGNORECASE,
    ),
}


def wants_computed(question: str) -> frozenset[str]:
    """Return the families of computation that a question speaks of; empty for one that asks for what is written."""
    return frozenset(name for name, words in _FAMILIES.items() if words.search(question))


def states(text: str, families: frozenset[str]) -> bool:
    """True when a text speaks of one of the families itself, so that it may tell the outcome."""
    return any(_FAMILIES[name].search(text) for name in families)
