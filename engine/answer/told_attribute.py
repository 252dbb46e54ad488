"""What a sentence must say to tell an attribute: of what somebody died, where they were born, what a thing weighs.

A sentence on the very person or thing reads like an answer and shares all names with the question, but "Jane Roe
(1901-1980) was a painter" tells no cause of death. Each attribute has cues in Chinese and English for asking and,
since what is found may be in the other language, for telling in both. They are permissive: a sentence without any of
them surely tells something else.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Attribute(NamedTuple):
    """The words that ask for something, and those of which one stands in whatever tells it."""

    asked: re.Pattern[str]
    told: re.Pattern[str]


_CITY = r"(?:city|town|village|place|hospital|house|region|county|state|province)"
_MONEY = (
    r"[$€£¥￥₹]|\b(?:usd|eur|gbp|cny|rmb|hkd|dollars?|euros?|pounds?|sterling|yen|yuan|francs?|marks?|rupees?|cents?"
    r"|millions?|billions?|percent|free|gratis"
    r"|nothing)\b|%|[元圆圓塊块]|美[金元]|英[镑鎊]|欧元|歐元|日[圆圓元]|港[币幣]|[万萬亿億]|免[费費]|无偿"
)
_LENGTHS = (
    r"\b(?:[ckm]?m|ft|feet|foot|in|inch(?:es)?|(?:kilo|centi|milli)?met(?:er|re)s?|miles?|yards?|stor(?:e?ys?|ies)"
    r"|floors?|fathoms?|leagues?)\b|[米尺寸丈哩呎吋层層]|公里|千米|英里|海里"
)
_TIMES = (
    r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|nights?|centur(?:y|ies)|decades?|generations?|terms?"
    r"|lifetime|until|till|since|from|between|ever|permanent\w*|indefinite\w*|unlimited|yrs?|hrs?|mins?)\b"
    r"|[年月日天周週夜代]|小[时時]|分[钟鐘]|秒|星期|世[纪紀]|永久|[终終]身|[长長]期|[无無]限|\d\s*[-–]\s*\d|\d:\d"
)

_ATTRIBUTES = tuple(
    Attribute(re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (  # where somebody was born
            rf"\b(?:where|(?:in )?(?:which|what)(?: \w+)? {_CITY})\b.*\bborn\b|\bbirthplace\b|\bplace of birth\b"
            r"|(?:哪[里裡兒儿]|何[处處地]|哪一?[座个個]?(?:城市|城|市|省|[县縣]|[镇鎮]|地方))(?:出生|[诞誕]生)"
            r"|(?:出|[诞誕])生(?:在|[于於])?(?:哪|何)|出生地",
            r"\bborn\b[^.]{0,90}\b(?:in|at|near|to)\b|\b(?:in|at|near)\b.{0,60}\bborn\b|\bnative|\bhail\w*"
            r"|\bbirthplace"
            r"|\bhome ?town|\bgrew up|\braised|\bfrom\b|出生[^，。]{0,12}[于於在]|[生产產][于於]|[诞誕]生|籍"
            r"|故[乡鄉里]|老家|出身|人[，。,、（(]|来自|來自|出生地",
        ),
        (  # when
            r"\b(?:when|(?:what|which) (?:year|date|day|month))\b.*\bborn\b|\b(?:date|year) of birth\b"
            r"|\bbirth ?da(?:te|y)\b|(?:哪一?[年天]|何[时時年]|什[么麼][时時][候间間]|[几幾][几幾]?年)(?:出)?生"
            r"|出生(?:日期|年份|[于於]哪一?年)|生日是",
            r"\bborn\b|\bb\.|\bbirth|\d{3,4}\s*[-–—]|[（(][^）)]*\d{3,4}|出生|[生][于於]|[诞誕]生|生日"
            r"|\d{3,4}年[^，。]{0,12}生",
        ),
        (  # of what somebody died
            r"\bdie[ds]? (?:of|from)\b|\bcause of (?:\w+ ){0,2}death\b|\bwhat (?:killed|did .* die)"
            r"|\bhow did .* die\b"
            r"|死[于於]什[么麼]|死因|(?:怎[么麼]|如何|因何|[为為]何|什[么麼]原因)(?:死|去世|逝世|病逝|身亡)"
            r"|什[么麼]病",
            r"\bdied (?:of|from|in|by|after|when|while|during|at the|suddenly|peacefully)|\bkill|\bsuicide"
            r"|\bmurder|\bcancer"
            r"|\bheart|\bdisease|\bill(?:ness)?\b|\bstroke|\baccident|\bassassinat|\bexecut|\bdrown|\boverdose"
            r"|\bpoison"
            r"|\bcause|\bpneumonia|\bfever|\bplague|\bcrash|\bshot\b|\battack|\bfailure|\bcomplication|\bdeath of"
            r"|死[于於亡]|因[^，。]{0,16}(?:去世|逝|死|亡)|病|[袭襲][击擊]|[阵陣战戰]亡|[牺犧]牲|遇[害难難]|自[杀殺]|被[杀殺]|癌|[车車][祸禍]"
            r"|[处處][决決斩斬]|毒|事故",
        ),
        (  # what a thing weighs
            r"\bhow (?:much|many) .*\bweigh|\bhow heavy\b|\bthe weight of\b|体重|體重|多重|重多少|重量(?:是|[为為])",
            r"\b\d[\d.,]*\s?(?:k?g|mg|lbs?|oz|t)\b"
            r"|\b(?:kilo\w*|grams?|pounds?|tons?|tonnes?|ounces?|stones?|lbs?|kg)\b|公斤|千克|克|[吨噸斤磅]|[盎央]司",
        ),
        (  # what is paid or earned
            r"\bhow much (?:money|(?:does|do|did|would|will) .*\b(?:cost|earn|gross|charge|pay))\b|\bbox office\b"
            r"|多少[钱錢]|票房|售[价價]|[价價][钱錢]",
            rf"{_MONEY}|\b(?:cost|price|fee|pa(?:y|id)|gross)\w*\b.*\d",
        ),
        (
            r"\bsalary\b|\bsalaries\b|薪水|工[资資]|月薪|年薪|薪酬",
            r"\bsalar|\bpa(?:y|id)|\bearn|\bremunerat|\bcompensat|\bwage|薪|工[资資]|[报報]酬|收入",
        ),
        (  # how a thing came by its name
            r"\bhow did .*\b(?:get|come by) (?:its|his|her|their) (?:nick)?name\b"
            r"|\bwhy (?:is|was|are|were) .*\b(?:called|named)\b"
            r"|\bname come from\b|\bnamed (?:after|for)\b|\borigin of the name\b"
            r"|名[字称稱](?:的由[来來]|怎[么麼][来來]|从何而来|從何而來)"
            r"|[为為](?:什[么麼]|何)(?:会|會)?(?:叫|[称稱])|得名|以(?:[谁誰]|什[么麼])命名",
            r"\bnam(?:e|ed|es|ing)\b|\bcall|\bknown as|\bderiv|\betymolog|\borigin|\bmean|\bhono|\bnickname"
            r"|\bdubbed|\bterm\b|\brefer|名|[称稱]|叫|源|取自|意[思为為]|指",
        ),
        (  # a degree
            r"\b(?:doctorate|ph\.?d\.?|doctoral)\b|博士(?:学位|學位)", r"\bdoctor|\bph\.?d|\bd\.?phil|\bsc\.?d|博士"
        ),
        (
            r"\b(?:which|what|the) architect (?:designed|built|planned|of)\b|\bwho designed\b"
            r"|[谁誰][设設][计計]|[设設][计計](?:者|[师師])是|建筑师|建築師",
            r"\bdesign|\barchitect|\bplan(?:s|ned) by|\bbuilt by|\bplanned|[设設][计計]|建筑师|建築師|[规規]划|規劃",
        ),
        (
            r"\bhow many (?:children|kids|sons|daughters|siblings|brothers|sisters|grandchildren)\b"
            r"|[几幾][个個位](?:孩子|子女|[儿兒]子|女[儿兒]|兄弟|姐妹)|多少(?:子女|孩子)",
            r"\bchild|\bkids?\b|\bsons?\b|\bdaughter|\bsibling|\bbrother|\bsister|\btwins?\b|\btriplets\b"
            r"|\boffspring|\bonly\b|子|[儿兒]|女|兄|弟|姐|妹|孩",
        ),
        (  # when or whom somebody married
            r"\bmarr(?:y|ied)\b|[结結]婚",
            r"\bmarr|\bwed|\bspouse|\bhusband|\bwife|\bdivorc|[结結]婚|嫁|娶|夫|妻|婚",
        ),
        (r"\bwhat (?:is|are) .*\be-?mail\b|\be-?mail address|邮箱(?:是|地址)|[电電]子[邮郵]件地址", r"\S@\S"),
        (r"\b(?:tele)?phone number\b|\bhot ?line\b|[电電][话話](?:是|号|號)|手机号|手機號", r"(?:\d[\s()+.-]{0,2}){7}"),
        (
            r"\b(?:bank )?account number\b|\biban\b|[账賬帐]号|[账賬帐]號|银行账户是",
            r"\d{5,}|\b[A-Z]{2}\d{2}|\d{4} \d{4}",
        ),
        (
            r"\bhow (?:tall|high|wide|deep|far|thick)\b|多[高宽寬深远遠厚](?!的?时|的?時)"
            r"|[高宽寬深厚]度(?:是|[为為])",
            rf"{_LENGTHS}|\d",
        ),
        (
            r"\bhow long (?:do|does|did|is|was|are|were|will|can|must|may|has|have)\b|\bfor how long\b"
            r"|多[长長久](?:时间|時間)?",
            rf"{_TIMES}|{_LENGTHS}",
        ),
        (
            r"\bwho (?:founded|established|started|opened|set up)\b|[谁誰](?:创|創|建立|成立|[开開][办辦]?|[设設]立)",
            r"\bfound|\bestablish|\bcreat|\bstart|\bset up|\bopen|\blaunch|\borigin|\bbegan|\bform(?:ed|ing)"
            r"|\bbuilt|\bstory\b|[创創]|建|成立|[开開]|[设設]|[发發]起|[办辦]",
        ),
    )
)  # fmt: skip


# "the author of Killing Pablo": whose attribute it is stands elsewhere.
_DESCRIBED = re.compile(
    r"\b(?:the|a|an) (?:[a-z\d][\w-]* ){1,3}(?:of|who|whose|that|which)\b|\bwhose\b", re.IGNORECASE
)


def asked_attributes(question: str) -> list[Attribute]:
    """Return the attributes that a question asks for."""
    return [one for one in _ATTRIBUTES if one.asked.search(question)]


def lacks_attribute(text: str, question: str) -> bool:
    """True when a question asks for an attribute and a text has no word that could tell it."""
    return any(not one.told.search(text) for one in asked_attributes(question))


def attribute_of_named(question: str) -> bool:
    """True when a question asks for an attribute of what it names, not of what it describes."""
    return bool(asked_attributes(question)) and not _DESCRIBED.search(question)
