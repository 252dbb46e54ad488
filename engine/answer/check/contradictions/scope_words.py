"""Words that say what a statement holds for, in Chinese and English."""

from __future__ import annotations

import re

# What amounts are of: two statements with different words of one group speak of different things.
_GROUPS: dict[str, dict[str, str]] = {
    "accounts": {
        "consolidated": r"\b(?:consolidated|group-wide)\b|合并(?:报表|口径|财务报表|资产负债表|利润表)?|合併",
        "parent": r"\b(?:parent(?:[ -]company)?(?:[ -]only)?|stand-?alone|unconsolidated)\b|母公司|单体报表|個別報表",
    },
    "period": {
        "first half": r"\b(?:(?:the\s)?first (?:half|six months)(?: of(?: the year)?)?|half-year|H1|1H)\b"
        r"|上半年|半年度",
        "second half": r"\b(?:the\s)?(?:second half|last six months)(?: of(?: the year)?)?\b|\b(?:H2|2H)\b|下半年",
        "quarter 1": r"\b(?:(?:the\s)?first quarter(?: of)?|Q1|1Q)\b|第?一季度|第1季度|首季",
        "quarter 2": r"\b(?:(?:the\s)?second quarter(?: of)?|Q2|2Q)\b|第?二季度|第2季度",
        "quarter 3": r"\b(?:(?:the\s)?third quarter(?: of)?|Q3|3Q)\b|第?三季度|第3季度",
        "quarter 4": r"\b(?:(?:the\s)?fourth quarter(?: of)?|Q4|4Q)\b|第?四季度|第4季度",
        "nine months": r"\b(?:the\s)?first nine months(?: of)?\b|前三季度|前三个季度",
        "year": r"\b(?:full[ -]year|(?:the\s)?(?:whole|entire) year)\b|全年",
        "start": r"\bat the (?:beginning|start) of the (?:year|period)\b|年初|期初",
        "end": r"\bat the end of the (?:year|period)\b|年末|年底|期末",
        "before": r"\b(?:last|prior|previous) (?:year|period|quarter|month)\b|上年同期|上年度?|去年|上期|前年",
        "now": r"\b(?:this|current) (?:year|period|quarter|month)\b|本年度?|今年|本期|本报告期|报告期",
    },
    "region": {
        "north america": r"\bNorth America\b|北美洲?",
        "south america": r"\bSouth America\b|南美洲?",
        "latin america": r"\bLatin America\b|拉美|拉丁美洲",
        "europe": r"\bEurope\b|欧洲",
        "asia": r"\bAsia(?:[ -]Pacific)?\b|\bAPAC\b|亚太|亚洲",
        "emea": r"\bEMEA\b",
        "africa": r"\bAfrica\b|非洲",
        "middle east": r"\bMiddle East\b|中东",
        "mainland": r"\b(?:mainland|greater) China\b|中国大陆|内地",
        "domestic": r"\bdomestic(?:ally)?\b|国内|境内",
        "abroad": r"\b(?:overseas|abroad)\b|国外|境外|海外",
        "global": r"\b(?:worldwide|global(?:ly)?)\b|全球",
        "national": r"\bnation-?wide\b|全国",
        "north china": r"华北",
        "east china": r"华东",
        "south china": r"华南",
        "central china": r"华中",
        "southwest": r"西南地区|西南区域",
        "northwest": r"西北地区|西北区域",
        "northeast": r"东北地区|东北区域",
        "urban": r"\burban\b|城镇|城市",
        "rural": r"\brural\b|农村|乡村",
    },
    "basis": {
        "before tax": r"\b(?:before tax(?:es)?|pre-?tax)\b|税前|不含税",
        "after tax": r"\b(?:after tax(?:es)?|post-?tax)\b|税后|含税",
        "basic": r"\bbasic\b|基本每股",
        "diluted": r"\bdiluted\b|稀释每股",
        "gross": r"\bgross\b",
        "net": r"\bnet\b",
        "male": r"\b(?:male|men|boys)\b|男性",
        "female": r"\b(?:female|women|girls)\b|女性",
        "including": r"\bincluding\b",
        "excluding": r"\bexcluding\b|扣除非经常性损益后?|扣非后?",
        "adjusted": r"\b(?:adjusted|non-GAAP)\b",
        "nominal": r"\bnominal\b|名义",
        "real": r"\bin real terms\b|实际增长",
        "year on year": r"\byear[ -](?:on|over)[ -]year\b|同比",
        "quarter on quarter": r"\bquarter[ -](?:on|over)[ -]quarter\b|环比",
    },
}  # fmt: skip
# These say a scope by themselves; the others only beside an amount.
PLAIN_GROUPS = frozenset({"accounts"})
SCOPE = "|".join(
    f"(?P<s{g}_{i}>{pattern})"
    for g, members in enumerate(_GROUPS.values())
    for i, pattern in enumerate(members.values())
)
_NAMES = {
    f"s{g}_{i}": (group, value)
    for g, (group, members) in enumerate(_GROUPS.items())
    for i, value in enumerate(members)
}


