"""What a question insists on narrows its search: "only in lease.md", "tables only", 只看第3页, "only the Methods part".

Only what is unmistakable counts: a document by its file's name, a kind of node, a page or a section, right behind or
before "only" or 只. What the filters of the search say is left as it is, and where nothing would be left nothing is
narrowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from engine.enrich.references import references_in
from engine.index.tokenize import query_terms
from engine.index.views import label_term
from engine.model import Answer, Filters
from engine.retrieve.notes import note
from engine.structure.numbering import CHINESE, value_of
from storage.base import Scope, Snapshot

_ONLY = r"(?:only|just|solely|exclusively)"
_WITHIN = r"(?:in|from|within|at|of|on)"
_INSISTS = re.compile(
    rf"\b{_ONLY}\b|\b(?:restricted|limited)\s+to\b|(?:只|仅|僅|仅仅)(?:看|在|查|搜|搜索|检索|限于?|从|用|考虑|要)",
    re.IGNORECASE,
)
# What may stand between "only" and the place, and what before it where the place has no preposition of its own.
_FILLER = re.compile(
    rf"(?:\s+|[\"“”「《'‘]|(?:search|look|use|consider|{_WITHIN}|the|files?|documents?|papers?|reports?)\s+)*",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    r"(?:^\s*(?:please\s+)?|[,.;:—?]\s*|\b(?:show(?:\s+me)?|search|look(?:\s+at|\s+in)?|use|list|find|consider|give(?:\s+me)?|"
    r"return)\s+)$",
    re.IGNORECASE,
)
_BEFORE_ONLY = re.compile(
    rf"(?:^|\b{_WITHIN}\s+)(?:the\s+)?[\"“'‘]?(?P<place>(?:(?!\b{_WITHIN}\s)[^:：,，;；?？])+?)[\"”'’]?\s+$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\band\s+|\bor\s+|[和与及、或])\s*(?:in\s+)?[\"“「《]?", re.IGNORECASE
)
_EDGE = re.compile(r"$|[\s\W]|[的中里内这一文和与及或]")
# "Is a pet mentioned only in lease.md?" asks whether, and must look elsewhere.
_WHETHER = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should)\b|是否|是不是|是只|有没有",
    re.IGNORECASE,
)
_KINDS = {
    "image": "figures|images|pictures|charts|diagrams|photos|图片|插图|图像|图(?![表书文])",
    "table": "tables|表格|数据表", "equation": "equations|formulas|公式|方程", "list": "lists|列表",
    "code": "code|代码",
    "paragraph": "paragraphs|prose|running text|正文|段落",
}  # fmt: skip
_KIND_ENDS = re.compile(
    r"\s*(?:$|[:：,，.。;；?？]|[中里内]|(?:about|on|with|that|which|of|from|in|for|showing|where)\b)",
    re.IGNORECASE,
)
_NUMBER = rf"(?:\d{{1,4}}|[{CHINESE}]{{1,5}})"
_PAGE = re.compile(
    rf"(?:pages?\s+|第?\s?)(?P<first>{_NUMBER})(?:\s?(?:[页頁]?\s?(?:-|–|to|through|and|至|到|~)\s?第?\s?)(?P<last>{_NUMBER}))?(?P<han>\s?[页頁])?",
    re.IGNORECASE,
)
_PARTS = frozenset({"section", "chapter", "part", "appendix", "article", "division"})
_SECTION = re.compile(
    r"(?P<name>[\w][\w \-&/.]{0,60}?)[\"”']?\s+(?:section|chapter|part)\b"
    r"|(?P<han>[^“”「」《》\"，。？！：:\s]{1,30}?)[”」》\"]?(?P<unit>(?:这一?)?(?:章节|一章|一节|部分|章|节))(?:[里中内]|之内)?",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"第?\s?[{CHINESE}\d.]+")
_NO_NAME = frozenset(
    {"a", "an", "one", "this", "that", "first", "last", "是", "一", "这", "那", "有", "这个", "那个"}
)
# A title that stands alone at the head of a question: "Only the Limitations: …".
_TITLE = re.compile(r"(?P<title>[\w][\w \-&/]{2,60}?)[\"”]?\s*(?:[:,]|[.?!]?\s*$)")
# Where a question says what it insists on: a clause or sentence of its own, before or behind, or its last words.
_FIRST_CLAUSE = re.compile(r"^[^:：,，?？]{1,80}?(?:[:：,，;；。！]|[.!](?=\s))\s*")
_LAST_CLAUSE = re.compile(
    r"(?:\s*[,，;；]|(?<=[?？。！])|(?<=[.!])\s)\s*[^:：,，;；?？]{1,80}(?:,?\s+please)?(?=[.。!！?？]*\s*$)",
    re.IGNORECASE,
)
_LAST_WORDS = re.compile(
    rf"\s+{_ONLY}\s+{_WITHIN}\s+[^:：,，;；?？]{{1,80}}(?=[.。!！?？]*\s*$)"
    rf"|\s+{_WITHIN}\s+(?:(?!{_WITHIN}\s)[^\s:：,，;；?？]+\s+){{1,8}}{_ONLY}(?=[.。!！?？]*\s*$)",
    re.IGNORECASE,
)
MOST_BEARERS, LONGEST_QUESTION = 200, 2000


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filters of a search with what its question insists on, and the notes that say so."""

    filters: Filters
    scope: Scope
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place that a question insists on: the field of the filters with the values it may mean, the likeliest first."""

    field: str
    values: tuple[Any, ...]
    told: str
    said_if_missing: bool = True


def narrowed(question: str, snapshot: Snapshot, filters: Filters) -> Narrowed:
    """Return the filters with the documents, kinds, pages and section that a question insists on."""
    text = unicodedata.normalize("NFKC", question)
    made = Narrowed(filters, snapshot.scope(filters), ())
    if not _INSISTS.search(text):
        return made
    found: dict[str, _Place] = {}
    for place in _places(text, question, snapshot, made):
        found.setdefault(place.field, place)
    for field in ("documents", "roles", "pages", "section"):
        if field in found and not getattr(filters, field):
            made = _with(made, found[field], snapshot, question)
    return made


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without the clause that only says where to look, the filters that say it, and the notes on them."""

    question: str
    filters: Filters
    notes: tuple[str, ...] = ()

    def noted(self, answer: Answer) -> Answer:
        """Return an answer to the question with the notes on where it was looked for."""
        told = [one for one in self.notes if one not in answer.warnings]
        return replace(answer, warnings=[*told, *answer.warnings]) if told else answer


