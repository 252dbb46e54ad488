"""The grammar of asking for aggregates of a list, over a question whose links to the list are marks.

A mark stands for what the question says of the list (:mod:`engine.answer.tables.linked_question`): ‹v0› a value of
a cell, ‹m1› a column of numbers, ‹g2› one of texts, ‹d3› one of dates, ‹r4› the things that the rows are, ‹l5› a
limit. What no pattern here and no mark accounts for is left over, and the question is another one.
"""

from __future__ import annotations

import re

from engine.answer.tables.matching import features

_FEW = "one two three four five six seven eight nine ten".split()
_FEW_ZH = "一二三四五六七八九十"
# What is counted in Chinese: 三座, 几家.
CLASSIFIERS = "个些位种条笔座家部本篇只台辆架艘支间所栋片届期款名类份项场门节"
_N = rf"\d{{1,2}}|{'|'.join(_FEW)}|[{_FEW_ZH}两]"
_HIGH = r"highest|largest|biggest|greatest|most|maximum|max|best|top|longest|costliest|dearest|oldest"
_LOW = r"lowest|smallest|least|fewest|minimum|min|worst|bottom|shortest|cheapest|youngest"
MOST = f"{_HIGH}|{_LOW}"
_HIGH_ZH, _LOW_ZH = r"最[高大多贵长好]|最(?=‹)", r"最[低小少短差]"

COUNT = re.compile(
    r"\b(?:how many(?: different| distinct| unique)?|(?:the |total )*(?:number|count) of)(?= |$)|^count (?:the )?"
    rf"|(?:(?:卖|销售|售|订购|采购|买)[出掉]?了?|有)?(?:多少|几)(?:个?人|[{CLASSIFIERS}件])"
    r"|(?:卖|销售|售|订购|采购|买)[出掉]?了?多少(?=‹l)|有?多少(?=‹r)|(?<=‹r\d›)的?有多少"
    r"|(?<=‹r\d›)的?(?:数量|个数|数目|总数|数)"
)
DISTINCT = re.compile(r"\b(?:different|distinct|unique)\b|不同")
AVERAGE = re.compile(r"\b(?:average|mean|avg\.?)(?= |$)|平均(?:值|分数?|数|每[个单笔条人份件])?|均值")
SUM = re.compile(
    r"\b(?:total|sum|overall|combined|altogether|in total|in all|summed)\b|合计|总和|总共|一共|总计|之和|总额?(?=‹m)|总"
)
HIGH = re.compile(rf"(?<!\bat )\b(?:{_HIGH})\b|{_HIGH_ZH}")
LOW = re.compile(rf"(?<!\bat )\b(?:{_LOW})\b|{_LOW_ZH}")
SHARE = re.compile(
    r"\b(?:what|which|the)? ?(?:share|percentage|percent|proportion|fraction)\b(?: of)?"
    r"|占.{0,12}?的?(?:比例|比重|百分比|百分之几|百分之多少)|的?(?:占比|比例|百分比)"
)
# "what share of A is B": what stands in front of the verb, or of 中, is the whole.
WHOLE_ENDS = re.compile(r"\b(?:is|are|was|were|has|have|had|come|comes|came)\b|(?<=›)中")
TOP = re.compile(
    rf"\b(?:(?P<way>top|bottom) (?P<n>{_N})\b|(?P<n2>{_N}) (?=(?:{_HIGH}|{_LOW})\b)"
    rf"|(?<= )(?P<n3>{_N}) (?=‹[rgv]\d+›))"
    rf"|(?:排名)?(?P<way_zh>前|后|倒数)(?P<n4>{_N})[个名位条笔种大]?"
    rf"|(?:(?<=最[高大多低小少贵])的?|(?<=的))(?P<n5>{_N})[个名位条笔种]"
)
_UPWARDS = (
    r"(?:from )?(?:the )?(?:low(?:est)?|small(?:est)?|least) to (?:the )?(?:high(?:est)?|larg(?:e|est)|most)"
    r"|(?:in )?ascending(?: order)?|[从由](?:低到高|小到大|少到多)|升序"
)
_DOWNWARDS = (
    r"(?:from )?(?:the )?(?:high(?:est)?|larg(?:e|est)|most) to (?:the )?(?:low(?:est)?|small(?:est)?|least)"
    r"|(?:in )?descending(?: order)?|[从由](?:高到低|大到小|多到少)|降序"
)
# "Rank the regions by revenue", 各地区按收入从高到低排列: all rows in order.
RANKING = re.compile(
    r"^(?:please )?(?:rank|sort|order|arrange)\b|进?行?排[名序列](?!前|第)|[按依]照?(?=.*排[名序列])"
)
IN_ORDER = re.compile(rf"(?P<low>{_UPWARDS})|{_DOWNWARDS}")
PER = re.compile(
    r"(?:\b(?:per|by|for each|for every|in each|in every|of each|each|every|grouped by|split by|across|broken down by)"
    r"(?: of)?(?: the)? |(?:按照?|各个?|每一?个?|分)(?:个|种|类|家)?)‹g(?P<column>\d+)›(?:分组|划分|统计|计算)?"
)
WHICH = re.compile(
    rf"(?:\b(?:which|what)(?: is| are| was| were)?(?: the)? |哪一?[{CLASSIFIERS}]?)‹g(?P<column>\d+)›"
    rf"|‹g(?P<behind>\d+)›(?:是|有)?哪一?[{CLASSIFIERS}]?"
)
LISTING = re.compile(
    r"^(?:please )?(?:list|show|give|name|find|display|which|what|who|tell)\b"
    r"|列出|列举|找出|有?哪[些几][个条笔份位名]?人?|^哪|谁"
)
SHOWING = re.compile(r"\b(?:list|show|display)\b|列出|列举|找出")
BEST_SOLD = re.compile(
    r"\bbest[- ]?selling\b|\b(?:sold|sells?) (?:the )?(?:most|best)\b|卖得?最[好多]|最畅销的?|销量最[高大多]"
)
WORST_SOLD = re.compile(
    r"\bworst[- ]?selling\b|\b(?:sold|sells?) (?:the )?(?:least|fewest|worst)\b|卖得?最[差少]|销量最[低小少]"
)
QUANTITIES = frozenset("quantity qty units pieces number headcount 人数 数量 销量 件数 台数".split())
# What verbs and common names say of a column that is called otherwise.
MEASURE_CUES = (
    (
        re.compile(
            r"\b(?:earn(?:s|ed|ing)?|(?:best|highest|lowest|worst|well)[- ](?=paid)|paid|pay)\b"
            r"|(?:赚|挣)(?:得|的)?|薪酬|收入"
        ),
        frozenset(
            "salary wage wages pay income compensation earnings 工资 薪资 薪水 薪酬 月薪 年薪 收入".split()
        ),
    ),
    (
        re.compile(r"\b(?:costs?|priced|expensive|cheapest|dearest|costliest)\b|最贵的?|最便宜的?|花费"),
        frozenset("price cost 价格 单价 费用 成本".split()),
    ),
    (
        re.compile(r"\b(?:revenue|turnover|sales)\b|销售额|营业额"),
        frozenset("amount sales revenue turnover 金额 总价 销售额 营业额".split()),
    ),
)
NEGATED = re.compile(
    r"(?:\b(?:not|excluding|except(?: for)?|without|other than|apart from|never)"
    r"(?: yet| from| in| the| been| being| be| any)*|n't(?: been| from| in| the)*"
    r"|没有|不是|不为|不在|不属于|非|除了?|不(?:包括|含))\s*‹v(?P<value>\d+)›(?:的‹r\d+›)?(?:以外|之外|外)?"
)
JOINED = re.compile(
    r"‹v\d+›(?:\s*(?:,|、|&|,? ?\band(?: the)?\b|,? ?\bor(?: the)?\b|和|与|及|或者?|以及)\s*(?:in )?‹v\d+›)+"
)
GENERIC_ROWS = frozenset("rows records entries items lines ones".split())

