"""The words of questions over records: what they ask to be done, and which column a question word means."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.answer.tables import question
from engine.answer.tables.aggregate_words import CLASSIFIERS
from engine.answer.tables.matching import features
from engine.answer.tables.typed_table import Column

MAX = (
    r"most|highest|largest|biggest|greatest|maximum|longest|oldest|tallest|fastest|heaviest|best|top"
    r"|latest|newest|deepest|widest|最高|最大|最多|最长|最晚|最新|最老|最快|最贵|最重|最深|最宽|最远"
)
MIN = (
    r"least|lowest|smallest|fewest|minimum|shortest|youngest|slowest|worst|earliest|lightest|cheapest|最低|最小|最少"
    r"|最短|最早|最年轻|最慢|最便宜|最轻|最近|最浅"
)
SUPERLATIVE = re.compile(
    rf"(?:\b|(?=最))(?:(?P<max>{MAX})|(?P<min>{MIN}))(?:\b|(?<=[\u4e00-\u9fff]))", re.IGNORECASE
)
FIRST = re.compile(
    r"\b(?:the|was|is|were|came|listed|list|finish\w*)?\s*"
    r"(?P<first>first|last|final(?= (?!(?:in|on|at|of|was|is|between|against|by)\b)\w))\b(?! name)",
    re.IGNORECASE,
)
COUNT = re.compile(
    rf"\bhow (?:many|often)\b|\b(?:total )?number of\b|有?(?:多少|几)(?=[{CLASSIFIERS}次人])|有多少",
    re.IGNORECASE,
)
_TOGETHER = (
    r"\b(?:put|added|taken) together\b|\bbetween (?:them|the two(?: of them)?|themselves)\b|\bin all\b|加起来"
)
# Words around a sum that say nothing else.
TOGETHER = re.compile(_TOGETHER)
SUM = re.compile(
    rf"\btotal\b|\bsum\b|\bcombined\b|\baltogether\b|{_TOGETHER}|总和|合计|总共|一共|总计|总(?=[数量额人产销收])",
    re.IGNORECASE,
)
# What a thing is more of than another: each asks for the column that measures it.
COMPARED = (
    "taller|shorter|longer|older|younger|faster|slower|heavier|lighter|larger|bigger|smaller|deeper|wider|farther"
    "|further|later|earlier"
)
_APART = (
    r"\bhow many years (?:passed|went by|elapsed|lie|lay|are there|were there|separate[ds]?)\b"
    r"|(?:相隔|隔了|间隔)(?:多少|几)年"
)
# The question for the years between two things.
APART = re.compile(f"(?:{_APART})(?: between)?")
DIFFERENCE = re.compile(
    rf"\bdifference\b|{_APART}|\bhow (?:many|much) (?:\w+ )?(?:more|less|fewer|higher|lower|better|worse|{COMPARED})\b"
    r"|\bhow? (?:many|much) more\b|\bby how (?:many|much)\b|相差|差多少|[多少大小高低长短轻重](?:了|出)?多少",
    re.IGNORECASE,
)
NEIGHBOUR = re.compile(
    r"\b(?P<after>(?:right |immediately |directly |comes? |came |listed |next )*(?:after|below"
    r"|following|follows)|next to)\b"
    r"|\b(?P<before>(?:right |immediately |directly |comes? |came |listed )*(?:before|above|prior to"
    r"|previous to|preced\w+))\b|(?P<after_zh>之后|下一)|(?P<before_zh>之前|上一)",
    re.IGNORECASE,
)
LESS = re.compile(
    r"\b(?:less|fewer|lower|smaller|shorter|younger|earlier|least|lowest|first|before)\b|更少|更低|更小|较少|较低|较小",
    re.IGNORECASE,
)
MORE = re.compile(
    r"\b(?:more|higher|larger|greater|bigger|longer|older|later|better|taller|most|highest)\b|更多|更高|更大|较多|较高|较大",
    re.IGNORECASE,
)
VALUE_WANTED = re.compile(
    r"\b(?:what|which) (?:is|was|were|are) (?:the|his|her|its|their)\b|\bhow (?:many|much)\b|多少",
    re.IGNORECASE,
)
BEYOND = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower|better|worse|at least|at most|no more) (?:\w+ ){0,3}than\b"
    r"|\bat (?:least|most)\b|超过|不足",
    re.IGNORECASE,
)
BOTH = re.compile(r"\bboth\b|都(?:来自|属于)|(?<!平)均(?:来自|属于|为)", re.IGNORECASE)
# Superlatives of time: they rank dates.
OF_TIME = re.compile(r"lat|earl|old|young|new|recent|最[早晚新老]", re.IGNORECASE)
# What a plan has to account for: left over, something else was asked.
HARD = re.compile(
    r"\b(?:before|after|since|until|not|never|except|besides|without|consecutive|same|between|other|only|both)\b|n't\b"
    rf"|\b(?:second|third|fourth|fifth)(?=[ -](?:{MAX}|{MIN})\b)|第[二三四五](?=[高大多低小少])"
    r"|之前|之后|以前|以后|除了|没有|不是|连续|相同|之间|其他",
    re.IGNORECASE,
)
# A part of a year, which rows with dates must be held against.
PART_OF_YEAR = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]"
    r"|(?:last|this|next|past) (?:week|month|quarter|year))\b|\d月|[一二三四]季度",
    re.IGNORECASE,
)
# "At least" is a limit and no superlative.
LIMITS = re.compile(r"\bat (?:the )?(?:least|most)\b", re.IGNORECASE)
WHO = re.compile(r"\bwho(?:se|m)?\b|谁|哪一?位|哪[些几]个?人", re.IGNORECASE)
HOW = re.compile(
    r"\bhow (old|young|long|tall|high|heavy|large|big|fast|deep|wide|far|thick|expensive|costly)\b"
    r"|多([高长大重远深宽快厚久])(?!于)",
    re.IGNORECASE,
)
WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:year|date|day|time|season)\b|什么时候|何时|哪一?年|哪一?天", re.IGNORECASE
)
WHERE = re.compile(r"\bwhere\b|哪里|何处|在哪", re.IGNORECASE)
WANTED = re.compile(
    r"\b(?:what|which|whose|name|list|tell)\b(?: (?:is|are|was|were|the|a|an|of|me|other|all|one|two"
    rf"|only|different)\b)*|哪一?[{CLASSIFIERS}]?|什么",
    re.IGNORECASE,
)
PEOPLE = """
name player winner artist driver rider athlete swimmer actor actress director candidate author champion
coach president skipper cyclist singer performer member leader writer nominee recipient incumbent
representative manager captain party opponent team contestant
对方 教师 老师 负责人 经理 店长 校长 主管 编剧 姓名 选手 球员 作者 导演 演员 歌手 冠军
名称""".split()
PLACES = """
location venue city place country site stadium host town state region station address headquarters province
county base 地点 城市 国家 场馆 地区 位置 所在 地址 产地 区域 省份 坐落
""".split()
# What two teams of a list of matches do: each stands in a column of its own.
MEETING = re.compile(
    r"\b(?:when|did|as|in which|where|what|who|which|on what date)\b.*?"
    r"\b(?P<verb>faced?|play(?:ed)?|met|meet|(?P<won>beat|defeat(?:ed)?)|hosted?|took on|(?P<lost>lose to|lost to)"
    r"|drew with)\b"
    r"|(?P<between>\b(?:game|match|final|meeting|tie) between\b|对阵|对战|交手|战胜|击败)"
)
# What is said of those who lost and won a final, and what their columns are called.
OUTCOMES = (
    (
        re.compile(r"\b(?:los(?:e|es|t|ing|ers?)|runners?-up|beaten)\b"),
        features("runner runners loser losers defeated"),
    ),
    (
        re.compile(r"\b(?:w[io]n|wins|winning|winners?|champions?)\b"),
        features("champion champions winner winners"),
    ),
)
# Works of which a column "Title" has the names.
WORKS = features(
    "film movie show series musical play opera song single album track book novel poem game episode programme program"
    " production work drama comic painting"
)
TITLES = features("title production work film movie show song single album book")
MEASURES = {
    "old": ("age", "born", "built", "founded", "established", "opened", "completed", "year", "年龄"),
    "young": ("age", "born", "founded", "established", "年龄"),
    "long": ("length", "duration", "time", "distance", "长度"),
    "short": ("length", "duration", "time", "distance", "长度"),
    "tall": ("height", "floors", "高度"),
    "fast": ("time", "duration", "speed"),
    "slow": ("time", "duration", "speed"),
    "large": ("area", "size", "population", "面积"),
    "big": ("area", "size", "population", "面积"),
    "heav": ("weight", "mass", "重量"),
    "small": ("area", "size", "population", "面积"),
    "late": ("date", "year", "日期"),
    "earl": ("date", "year", "日期"),
    "high": ("height", "elevation", "altitude", "高度", "海拔"),
    "low": ("height", "elevation", "altitude", "高度", "海拔"),
    "deep": ("depth", "深度"),
    "wide": ("width", "span", "宽度"),
    "far": ("distance", "距离"),
    "thick": ("thickness", "厚度"),
    "expensive": ("price", "cost", "fee", "fare", "rent", "价格"),
    "costly": ("price", "cost", "fee", "价格"),
    "cheap": ("price", "cost", "fee", "fare", "rent", "价格"),
    "高": ("高度", "海拔", "身高", "高程"),
    "长": ("长度", "全长", "里程", "时长"),
    "大": ("面积", "年龄", "规模"),
    "重": ("重量", "体重"),
    "远": ("距离", "里程"),
    "深": ("深度", "水深"),
    "宽": ("宽度",),
    "快": ("速度", "时速"),
    "厚": ("厚度",),
    "久": ("时长", "时间"),
}


def measured(word: str, columns: Iterable[Column]) -> list[Column]:
    """Return the columns that hold what a word measures, those meant first: for "long" lengths, then durations."""
    hints = (hint for stem, words in MEASURES.items() if word.startswith(stem) for hint in words)
    columns = list(columns)
    found = [column for hint in hints for column in columns if features(hint) & features(column.name)]
    timed = (
        [column for column in columns if column.dtype == "time"] if word.startswith(("fast", "slow")) else []
    )
    return found or (timed if len(timed) == 1 else [])


# What columns of money are called whose cells say no currency.
MONEY = features(
    "price cost fee salary wage budget amount fare rent 价格 单价 金额 费用 工资 月薪 薪水 票价 租金"
)
# What those are called who compete, sing or play.
AGENTS = features(
    "runner swimmer cyclist driver player athlete rider skier jumper thrower boxer wrestler rower gymnast sailor"
    " competitor contestant finalist people skater shooter golfer racer pilot"
)
# What is done to another by having more.
BEATEN = features("beat beaten defeat outscore outpoll exceed lead ahead behind win won")
# Nouns for a row as such, and small words of questions over lists.
IDLE = frozenset(
    f
    for word in """
    table list listed entry entries row rows chart item items people person thing things times time
    there one ones only ever according include included including also along besides either or person's
    were overall whole entire all given shown appear appears appeared exist exists have has had total
    together than that who which where when this these those least most more less long take took place
    happen happened occur occurred held did do does get got name names named called many much amount
    number count was is are be been being per his her their its out based kind type types sort year
    years date during single each any after before above below next previous following prior
    immediately directly right come comes came go went list's last first final top highest lowest
    largest smallest biggest longest shortest oldest youngest greatest fewest earliest latest best
    worst average sum combined difference between and score scored see seen use used make made 哪个
    多少 几个 什么 哪些 一共 总共 其中 列出 有几
    """.split()
    for f in features(word)
)


# What happens to the things of most lists: it seldom tells one row from another.
EVENTS = frozenset(
    f
    for word in """
    earn finish complete show release enter hold attend participate compete receive record reach play
    placed cast contain build come belong feature appear issue produce run serve elect establish launch
    join sign move debut star act perform direct publish drive race guest put portray swim swam run ran ride rode
    """.split()
    for f in features(word)
)
EVENTS_OF_NUMBERS = EVENTS | features("win won get got gain score hold held take took lose lost claim obtain")
_MEASURES = features(
    "months years days weeks hours minutes seconds points goals miles kilometers km feet meters people votes seats laps"
    " runs yards dollars percent medals wins losses acres floors times episodes passengers"
) - features("times")


def is_measure(noun: str) -> bool:
    """True for a noun that counts something within a row and not the rows."""
    return bool(features(noun) & _MEASURES)


# What the things of a list are numbered by: it counts none of them.
NUMBERED_BY = re.compile(
    r"^(?:no\.?|nr\.?|#|number|rank|pos\.?|position|place|stage|round|week|game|match|race|lap|leg|episode|chapter"
    r"|season|series|issue|序号|排名|名次|轮次|场次|期数)$",
    re.IGNORECASE,
)
RANKED = re.compile(r"\b(?P<place>second|third|fourth|fifth)[ -]+$", re.IGNORECASE)
# What is said of places in a ranking, of which the first is the smallest number.
PLACED = frozenset({"highest", "best", "top", "lowest", "worst"})
PLACE_OF = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
GENERIC = features("name names one ones item entry title person 名称")
# What a column of counts is called.
NUMBERS = features("number count quantity headcount employees staff members total")
YEARLY = features("year date season 年份 日期 年") | features("years dates")
GRAMMAR = question.GRAMMAR | frozenset("最高低大小长短相差平均总共一数量哪些什么谁第其中里列出")
