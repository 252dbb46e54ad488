"""Which kinds of changes a question asks for: "which sections were added", 删除了哪些内容, "what moved".

A question that only asks what changed asks for all of them. A verb counts where it is asked about ("was added",
"added in", 新增了哪些), not where it is part of a name ("value added tax", 新增客户数).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["added", "removed", "changed", "moved", "renamed"]

_ENGLISH: dict[Kind, tuple[str, str]] = {  # what has been done; what is done by something
    "added": ("added|inserted", "adds?|inserts?"),
    "removed": ("removed|deleted|dropped", "removes?|deletes?|drops?"),
    "moved": ("moved|relocated|reordered|rearranged", "moves?"),
    "renamed": ("renamed|retitled", "renames?"),
    "changed": ("changed|modified|edited|revised|updated|amended|reworded", "(?!)"),
}
_CHINESE: dict[Kind, str] = {
    "added": "新增加?|增加|添加|增补|加入|补充",
    "removed": "删除|删去|删掉|删了|移除|去掉|去除",
    "moved": "移动|移位|移到|挪动|挪到|换了?位置|调整了?(?:位置|顺序)",
    "renamed": "改名|重命名|更名",
    "changed": "修改|改动|更改|变更|修订|更新|改变|变化|变动|改了|变了",
}
_FOLLOWS = (
    r"(?=\s*(?:$|[?.,;!:]|(?:and|or|in|into|to|between|since|from|with|by|the|within|as|after|here|anything|"
    r"sections?|chapters?|parts?|paragraphs?|clauses?|articles?|content|text|versions?|v\d)\b))"
)
_OBJECT = "章|节|条|段|部分|内容|表格|行|地方|什么|哪|几"
_NEW = re.compile(
    r"\bnew\s+(?:(?:sub)?sections?|chapters?|paragraphs?|clauses?|articles?|parts?)\b", re.IGNORECASE
)
_SECTIONS = re.compile(
    r"\b(?:sub)?(?:sections?|chapters?|headings?|clauses?|articles?|parts?)\b"
    r"|章节|小节|条款|条文|部分|哪[些几]?个?[章节条](?!件)",
    re.IGNORECASE,
)
_PASSAGES = re.compile(
    r"\b(?:paragraphs?|passages?|sentences?|rows?|lines?)\b|段落|句子|哪[些几][段行句]", re.IGNORECASE
)


def _asked_for(kind: Kind) -> re.Pattern[str]:
    done, does = _ENGLISH[kind]
    verbs = _CHINESE[kind]
    return re.compile(
        rf"\b(?:is|are|was|were|been|got|get|newly|what|anything|something)\s+(?:newly\s+)?(?:{done})\b"
        rf"|\b(?:{done})\b{_FOLLOWS}"
        rf"|\b(?:did|does|do)\b.*\b(?:{does})\b|\b(?:what|which\s+\w+)\s+(?:{does})\b"
        rf"|(?:{verbs})[了过的]*(?:新的)?(?:{_OBJECT})"
        rf"|(?:哪|什么|有没有|是否|有无)[^，。；？?]{{0,10}}?(?:{verbs})"
        rf"|被(?:{verbs})|(?:{verbs})[了过]?(?:吗|没有|[？?]|$)",
        re.IGNORECASE,
    )


_ASKED = {kind: _asked_for(kind) for kind in _ENGLISH}
_WORDS = re.compile(
    "|".join(
        [rf"\b(?:{'|'.join((done, does))})\b" for done, does in _ENGLISH.values()] + list(_CHINESE.values())
    )
    + "|被",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedKinds:
    """The kinds that are asked for, none for all; ``sections``: of whole sections, not of passages in them."""

    kinds: frozenset[Kind] = frozenset()
    sections: bool = False


EVERY_KIND = AskedKinds()


def kinds_asked(question: str) -> AskedKinds:
    """Return which kinds of changes a question asks for; none where it asks what changed at all, or nothing."""
    found = {kind for kind, pattern in _ASKED.items() if pattern.search(question)}
    if _NEW.search(question):
        found.add("added")
    sections = bool(_SECTIONS.search(question))
    if found == {"changed"} and not sections and not _PASSAGES.search(question):
        found = set()
    return AskedKinds(frozenset(found), sections and bool(found))


def without_kinds(text: str) -> str:
    """Return a text without the verbs that name kinds of changes."""
    return _WORDS.sub(" ", text)
