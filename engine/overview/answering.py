"""Answers about documents as a whole: summaries, the documents that mention something, the list of all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Protocol

from engine.answer.events import OnEvent, Token
from engine.answer.extractive import quotable
from engine.answer.locate import narrow, sentences_of
from engine.answer.marks import harmless
from engine.answer.phrases import Phrases, phrases_for
from engine.answer.sources import Sources
from engine.answer.terms import content_terms
from engine.errors import UsageError
from engine.model import Answer, Document, Evidence, Filters, Hit, SearchResult, TraceStep
from engine.overview.asking import Overview, parts_of, read
from engine.retrieve.pack import pack
from engine.retrieve.query import fold
from engine.summaries import MOST_DOCUMENTS, Summarizer
from engine.summaries import passages as passages_of
from storage.base import Storage

# So many passages are counted, documents listed and documents quoted from.
MOST_COUNTED, MOST_LISTED, MOST_QUOTED = 1000, 30, 12
# Of so many documents the parts that a number names are looked for, and of so many they are told.
MOST_WITHIN, MOST_PARTS = 200, 5
_BUDGET = 1500


class Search(Protocol):
    """Searches the library."""

    def __call__(self, query: str, *, mode: str, regex: bool, filters: Filters, top_k: int) -> SearchResult:
        """Return what is found."""
        ...


class Overviews:
    """Answers questions about the documents themselves. All methods may be called from any thread."""

    def __init__(self, storage: Storage, search: Search, summaries: Callable[[], Summarizer]) -> None:
        self._storage = storage
        self._search = search
        self._summaries = summaries

    def answer(
        self,
        question: str,
        filters: Filters,
        on_event: OnEvent | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer | None:
        """Answer a question about documents as a whole within the filters; None for any other question."""
        if not replace(filters, documents=(), topics=(), version=None).empty:
            return None
        documents = self._documents(filters)
        asked = read(question, documents)
        if asked is None or not documents:
            return None
        phrases, tell = phrases_for(question), on_event or (lambda _event: None)
        if asked.kind == "list":
            return _listed(documents, phrases, tell)
        if asked.kind == "mentions":
            return self._mentioning(asked.term, filters, len(documents), phrases, tell)
        return self._about(asked, documents, filters, phrases, on_event, cancelled)

    def _documents(self, filters: Filters) -> list[Document]:
        found = [self._storage.document(one) for one in filters.documents] or self._storage.documents()
        if filters.topics:
            there = set(self._storage.topics.documents_of(filters.topics))
            found = [one for one in found if one.document_id in there]
        return found

    def _about(
        self,
        asked: Overview,
        documents: Sequence[Document],
        filters: Filters,
        phrases: Phrases,
        on_event: OnEvent | None,
        cancelled: Callable[[], bool] | None,
    ) -> Answer | None:
        chosen = list(asked.documents or documents)
        if asked.kind == "part":
            title, evidence = self._part(asked.term, chosen, filters)
        elif len(chosen) > MOST_DOCUMENTS:
            names = ", ".join(self._largest_topics())
            return _plain(phrases.too_many_to_summarise.format(count=len(chosen), topics=names), on_event)
        else:
            title, evidence = self._summaries().together(
                [one.document_id for one in chosen], version=filters.version
            )
        named = list(dict.fromkeys(item.hit.document for item in evidence))
        step = TraceStep(
            0, "action", phrases.step_summarise.format(names=", ".join(named[:5])), "summarize_findings",
            {"documents": named},
        )  # fmt: skip
        try:
            made = self._summaries().passages(title, evidence, on_event=on_event, cancelled=cancelled)
        except UsageError:  # there is no text in it
            return None
        if on_event is not None:
            on_event(step)
        text = made.summary
        if made.engine == "extractive":
            text = f"{phrases.quoted}\n\n{text}"
        return Answer(
            text, "direct", "high" if made.engine == "extractive" else "medium", True, made.sources,
            reasoning_steps=1, reasoning_trace=[step], warnings=made.warnings, engine=made.engine,
        )  # fmt: skip

    def _part(
        self, label: str, documents: Sequence[Document], filters: Filters
    ) -> tuple[str, list[Evidence]]:
        """Return the title and the passages of the section that a label names, in each of up to five documents."""
        within = replace(filters, documents=tuple(one.document_id for one in documents[:MOST_WITHIN]))
        hits = self._search(label, mode="hybrid", regex=False, filters=within, top_k=20).hits
        named = [
            hit
            for hit in hits
            if hit.role == "section" and any(reason.startswith("labels:") for reason in hit.why)
        ]
        # Of "chapter 2, section 1" and its chapter, the section has both on its path.
        named.sort(key=lambda hit: -sum(part in fold(" ".join(hit.path)) for part in parts_of(fold(label))))
        found: dict[str, Hit] = {}
        for hit in named:
            found.setdefault(hit.document_id, hit)
        title, evidence = "", []
        for hit in list(found.values())[:MOST_PARTS]:
            own, passages = passages_of(
                self._storage.tree(hit.document_id, hit.version), node_ids=[hit.node_id]
            )
            title = title or own
            evidence += passages
        return title, evidence

    def _largest_topics(self) -> list[str]:
        """Return the names of the ten largest topics, each with its number of documents."""
        sizes = Counter(link.topic_id for link in self._storage.topics.links())
        names = {topic.topic_id: topic.name for topic in self._storage.topics.list()}
        return [f"{names[key]} ({count})" for key, count in sizes.most_common() if key in names][:10]

    def _mentioning(
        self, term: str, filters: Filters, searched: int, phrases: Phrases, tell: OnEvent
    ) -> Answer | None:
        """Return which documents hold a term word for word, with a quotation from each; None where none does."""
        try:
            hits = self._search(
                _as_a_word(term), mode="keyword", regex=True, filters=filters, top_k=MOST_COUNTED
            ).hits
        except UsageError:
            return None
        if not hits:
            return None
        counts = Counter(hit.document_id for hit in hits)
        told_best = sorted(hits, key=lambda hit: hit.role != "paragraph")
        first = {hit.document_id: hit for hit in reversed(told_best)}
        order = sorted(counts, key=lambda key: (-counts[key], first[key].document))
        step = TraceStep(
            0, "action", phrases.step_search.format(query=term), "keyword_search", {"keywords": [term]},
            phrases.mentioning.format(count=len(counts), total=searched, term=term),
        )  # fmt: skip
        tell(step)
        evidence = [item for key in order[:MOST_QUOTED] for item in self._evidence(first[key])]
        sources = Sources(evidence)
        by_document = {item.hit.document_id: index for index, item in enumerate(evidence)}
        lines = [phrases.mentioning.format(count=len(counts), total=searched, term=harmless(term)), ""]
        for key in order[:MOST_LISTED]:
            count = phrases.passages.format(count=counts[key])
            line = f"- {harmless(first[key].document)} ({count})"
            if (index := by_document.get(key)) is not None:
                line += ": " + _quotation(term, index, evidence[index], sources)
            lines.append(line)
        if len(order) > MOST_LISTED:
            lines.append(phrases.and_more.format(count=len(order) - MOST_LISTED))
        text = "\n".join(lines)
        tell(Token(text))
        return Answer(
            text, "direct", "high", True, sources.citations, reasoning_steps=1, reasoning_trace=[step]
        )

    def _evidence(self, hit: Hit) -> list[Evidence]:
        found = pack([hit], self._storage, _BUDGET)
        return [item for item in found if item.hit.node_id == hit.node_id][:1] or found[:1]


def _as_a_word(term: str) -> str:
    """Return the pattern of a term that is no part of a longer word; Chinese has no edges of words."""
    pattern = r"\s+".join(re.escape(word) for word in term.split())
    left = r"(?<![A-Za-z0-9])" if re.match(r"[A-Za-z0-9]", term) else ""
    right = r"(?![A-Za-z0-9])" if re.search(r"[A-Za-z0-9]$", term) else ""
    return left + pattern + right


def _quotation(term: str, index: int, item: Evidence, sources: Sources) -> str:
    """Return the sentence that holds the term, with its mark."""
    match = re.search(_as_a_word(term), item.text, re.IGNORECASE)
    at = match.start() if match else 0
    sentences = sentences_of(item.text, item.hit.role)
    found = next((one for one in sentences if one.start <= at < one.end), sentences[0] if sentences else None)
    if found is None:
        return f"[{sources.add_title(index)}]"
    start, end = narrow(found.start, found.end, item.text, content_terms(term))
    return f"{quotable(item.text[start:end])} [{sources.add(index, start, end)}]"


def _listed(documents: Sequence[Document], phrases: Phrases, tell: OnEvent) -> Answer:
    kinds = Counter(PurePath(one.name).suffix.lstrip(".").upper() or "?" for one in documents)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    lines = [phrases.library_holds.format(count=len(documents), kinds=told), ""]
    for one in documents[:MOST_LISTED]:
        pages = f" ({phrases.pages_of.format(count=one.pages)})" if one.pages else ""
        lines.append(f"- {harmless(one.name)}{pages}")
    if len(documents) > MOST_LISTED:
        lines.append(phrases.and_more.format(count=len(documents) - MOST_LISTED))
    return _plain("\n".join(lines), tell)


def _plain(text: str, tell: OnEvent | None) -> Answer:
    """Return an answer that the library itself gives, not a document."""
    if tell is not None:
        tell(Token(text))
    return Answer(text, "direct", "high", True, [])
