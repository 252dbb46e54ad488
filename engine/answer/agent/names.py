"""The names in a passage: what it speaks of that may have a passage of its own.

Told by their looks alone: runs of capitalised words, what stands in quotation marks or book-title marks, and
in Chinese the runs between function characters. Most of them lead nowhere; a name counts only when a title
agrees with it.

Fewer are worth a query of their own, the next hop of a chain (:func:`entities_of`): left out is what begins a sentence
and nothing else, what builds grammar, greets, dates, prices or shouts, and of Chinese what is a piece of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.answer.understand.terms import content_terms
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk, split_sentences

# Short words inside names ("Bay of Pigs"); those that also join two names are tried both ways.
_INSIDE = "of|the|de|la|le|les|du|des|del|da|di|van|von|der|den|and|in|for|on|at|to|&"
_JOINS = re.compile(r"\s+(?:and|in|at|on|of|for|to|&)\s+")
_QUOTED = re.compile(r"[\"“「『《]([^\"“”「」『』《》\n]{2,80})[\"”」』》]")
# A full stop belongs to a name only after an initial or a short form of address.
_WORD = r"(?:(?:[A-Z]\.)+|(?:St|Dr|Mr|Mrs|Ms|Jr|Sr|Mt|Ft|No|Vol)\.|[A-Z][\w'’\-]*(?:\.\w+)*)"
# No name goes on in another line: there another cell or item begins.
_GAP = r"[^\S\n]+"
_CAPITALS = re.compile(
    rf"(?:{_WORD}|\d{{2,4}}(?=[^\S\n][A-Z]))(?:{_GAP}(?:(?:{_INSIDE}){_GAP}){{0,2}}(?:{_WORD}|\d+))*"
)
_FUNCTION = (
    "的了是在与及或等为對对于由以并其这這那我你您他她它们們个個也都就不很有上下中来來去着過过把被让讓给給从從向到说說道又还還"
    "而但却則则所之乎者呢吗吧啊么什怎和将將会會能可应如若因此每各某本要没無无些只再才已曾更太非常"
)
_HAN_RUN = re.compile(rf"(?:(?![{_FUNCTION}])[\u3400-\u9fff·]){{2,12}}")
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*$")
_MOST = 40


@dataclass(frozen=True, slots=True)
class Name:
    """A name as printed, its terms, and where it first stands in the text."""

    printed: str
    terms: frozenset[str]
    position: int


def names_of(text: str) -> list[Name]:
    """Return the distinct names of a text in order of appearance, those in quotation marks first."""
    found: dict[str, int] = {}
    for match in _QUOTED.finditer(text):
        _note(match[1], match.start(), found)
    for match in _CAPITALS.finditer(text):
        _note(match[0], match.start(), found)
        parts = _JOINS.split(match[0])
        for part in parts if len(parts) > 1 else ():
            _note(part, match.start(), found)
    if is_cjk(text):
        for match in _HAN_RUN.finditer(text):
            _note(match[0], match.start(), found)
    return [name for printed, at in list(found.items())[:_MOST] if (name := _name(printed, at)).terms]


def without_brackets(title: str) -> str:
    """Return a title without what follows in brackets: "Mercury (planet)" is called Mercury in texts."""
    return _BRACKETS.sub("", title)


@lru_cache(maxsize=4096)
def title_terms(title: str) -> frozenset[str]:
    """Return the terms of a title as names are compared with it."""
    return frozenset(tokens(without_brackets(title)))


def titles_of(document: str, path: Sequence[str], title: str) -> tuple[frozenset[str], ...]:
    """Return the terms of each title that a passage goes by: of its document, its outer and inner section, its own."""
    printed = [document.rsplit(".", 1)[0], *path[:1], *path[-1:], title]
    return tuple(dict.fromkeys(terms for one in printed if one and (terms := title_terms(one))))


def agreement(name: frozenset[str], title: frozenset[str]) -> float:
    """Return how well a name and a title agree, 0..1 (Jaccard, 1901)."""
    return len(name & title) / len(name | title) if name and title else 0.0


def _note(printed: str, position: int, found: dict[str, int]) -> None:
    printed = printed.strip(" .,'’·")
    printed = re.sub(r"['’]s$", "", printed)
    if (len(printed) > 2 or is_cjk(printed)) and not printed.isdigit():
        found.setdefault(printed, position)


def _name(printed: str, position: int) -> Name:
    return Name(printed, title_terms(printed), position)


_GREETING = re.compile(r"^(?:Hi|Hello|Hey|Dear|Thanks|Regards|Sincerely|Cheers|Best|Yours|Please)\b[\s,]*")
_NO_NAME = re.compile(
    r"(?:\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept?|Oct|Nov|Dec|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|nes|rs|ur)?(?:days?)?|Q[1-4]"
    r"|EUR|USD|GBP|CHF|JPY|CNY|RMB|HKD|AM|PM|CET|GMT|UTC|on|of|to|in|at|and|the)\b|[\d\W_])+"
)
# A word that begins a sentence is a name where one of these follows, or where it stands inside a sentence, too.
_DOES = re.compile(r"\s+(?:is|was|has|had|[a-z]{3,}ed)\b|['’]s\b|\s*[,(]\s*(?:born|\d)")
_FIELD = re.compile(r"(?:From|To|Cc|Bcc|Date|Subject|Sent|Re|Fwd)\s*:")
_LABEL = re.compile(
    r"\b(?:Figures?|Fig\.?|Tables?|Tab\.?|Equations?|Eq\.?|Sections?|Chapters?|Appendix|Page)(?:\s*\d|$)"
)
_AND_A_DATE = re.compile(r"\s+(?:on|in|at|since|until|from|to)\s+\d.*$")
# A sentence that gives orders to whoever reads the evidence names nothing to look up.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]*\b(?:instructions?|prompts?|rules?|context)\b"
    r"|(?:忽略|无视|忘记|忘掉)[^。\n]{0,12}(?:指令|指示|提示|规则|要求)",
    re.I,
)
_SHOUTED = re.compile(r"[A-Z]{4,}")
_QUOTES = '"“「『《'
# What ends a Chinese name of an organisation, a place or a work.
_KIND_OF_NAME = re.compile(
    r"(?:公司|集团|集團|银行|銀行|大学|大學|学院|學院|学校|中学|小学|医院|醫院|研究所|研究院|中心|协会|協會|委员会|委員會|俱乐部|乐队|樂隊"
    r"|博物馆|图书馆|车站|机场|水库|水庫|[省市县區区镇鎮乡村州国國岛島山河湖江海港路街桥橋寺塔宫宮厂廠局部院馆館厅厂社报報奖獎赛队隊组湾])$"
)
# Inside a name stand no times, duties or directions.
_NO_CHINESE_NAME = re.compile(
    r"^[年月日第按须須经經列并由于於各每共约約至及逾达自凡应應当當可不得其该此另如若]|[至于為为等须須应應]$|[年月]度?$|^[一二三四五六七八九十两]{1,3}[个座条项]"
)
# What the digits before a name leave at its beginning: 2024年云门水库.
_OF_A_DATE = re.compile(r"^[年月日号號](?=..)")
_LONGEST_CHINESE = 8
_SURE_LENGTH = 4


def entities_of(text: str) -> list[Name]:
    """Return the distinct names of a text that are worth a query, in order of appearance."""
    sentences = split_sentences(text)
    ordering = [(one.start, one.end) for one in sentences if _ORDERS.search(one.text)]
    is_table = " | " in text
    header = text.find("\n") if is_table else -1
    names = [
        name
        for name in names_of(text)
        if name.position > header and not any(start <= name.position < end for start, end in ordering)
    ]
    starts = set() if is_table else {one.start for one in sentences}
    found: dict[str, Name] = {}
    for name in names:
        printed = _trimmed(name.printed)
        begins = printed == name.printed and not is_table and _begins(name.position, starts, text)
        if printed and _is_name(printed, name, text, begins):
            found.setdefault(printed, Name(printed, title_terms(printed), name.position))
    return [name for name in found.values() if name.terms]


def _begins(position: int, starts: set[int], text: str) -> bool:
    """True for what stands at the beginning of a sentence, a line or a field of a mail."""
    before = text[:position].rstrip(" \t")
    return position in starts or not before or before[-1] in "\n.?!:：*#>-"


def _trimmed(printed: str) -> str:
    """Take from a name what only greets, builds grammar or dates: "The Tenant" is Tenant."""
    if is_cjk(printed):
        return _OF_A_DATE.sub("", printed)
    words = _AND_A_DATE.sub("", _GREETING.sub("", printed)).split()
    while words and not is_cjk(words[0]) and not content_terms(words[0]) and not words[0][0].isdigit():
        words = words[1:]
    return " ".join(words)


def _is_name(printed: str, name: Name, text: str, begins: bool) -> bool:
    if is_cjk(printed):
        return _is_chinese_name(printed, name.position, text)
    if _NO_NAME.fullmatch(printed) or _LABEL.search(printed) or _FIELD.match(text, name.position):
        return False
    quoted = text[max(0, name.position) : name.position + 1] in _QUOTES
    if quoted:
        return not _SHOUTED.fullmatch(printed) and any(character.isupper() for character in printed)
    if " " in printed or not begins or any(character.isdigit() for character in printed):
        return True
    return _DOES.match(text, name.position + len(printed)) is not None


def _is_chinese_name(printed: str, position: int, text: str) -> bool:
    if text[position : position + 1] in _QUOTES or not printed.isalnum():
        return True
    if not 2 <= len(printed) <= _LONGEST_CHINESE or _NO_CHINESE_NAME.search(printed):
        return False
    return len(printed) <= _SURE_LENGTH or _KIND_OF_NAME.search(printed) is not None
