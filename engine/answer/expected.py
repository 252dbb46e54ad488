"""What kind of thing a question asks for, and whether a sentence offers one.

A question for a number, a date, a person or a place is answered by a sentence that holds one which the
question does not. Only surface cues are used, in Chinese and English.
"""

from __future__ import annotations

import re
from typing import Literal

Expected = Literal["number", "date", "person", "place", "other"]

_CUES: list[tuple[Expected, re.Pattern[str]]] = [
    (
        "date",
        re.compile(
            r"\bwhen\b|\b(?:what|which|in what|in which) (?:\w+ )?(?:year|date|day|month|century|decade|time)\b"
            r"|\bhow long ago\b|什么时[候间]|甚麼時[候間]|什麼時[候間]|何[时時]|哪[一]?[年天日月]|几[月号日年]|多[会會]儿|时间是|日期",
            re.I,
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|long|far|old|tall|high|large|big|deep|often|fast|wide|heavy)\b"
            r"|\bwhat (?:percentage|percent|proportion|number|amount|share|is the (?:total|number|amount|rate|price|cost))"
            r"|多少|[几幾][个個名位次种種项項座条條家岁歲人天年只支部所]|多[大长長高久远遠重宽深]|百分之几|第几|几成|数量|金额",
            re.I,
        ),
    ),
    ("person", re.compile(r"\bwho(?:se|m)?\b|谁|誰|哪[一]?位|何人|哪[一]?个人|什么人|叫什么名字", re.I)),
    (
        "place",
        re.compile(
            r"\bwhere\b|\b(?:what|which|in what|in which) (?:\w+ )?(?:country|city|state|town|place|county|province)\b"
            r"|哪[里裡兒儿]|何[处處地]|什么地方|哪[一]?[个個座]?(?:国家|城市|省|市|县|地方|地区)|位于何|起点|终点|地点",
            re.I,
        ),
    ),
]
_DIGITS = r"\d+(?:[.,]\d+)*"
_DATE = re.compile(
    r"\b1\d{3}\b|\b20\d{2}\b|\d{1,4}\s*[年月日号世]|\b\d{1,2}(?:st|nd|rd|th)\b|\bcentury\b|世纪|世紀"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b\.? ?\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|[一二三四五六七八九十〇零]{1,4}[年月日]|今年|去年|明年|昨[天日]|今[天日]|周[一二三四五六日]|\d{1,2}[:：点時时]\d{0,2}",
    re.I,
)
_NUMBER = re.compile(
    rf"{_DIGITS}|[一二两三四五六七八九十百千万亿零半數数]+\s*[个個名位次种種项項座条條家岁歲人天年只支部所倍元米吨%成分亿万]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundreds?|thousands?|millions?"
    r"|billions?|half|twice|once|several|percent|third|quarter)\b",
    re.I,
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+|[A-Z][\w'’-]+ [A-Z][\w'’-]+")
_CHINESE_NAME = re.compile(
    r"[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳"
    r"酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪"
    r"舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪干解应宗丁宣邓郁单杭洪包诸左"
    r"石崔吉龚程嵇邢滑裴陆荣翁荀羊甄曲家封芮储靳汲邴糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘厉戎祖武符刘景"
    r"詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍][\u4e00-\u9fff]{1,2}|·|先生|女士|博士|教授|总统|主席"
)
_PLACE = re.compile(
    r"[省市县區区镇鎮村国國州岛島山河湖海港路街站院馆館厅洲城乡京]|\b(?:in|at|near|from|to) (?:the )?[A-Z]\w+|\b[A-Z]\w+"
)


def expected_of(question: str) -> Expected:
    """Return what the question asks for, by its question words."""
    return next((kind for kind, cue in _CUES if cue.search(question)), "other")


def offers(sentence: str, question: str, expected: Expected) -> bool:
    """True when the sentence holds something of the expected kind that the question does not."""
    if expected == "date":
        return _holds_new(_DATE, sentence, question)
    if expected == "number":
        return _holds_new(_NUMBER, sentence, question)
    if expected == "person":
        return _holds_new(_NAME, sentence, question) or _holds_new(_CHINESE_NAME, sentence, question)
    if expected == "place":
        return _holds_new(_PLACE, sentence, question)
    return True


def _holds_new(pattern: re.Pattern[str], sentence: str, question: str) -> bool:
    lowered = question.lower()
    return any(match[0].lower() not in lowered for match in pattern.finditer(sentence))
