"""What a question insists on narrows its search: "only in lease.md", "tables only", 只看第3页, "only the Methods part".

Only what is unmistakable counts: a document by its file's name, a kind of node, a page or a section, right behind or
before "only" or 只. What the filters of the search say is left as it is, and where nothing would be left nothing is
narrowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, NamedTuple

from engine.enrich.references import references_in
from engine.index.tokenize import query_terms
from engine.index.views import label_term
from engine.model import Answer, Filters
from engine.retrieve.notes import note
from engine.structure.numbering import CHINESE, value_of
from storage.base import Scope, Snapshot

MOST_BEARERS, LONGEST_QUESTION = 200, 2000
_ONLY = (
    r"(?:\b(?:only|just|solely|exclusively|(?:restricted|limited)\s+to)\b"
    r"|(?:只|仅|僅)(?:看|在|查|搜索?|检索|限于?|从|用|考虑|要))"
)
_WITHIN = r"(?:in|from|within|at|of|on)"
_INSISTS = re.compile(_ONLY, re.IGNORECASE)
# In a clause each place is written as this.
_SIGN = "\ufffc"
_LINK = rf"(?:[\s,\"“”《「'‘]|\b(?:search|look|use|consider|and|or|{_WITHIN}|the|files?|documents?)\b|[和与及、或])*"
# Right behind "only", and right before it; a kind of node by itself at the head of a clause alone.
_BEHIND = re.compile(rf"{_ONLY}{_LINK}(?P<place>{_SIGN}(?:{_LINK}{_SIGN})*)", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:^|\b{_WITHIN}\s)\s*(?:the\s+)?(?P<place>{_SIGN})\s+only\b", re.IGNORECASE)
_HEAD = re.compile(r"\s*(?:(?:please|show|me|search|look|at|in|use|list|find|give)\s+)*", re.IGNORECASE)
_CLAUSE = re.compile(r"[^:：,，;；?？!！。.]+(?:\.(?=\w)[^:：,，;；?？!！。.]+)*")
# "Is a pet mentioned only in lease.md?" asks whether, and must look elsewhere.
_WHETHER = re.compile(
    r"\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should)\b|.*(?:是否|是不是|是只|有没有)",
    re.IGNORECASE,
)
_SAYS_LITTLE = re.compile(
    rf"{_ONLY}|{_SIGN}|\b(?:please|search|look|use|consider|show|me|{_WITHIN}|the|files?|documents?)\b|[中里内的这一文]",
    re.IGNORECASE,
)
_KINDS = {
    "image": r"\b(?:figures|images|pictures|charts|diagrams|photos)\b|图片|插图|图像|图(?![表书文])",
    "table": r"\btables\b|表格|数据表", "equation": r"\b(?:equations|formulas)\b|公式|方程", "list": r"\blists\b|列表",
    "code": r"\bcode\b|代码", "paragraph": r"\b(?:paragraphs|prose|running text)\b|正文|段落",
}  # fmt: skip
_N = rf"(?:\d{{1,4}}|[{CHINESE}]{{1,5}})"
_PAGES = re.compile(
    rf"(?:\bpages?\s+|第?\s?)(?P<first>{_N})(?:\s?[页頁]?\s?(?:-|–|to|through|and|至|到|~)\s?第?\s?(?P<last>{_N}))?(?P<han>\s?[页頁])?",
    re.IGNORECASE,
)
_PARTS = frozenset({"section", "chapter", "part", "appendix", "article", "division"})
# A section by its name: what stands between "only" or "in" and the word for it.
_SECTION = re.compile(
    rf"(?:{_ONLY}|\b{_WITHIN}\b)\s*(?:{_WITHIN}\s+)?(?:the\s+)?[\"“「《]?"
    r"(?P<name>(?!(?:an?|one|this|that|first|last)\s)\w[\w \-&/.]{0,60}?)"
    r"[\"”」》]?\s+(?:section|chapter|part)\b"
    rf"|{_ONLY}[\"“「《]?(?P<han>[^“”「」《》\"第\s]{{2,30}}?)[”」》\"]?(?:这?一?(?:章节|部分|[章节]))(?=[里中内]|$)",
    re.IGNORECASE,
)


class _Place(NamedTuple):
    """A place in a clause, letters ``start`` to ``end``: the field of the filters with its value."""

    start: int
    end: int
    field: str
    value: Any
    told: str


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filters of a search with what its question insists on, the notes that say so, and what is left to ask."""

    filters: Filters
    scope: Scope
    notes: tuple[str, ...]
    rest: str = ""


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
    made = narrowed(question, snapshot, filters)
    asks = made.filters != filters and bool(query_terms(made.rest))
    return Asked(made.rest if asks else question, made.filters, made.notes)


