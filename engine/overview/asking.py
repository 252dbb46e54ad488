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
from engine.answer.understand.wholes import NAMED, names_put, speaks_of, whole_asked
from engine.enrich.references import references_in
from engine.model import Document
from engine.structure.sentences import is_cjk

_ASKED = ("about", "findings", "front", "mentions", "list", "abbreviation", "pages", "sheets")
# What is asked of one document.
_ALONE: dict[str, Literal["front", "pages", "sheets"]] = {
    "front": "front",
    "pages": "pages",
    "sheets": "sheets",
}
# What the parts of a document are that a question may be about.
_PARTS = frozenset({"section", "chapter", "part", "appendix", "division"})
# What a document is called by its kind, where there is one of the kind.
KINDS = [
    (re.compile(r"\b(?:e[- ]?)?mails?\b|\bmessage\b|邮件", re.IGNORECASE), (".eml", ".msg")),
    (re.compile(r"\bpresentations?\b|\bslides?\b|幻灯片|演示文稿", re.IGNORECASE), (".pptx", ".ppt", ".odp")),
    (
        re.compile(r"\bspreadsheets?\b|\bworkbooks?\b|工作簿|电子表格", re.IGNORECASE),
        (".xlsx", ".xls", ".ods", ".csv"),
    ),
    (re.compile(r"\bpdfs?\b", re.IGNORECASE), (".pdf",)),
    (re.compile(r"\bword\s+(?:document|file)\b|word\s*文[档件]", re.IGNORECASE), (".docx", ".doc")),
]
_MAIL = KINDS[0][0]
_QUOTED = re.compile(r"[\"“「『《〈]([^\"“”「」『』《》〈〉]{2,120})[\"”」』》〉]")


@dataclass(frozen=True, slots=True)
class Overview:
    """What is asked: "about" ``documents`` (empty: all that are searched), "mentions" of a ``term``, or "list".

    "part" is about a part of them that is named by its number, which stands in ``term``, "titled" about one that may
    have ``term`` as its title; "abbreviation" asks what ``term`` stands for; "front" asks for what stands at the head
    of the documents: title, author, sender, date, "mail" for the head of the mail that speaks of ``term``; "pages" and
    "sheets" ask how many the one document has, "findings" for what they found.
    """

    kind: Literal[
        "about",
        "part",
        "titled",
        "mentions",
        "list",
        "abbreviation",
        "front",
        "mail",
        "pages",
        "sheets",
        "findings",
    ]
    documents: tuple[Document, ...] = ()
    term: str = ""


def may_ask_of_documents(question: str) -> bool:
    """Return whether a question may be about documents as a whole, without a look at the library."""
    return whole_asked(_on_one_line(question), _ASKED, unknown_names=True) is not None


def read(question: str, documents: Sequence[Document]) -> Overview | None:
    """Return what a question asks about documents as a whole; None for any other question."""
    text = _on_one_line(question)
    if found := _of_words(text):
        return found
    text, named = _named(text, documents)
    parts = parts_of(text)
    for part in parts:
        text = text.replace(part, f" {NAMED} ", 1)
    asked = whole_asked(text, _ASKED)
    if asked is None:
        return None
    said_of_any = bool(named) or NAMED in text or speaks_of(text, "documents") or speaks_of(text, "pointing")
    meant = tuple(named) or (tuple(documents) if said_of_any else ())
    if asked.kind == "about":
        if asked.subject:
            quoted = _QUOTED.findall(text)
            term = quoted[0] if len(quoted) == 1 else asked.subject
            return Overview("titled", tuple(named), term.strip()) if content_terms(term) else None
        if parts:
            return Overview("part", tuple(named), ("" if is_cjk(parts[0]) else " ").join(parts))
        return Overview("about", tuple(named)) if said_of_any else None
    if asked.kind == "list":
        return Overview("list")
    if asked.kind == "findings":
        return Overview("findings", tuple(named)) if named or len(meant) == 1 else None
    if asked.kind in ("pages", "sheets"):
        meant = meant or tuple(documents)
    return Overview(_ALONE[asked.kind], meant) if asked.kind in _ALONE and len(meant) == 1 else None


def _of_words(text: str) -> Overview | None:
    """Return what is asked about words, which may be those of a document's name: "Which files mention the lease?"."""
    asked = whole_asked(text, _ASKED)
    if asked is None or not content_terms(asked.subject):
        return None
    if asked.kind == "mentions":
        return Overview("mentions", term=asked.subject)
    if asked.kind == "front" and _MAIL.search(text):
        return Overview("mail", term=asked.subject)
    if asked.kind == "abbreviation" and (sum(map(str.isupper, asked.subject)) > 1 or is_cjk(asked.subject)):
        return Overview("abbreviation", term=asked.subject)
    return None


def parts_of(text: str) -> list[str]:
    """Return the parts that a text names by their numbers, as written: "chapter 3", 第三章."""
    found = [one for one in references_in(text, elsewhere=True) if one.label.kind in _PARTS]
    return [text[one.start : one.end] for one in found]


def _on_one_line(question: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", question).split())


def _named(text: str, documents: Sequence[Document]) -> tuple[str, list[Document]]:
    """Return a text without the names of documents, and these: by the whole name, else by their kind."""
    text, names = names_put(text, [one.name for one in documents])
    found = [one for one in documents if one.name in names]
    for words, endings in () if found else KINDS:
        if words.search(text):
            found = [one for one in documents if PurePath(one.name).suffix.lower() in endings]
    return text, found
