"""What kind of thing a question asks for, and whether a sentence offers one.

A question for a number, a date, a person or a place is answered by a sentence that holds one which the question does
not, one for a list by a sentence that announces one, one for a reason by words that give one. Only surface cues are
used, in Chinese and English.
"""

from __future__ import annotations

import re
from typing import Literal

from engine.retrieve.announced import announces

Expected = Literal["reason", "number", "date", "person", "place", "list", "other"]
# What a sentence holds, not how it speaks.
KINDS_OF_THING = frozenset({"date", "number", "person", "place"})

_CUES: list[tuple[Expected, re.Pattern[str]]] = [
    (
        "reason",
        re.compile(
            r"\bwhy\b|\bhow come\b|\bwhat (?:(?:is|was|were|are) )?(?:the )?(?:\w+ )?"
            r"(?:reasons?|causes?|caused|led to)\b"
            r"|\bfor what reason\b|[为為]什[么麼]|[为為]何|[为為]啥|因何|何以|什[么麼]原因|原因(?:是|有|何)",
            re.I,
        ),
    ),
    (
        "date",
        re.compile(
            r"\bwhen\b|\bhow long ago\b"
            r"|\b(?:what|which)(?: \w+)? (?:year|date|day|month|century|decade|time)\b"
            r"|[什甚][么麼]时[候间]|[什甚][么麼]時[候間]|何[时時]|哪一?[年天日月]|[几幾][月号號日年]\b|多[会會][儿兒]"
            r"|[时時][间間](?:是|为|為)?[?？]?$|日期(?:是|为|為)?[?？]?$",
            re.I,
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|long|far|old|tall|high|large|big|deep|often|fast|wide|heavy)\b"
            r"|\bwhat (?:percentage|percent|proportion|number|amount|share)\b"
            r"|\bwhat (?:is|was|are|were) the (?:\w+ )?(?:total|number|amount|rate|price|cost|population|area)\b"
            r"|多少|[几幾][个個名位次种種项項座条條家岁歲人天年只支部所]|多[大长長高久远遠重宽深]|百分之[几幾]|第[几幾]|[几幾]成"
            r"|(?:[数數销銷产產付吐有口]量|金[额額]|票房|[价價]格|[费費]用|增[长長速]率?|人[数數次]|人口|面[积積]|[比占]例|[总總][额額数數]"
            r"|[点點]数|震[级級]|[营營]收|收入|排名|比分|得分|[长長高深速]度)(?:是|为|為|有)?[?？]?$"
            r"|(?:[数數]量|金[额額]|人[数數]|次[数數]|年[龄齡]|期限|比例|[价價]格|[费費]用)"
            r"[^，。；]{0,4}(?:限制|上限|下限|限[额額]|[标標][准準])",
            re.I,
        ),
    ),
    ("person", re.compile(r"\bwho(?:se|m)?\b|[谁誰]|哪一?位|何人|哪一?[个個]人|[什甚][么麼]人", re.I)),
    (
        "place",
        re.compile(
            r"\bwhere\b|\b(?:what|which)(?: \w+)? (?:country|city|state|town|place|county|province)\b"
            r"|哪[里裡兒儿]|何[處处地]|[什甚][么麼]地方|哪一?[个個座]?(?:国家|城市|省|市|县|地方|地区|國家|縣|地區)"
            r"|[位在][于於]?何|在哪|[地起终終][点點](?:是|在)?[?？]?$",
            re.I,
        ),
    ),
    (
        "list",
        re.compile(
            r"哪些|哪几|哪幾|\bwhat (?:are|were)\b|\bwhich \w+s\b|\bwhat (?:\w+ ){1,2}(?:are|were|must|can|does|do)\b"
            r"|^list\b|列出|列[举舉]",
            re.I,
        ),
    ),
]
# What no words without a number tell: "how long" is answered by "until the end", "how much" by "free of charge".
_MEASURE = re.compile(
    r"\bhow (?:heavy|tall|high|wide|deep|far|fast|big|large|old|thick|many)\b|\bhow much (?:do|does|did) .*\bweigh"
    r"|多(?:重|高|宽|深|远|快|厚)|多少[个名位人台件辆家种次天年月米斤吨倍]",
    re.I,
)
_DIGITS = r"\d+(?:[.,]\d+)*"
_MONTHS = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(
    r"\b1\d{3}\b|\b20\d{2}\b|\d{1,4}\s*[年月日号號世]|\b\d{1,2}(?:st|nd|rd|th)\b|\bcentury\b|世[纪紀]"
    rf"|\b(?:{_MONTHS})[a-z]*\.? \d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|[一二三四五六七八九十〇零]{1,4}[年月日]|[今去明前][年天日]|昨[天日]|周[一二三四五六日]|\d{1,2}[:：点點时時]\d{0,2}",
    re.I,
)
_NUMBER = re.compile(
    rf"{_DIGITS}|[一二两三四五六七八九十百千万亿零半数數]+\s*"
    r"(?:[个個名位次种種项項座条條家岁歲人天年只支部所倍元米吨%成分亿万斤级級度周]|公[里斤顷分]|[千毫厘][米克升]|小[时時]|星期)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundreds?|thousands?|millions?"
    r"|billions?|half|twice|once|several|percent|third|quarter)\b",
    re.I,
)
_REASON = re.compile(
    r"\b(?:because|due to|owing to|thanks to|on account of|reasons?|caused?|causes|as a result|therefore"
    r"|so that|in order to)\b"
    r"|因(?!此外|子|素)|由于|由於|原因|[为為]了|以便|[导導]致|所以|使得|造成|引起",
    re.I,
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+|[A-Z][\w'’-]+ [A-Z][\w'’-]+")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\b"
)
# The numbers of a date count and measure nothing.
_YEAR_OR_DAY = re.compile(
    rf"(?:1\d|20)\d{{2}}\s*年?|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|\b{_MONTH} \d{{1,2}}\b"
    r"|\d{1,2}月(?:\d{1,2}[日号號])?",
    re.I,
)
# Days and months are written with a capital, too, and are nobody's name: "on Friday", "4 May 2024", "in April".
_CALENDAR = re.compile(
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    rf"|(?:\d\S*\s+(?:of\s+)?|\b(?:in|by|since|until|till|during|on|before|after)\s+){_MONTH}|\b{_MONTH}\.?\s+\d"
)
_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任"
    "袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋"
    "茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪干解应宗丁宣邓"
    "郁单杭洪包诸左石崔吉龚程嵇邢滑裴陆荣翁荀甄曲封储靳段富巫焦巴牧山谷车侯全班仰秋仲伊宫宁仇甘厉祖武符刘景詹束龙叶幸司黎薄"
    "印宿白怀蒲卓蔺屠蒙池乔阴胥苍闻党翟谭贡劳姬申扶冉宰雍趙錢孫吳鄭馮陳衛蔣韓楊許呂張嚴魏謝鄒蘇範魯韋馬鳳賀湯羅畢齊顧黃蕭"
)
_CHINESE_NAME = re.compile(rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|·|先生|女士|博士|教授|[总總][统統]|主席")
_PLACE = re.compile(
    r"[省市縣县區区镇鎮村国國州岛島山河湖海港路街站院馆館厅洲城乡京]"
    r"|\b(?:in|at|near|from|to) (?:the )?[A-Z]\w+|\b[A-Z]\w+"
)


def expected_of(question: str) -> Expected:
    """Return what the question asks for, by its question words."""
    return next((kind for kind, cue in _CUES if cue.search(question)), "other")


def lacks_measure(sentence: str, question: str) -> bool:
    """True when a question asks for a measure or a count, and the sentence holds no number that it does not."""
    return bool(_MEASURE.search(question)) and not offers(sentence, question, "number")


def offers(sentence: str, question: str, expected: Expected) -> bool:
    """True when the sentence holds something of the expected kind that the question does not."""
    if expected == "reason":
        return bool(_REASON.search(sentence))
    if expected == "date":
        return _holds_new(_DATE, sentence, question)
    if expected == "number":
        return _holds_new(_NUMBER, _YEAR_OR_DAY.sub(" ", sentence), question)
    if expected == "person":
        named = _CALENDAR.sub(" ", sentence)
        return _holds_new(_NAME, named, question) or _holds_new(_CHINESE_NAME, sentence, question)
    if expected == "place":
        return _holds_new(_PLACE, sentence, question)
    return expected != "list" or announces(sentence)


def _holds_new(pattern: re.Pattern[str], sentence: str, question: str) -> bool:
    lowered = question.lower()
    return any(match[0].lower() not in lowered for match in pattern.finditer(sentence))