def asked_within(question: str, snapshot: Snapshot, filters: Filters) -> Asked:
    """Return what a question asks and where. Raises NotFoundError for an unknown document in the filters."""
    words = " ".join(question.split())
    if not _INSISTS.search(words) or len(words) > LONGEST_QUESTION:
        return Asked(question, filters)
    made = narrowed(words, snapshot, filters)
    rest = question if made.filters == filters else _without_clause(words)
    return Asked(rest, made.filters, made.notes)


def _without_clause(text: str) -> str:
    """Leave out the clause, or the last words, with the "only"; what is left must ask for something."""
    for clause in (_FIRST_CLAUSE, _LAST_CLAUSE, _LAST_WORDS):
        match = clause.search(text)
        if match and _INSISTS.search(match[0]):
            rest = re.sub(
                r"(?<=[?？])[.。!！]+$", "", f"{text[: match.start()]}{text[match.end() :]}".strip()
            )
            if query_terms(rest):
                return rest
    return text


def _with(made: Narrowed, place: _Place, snapshot: Snapshot, question: str) -> Narrowed:
    a_section = place.field == "section"
    for value in place.values:
        filters = replace(made.filters, **{place.field: value})
        inside = snapshot.scope(filters)
        if inside.size:
            told = value if a_section else place.told
            found = note(question, "in_section" if a_section else "only_in", section=told, places=told)
            return Narrowed(filters, inside, (*made.notes, found))
    if not place.said_if_missing:
        return made
    missing = "no_section" if a_section else "nothing_in"
    told = note(question, missing, section=place.told, places=place.told)
    return replace(made, notes=(*made.notes, told))


