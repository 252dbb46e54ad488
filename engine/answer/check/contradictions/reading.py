"""A sentence as a row of words and slots: what statements are compared by, and the words of what it holds for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from engine.answer.check.amounts import NUMBER, Amount, amount_of
from engine.answer.check.contradictions.negation import NEGATIONS, in_one_word
from engine.answer.check.dates import DATE, When, date_of
from engine.answer.understand.terms import weight
from engine.index.tokenize import tokens

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


Kind = Literal["word", "character", "number", "date", "scope", "mark"]
_SCAN = re.compile(
    rf"(?P<date>{DATE})|(?P<number>{NUMBER})|(?P<scope>{SCOPE})"
    r"|(?P<word>(?:[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?<=[A-Za-z])\d)+(?:['’·.-][A-Za-z]+)*)"
    r"|(?P<character>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<mark>[^\s\w])",
    re.I,
)
# The number after such a word names a thing, it counts nothing.
_LABEL_BEFORE = re.compile(
    r"(?:\b(?:tables?|figures?|figs?\.?|articles?|sections?|chapters?|pages?|pp?\.|versions?|steps?|notes?|items?"
    r"|appendix|annex|part|volume|no\.?|nos\.?|eqs?\.?|equations?|exhibits?|level|class|grade|phase|question|example"
    r"|room|chapter|line|route|highway|rule|regulation|§+)|第|表|图|圖|附录|附件|公式|步骤|版本|[A-Z][A-Za-z]*-?)\s?[(（]?$"
)
_LABEL_AFTER = re.compile(r"\s?(?:条|條|章|节|節|款|项|項|页|頁|号|號|版|卷|级|編|编)")
_MOST_CHARACTERS = 600
OPENING_TOKENS = 12
_COUNTED = frozenset({"piece", "people", "company", "times", "share", "household", "vehicle"})


@dataclass(frozen=True, slots=True)
class Token:
    """One word, character or slot. Tokens of one ``key`` stand at the same place of two statements.

    ``period`` says what an amount holds for, ``event`` that something happened at a date, ``label`` that a
    number names a thing ("Table 3"), ``first`` that it opens the sentence.
    """

    kind: Kind
    text: str
    key: str
    worth: float = 0.0
    amount: Amount | None = None
    when: When | None = None
    scope: str = ""
    period: bool = False
    event: bool = False
    label: bool = False
    first: bool = False

    @property
    def slot(self) -> bool:
        """True for what carries a value of its own."""
        return self.kind in ("number", "date", "scope")


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence that was read.

    ``worth`` is what its words weigh; ``measured`` tells of an amount in it, ``counted`` of any number.
    """

    tokens: tuple[Token, ...]
    worth: float
    measured: bool
    counted: bool


@lru_cache(maxsize=1024)
def read(sentence: str) -> Read:
    """Read the first characters of a sentence."""
    text = _plain(sentence)[:_MOST_CHARACTERS]
    found: list[Token] = []
    at = 0
    while match := _SCAN.search(text, at):
        token, at = _token(match)
        if token is not None:
            first = not any(t.kind != "mark" for t in found)
            found.append(replace(token, first=first) if first else token)
    measured = any(_measures(t.amount) for t in found if t.amount is not None and not t.label)
    opening = _opening(found)
    found = [_with_role(token, measured or i < opening) for i, token in enumerate(found)]
    counted = any(t.amount is not None and not t.label for t in found)
    return Read(tuple(found), sum(token.worth for token in found), measured, counted)


def _token(match: re.Match[str]) -> tuple[Token | None, int]:
    text, start, end = match.string, match.start(), match.end()
    if match["date"] and (when := date_of(match)):
        return _date_token(match, when), end
    if match["date"] or match["number"]:
        return _number_at(text, start)
    if match["scope"] and (known := scope_of(match)):
        group, value = known
        return Token("scope", match[0], f"@{group}", 0.0, scope=value, period=group in PLAIN_GROUPS), end
    if match["word"]:
        stems = tokens(match[0])
        key = " ".join(stems) or match[0].lower()
        worth = sum(weight(stem) for stem in stems) if stems else 0.0
        return Token("word", match[0], key, min(worth, 1.5)), end
    if match["character"]:
        return Token("character", match[0], match[0], 0.5 * min(1.0, weight(match[0]) / 0.6)), end
    return Token("mark", match[0], match[0]), end


def _number_at(text: str, start: int) -> tuple[Token | None, int]:
    match = _NUMBER.match(text, start)
    if match is None:
        return None, start + 1
    found = amount_of(match)
    if found is None:
        return None, match.end()
    amount, end = found
    label = bool(_LABEL_BEFORE.search(text[max(0, start - 14) : start]) and not amount.measured) or bool(
        amount.unit is None and _LABEL_AFTER.match(text, match.end())
    )
    return Token("number", text[start:end].strip(" .,"), "@number", amount=amount, label=label), end


_NUMBER = re.compile(NUMBER, re.I)


def _date_token(match: re.Match[str], when: When) -> Token:
    before, after = match.string[max(0, match.start() - 40) : match.start()], match.string[match.end() :][:20]
    event = names_an_event(before, after)
    period = bool(match["fiscal"] or PERIOD_BEFORE.search(before) or PERIOD_AFTER.match(after)) and not event
    return Token("date", match[0], "@date", when=when, period=period, event=event)


def _measures(amount: Amount) -> bool:
    """True for what is measured rather than counted on one's fingers: 5%, 3 km, 480 people; not "one man"."""
    small = abs(amount.value) < 10 and amount.scale == 1 and amount.unit in _COUNTED
    return (amount.measured and not small) or abs(amount.value) >= 100


def _opening(tokens: Sequence[Token]) -> int:
    """Return how many tokens the phrase has that the sentence opens with, up to its comma or colon."""
    comma = next((i for i, t in enumerate(tokens[:OPENING_TOKENS]) if t.text in ",:，："), 0)
    scoped = any(t.kind == "scope" for t in tokens[:comma])
    return comma if scoped else 0


def _with_role(token: Token, measured: bool) -> Token:
    """A year beside an amount, or a month that opens its sentence, is what the amount holds for.

    Not so where something happened then.
    """
    if token.period or not measured:
        return token
    when = token.when
    vague = when is not None and not token.event and (when.year_only or (token.first and not when.exact))
    return replace(token, period=True) if vague or token.kind == "scope" else token


def negates(tokens_of: tuple[Token, ...]) -> bool:
    """True when a stretch holds a negation and little else."""
    if not tokens_of:
        return False
    characters = "".join(t.text for t in tokens_of if t.kind == "character")
    words = [t.text.lower() for t in tokens_of if t.kind == "word"]
    if characters:
        return characters in NEGATIONS
    return any(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in words) and len(words) <= 3


def _plain(sentence: str) -> str:
    text = unicodedata.normalize("NFKC", sentence)
    return in_one_word(" ".join(re.sub(r"[*_#`|]+", " ", text).split()))