def scope_of(match: re.Match[str]) -> tuple[str, str] | None:
    """Return (group, value) of the scope word that a match of a pattern with :data:`SCOPE` in it found."""
    name = match.lastgroup if match.lastgroup in _NAMES else None
    name = name or next((name for name in _NAMES if match[name] is not None), None)
    return _NAMES[name] if name else None


# A word before or behind a name that makes it one of several parts: a segment, a product, a market.
PART_WORDS = frozenset(
    """segment segments division divisions unit business product products brand model line market markets region
    regions area areas country countries subsidiary branch store stores category sector channel channels
    业务 板块 分部 产品 产品线 市场 地区 区域 分公司 子公司 事业部 渠道 型号 系列 门店 行业""".split()
)
# An amount's year or place is named like this at the front of its sentence.
PERIOD_BEFORE = re.compile(
    r"\b(?:fiscal|financial|calendar|FY|(?:year|quarter|months|half|period|season)s?(?:\s(?:ended|ending))?"
    r"|as (?:of|at)|at the end of|ended|ending|end of|for(?: the)?(?: year)?|during|half of|quarter of|months of)"
    r"(?:\s(?:year|on|in|of|the))*\s?$|(?:截至|截止)\s?$",
    re.I,
)
PERIOD_AFTER = re.compile(
    r"\s?(?:年?[度末底初]|[上下]半年|前三|第?[一二三四1-4]季|全年|同期|年报|期间"
    r"|fiscal|full[ -]year|H[12]\b|Q[1-4]\b)",
    re.I,
)
_MOVING = """
increased decreased grew rose fell declined dropped amounted totaled totalled reached reported recorded generated
improved gained climbed reduced expanded shrank stood averaged estimated used based compared related
"""
_MOVES = frozenset(_MOVING.split())
_HAPPENED = frozenset(
    """born built won made held began begun sold sent written died founded done given left met went came took
    became broke cut fought got hit lost paid put read ran said saw seen set shot shut sung sunk struck taught
    told underwent wrote drawn""".split()
)
_HAPPENING_ZH = re.compile(
    r"于\s?$|出生|诞生|成立|创立|创办|创建|建立|建成|落成|竣工|开业|开园|上市|发布|颁布|施行|实施|生效|签订|签署|逝世|去世|死亡"
    r"|毕业|开通|通车|开工|设立|注册|登记|举行|举办|召开|爆发|发生|当选|就任|加入|退出|结婚|获释|开幕|出版|发行|首播|上映|入学"
    r"|移居|迁往|访问|占领|攻占|宣布|宣告|任命|担任|出任|改名|更名|合并为|併入|并入|发现|发明|推出|播出|开播"
)


def names_an_event(before: str, after: str) -> bool:
    """True when the words around a date say that something happened then: "opened in", 于…通车."""
    words = re.findall(r"[A-Za-z]+", before[-40:])
    for word in [word.lower() for word in words[-3:]]:
        if word in _HAPPENED or (word.endswith("ed") and len(word) > 3 and word not in _MOVES):
            return True
    return bool(re.search(r"于\s?$", before[-3:]) or _HAPPENING_ZH.search(after[:16]))