def _places(text: str, question: str, snapshot: Snapshot, made: Narrowed) -> Iterator[_Place]:
    """Yield the places right behind and right before each "only" of a question."""
    whether = _WHETHER.search(text)
    names: Mapping[str, str] = snapshot.document_names()
    for match in _INSISTS.finditer(text):
        start = _FILLER.match(text, match.end()).end()  # type: ignore[union-attr]  # it may be empty
        behind = [(text[start:], False)]
        if before := _BEFORE_ONLY.search(text[: match.start()]):
            behind.append((before["place"], True))
        for said, whole in behind:
            if not whether or not text[: match.start()].strip():
                yield from _documents(said, whole, names)
            bare = start == match.end() or not re.search(
                rf"\b{_WITHIN}\b", text[match.end() : start], re.IGNORECASE
            )
            if whole or not bare or not match[0].isascii() or _ASKED_FOR.search(text[: match.start()]):
                yield from _kinds(said, question)
            yield from _pages(said, question)
            yield from _sections(said, snapshot, made)
        if not text[: match.start()].strip() and (title := _TITLE.match(text, start)):
            yield _Place("section", (title["title"],), title["title"], said_if_missing=False)


def _documents(said: str, whole: bool, names: Mapping[str, str]) -> Iterator[_Place]:
    """Yield the documents whose files' names a text begins with, or with ``whole`` consists of."""
    spelled = {key: _spellings(name) for key, name in names.items()}
    folded, at = _fold(said), 0
    found: dict[str, str] = {}
    end = 0
    while (hit := _named_at(folded, at, spelled)) is not None:
        found[hit[0]], end = names[hit[0]], hit[1]
        joined = _JOINED.match(folded, end)
        if joined is None:
            break
        at = joined.end()
    if found and (not whole or end == len(folded.rstrip())):
        yield _Place("documents", (tuple(found),), ", ".join(found.values()))


def _spellings(name: str) -> list[str]:
    """A file's name with and without its ending, as a question may write it; one letter is no name."""
    return [form for form in (_fold(name), _fold(PurePath(name).stem)) if len(form) > 1]


def _named_at(text: str, start: int, spelled: Mapping[str, list[str]]) -> tuple[str, int] | None:
    """The document whose name stands in a text at a place, and where it ends; the longest name counts."""
    found = [
        (len(form), key)
        for key, forms in spelled.items()
        for form in forms
        if text.startswith(form, start) and _EDGE.match(text, start + len(form))
    ]
    if not found:
        return None
    length, key = max(found)
    # Two documents of one stem, lease.md and lease.pdf: which is meant nobody can tell.
    return (key, start + length) if sum(one == length for one, _ in found) == 1 else None


def _fold(text: str) -> str:
    """Lower case, letter for letter, with the marks that join the words of a file's name as spaces."""
    plain = unicodedata.normalize("NFKC", text)
    lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in plain)
    return re.sub(r"[_\-]", " ", lower)


def _kinds(said: str, question: str) -> Iterator[_Place]:
    for kind, words in _KINDS.items():
        match = re.match(words, said, re.IGNORECASE)
        if match and _KIND_ENDS.match(said, match.end()):
            yield _Place("roles", ((kind,),), note(question, f"kind_{kind}"))


def _pages(said: str, question: str) -> Iterator[_Place]:
    match = _PAGE.match(said)
    if match is None or (match["han"] is None and not said.casefold().startswith("page")):
        return
    first = _value(match["first"])
    last = _value(match["last"] or match["first"])
    if first and last and first <= last:
        told = (
            note(question, "pages", first=first, last=last)
            if first < last
            else note(question, "page", first=first)
        )
        yield _Place("pages", ((first, last),), told)


def _value(number: str) -> int | None:
    return int(number) if number.isdecimal() else value_of(number)


def _sections(said: str, snapshot: Snapshot, made: Narrowed) -> Iterator[_Place]:
    """Yield the section that a text begins with: by its number, else by its name."""
    labels = [one for one in references_in(said, elsewhere=True) if one.label.kind in _PARTS]
    if labels and labels[0].start == 0 and len(labels) == 1:
        label = labels[0].label
        hits = snapshot.sparse_search([(label_term(label), 1.0)], MOST_BEARERS, made.scope)
        titles = {
            one.node.title if one.node.role == "section" else one.path[-1]
            for one in snapshot.nodes([hit.key for hit in hits])
            if one.node.role == "section" or one.path
        }
        several = all(title.casefold().startswith(label.printed.casefold()) for title in titles)
        named = [*titles] if len(titles) == 1 else [label.printed] if titles and several else []
        if named:
            yield _Place("section", tuple(named), label.printed)
    if match := _SECTION.match(said):
        # 第三 is no name of a section, 第三章 is.
        name = match["name"] or match["han"] + (match["unit"] if _COUNT.fullmatch(match["han"]) else "")
        if name.casefold() not in _NO_NAME:
            yield _Place("section", (name.strip(),), name.strip())
