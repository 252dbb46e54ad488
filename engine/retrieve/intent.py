"""What a question asks for beside its words: a place, a kind of node, an operation, a quantity (seed 002, 6.1, 6.2).

Everything here is told from the question alone, in Chinese and English, and is only ever a preference or a
promise to look: what a question names (a label, a quantity) is looked up and never lost on the way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.enrich.labels import Label
from engine.enrich.references import references_in
from engine.retrieve.quantities import Quantity, quantities_in

MOST_LABELS = 5
MOST_QUANTITIES = 5


def _any(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


_ROLE_WORDS = {
    "image": _any(
        "figures?|charts?|graphs?|diagrams?|pictures?|images?|plots?|photos?",
        "图表|插图|图片|示意图|流程图|折线图|柱状图|照片|圖",
    ),
    "table": _any(
        "tables?|columns?|rows?|cells?|spreadsheets?|worksheets?",
        "表格|表中|表里|列名|单元格|哪一列|哪一行|工作表",
    ),
    "equation": _any("equations?|formulas?|formulae", "公式|方程"),
    "code": _any("code|snippet|function definition|command line", "代码|命令行"),
}
_OPERATIONS = {
    "COMPARE": _any(
        "compared?|comparison|versus|vs|than|differ(?:ence|s)?", "比较|相比|对比|相差|区别|[高低多少]于"
    ),
    "RANK": _any(
        "highest|lowest|largest|smallest|most|least|best|worst|top|rank(?:ed|ing)?|maximum|minimum",
        r"最[高低大小多少好差]|排名|前[一二三四五六七八九十\d]+|第[一二三]名",
    ),
    "TREND": _any(
        r"trends?|over (?:time|the years)|growth|grew|increas\w*|decreas\w*|declin\w*|year[- ]over[- ]year",
        "趋势|增长|下降|变化|逐年|同比|环比|增加|减少",
    ),
    "PERCENT": _any("percent(?:age)?|proportion|share|ratio|rate", "[%％]|百分|占比|比例|比率|率是多少"),
    "SUM": _any("total|sum|altogether|combined|overall amount", "合计|总计|总和|总共|共计"),
    "AVERAGE": _any("average|mean", "平均"),
    "LOOKUP": _any(
        "how (?:much|many)|what (?:is|was|were) the (?:value|amount|number)", "多少|几[个家人年]|数值|金额"
    ),
}
_ABOUT = _any(
    r"what (?:is|are|does)|about|summar\w+|outline|describe|cover|discuss|say",
    "讲(?:了|的)?(?:什么|些什么|啥)|说(?:了|的)?什么|内容|概括|总结|主要|介绍",
)
_LITERATURE = re.compile(
    r"\b(?:cit(?:e[sd]?|ing|ations?)|references?|bibliograph\w+|literature|et al|doi|journal|published|authors?)\b"
    r"|文献|文獻|引用|参考|參考|期刊|作者|发表",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question asks for.

    ``labels`` are places it names ("Figure 3b", 第三章), ``of_a_work`` the keys of those that it says are a certain
    work's (《公司法》第十条); ``quantities`` its numbers that have a unit ("7.5 %", 120 km); ``roles`` the kinds of
    node it speaks of; ``operations`` what it wants (COMPARE, RANK, TREND, PERCENT, SUM, AVERAGE, LOOKUP); ``about``
    whether it asks what a named place is about; ``literature`` whether it asks for works that are cited.
    """

    labels: tuple[Label, ...] = ()
    of_a_work: frozenset[str] = frozenset()
    quantities: tuple[Quantity, ...] = ()
    roles: frozenset[str] = field(default_factory=frozenset)
    operations: frozenset[str] = field(default_factory=frozenset)
    about: bool = False
    literature: bool = False

    @property
    def empty(self) -> bool:
        """True when the question asks for nothing in particular."""
        return self == Intent()


def intent_of(text: str) -> Intent:
    """Return what a question asks for beside its words."""
    references = references_in(text, elsewhere=True)
    labels = tuple({one.label.key: one.label for one in references}.values())[:MOST_LABELS]
    return Intent(
        labels=labels,
        of_a_work=frozenset(one.label.key for one in references if one.elsewhere),
        quantities=tuple(dict.fromkeys(quantities_in(text)))[:MOST_QUANTITIES],
        roles=frozenset(role for role, words in _ROLE_WORDS.items() if words.search(text)),
        operations=frozenset(name for name, words in _OPERATIONS.items() if words.search(text)),
        about=bool(labels and _ABOUT.search(text)),
        literature=bool(_LITERATURE.search(text)),
    )
