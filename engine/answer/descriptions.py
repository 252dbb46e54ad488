"""What a question describes instead of naming it: "the wife of the founder of Kestrel Motors", 《…》的作者.

Such a question is of as many hops as it has descriptions in each other. The innermost holds a name and no other
description: once it is known what it describes, that takes its place, and the question is of one hop less. Told by
form alone: in English what begins with "the" and goes on with a preposition or a clause up to a name, or to the end;
in Chinese what stands before 的 and a word for people, places, bodies or works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.answer.terms import content_terms
from engine.structure.sentences import is_cjk

_WORD = r"[A-Z0-9][\w.&-]{0,60}(?:['’](?!s\b)\w+|['’]s(?=\s+[A-Z]))*"
_INSIDE = r"(?:(?:of|the|de|la|du|del|van|von|and|in|for|on|at|&)\s+){1,2}"
_NAME = rf"(?:[\"“][^\"”]{{2,60}}[\"”]|(?:[Tt]he\s+)?{_WORD}(?:[,:]?\s+(?:{_INSIDE})?{_WORD})*)"
_HAS_NAME = re.compile(r"[\"“][^\"”]{2,60}[\"”]|\b[A-Z]\w")
_VERB = r"(?:is|was|are|were|has|had|did|does|do|be|been|stands|lies)"
_PREPOSITION = r"(?:of|in|on|at|from|by|with|for|to|into|behind|under|near)"
_WHICH = rf"(?:{_PREPOSITION}|after)\s+(?:which|whom|whose)"
_RELATIVE = rf"(?:who|that|which|where|whose|{_WHICH})"
_PARTICIPLE = (
    r"(?:[a-z]{2,}ed|born|written|built|led|won|sung|made|held|drawn|known|bought|sold|run|[a-z]{3,}ing)"
)
_NO_NOUN = rf"(?!(?:{_VERB}|{_RELATIVE}|{_PREPOSITION})\b)"
# What is owned follows its owner: Velvet Antenna's second album.
_RANK = (
    r"(?:first|second|third|last|latest|debut|main|only|best|largest|eldest|oldest|current|former"
    r"|[a-z]+(?:al|ic|ish|an))"
)
_OWNED = rf"['’]s\s+(?:{_RANK}\s+){{0,2}}{_NO_NOUN}[a-z-]+"
_HEAD = rf"\bthe\s+(?:{_NO_NOUN}[\w'’-]+\s+){{0,4}}?{_NO_NOUN}[a-z][a-z-]+"
_BETWEEN = rf"(?:(?!{_RELATIVE}\b|{_VERB}\b)[a-z-]+\s+){{0,6}}?"
_BY_NAME = re.compile(rf"{_HEAD}\s+{_PREPOSITION}\s+{_BETWEEN}{_NAME}(?:{_OWNED})?")
# "the manager of the Lisbon branch": what has the name stands behind it, and no clause after it.
_BY_NAME_OF_ITS = re.compile(
    rf"{_HEAD}\s+{_PREPOSITION}\s+{_BETWEEN}the\s+{_NAME}(?:\s+{_NO_NOUN}[a-z-]+){{1,3}}?"
    rf"(?=\s+(?!{_RELATIVE}\b|{_PREPOSITION}\b)|$)"
)
_CLAUSE = re.compile(rf"{_HEAD}\s+(?:{_RELATIVE}|{_PARTICIPLE})\s+\S.*")
# Its shortest form: up to the name, with a verb after it where none stands before it.
_SHORT_CLAUSE = re.compile(
    rf"{_HEAD}\s+(?:(?:(?:who|that|which|whose)\s+(?:[a-z-]+\s+)+?|{_PARTICIPLE}\s+(?:[a-z-]+\s+)*?){_NAME}(?:{_OWNED})?"
    rf"|{_RELATIVE}\s+{_NAME}\s+(?:(?:[a-z-]+\s+){{0,2}}?(?:{_VERB}\s+)+)?[a-z]+"
    rf"(?:\s+(?:in|at|on|for|with|from)(?!\s+(?:the|an?|[A-Z])))?)"
)
# The clause may come after the verb: "After whom is the institute named where she worked?"
_APART = re.compile(
    rf"(?P<what>\bthe\s+(?:{_NO_NOUN}[a-z-]+\s+){{0,2}}?{_NO_NOUN}[a-z-]+)\s+"
    rf"(?P<does>(?:{_VERB}\s+)?{_PARTICIPLE}|{_VERB})\s+(?P<clause>{_RELATIVE}\s+\S.*)"
)
_APART_DOING = re.compile(
    rf"(?P<what>\bthe\s+{_NO_NOUN}[a-z-]+)\s+(?P<does>{_NO_NOUN}[a-z]+)\s+(?P<clause>{_WHICH}\s+\S.*)"
)
_OWNS = re.compile(rf"\b{_NAME}{_OWNED}")
# "Where was … born?", "did … win a medal?": what ends the question belongs to its verb.
_INVERTED = re.compile(r"^\W*(?:\w+\s+){0,4}?(?:is|was|are|were|did|does|do|has|had)\s+the\b", re.I)
_DOING = re.compile(r"^\W*(?:\w+\s+){0,4}?(?:did|does|do)\s+the\b", re.I)
_OF_IT = re.compile(r"\W*(?:where|when|how|why)\b", re.I)
_AT_WHICH = re.compile(rf"the\s+(?P<what>.+?)\s+(?P<at>{_PREPOSITION}|after)\s+wh(?:ich|om)\s+(?P<clause>.+)")
# Only a question that begins with what it asks for describes by its clauses; others tell something first.
_ASKS_FIRST = re.compile(
    rf"\W*(?:(?:{_PREPOSITION}|after)\s+)?(?:what|which|who|whom|whose|where|when|how|why|is|was|are|were|did|does|do)\b",
    re.I,
)
# What has no name of its own that a text would tell, documents and their parts among it.
_NAMELESS = re.compile(
    r"the\s+(?:[\w'’-]+\s+){0,2}?(?:\w*name|title|number|date|year|day|time|end|beginning|start|work|kind|type|sort|part"
    r"|amount|price|cost|value|size|height|length|weight|age|role|fact|use|purpose|reason|result|nationality|rest"
    r"|report|contract|lease|agreement|document|file|policy|handbook|manual|minutes|e?-?mails?|invoice|offer|section|chapter"
    r"|table|figure|page|clause|appendix|version)"
    rf"\s+(?:{_PREPOSITION}|{_RELATIVE}|{_PARTICIPLE})\b"
)
# What may follow a name that stands by itself: a verb, another part of the sentence, but no noun that it goes with.
_PAST = (
    "taught|wrote|sang|fought|grew|went|came|gave|took|became|began|stood|lay|lost|left|met|spoke|drew|chose"
    "|rose|wore|kept"
)
_GOES_ON = re.compile(
    rf"\s*(?:$|[^\w\s]|(?:{_RELATIVE}|{_PREPOSITION}|{_VERB}|{_PARTICIPLE}|{_PAST}|and|or|when|while|during|before|after|as"
    rf"|into|the|an?|his|her|its|their)\b)"
)
_DOES = re.compile(r"\s+[a-z]+s\b")
_ADJECTIVE = re.compile(r"(?:an|ese|ish|ch)$")
_ASKING = frozenset(
    "who whom whose what which where when why how many much name is was are were did does do has had".split()
)

# What somebody or something is to another, which may follow its name at once; and kinds of things, which never do.
_ROLE = (
    "作者|作家|编剧|編劇|导演|導演|主演|女主角|男主角|主角|主唱|作曲家|作曲者|作词者|制作人|製作人|制片人|创始人|創始人|创办人|創辦人"
    "|创立者|创建者|创作者|发明者|发明人|发现者|设计者|设计师|总经理|總經理|董事长|董事長|总裁|首席执行官|负责人|主席|会长|校长|校長"
    "|院长|院長|馆长|所长|市长|市長|省长|县长|镇长|总统|总理|指挥官|司令|主教练|教练|队长|老板|房东|业主|承租人|出租人|丈夫|妻子|配偶"
    "|父亲|父親|母亲|母親|儿子|女儿|哥哥|弟弟|姐姐|妹妹|叔叔|祖父|老师|老師|导师|学生|母校|总部|首都|省会|出生地|故乡|家乡|发源地"
    "|供应商|制造商|出版社|开发商|承包商|母公司|子公司|店长|主管|主任|组长|部长|处长|局长|站长|联系人|联络人|经办人|法定代表人|股东|客户"
    "|卖方|买方|担保人|监护人|投保人|被保险人|受益人"
)
_KIND = (
    "女?演员|男演员|演員|歌手|建筑师|经理|国王|皇帝|将军|甲方|乙方|学校|學校|大学|大學|学院|中学|公司|企业|机构|研究所|医院|球队|乐队"
    "|樂隊|俱乐部|城市|城镇|国家|國家|地方|河流|河|山|湖|岛|小说|电影|電影|专辑|歌曲|奖项|奖|人物|科学家|画家|诗人|教授|工程师|产品|项目"
    "|人(?![口民员数工均们次])"
)
_WHICH_ONE = "(?:首任|现任|現任|前任|第[一二三四五六七八九]任|首位|最早的|唯一的)?"
_CHINESE = tuple(
    re.compile(
        rf"^[\s\"“]*(?:请问|請問)?(?P<what>[^的，,。？?]{{2,30}}?{of}{_WHICH_ONE}(?:{kinds}))(?![\s？?]*$)"
    )
    for of, kinds in (("", _ROLE), ("的", _ROLE), ("的[^的，,。？?]{0,4}?", _KIND))
)
_CHINESE_ASKING = re.compile(r"[是谁誰什么麼甚哪里裡个個的在叫为為哪位儿兒呢吗嗎？?，,\s]+")


@dataclass(frozen=True, slots=True)
class Description:
    """A description as it is looked up (``asked``): it begins at ``start`` of its question; ``after`` stands behind it.

    Of a clause that comes later than its noun ``after`` is what stood between.
    """

    asked: str
    start: int
    after: str

    def replaced(self, question: str, name: str) -> str:
        """Return the question with the name in place of the description."""
        return question[: self.start] + name + self.after


def descriptions(question: str) -> list[Description]:
    """Return the descriptions of a question that hold a name, the innermost first; what it asks for is none."""
    found = _in_chinese(question) if is_cjk(question) else _in_english(question)
    return [one for one in found if _asks_more(one.replaced(question, ""))]


def _in_english(question: str) -> Iterator[Description]:
    text = question.rstrip(" ?.!")
    if not _ASKS_FIRST.match(text):
        return
    nameless = not _HAS_NAME.search(text[1:])
    for match in _OWNS.finditer(text):
        yield _description(match, question)
    for start in reversed([match.start() for match in re.finditer(r"\bthe\b", text)]):
        apart = _APART.match(text, start) or (_APART_DOING.match(text, start) if _DOING.match(text) else None)
        if apart is not None:
            if nameless or _HAS_NAME.search(apart["clause"]):
                asked, rest = f"{apart['what']} {apart['clause']}", f" {apart['does']}{question[len(text) :]}"
                yield Description(asked, start, rest)
            continue
        for form in (_BY_NAME, _BY_NAME_OF_ITS) if _BY_NAME.match(text, start) else _clauses(text, start):
            found = form.match(text, start)
            if found and (nameless or _HAS_NAME.search(found[0])) and _is_whole(found, text):
                yield _description(found, question)


def _is_whole(found: re.Match[str], text: str) -> bool:
    """True where a match is a thing with a name of its own, and does not end before the noun that a name goes with."""
    if (
        _NAMELESS.match(found[0])
        or re.search(r"\bwhat\b", found[0])
        or (text[: found.start()].rstrip().endswith(","))
    ):
        return False
    if _GOES_ON.match(text, found.end()):
        return True
    verb = _DOING.match(text) or _DOES.match(text, found.end())
    return verb is not None and not _ADJECTIVE.search(found[0])


def _clauses(text: str, start: int) -> tuple[re.Pattern[str], ...]:
    """Return the forms of a clause: up to its end where what follows belongs to a verb before it, else all there is."""
    outer = _INVERTED.match(text) or re.search(rf"\b{_RELATIVE}\b", text[:start])
    return (_SHORT_CLAUSE, _CLAUSE) if outer else (_CLAUSE,)


def _description(match: re.Match[str], question: str) -> Description:
    return Description(match[0], match.start(), question[match.end() :])


def _in_chinese(question: str) -> Iterator[Description]:
    found = {match["what"]: match for form in _CHINESE if (match := form.match(question))}
    for what in sorted(found, key=len):
        yield Description(what, found[what].start("what"), question[found[what].end("what") :])


def questions_for(description: str) -> list[str]:
    """Return how to ask what a description is of, the best way first."""
    if is_cjk(description):
        return [description, f"{description}是谁？"]
    asked = [f"What is {description}?"]
    if match := _AT_WHICH.fullmatch(description):
        asked.append(f"{match['at'].capitalize()} which {match['what']} {match['clause']}?")
    return asked


def _asks_more(rest: str) -> bool:
    """True where something is asked of what is described, not only what it is."""
    if is_cjk(rest):
        return bool(_CHINESE_ASKING.sub("", rest))
    return bool(_OF_IT.match(rest) or set(content_terms(rest)) - _ASKING)
