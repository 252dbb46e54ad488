"""A question about a table, taken apart: what it wants done, which years and numbers it names, its words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal

from engine.answer.tables.matching import features, metrics_in, tokens_of_metric, years_in
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

Kind = Literal[
    "percent_change", "ratio", "average", "difference", "sum", "trend", "extreme_period", "count_periods", "lookup"
]  # fmt: skip

Measure = Literal["percent", "money", "count"]
# What a company calls itself behind its name, in small letters too: "Delta airlines".
_OF_NAMES = re.compile(
    r"(?<=\w )(?:airlines?|airways|bank|bancorp|holdings?|industries|technologies|limited|plc|inc|corp)\b",
    re.IGNORECASE,
)
_ASKS_PERCENT = re.compile(
    r"\bpercent|\bper cent\b|%|\bproportion\b|\bfraction of\b|\b(?:what|which) (?:share|portion)\b|百分|占比|比例",
    re.IGNORECASE,
)
_ASKS_MONEY = re.compile(
    r"\b(?:money|dollars?|cash|spen[dt]|paid|pay|costs?|prices?|expenses?)\b|多少钱|金额|价格|花费|多少[万亿]?元",
    re.IGNORECASE,
)
_ASKS_COUNT = re.compile(
    r"\bhow many\b(?! (?:percent|dollars?)\b)"
    r"(?! (?:thousands?|millions?|billions?) (?:of )?(?:dollars?|was|were|is|are|did|does|has|have|in|on|for)\b)"
    r"|\b(?:number|quantity|volume) of\b|\bconsum(?:ed|ption)\b|多少[个名位家辆架人股台件只套]|数量",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow many\s+(?:(?:hundreds?|thousands?|millions?|billions?) (?:of )?)?(?P<what>[^\W\d_][\w-]*)",
    re.IGNORECASE,
)
# "What was the … of", "find the …": the words between are a name, of which the last is the thing that is asked for.
_NAME_ASKED = re.compile(
    r"\b(?:what|how much) (?:is|was|were|are)\b|\b(?:find|give|get|report|provide|locate|show)(?: me| us)?\b",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(
    r"\b(?:in|for|at|on|as|during|from|by|to|under|with|per|that|which|did|does|do|was|were|is|are|has|have|had|between"
    r"|and|or|over|among|through|within|before|after|since|until|of)\b|\b(?:19|20)\d\d\b|[?,;:()]",
    re.IGNORECASE,
)
_TOTAL_OF = re.compile(r"\btotal(?: (?:amount|number|value))?(?: of)?(?: the)?\b", re.IGNORECASE)
_AMOUNT_ASKED = re.compile(r"\bhow (?:many|much|old|tall|far|heavy)\b|多少", re.IGNORECASE)
_CHANGE = r"change|increase|decrease|growth|decline|improvement|reduction|movement|variation|rise|drop"
_CHANGE += r"|fall(?!s? due)|fluctuation"
_CHANGING = r"change|increase|decrease|grow|decline|improve|rise|fall|drop|go (?:up|down)|reduce"
_CHANGED = r"(?:in|de)creased?|gr[eo]w|r[io]se|declined?|drop(?:ped)?|f[ae]ll|changed?|improved?|reduced?"
_CHANGED += r"|(?:go|went|gone) (?:up|down)"
_PERCENT = r"percent(?:age)?s?|per cent|%|rate of"
_PERCENT_CHANGE = re.compile(
    rf"\b(?:{_PERCENT})\s*(?:{_CHANGE})|(?:{_PERCENT})\s*\(?\s*(?:{_CHANGE})"
    rf"|\b(?:{_CHANGE})\b[^?]*\b(?:in|as a) (?:{_PERCENT})"
    rf"|\bby (?:how many|what) (?:{_PERCENT})|\b(?:growth|{_CHANGE}) rate\b|\b(?:what|how many) (?:{_PERCENT})\b[^?]*"
    rf"\b(?:{_CHANGED})"
    r"|增长率|增长了?百分之|下降了?百分之|变动率|变化率|变动幅度|增幅|降幅|涨幅|跌幅|同比(?:增长|下降|变动|变化)|百分之几|变化百分比",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    rf"\b(?:{_CHANGE}|difference)s?\b|\bhow much (?:more|less|higher|lower|greater|larger)\b"
    rf"|\bhow many (?:more|less|fewer)\b"
    rf"|\bhow (?:much )?(?:did|has|have|was|were|does)\b[^?]*\b(?:{_CHANGING})"
    r"|\bby how (?:much|many)\b"
    r"|(?:增加|减少|增长|下降|上升|提高|降低)了?多少|相差|差额|之差|差多少|差值|变动额|变动了多少|变化了多少|(?:多|少|高|低)(?:出|了)?多少",
    re.IGNORECASE,
)
_RATIO = re.compile(
    r"\bratio(?: \([^()]*\))? of\b|\b(?:(?:percent(?:age)?|proportion|fraction)s?|share) of\b"
    r"|\bas an? (?:percent(?:age)?|proportion|share|ratio)\b"
    r"|\bpercentage (?:constitution|composition|contribution)\b"
    r"|\bwhat (?:percent(?:age)?|proportion|share|ratio)\b"
    r"|\bhow many times (?:as|more|larger|higher|bigger|greater|smaller)\b|\bdivided by\b"
    r"|占.{0,24}(?:比例|比重|百分之|百分比|多少|几成)|占比|之比|比率|的倍|几倍",
    re.IGNORECASE,
)
# "Earnings per diluted share of the group" ask for no share.
_PER_SHARE = re.compile(r"\bper (?:\w+ )?shares?\b", re.IGNORECASE)
# "Our share of the income of affiliates" is an item.
_OWN_SHARE = re.compile(
    r"\b(?:(?:company|group|firm|corporation)['’]?s['’]?|its|our|their) share of (?:the )?(?:operating |net )?"
    r"(?:income|loss|earnings|profit|results?)\b",
    re.IGNORECASE,
)
_SHARE_ZH = re.compile(r"占[^，。？?]{1,24}?(?:比例|比重|百分之|百分比|几成)")
_SHARE = re.compile(r"\bproportion\b|\bas an? (?:percent|share|ratio)|占比", re.IGNORECASE)
AVERAGE = re.compile(r"\b(?:average|mean)\b|平均|均值", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:sum|total|combined|altogether|(?:add(?:ed)? )?together|between them|add(?:ed)? up|in all)\b|合计|总和"
    r"|之和|总共|一共|加起来|总计",
    re.IGNORECASE,
)
_ALTOGETHER = re.compile(r"\b(?:altogether|in total|in all|in aggregate)\b|一共|总共|共[计有]", re.IGNORECASE)
_TOTALS = features("total") | features("合计")
_TREND = re.compile(
    r"\btrend|how (?:has|have|did) .{2,60}\b(?:develop|evolve|change over)|趋势|走势|如何变化|怎样变化|怎么变化",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    r"\b(?P<high>highest|largest|greatest|most|biggest|maximum|higher|larger|greater|bigger|more|best)\b"
    r"|\b(?P<low>lowest|smallest|least|minimum|lower|smaller|less|fewest|worst)\b|(?P<high_zh>最高|最大|最多|较高|较大|更高|更大|更多)|(?P<low_zh>最低|最小|最少|较低|较小|更低|更小|更少)",
    re.IGNORECASE,
)
_WHICH_PERIOD = re.compile(
    r"\b(?:which|what) (?:of the )?(?:two |three |four |five |\d )?(?:fiscal |financial )?"
    r"(?:year|period|fy|quarter)s?\b"
    r"|哪一?(?:个)?(?:年|季度|年度|期)",
    re.IGNORECASE,
)
_COUNT_PERIODS = re.compile(
    r"\bhow many (?:of the )?(?:fiscal |financial )?(?:years|quarters|periods)\b|几(?:年|个年度"
    r"|个季度)|多少(?:年|个年度)",
    re.IGNORECASE,
)
# What asks for an explanation is no question for a table.
_PROSE = re.compile(
    r"\b(?:why|reasons?|causes?|caused|led|drove|drivers?(?= (?:of|behind|for)\b)|explain|describe"
    r"|defin(?:e|es|ing|itions?)\b|defined (?:as|by|to|in)\b|meaning|refers?)\b"
    r"|\bwhat (?:is|are|was|were) (?:also )?(?:included|comprised|contained) (?:in|within|by|under)\b"
    r"|\bwhat happened\b|\bhow did\b(?!.*\b(?:chang|develop|evolv|grow))"
    r"|\band (?:(?:in|on|at|for) )?(?:who|what|which|how|when|where|why|did|by what)\b"
    r"|\b(?:due|related|attributable|attributed) to\s*\?|\bdue to what\b|\bbecause\b|\bbased (?:up)?on\s*\?"
    r"|\bhow (?:is|are|does|do|was|were|can|could|should)\b|\bwhat (?:could|would|can|may|does|do"
    r"|did) \b(?!.*\b(?:pay|cost|spend|earn|report|record|receive|collect|book|owe|hold|own|make"
    r"|contribute|generate|charge|amount to|come to|stand at|reach|add up to|sell|total)\b)"
    r"|为什么|为何|原因"
    r"|如何(?!变)|怎么(?!变)|解释|说明|含义|什么意思",
    re.IGNORECASE,
)
# What goes beyond reading one cell.
_REASONED = re.compile(
    r"\b(?:most|least|fewest|highest|lowest|largest|smallest|cheapest|dearest|biggest|longest|shortest|greatest|oldest|youngest|earliest|latest|best|worst"
    r"|more|less|fewer|higher|lower|larger|smaller|greater|longer|than|only|same|other|another|besides|except|not|no(?!\.)|never|without|both|either|or"
    r"|main|first(?! (?:three|six|nine|\d+) (?:months|weeks)\b| half\b)|last"
    r"|next|previous|after|before|above|below|following|consecutive|different|difference|sum|combined|around|over|under|least"
    r"|top|nearest|closest|between|all|any)\b|最|更|较|超过|低于|不足|除了|其他|相同|之前|之后|第一|最后",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(?:most|fewest|highest|lowest|largest|smallest|cheapest|dearest|biggest|longest|shortest|greatest|oldest|youngest"
    r"|earliest|latest|best|worst)\b|最",
    re.IGNORECASE,
)
YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can)\b|是否|吗[?？]?$", re.IGNORECASE)
_THRESHOLD = re.compile(
    r"(?P<more>\b(?:exceed(?:s|ed|ing)?|(?:more|greater|higher|larger) than|above|over|at least)\b"
    r"|超过|大于|高于|多于|不低于)"
    r"|(?P<less>\b(?:(?:less|lower|smaller|fewer) than|below|under|at most)\b|低于|小于|少于|不足|不超过)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?P<sign>[-−–]?)[$€£¥]?\s*(\d[\d,]*(?:\.\d+)?)\s*(%|percent|thousand|million|billion|万亿|亿|百万|万|千)?",
    re.IGNORECASE,
)
_SCALES = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "千": 10**3, "万": 10**4, "百万": 10**6, "亿": 10**8,
    "万亿": 10**12,
}  # fmt: skip
# What belongs to the asking; it counts where a row or column is called so, else it says nothing.
_ASKING = """
fullyear change increase decrease growth decline difference percentage percent average mean total sum ratio
proportion share rate amount value number figure level highest lowest largest smallest most least more
less higher lower greater smaller compare compared comparison respectively respective combined between
from to through since during over under exceed year years fiscal financial fy period periods quarter
quarters month months ended ending end as at of date december march june september january february
april may july august october november
jan feb mar apr jun jul aug sep sept oct nov dec 30 31 28 29 company companys company's group group's firm
corporation business million millions thousand thousands billion billions dollars usd dollar both two
three per respect relative against versus vs given reported recorded present presented table
show shown according incurred how much many what which was were is are did does do the in by for reach
reached provide provided find please each annual paid pay pays spend spent spending cost costs used get
got worth list report return money had has have annually across whole overall current same it's its their
account accounted represent represented made consolidated
"""
_ASKING_ZH = """
多少 是多 变化 变动 增长 增加 减少 下降 上升 同比 比例 占比 百分 分之 之几 平均 合计 总和 相差 差额
年度 公司 本公 集团 金额 数额 数值 比重 之比 比率 最高 最低 最大 最小 最多 最少 哪年 哪一 一年 什么
哪个 个年 几年 年的 年末 年底 期末 报告 告期 期内 万元 亿元 分别 各是 年比 比年 年公 年我 到年 至年
股份 份有 有限 限公 限责 责任 任公 和年 与年 了多 少了 加了 长了 降了 率是 额是 数是 入是 润是 的增 的变 的平 的合
"""
# Characters of grammar and asking: pairs of them and of names say nothing.
GRAMMAR = frozenset("的了是在和与及或比占为有多少几各年度月日个位名家款种各分别每")
MONTHS = frozenset(
    token
    for word in """january february march april may june july august september october november december""".split()
    for token in tokens(word)
)
_ASKING_TOKENS = frozenset(t for word in (_ASKING + _ASKING_ZH).split() for t in tokens(word))


@dataclass(frozen=True, slots=True)
class Threshold:
    """ "more than $5 million": ``more``, the limit as written, and its scale."""

    more: bool
    limit: Decimal
    scale: int

    @property
    def scaled(self) -> bool:
        """True when a scale was named."""
        return self.scale > 1

    @property
    def amount(self) -> Decimal:
        """The limit in full."""
        return self.limit * self.scale


@dataclass(frozen=True)
class Question:
    """A question; ``names`` are the features of what it asks about (:mod:`engine.answer.tables.matching`)."""

    text: str
    # Years that are parts of names ("notes due 2031") and ask for no period.
    of_names: frozenset[str] = frozenset()
    plain: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plain", " ".join(unicodedata.normalize("NFKC", self.text).split()))

    @property
    def chinese(self) -> bool:
        """True when the answer is to be Chinese."""
        return is_cjk(self.text)

    @cached_property
    def years(self) -> list[str]:
        """The years named, in order; "from 2017 to 2019" names only two."""
        found = years_in(self.plain) - self.of_names
        return sorted(found, key=lambda y: self.plain.find(y) if y in self.plain else self.plain.find(y[2:]))

    @cached_property
    def kind(self) -> Kind:
        """What is to be done; "lookup" where nothing else is asked."""
        text = self.plain
        if _COUNT_PERIODS.search(text) and self.threshold is not None:
            return "count_periods"
        if _WHICH_PERIOD.search(text) and (_EXTREME.search(text) or self.threshold is not None):
            return "extreme_period"
        if _TREND.search(text):
            return "trend"
        if _SHARE_ZH.search(text):
            return "ratio"
        found: list[tuple[int, int, Kind]] = []
        order: tuple[tuple[Kind, re.Pattern[str]], ...] = (
            ("percent_change", _PERCENT_CHANGE), ("ratio", _RATIO), ("difference", _DIFFERENCE),
            ("average", AVERAGE), ("sum", _SUM),
        )  # fmt: skip
        for place, (kind, pattern) in enumerate(order):
            bare = _OWN_SHARE.sub(" ", _PER_SHARE.sub(" ", text)) if kind == "ratio" else text
            match = pattern.search(bare)
            if match and kind == "average":
                found.append((match.start(), place, kind))
            elif match:
                # The first word of the question says what is done; "average" in front of it is done last.
                found.append((match.start() if kind == "difference" else 0, place, kind))
        if any(kind == "percent_change" for _, _, kind in found):
            return "percent_change"
        if any(kind == "ratio" for _, _, kind in found):
            return "ratio"
        both = sorted(item for item in found if item[2] in ("difference", "average"))
        if both:
            return both[0][2]
        if found:
            return found[0][2]
        return "lookup"

    @cached_property
    def counts_periods(self) -> bool:
        """True for "how many years"."""
        return bool(_COUNT_PERIODS.search(self.plain))

    @cached_property
    def compares(self) -> bool:
        """True when values are to be held against each other or against a limit."""
        return bool(_EXTREME.search(self.plain) or _THRESHOLD.search(self.plain))

    @cached_property
    def prose(self) -> bool:
        """True when the question asks for an explanation."""
        return bool(_PROSE.search(self.plain))

    @cached_property
    def reasoned(self) -> list[str]:
        """The words that ask for more than the content of a cell: they may be part of a name."""
        found = [match[0] for match in _REASONED.finditer(self.plain) if not self._is_of_name(match)]
        return [*found, "?"] if YES_NO.search(self.plain) else found

    def _is_of_name(self, match: re.Match[str]) -> bool:
        """True for a word that is written large within the question and stands before another such: "Best Buy"."""
        behind = self.plain[match.end() :]
        large = match.start() > 0 and match[0][:1].isupper() and match[0][1:].islower()
        return large and re.match(r" [A-Z][a-z]", behind) is not None

    @cached_property
    def superlatives(self) -> list[str]:
        """The words that ask for an extreme: "cheapest"."""
        return [match[0] for match in _SUPERLATIVE.finditer(self.plain) if not self._is_of_name(match)]

    @cached_property
    def mixed(self) -> list[str]:
        """The words of a second computation ("average" in "change in average cost"): they may be part of a name."""
        found = {
            "average": AVERAGE,
            "difference": _DIFFERENCE,
            "percent_change": _PERCENT_CHANGE,
            "ratio": _SHARE,
        }
        own = (
            ("difference", "percent_change")
            if self.kind in ("difference", "percent_change")
            else (self.kind,)
        )
        return [
            m[0] for kind, pattern in found.items() if kind not in own for m in pattern.finditer(self.plain)
        ]

    @cached_property
    def measure(self) -> Measure | None:
        """What kind of number is asked for, where the question says so."""
        if _ASKS_PERCENT.search(self.plain):
            return "percent"
        if _ASKS_MONEY.search(self.plain):
            return "money"
        return "count" if _ASKS_COUNT.search(self.plain) else None

    @cached_property
    def owners(self) -> frozenset[str]:
        """The tokens of names that only possess what is asked for: "Smith" in "Smith's sales in Rome"."""
        names = set(re.findall(r"\b([A-Z][\w&.-]*)['’]s?(?= )", self.plain))
        alone = re.sub(r"\b[A-Z][\w&.-]*['’]s?(?= )", " ", self.plain)
        return frozenset(t for name in names for t in tokens(name)) - frozenset(tokens(alone))

    @cached_property
    def counted(self) -> frozenset[str]:
        """The features of what is counted: "seats" in "how many seats does it have"."""
        match = _COUNTED.search(self.plain)
        return self.features_of(match["what"]) if match else frozenset()

    @cached_property
    def head(self) -> frozenset[str]:
        """The features of the noun that is asked for: "price" in "what was the aircraft fuel price in 2017"."""
        start = _NAME_ASKED.search(self.plain)
        behind = re.sub(r"^\W*(?:the|its|their)\b", "", self.plain[start.end() :]) if start else ""
        for name in _NAME_ENDS.split(behind):
            words = [word for word in re.findall(r"[^\W\d_][\w-]*", name) if features(word)]
            told = [word for word in words if not all(map(is_asking, features(word)))]
            if told and told[-1] == words[-1]:
                return self.features_of(told[-1]) - self.proper
            if words and not all(is_asking(f) for word in words for f in features(word)):
                return frozenset()
        return frozenset()

    @cached_property
    def totalled(self) -> frozenset[str]:
        """The features of what a total is asked of: "costs" in "the total costs in 2019"."""
        behind = (self.plain[match.end() :] for match in _TOTAL_OF.finditer(self.plain))
        return frozenset().union(*(self.features_of(_NAME_ENDS.split(text)[0]) for text in behind))

    @cached_property
    def amount(self) -> bool:
        """True for "how many" and "how much": the answer has digits."""
        return bool(_AMOUNT_ASKED.search(self.plain))

    @cached_property
    def respective(self) -> bool:
        """True when several values are asked for, one by one."""
        return bool(re.search(r"\brespective|分别|各是", self.plain, re.IGNORECASE))

    @cached_property
    def low(self) -> bool:
        """True when the smallest is asked for."""
        match = _EXTREME.search(self.plain)
        return bool(match and (match["low"] or match["low_zh"]))

    @cached_property
    def threshold(self) -> Threshold | None:
        """The limit that values are held against."""
        match = _THRESHOLD.search(self.plain)
        amount = _AMOUNT.search(self.plain, match.end()) if match else None
        if match is None or amount is None or amount[2] in self.years or amount.start() - match.end() > 30:
            return None
        scale = _SCALES.get((amount[3] or "").casefold(), 1)
        limit = Decimal(amount[2].replace(",", ""))
        return Threshold(bool(match["more"]), -limit if amount["sign"] else limit, scale)

    @cached_property
    def names(self) -> frozenset[str]:
        """The features that tell which row and column is meant; "altogether" is the total."""
        found = self.features_of(self.plain)
        return found | _TOTALS if _ALTOGETHER.search(self.plain) else found

    @cached_property
    def proper(self) -> frozenset[str]:
        """The tokens of capitalised words behind the first: names of companies and the like."""
        words = re.findall(r"(?<=[a-z,0-9] )(?:[A-Z]|\d+[A-Z])[\w&.'’-]*", self.plain)
        words += _OF_NAMES.findall(self.plain)
        return frozenset(
            token for word in words for token in [*tokens(word), *tokens(re.sub(r"['’]s$", "", word))]
        )

    def features_of(self, text: str) -> frozenset[str]:
        """Return the features of a part of the question, years and the amounts of thresholds left out."""
        return frozenset(
            f for f in features(text) if f not in self.years and not _is_limit(f, self.threshold)
        )

    def form_of(self, metric: str) -> frozenset[str]:
        """Return the tokens with which the question names a metric ("§revenue")."""
        found = [f for f in self.names if not f.startswith("§")]
        name = metric.removeprefix("§")
        return frozenset(f for f in found if metrics_in(self.plain) and f in tokens_of_metric(name))


def is_asking(feature: str) -> bool:
    """True for a word of asking."""
    return feature in _ASKING_TOKENS


def _is_limit(feature: str, threshold: Threshold | None) -> bool:
    return threshold is not None and feature[:1].isdigit()