def narrowed(question: str, snapshot: Snapshot, filters: Filters) -> Narrowed:
    """Return the filters with the documents, kinds, pages and section that a question insists on."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    made = Narrowed(filters, snapshot.scope(filters), (), text)
    if len(text) > LONGEST_QUESTION or not _INSISTS.search(text):
        return made
    for clause in _CLAUSE.finditer(text):
        only = _INSISTS.search(clause[0])
        if only is None or (clause.start() + only.start() and _WHETHER.match(text)):
            continue
        heads = text[clause.end() :].startswith((":", "：", ","))
        for places, start, end in _insisted(clause[0], question, snapshot, made, heads):
            before, behind = text[: clause.start() + start], text[clause.start() + end :]
            rest = f"{before.rstrip(' ,，')} {behind.lstrip(' ,，:：;；.。')}".strip()
            rest = re.sub(r"(?<=[?？])\s*[.。!！]+$", "", rest)
            return replace(_with(made, places, snapshot, question), rest=rest)
    return made


def _insisted(
    clause: str, question: str, snapshot: Snapshot, made: Narrowed, heads: bool
) -> Iterator[tuple[list[_Place], int, int]]:
    """Yield the places that a clause insists on, and which of its letters say so: all where it says nothing else."""
    places = _places(clause, question, snapshot, made)
    signed, at, origin = "", 0, []
    for place in places:
        origin += [*range(at, place.start), place.start]
        signed, at = signed + clause[at : place.start] + _SIGN, place.end
    signed, origin = signed + clause[at:], [*origin, *range(at, len(clause) + 1)]
    match = _BEHIND.search(signed) or _BEFORE.search(signed)
    if match is None:
        if heads and (title := re.fullmatch(rf"\s*{_ONLY}\s+the\s+(.{{3,60}})", clause, re.IGNORECASE)):
            yield [_Place(0, len(clause), "section", title[1].strip(), "")], 0, len(clause)
        return
    first = signed[: match.start("place")].count(_SIGN)
    found = places[first : first + match["place"].count(_SIGN)]
    alone = not query_terms(_SAYS_LITTLE.sub(" ", signed))
    bare = not re.search(rf"\b{_WITHIN}\b", match[0], re.IGNORECASE) and match[0][0].isascii()
    head = _HEAD.match(signed)
    if found[0].field == "roles" and bare and not alone and not (head and head.end() >= match.start()):
        return
    if alone:
        yield found, 0, len(clause)
    else:
        end = match.end("place") if match.re is _BEHIND else match.end()
        yield found, origin[match.start()], origin[end]


def _places(clause: str, question: str, snapshot: Snapshot, made: Narrowed) -> list[_Place]:
    """Return the places in a clause, in order; of those that overlap the first kind of these counts."""
    found: list[_Place] = []
    for place in (
        *_documents(clause, snapshot.document_names()),
        *_labelled(clause, snapshot, made),
        *_pages(clause, question),
        *_named_sections(clause),
        *_kinds(clause, question),
    ):
        if all(place.end <= other.start or other.end <= place.start for other in found):
            found.append(place)
    return sorted(found)


def _documents(clause: str, names: Mapping[str, str]) -> Iterator[_Place]:
    """Yield the documents whose files' names stand in a text; two of one stem, lease.md and lease.pdf, are neither."""
    folded = _fold(clause)
    forms = [(form, key) for key, name in names.items() for form in {_fold(name), _fold(PurePath(name).stem)}]
    counts = Counter(form for form, _ in forms)
    for form, key in sorted(forms, key=lambda one: -len(one[0])):
        if len(form) > 1 and counts[form] == 1:
            for match in re.finditer(rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])", folded):
                yield _Place(match.start(), match.end(), "documents", key, names[key])


def _fold(text: str) -> str:
    """Lower case, letter for letter, with the marks that join the words of a file's name as spaces."""
    plain = unicodedata.normalize("NFKC", text)
    lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in plain)
    return re.sub(r"[_\-]", " ", lower)


def _kinds(clause: str, question: str) -> Iterator[_Place]:
    for kind, words in _KINDS.items():
        for match in re.finditer(words, clause, re.IGNORECASE):
            yield _Place(match.start(), match.end(), "roles", kind, note(question, f"kind_{kind}"))


def _pages(clause: str, question: str) -> Iterator[_Place]:
    for match in _PAGES.finditer(clause):
        first, last = value_of(match["first"]), value_of(match["last"] or match["first"])
        if 0 < first <= last and (match["han"] or match[0].casefold().startswith("page")):
            told = note(question, "pages" if first < last else "page", first=first, last=last)
            yield _Place(match.start(), match.end(), "pages", (first, last), told)


def _labelled(clause: str, snapshot: Snapshot, made: Narrowed) -> Iterator[_Place]:
    """Yield the sections that a text names by their number."""
    for one in references_in(clause, elsewhere=True):
        if one.label.kind not in _PARTS:
            continue
        hits = snapshot.sparse_search([(label_term(one.label), 1.0)], MOST_BEARERS, made.scope)
        nodes = snapshot.nodes([hit.key for hit in hits])
        sections = {node.node.title for node in nodes if node.node.role == "section"}
        titles = sections | {node.path[-1] for node in nodes if node.path and node.node.role != "section"}
        printed = one.label.printed
        if len(titles) == 1:
            yield _Place(one.start, one.end, "section", titles.pop(), printed)
        elif titles and all(title.casefold().startswith(printed.casefold()) for title in titles):
            yield _Place(one.start, one.end, "section", printed, printed)


def _named_sections(clause: str) -> Iterator[_Place]:
    for match in _SECTION.finditer(clause):
        group = "name" if match["name"] else "han"
        yield _Place(match.start(group), match.end(), "section", match[group].strip(), match[group].strip())


def _with(made: Narrowed, places: list[_Place], snapshot: Snapshot, question: str) -> Narrowed:
    """Narrow by places, one field after the other, as far as something is left."""
    for name in ("documents", "roles", "pages", "section"):
        same = [one for one in places if one.field == name]
        if not same or getattr(made.filters, name):
            continue
        value: Any = same[0].value if name in ("pages", "section") else tuple(one.value for one in same)
        changed: dict[str, Any] = {name: value}
        filters = replace(made.filters, **changed)
        inside, told = snapshot.scope(filters), ", ".join(one.told for one in same)
        a_section = name == "section"
        if inside.size:
            found = note(question, "in_section" if a_section else "only_in", section=value, places=told)
            made = replace(made, filters=filters, scope=inside, notes=(*made.notes, found))
        elif told:
            missing = note(question, "no_section" if a_section else "nothing_in", section=told, places=told)
            made = replace(made, notes=(*made.notes, missing))
    return made
