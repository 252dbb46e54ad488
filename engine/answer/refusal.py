"""The answer when the documents hold none: what was searched, and what comes nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer.candidates import Candidate
from engine.answer.check.locate import narrow, sentences_of
from engine.answer.check.marks import harmless, shortened
from engine.answer.check.sources import Sources
from engine.answer.computations import wants_computed
from engine.answer.phrases import Phrases, mode_name
from engine.answer.terms import content_terms
from engine.model import Citation, Evidence, Filters
from storage.base import Storage

_NEAREST = 3
_LONGEST_SHOWN = 180


@dataclass(frozen=True, slots=True)
class Searched:
    """What a question was asked of: the size of the library behind the filters, with documents and topics by name."""

    documents: int
    nodes: int
    filters: Filters = Filters()


def searched_in(storage: Storage, filters: Filters) -> Searched:
    """Return what a question with these filters is asked of. Raises NotFoundError."""
    named = [storage.document(reference) for reference in filters.documents]
    there = {document.document_id for document in named or storage.documents()}
    names: dict[str, str] = {}
    if filters.topics:
        there &= set(storage.topics.documents_of(filters.topics))
        names = {topic.topic_id: topic.name for topic in storage.topics.list()}
    shown = replace(
        filters,
        documents=tuple(document.name for document in named),
        topics=tuple(names.get(one, one) for one in filters.topics),
    )
    return Searched(len(there), storage.snapshot().scope(filters).size, shown)


def refuse(
    question: str,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    *,
    mode: str,
    searched: Searched | None,
    phrases: Phrases,
    not_of: Sequence[str] = (),
    unsaid: int = 0,
) -> tuple[str, list[Citation]]:
    """Return the text that says so, and the nearest nodes as sources.

    ``not_of`` are the years and numbers asked for of which the evidence tells others only, ``unsaid`` is how many
    documents speak of the subject without what is asked.
    """
    lines = [phrases.not_found if searched is None or searched.documents else phrases.empty_library]
    if not_of:
        lines.append(phrases.of_others.format(numbers=", ".join(not_of)))
    elif unsaid:
        lines.append(phrases.unsaid.format(documents=unsaid))
    places = _nearest(evidence)
    if places and evidence[places[0]].table is not None and wants_computed(question):
        lines.append(phrases.not_computed)
    lines.append(_what_was_searched(mode, searched, phrases))
    sources = Sources(evidence)
    nearest = [_line(question, index, evidence, found, sources, phrases) for index in places]
    if nearest:
        lines += ["", phrases.nearest, *nearest]
    elif searched is None or searched.documents:
        lines.append(phrases.nothing_near)
    return "\n".join(lines), sources.citations


def _nearest(evidence: Sequence[Evidence]) -> list[int]:
    """Return the first of the evidence, no place twice."""
    places: dict[tuple[str, tuple[str, ...], int | None], int] = {}
    for index, item in enumerate(evidence):
        places.setdefault((item.hit.document_id, tuple(item.hit.path), item.hit.page), index)
    return list(places.values())[:_NEAREST]


def _what_was_searched(mode: str, searched: Searched | None, phrases: Phrases) -> str:
    name = mode_name(mode, phrases)
    if searched is None:
        return phrases.searched.format(mode=name)
    text = phrases.searched_scope.format(mode=name, documents=searched.documents, nodes=searched.nodes)
    filters = searched.filters
    parts = [
        *filters.documents,
        *filters.topics,
        *filters.roles,
        *([filters.section] if filters.section else []),
    ]
    if filters.version is not None:
        parts.append(f"v{filters.version}")
    return text + (" " + phrases.searched_filters.format(filters=", ".join(parts)) if parts else "")


def _line(
    question: str,
    index: int,
    evidence: Sequence[Evidence],
    found: Sequence[Candidate],
    sources: Sources,
    phrases: Phrases,
) -> str:
    """Name one node: document > section, page, and what its best sentence says, with a mark that leads there."""
    item = evidence[index]
    place = " > ".join([item.hit.document, *item.hit.path])
    own = [candidate for candidate in found if candidate.evidence == index]
    n = None
    if own:
        sentence = max(own, key=lambda c: (c.cosine or 0.0, c.shared)).sentence
        n = sources.add(index, *narrow(sentence.start, sentence.end, item.text, content_terms(question)))
    elif sentences := sentences_of(item.text, item.hit.role):
        n = sources.add(index, sentences[0].start, sentences[0].end)
    elif item.title:
        n = sources.add_title(index)
    cited = next((c for c in sources.citations if c.n == n), None)
    page = cited.page if cited else item.hit.page
    # A sheet is named by its section; that it is the n-th says nothing.
    where = f", {phrases.page.format(page=page)}" if page and item.cell is None else ""
    said = shortened(cited.snippet, _LONGEST_SHOWN) if cited and cited.snippet != item.title else ""
    return f"- {harmless(place)}{where}" + (f": {harmless(said)}" if said else "") + (f" [{n}]" if n else "")
