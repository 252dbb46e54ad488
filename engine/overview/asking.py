"""What is asked about documents as a whole: "What is this report about?", 哪些文档提到了…, "How many files are there?".

A question counts only where nothing else is asked: "Summarise the risks in the report" asks for the risks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from engine.answer.understand.terms import content_terms
from engine.model import Document
from engine.structure.sentences import is_cjk

_POLITE = r"^\s*(?:(?:please|can you|could you|would you|请问?|帮我|麻烦|你能?)[\s,，]*)*"
_DOCUMENTS_EN = (
    r"(?:documents?|files?|papers?|reports?|contracts?|texts?|articles?|books?|presentations?|slides?|"
    r"spreadsheets?|workbooks?|e[- ]?mails?|pdfs?|sources?|library|collection)"
)
_DOCUMENTS_ZH = (
    r"(?:文档|文件|论文|报告|合同|文章|资料|材料|邮件|手册|幻灯片|演示文稿|"
    r"工作簿|电子表格|书|文本|知识库|文档库|库)"
)
_ABOUT = [
    rf"{_POLITE}(?:summari[sz]e|sum\s+up|outline|tl;?\s?dr:?|(?:give|write|make)\s+(?:me\s+)?(?:an?\s+|the\s+)?"
    r"(?:\w+\s+)?(?:summary|overview|outline|abstract)\s+(?:of|for|about))\b(?P<rest>.*)$",
    r"^\s*what(?:'s|’s|\s+is|\s+are)\s+(?P<rest>.*?)\s+(?:all\s+)?about\W*$",
    r"^\s*what\s+(?:does|do|did)\s+(?P<rest>.*?)\s+(?:say|cover|contain|deal\s+with|discuss|describe|talk\s+about)\W*$",
    r"^\s*what(?:'s|\s+is|\s+are)\s+(?:in|the\s+(?:\w+\s+)?(?:contents?|topics?|subjects?|points?|takeaways?|ideas?|"
    r"gist|summary|message)\s+(?:of|in))\s+(?P<rest>.*)$",
    rf"{_POLITE}(?:用[^，。？]{{1,8}}句话)?(?:总结|概括|概述|归纳|简述|简要介绍|介绍)(?:一下|下)?(?P<rest>.*)$",
    r"^(?P<rest>.*?)(?:主要|大概|大致|都|究竟|到底|里面?|中)*(?:是)?(?:讲|说|写|介绍|谈|关于|描述|讨论|包含|包括)"
    r"(?:的)?(?:了|的是|些)?(?:什么|啥|哪些)(?:内容|东西|事情?)?的?\W*$",
    r"^(?P<rest>.*?)的?(?:主要|大致|核心|中心)?(?:内容|主旨|大意|要点|重点|思想|摘要|概要)(?:是|有|包括|都?有)?(?:什么|哪些|啥)?\W*$",
]
_MENTIONS = [
    rf"{_POLITE}(?:in\s+)?(?:which|what|how\s+many)(?:\s+of\s+(?:the|my|these))?\s+{_DOCUMENTS_EN}\s+(?:do(?:es)?\s+)?(?:not\s+)?"
    r"(?:mentions?|contains?|names?|refers?\s+to|speaks?\s+of|talks?\s+about|(?:are|is)\s+about|discuss(?:es)?|covers?|"
    r"include|includes|says?\s+something\s+about)\s+(?P<term>.+?)\W*$",
    rf"{_POLITE}(?:in\s+)?(?:which|what)\s+{_DOCUMENTS_EN}\s+(?:does|do|is|are)\s+(?P<term>.+?)\s+"
    r"(?:appear|occur|mentioned|named|found)\W*$",
    rf"{_POLITE}(?:列出|找出)?(?:有)?(?:哪些|哪几个|哪几份|哪个|哪份|多少份?个?|几份|几个){_DOCUMENTS_ZH}(?:里面?|中)?(?:都)?"
    r"(?:提到|提及|包含|涉及|讲到|谈到|说到|出现|含有|讨论|有关于)(?:过|了)?(?P<term>.+?)\W*$",
    rf"^(?P<term>.+?)(?:出现|被?提到|提及)在(?:了)?(?:哪些|哪几个|哪几份|哪个|哪份){_DOCUMENTS_ZH}(?:里面?|中)?\W*$",
]
_WHICH_THERE_ARE = [
    rf"{_POLITE}(?:how\s+many|what|which)\s+{_DOCUMENTS_EN}(?P<rest>\s.*)?$",
    rf"{_POLITE}(?:list|show(?:\s+me)?|name)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+)?{_DOCUMENTS_EN}(?P<rest>\s.*)?$",
    rf"^(?P<rest>.*?)(?:有|收录了?|包含)(?:多少|几|哪些|什么)(?:个|份|篇|本)?{_DOCUMENTS_ZH}\W*$",
    rf"{_POLITE}(?:列出|显示)(?P<rest>.*?){_DOCUMENTS_ZH}\W*$",
]
_ABBREVIATION = [
    rf"{_POLITE}what\s+(?:does|do|did)\s+(?:the\s+)?(?:abbreviation|acronym|initials|letters|term)?\s*(?P<term>[\w.&-]{{2,12}})\s+"
    r"(?:stand\s+for|mean)\W*$",
    rf"{_POLITE}what\s+is\s+(?:the\s+full\s+(?:name|form)\s+of\s+(?P<term>[\w.&-]{{2,12}})|(?P<other>[\w.&-]{{2,12}})\s+short\s+for)\W*$",
    r"^(?P<term>[\w.&-]{2,12}?)\s*(?:的全称是?什么|的全称|的英文全称(?:是什么)?|(?:这个)?(?:缩写|简称)?(?:代表|指)(?:的是)?什么|是什么的?(?:缩写|简称))\W*$",
]
_FRONT = [
    r"^\s*who\s+(?:wrote|authored|published|created|prepared|compiled|sent|signed|received|got)\s+(?P<rest>.*)$",
    r"^\s*(?:who|what|which)(?:'s|’s|\s+is|\s+are|\s+was|\s+were)\s+the\s+(?:\w+\s+)?(?:authors?|writers?|senders?|"
    r"recipients?|publishers?|titles?|headline|subject\s+line|date|name)\s+of\s+(?P<rest>.*)$",
    r"^\s*when\s+(?:was|were)\s+(?P<rest>.*?)\s+(?:written|published|issued|sent|created|dated|signed|released)\W*$",
    r"^(?P<rest>.*?)的?(?:作者|标题|题目|名称|发件人|收件人|发送人|日期|(?:发布|发表|出版|发送|写作)(?:日期|时间))"
    r"(?:是|有|叫)?(?:谁|什么|哪些人?|哪天|何时|什么时候)?\W*$",
    r"^\s*(?:谁|何人)(?:写|撰写|编写|发布|发表|发送|寄)(?:了|的)?(?P<rest>.*)$",
    r"^(?P<rest>.*?)是(?:谁|什么时候|何时|哪天|哪年)(?:写|撰写|编写|发布|发表|发送|发|寄|出版|签署)的\W*$",
]
_FINDINGS = [
    r"^\s*what(?:\s+is|\s+are|\s+was|\s+were|'s|’s)\s+the\s+(?:main|key|central|principal|major|core|most\s+important|overall)?\s*"
    r"(?:findings?|conclusions?|contributions?|results?|arguments?|claims?|insights?)\s+(?:of|in|from|made\s+(?:by|in))\s+(?P<rest>.*)$",
    r"^\s*what\s+(?:does|do|did)\s+(?P<rest>.*?)\s+(?:conclude|find(?:\s+out)?|contribute|argue|claim|show)\W*$",
    r"^(?P<rest>.*?)的?(?:主要|核心|关键|最终|最后|总体)?(?:结论|贡献|发现|研究成果|观点|创新点)(?:是|有|包括)?(?:什么|哪些|啥)?\W*$",
    r"^(?P<rest>.*?)(?:得出|提出)了?(?:什么|哪些)(?:结论|观点)\W*$",
]
_LENGTH = [
    rf"{_POLITE}how\s+many\s+(?P<unit>pages|slides|(?:work)?sheets|tabs)\s+(?:does|do|are|is|has|have)(?:\s+there)?\b(?P<rest>.*)$",
    rf"{_POLITE}(?:what|which)\s+(?P<unit>(?:work)?sheets|tabs)\s+(?:does|do|are|has|have)(?:\s+there)?\b(?P<rest>.*)$",
    rf"{_POLITE}how\s+long\s+is\s+(?P<rest>.*?)(?P<unit>)\W*$",
    r"^(?P<rest>.*?)(?:一共|总共|共)?有?(?:多少|几)(?P<unit>页|张幻灯片|[个张]?工作表)\W*$",
    r"^(?P<rest>.*?)(?:都|中|里)*(?:有|包含)(?:哪些|什么)(?P<unit>工作表)\W*$",
]
# What a document is called by its kind, where there is one of the kind.
KINDS = [
    (re.compile(r"\be[- ]?mails?\b|\bmessage\b|邮件", re.IGNORECASE), (".eml", ".msg")),
    (re.compile(r"\bpresentations?\b|\bslides?\b|幻灯片|演示文稿", re.IGNORECASE), (".pptx", ".ppt", ".odp")),
    (
        re.compile(r"\bspreadsheets?\b|\bworkbooks?\b|工作簿|电子表格", re.IGNORECASE),
        (".xlsx", ".xls", ".ods", ".csv"),
    ),
    (re.compile(r"\bpdfs?\b", re.IGNORECASE), (".pdf",)),
    (re.compile(r"\bword\s+(?:document|file)\b|word\s*文[档件]", re.IGNORECASE), (".docx", ".doc")),
]
# What says nothing beside a document that is meant.
GENERIC = re.compile(
    r"\b(?:this|that|the|these|those|my|our|your|all|every|each|of|in|from|for|me|it|and|or|a|an|please|briefly|shortly|"
    r"msg|eml|message|mail|whole|entire|everything|uploaded|added|have|has|i|we|you|there|are|is|do|does|here|now|currently|together|main|key|"
    rf"short|brief|in\s+\w+\s+(?:sentences?|words?)|contents?|called|named|titled|{_DOCUMENTS_EN})\b"
    rf"|[这那该本此][些个份篇本封部]?|所有的?|全部的?|整个?|每[个份篇]|我们?|你们?|上传的?|添加的?|现在|目前|一共|总共|共|里面?|中|内|"
    rf"主要|简单|简要|一下|[个份篇本封部]|的|请|了|是|有|库|{_DOCUMENTS_ZH}|内容",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"^(?:the\s+)?(?:word|term|phrase|name|expression)s?\s+|^(?:an?|the|any)\s+|^(?:词语?|术语|字样)\s*",
    re.IGNORECASE,
)
# A part that is named by its number.
_PART = re.compile(
    r"第\s*[\d一二三四五六七八九十百]{1,5}\s*(?:分?[编篇章节]|部分)|附录\s*[\dA-Z一二三四五六七八九十]?"
    r"|\b(?:chapter|section|part|appendix|annex)\s+(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]+|[A-Z])\b",
    re.IGNORECASE,
)
QUOTES = "\"'“”‘’「」『』《》〈〉"
_QUOTED = re.compile(r"[\"“「『《〈]([^\"“”「」『』《》〈〉]{2,120})[\"”」』》〉]")


@dataclass(frozen=True, slots=True)
class Overview:
    """What is asked: "about" ``documents`` (empty: all that are searched), "mentions" of a ``term``, or "list".

    "part" is about a part of them that is named by its number, which stands in ``term``, "titled" about one that may
    have ``term`` as its title; "abbreviation" asks what ``term`` stands for; "front" asks for what stands at the head
    of the documents: title, author, sender, date; "pages" and "sheets" ask how many the one document has, "findings"
    for what they found.
    """

    kind: Literal[
        "about", "part", "titled", "mentions", "list", "abbreviation", "front", "pages", "sheets", "findings"
    ]
    documents: tuple[Document, ...] = ()
    term: str = ""


def may_ask_of_documents(question: str) -> bool:
    """Return whether a question may be about documents as a whole, without a look at the library."""
    text = _on_one_line(question)
    forms = (*_MENTIONS, *_ABBREVIATION, *_FRONT, *_LENGTH, *_FINDINGS, *_ABOUT, *_WHICH_THERE_ARE)
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in forms)


def read(question: str, documents: Sequence[Document]) -> Overview | None:
    """Return what a question asks about documents as a whole; None for any other question."""
    text = _on_one_line(question)
    for pattern in _MENTIONS:
        if match := re.search(pattern, text, re.IGNORECASE):
            term = _WORD.sub("", match["term"]).strip(QUOTES + " ")
            return Overview("mentions", term=term) if content_terms(term) else None
    for pattern in _ABBREVIATION:
        if match := re.search(pattern, text, re.IGNORECASE):
            term = next(group for group in match.groups() if group).strip(QUOTES + " ")
            if sum(letter.isupper() for letter in term) > 1 or is_cjk(term):
                return Overview("abbreviation", term=term)
    for pattern in _FRONT:
        if match := re.search(pattern, text, re.IGNORECASE):
            named, rest = _named(match["rest"], documents)
            meant = named or (list(documents) if _means_documents(match["rest"]) else [])
            if _says_nothing(rest) and len(meant) == 1:
                return Overview("front", tuple(meant))
    for pattern in _LENGTH:
        if match := re.search(pattern, text, re.IGNORECASE):
            named, rest = _named(match["rest"], documents)
            meant = named or list(documents)
            if _says_nothing(rest) and len(meant) == 1:
                return Overview(
                    "sheets" if re.search("sheet|tab|表", match["unit"]) else "pages", tuple(meant)
                )
    for pattern in _FINDINGS:
        if match := re.search(pattern, text, re.IGNORECASE):
            named, rest = _named(match["rest"], documents)
            if _says_nothing(rest) and (named or (len(documents) == 1 and _means_documents(match["rest"]))):
                return Overview("findings", tuple(named))
    for pattern in _ABOUT:
        if match := re.search(pattern, text, re.IGNORECASE):
            named, rest = _named(match["rest"], documents)
            if (parts := parts_of(rest)) and _says_nothing(_PART.sub(" ", rest)):
                return Overview("part", tuple(named), ("" if is_cjk(rest) else " ").join(parts))
            if _says_nothing(rest) and (named or _means_documents(match["rest"])):
                return Overview("about", tuple(named))
    for pattern in _WHICH_THERE_ARE:
        if (match := re.search(pattern, text, re.IGNORECASE)) and _says_nothing(match["rest"] or ""):
            return Overview("list")
    return None


def asked_title(question: str, documents: Sequence[Document]) -> Overview | None:
    """Return what a question asks about a part by what may be its title; None where it asks for none.

    That is what stands in quotation marks, else all that it asks about.
    """
    text = _on_one_line(question)
    for pattern in _ABOUT:
        if match := re.search(pattern, text, re.IGNORECASE):
            named, rest = _named(match["rest"], documents)
            quoted = _QUOTED.findall(match["rest"])
            term = quoted[0] if len(quoted) == 1 else rest
            if content_terms(term):
                return Overview("titled", tuple(named), term=term.strip())
    return None


def parts_of(text: str) -> list[str]:
    """Return the parts that a text names by their numbers, as written: "chapter 3", 第三章."""
    return [match[0] for match in _PART.finditer(text)]


def _on_one_line(question: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", question).split())


def _means_documents(rest: str) -> bool:
    return bool(
        re.search(
            rf"\b(?:{_DOCUMENTS_EN}|this|everything|it)\b|{_DOCUMENTS_ZH}|[这该本]", rest, re.IGNORECASE
        )
    )


def _says_nothing(rest: str) -> bool:
    return not content_terms(GENERIC.sub(" ", rest))


def _named(rest: str, documents: Sequence[Document]) -> tuple[list[Document], str]:
    """Return the documents that a text names, with what is left of it: by the whole name, else by their kind."""
    left = spaced(rest)
    found: list[Document] = []
    for document in sorted(documents, key=lambda one: -len(one.name)):
        for name in (spaced(document.name), spaced(PurePath(document.name).stem)):
            if len(name) > 1 and (place := _place(name, left)) is not None:
                found.append(document)
                left = f"{left[: place[0]]} {left[place[1] :]}"
                break
    for words, endings in () if found else KINDS:
        if words.search(left):
            found = [one for one in documents if PurePath(one.name).suffix.lower() in endings]
    return found, left


def _place(name: str, text: str) -> tuple[int, int] | None:
    edge = r"(?<![a-z0-9])", r"(?![a-z0-9])"
    match = re.search(edge[0] + re.escape(name) + edge[1], text)
    return match.span() if match else None


def spaced(text: str) -> str:
    """Return a text in lower case whose words are parted by one space, as names of files are not, without quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(rf"[_\-\s{QUOTES}]+", " ", folded).split())
