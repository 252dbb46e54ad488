"""What a question insists on narrows its search: "only in lease.md", "tables only", 只看第3页, "only the Methods part".

Only what is unmistakable counts: a document by its file's name, a kind of node, a page or a section, each with "only"
or 只. What the filters of the search say is left as it is, and where nothing would be left nothing is narrowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from engine.index.tokenize import query_terms
from engine.index.views import label_term
from engine.model import Answer, Filters
from engine.retrieve.intent import Intent, intent_of
from engine.retrieve.notes import note
from engine.structure.numbering import CHINESE, value_of
from storage.base import Scope, Snapshot

_ONLY = r"(?:only|just|solely|exclusively)"
_WITHIN = r"(?:in|from|within|at|of|on)"
_ONLY_HAN = r"(?:只|仅|僅|仅仅)(?:看|在|查|搜|搜索|检索|限于?|从|用|考虑|要)"
_OPENING = r"(?:the\s+)?(?:(?:file|document|paper|report)s?\s+)?[\"“”「《'‘]?"
# The name of a document follows the one and ends where the other begins.
_BEFORE_NAME = re.compile(
    rf"\b{_ONLY}\s+(?:(?:search|look|use|consider)\s+)?(?:{_WITHIN}\s+)?{_OPENING}"
    rf"|\b(?:restricted|limited)\s+to\s+{_OPENING}|{_ONLY_HAN}\s?[《「“\"]?",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(rf"[\"”」》'’]?\s+{_ONLY}\b", re.IGNORECASE)
_JOINED = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\band\s+|\bor\s+|[和与及、或])\s*(?:in\s+)?[\"“「《]?", re.IGNORECASE
)
_EDGE_AFTER = re.compile(r"$|[\s\W]|[的中里内这一文和与及或]")
# "Is a pet mentioned only in lease.md?" asks whether, and must look elsewhere.
_WHETHER = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should)\b|是否|是不是|是只|有没有",
    re.IGNORECASE,
)
_KINDS_EN = {
    "table": r"tables", "image": r"figures|images|pictures|charts|diagrams|photos", "equation": r"equations|formulas",
    "list": r"lists", "code": r"code", "paragraph": r"paragraphs|prose|running text",
}  # fmt: skip
_KINDS_HAN = {
    "table": "表格|数据表", "image": "图片|插图|图像|图(?![表书文])", "equation": "公式|方程", "list": "列表",
    "code": "代码", "paragraph": "正文|段落",
}  # fmt: skip
_ANY_KIND_EN = "|".join(_KINDS_EN.values())
_ANY_KIND_HAN = "|".join(_KINDS_HAN.values())
_ASKED_FOR = r"(?:show(?:\s+me)?|search|look(?:\s+at|\s+in)?|use|list|find|consider|give(?:\s+me)?|return)"
_KIND = re.compile(
    rf"(?:^\s*(?:please\s+)?|[,.;:—]\s*|\b{_ASKED_FOR}\s+){_ONLY}\s+(?:(?:in|within|from|at)\s+)?(?:the\s+)?"
    rf"(?P<first>{_ANY_KIND_EN})\b(?=\s*(?:$|[:,.;?]|(?:about|on|with|that|which|of|from|in|for|showing|where)\b))"
    rf"|\b{_ONLY}\s+(?:in|within|from)\s+(?:the\s+)?(?P<second>{_ANY_KIND_EN})\b(?!\s*\d)"
    rf"|\b(?:in|within|from)\s+(?:the\s+)?(?P<third>{_ANY_KIND_EN})\s+{_ONLY}\b"
    rf"|^\s*(?P<fourth>{_ANY_KIND_EN})\s+{_ONLY}\b"
    rf"|{_ONLY_HAN}(?P<han>{_ANY_KIND_HAN})(?=\s*(?:$|[：:，,。；;？?]|[中里内]))",
    re.IGNORECASE,
)
_NUMBERS = r"(?P<{0}>\d{{1,4}})(?:\s?(?:-|–|to|through|and)\s?(?P<{0}_last>\d{{1,4}}))?"
_HAN_NUMBER = rf"[{CHINESE}\d]{{1,5}}"
_PAGE = re.compile(
    rf"\b{_ONLY}\s+(?:(?:search|look)\s+)?(?:(?:on|from|at|in|within)\s+)?(?:the\s+)?pages?\s+{_NUMBERS.format('first')}\b"
    rf"|\bpages?\s+{_NUMBERS.format('second')}\s+{_ONLY}\b"
    rf"|{_ONLY_HAN}第?\s?(?P<han>{_HAN_NUMBER})\s?(?:[页頁]?\s?(?:-|–|至|到|~)\s?第?\s?(?P<han_last>{_HAN_NUMBER})\s?)?[页頁]",
    re.IGNORECASE,
)
# A part by its number: "only chapter 3", "only in section 2.2"; a title that stands alone: "Only the Limitations: …".
_PART = re.compile(
    rf"\b{_ONLY}\s+(?:(?:look|search)\s+)?(?:{_WITHIN}\s+)?(?:the\s+)?(?:section|chapter|part|appendix|article)\s"
    rf"|\b(?:section|chapter|part|appendix|article)\s+[\dA-Z.]+\s+{_ONLY}\b|{_ONLY_HAN}(?:第|附录|附錄|\d)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    rf"^\s*{_ONLY}\s+(?:(?:in|from|within)\s+)?(?:the\s+)?[\"“]?(?P<title>[\w][\w \-&/]{{2,60}}?)[\"”]?\s*"
    r"(?:[:,]|[.?!]?\s*$)",
    re.IGNORECASE,
)
_MAY_NARROW = re.compile(rf"\b(?:{_ONLY}|within|restricted|limited)\b|[只仅僅]", re.IGNORECASE)
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


def narrowed(question: str, intent: Intent, snapshot: Snapshot, filters: Filters) -> Narrowed:
    """Return the filters with the documents, kinds, pages and section that a question insists on."""
    text = unicodedata.normalize("NFKC", question)
    made = Narrowed(filters, snapshot.scope(filters), ())
    if not filters.documents and (named := _documents(text, snapshot)):
        made = _with(
            made, replace(filters, documents=tuple(named)), snapshot, question, ", ".join(named.values())
        )
    if not filters.roles and (kind := _kind(text)):
        told = note(question, f"kind_{kind}")
        made = _with(made, replace(made.filters, roles=(kind,)), snapshot, question, told)
    if filters.pages is None and (pages := _pages(text)):
        told = note(question, "pages", first=pages[0], last=pages[1]) if pages[0] < pages[1] else note(
            question, "page", first=pages[0]
        )  # fmt: skip
        made = _with(made, replace(made.filters, pages=pages), snapshot, question, told)
    if filters.section is None:
        made = _in_section(text, intent, made, snapshot, question)
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
    if not _MAY_NARROW.search(words) or len(words) > LONGEST_QUESTION:
        return Asked(question, filters)
    made = narrowed(words, intent_of(words), snapshot, filters)
    rest = question if made.filters == filters else _without_clause(words)
    return Asked(rest, made.filters, made.notes)


def _without_clause(text: str) -> str:
    """Leave out the clause, or the last words, with the "only"; what is left must ask for something."""
    for clause in (_FIRST_CLAUSE, _LAST_CLAUSE, _LAST_WORDS):
        match = clause.search(text)
        if match and _MAY_NARROW.search(match[0]):
            rest = re.sub(
                r"(?<=[?？])[.。!！]+$", "", f"{text[: match.start()]}{text[match.end() :]}".strip()
            )
            if query_terms(rest):
                return rest
    return text


def _with(made: Narrowed, filters: Filters, snapshot: Snapshot, question: str, told: str) -> Narrowed:
    inside = snapshot.scope(filters)
    if inside.size:
        return Narrowed(filters, inside, (*made.notes, note(question, "only_in", places=told)))
    return replace(made, notes=(*made.notes, note(question, "nothing_in", places=told)))


def _in_section(text: str, intent: Intent, made: Narrowed, snapshot: Snapshot, question: str) -> Narrowed:
    """The scope of the one section that a question insists on: by its number, by its name, by its title alone."""
    for section in _numbered(text, intent, made, snapshot):
        filters = replace(made.filters, section=section)
        if (inside := snapshot.scope(filters)).size:
            return Narrowed(filters, inside, (*made.notes, note(question, "in_section", section=section)))
    if intent.section is not None:
        filters = replace(made.filters, section=intent.section)
        if (inside := snapshot.scope(filters)).size:
            return Narrowed(
                filters, inside, (*made.notes, note(question, "in_section", section=intent.section))
            )
        return replace(made, notes=(*made.notes, note(question, "no_section", section=intent.section)))
    if (match := _TITLE.match(text)) and made.filters.documents == ():
        filters = replace(made.filters, section=match["title"])
        if (inside := snapshot.scope(filters)).size:
            return Narrowed(
                filters, inside, (*made.notes, note(question, "in_section", section=match["title"]))
            )
    return made


def _numbered(text: str, intent: Intent, made: Narrowed, snapshot: Snapshot) -> Iterator[str]:
    """Yield the title of the section that "only section 2.2" means; of several what all their titles begin with."""
    if not _PART.search(text) or len(intent.labels) != 1:
        return
    hits = snapshot.sparse_search([(label_term(intent.labels[0]), 1.0)], MOST_BEARERS, made.scope)
    titles = {
        one.node.title if one.node.role == "section" else one.path[-1]
        for one in snapshot.nodes([hit.key for hit in hits])
        if one.node.role == "section" or one.path
    }
    printed = intent.labels[0].printed
    if len(titles) == 1:
        yield titles.pop()
    elif titles and all(title.casefold().startswith(printed.casefold()) for title in titles):
        yield printed


def _documents(text: str, snapshot: Snapshot) -> dict[str, str]:
    """The documents, names by id, whose files' names a question restricts itself to."""
    befores = [match.end() for match in _BEFORE_NAME.finditer(text)]
    afters = [match.start() for match in _AFTER_NAME.finditer(text)]
    if not (befores or afters) or (_WHETHER.search(text) and not _BEFORE_NAME.match(text.lstrip())):
        return {}
    names: Mapping[str, str] = snapshot.document_names()
    spelled = {key: _spellings(name) for key, name in names.items()}
    folded = _fold(text)
    found: dict[str, str] = {}
    for start in befores:
        while (hit := _named_at(folded, start, spelled)) is not None:
            key, end = hit
            found[key] = names[key]
            joined = _JOINED.match(folded, end)
            if joined is None:
                break
            start = joined.end()
    for end in afters:
        for key, forms in spelled.items():
            if any(_ends_with(folded[:end], form) for form in forms):
                found[key] = names[key]
    return found