_IDLE = frozenset(
    """a an the of in for with from at to on by as what which who whom that is are was were be been being do does did
    has have had there it its their our we us you me i my show list give tell find name display please can could
    all any much and these those this get got got's 's s where whose when during within many ones one's
    work works worked working employed
    hold held contain contains include includes come comes came go went belong belongs stand stands
    value values amount amounts say said
    sheet worksheet workbook spreadsheet table file excel list data among then us""".split()
)
# What is done with the rows where they are orders, invoices and the like, or have a quantity.
TRADED = frozenset(
    "place placed make made sell sold sells buy bought order ordered issue issued sent bill billed".split()
)
TRADES = frozenset(
    f
    for word in "order sale invoice purchase transaction deal booking receipt".split()
    for f in features(word)
)
IDLE_ZH = re.compile(
    r"请问|请|是?什么时候|全班|(?:全体|所有)(?:员工|人员|职工|同学|学生)?|列出|列举|找出|给出|显示|查询|查找|计算|统计|求|所有|全部|分别|各是|是多少|有多少|什么时候|何时|是什么|什么"
    rf"|哪[些几]个?人|哪一?[{CLASSIFIERS}]|多少|下单|记录|表格|表中|表里|工作表|数据|谁|[的是为有在中里内于了都把被从由个条笔份位名件种类我们你帮一呢吗么那这]"
)
_MARK = re.compile(r"‹[a-z]\d+›")
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")


def number_of(text: str) -> int:
    """Return what a small number in digits, English or Chinese says."""
    if text.isdigit():
        return int(text)
    if text == "两":
        return 2
    return (_FEW.index(text) if text in _FEW else _FEW_ZH.index(text)) + 1


def left_over(text: str, known: frozenset[str]) -> list[str]:
    """Return the words of a question with marks that neither grammar nor the ``known`` words account for."""
    bare = IDLE_ZH.sub(" ", _MARK.sub(" ", text))
    words = (word.removesuffix("'s").removesuffix("’s") for word in _WORD.findall(bare))
    return [word for word in words if word not in _IDLE and word not in known]