def _spellings(name: str) -> list[str]:
    """A file's name with and without its ending, as a question may write it; one letter is no name."""
    return [form for form in (_fold(name), _fold(PurePath(name).stem)) if len(form) > 1]


def _named_at(text: str, start: int, spelled: Mapping[str, list[str]]) -> tuple[str, int] | None:
    """The document whose name stands in a text at a place, and where it ends; the longest name counts."""
    found = [
        (len(form), key)
        for key, forms in spelled.items()
        for form in forms
        if text.startswith(form, start) and _EDGE_AFTER.match(text, start + len(form))
    ]
    if not found:
        return None
    length, key = max(found)
    # Two documents of one stem, lease.md and lease.pdf: which is meant nobody can tell.
    return (key, start + length) if sum(one == length for one, _ in found) == 1 else None


def _ends_with(text: str, form: str) -> bool:
    before = text[: -len(form)]
    return text.endswith(form) and bool(
        re.search(rf"\b{_WITHIN}\s+(?:the\s+)?[\"“'‘]?$|[在《“\"]\s?$", before)
    )


def _fold(text: str) -> str:
    """Lower case, letter for letter, with the marks that join the words of a file's name as spaces."""
    plain = unicodedata.normalize("NFKC", text)
    lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in plain)
    return re.sub(r"[_\-]", " ", lower)


def _kind(text: str) -> str | None:
    match = _KIND.search(text)
    if match is None:
        return None
    said = next(group for group in match.groups() if group).casefold()
    return next(
        kind
        for forms in (_KINDS_EN, _KINDS_HAN)
        for kind, words in forms.items()
        if re.fullmatch(words.replace("(?![表书文])", ""), said)
    )


def _pages(text: str) -> tuple[int, int] | None:
    match = _PAGE.search(text)
    if match is None:
        return None
    if match["han"]:
        first, last = value_of(match["han"]), value_of(match["han_last"] or match["han"])
    else:
        first = int(match["first"] or match["second"])
        last = int(match["first_last"] or match["second_last"] or first)
    return (first, last) if first and last and first <= last else None
