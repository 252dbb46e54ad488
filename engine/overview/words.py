"""Words as they stand: which documents hold them."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import Protocol

from engine.answer.check.locate import narrow, sentences_of
from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.understand.terms import content_terms
from engine.errors import UsageError
from engine.model import Answer, Evidence, Filters, Hit, SearchResult, TraceStep
from engine.overview.quoting import told
from engine.retrieve.pack import pack
from storage.base import Storage

# So many passages are counted, documents listed and documents quoted from.
MOST_COUNTED, MOST_LISTED, MOST_QUOTED = 1000, 30, 12
_BUDGET = 1500


class Search(Protocol):
    """Searches the library."""

    def __call__(self, query: str, *, mode: str, regex: bool, filters: Filters, top_k: int) -> SearchResult:
        """Return what is found."""


def mentioning(
    term: str, storage: Storage, search: Search, filters: Filters, phrases: Phrases, tell: OnEvent
) -> Answer | None:
    """Return which documents within filters hold a term, with a quotation from each; None where none does."""
    pattern = as_a_word(term)
    hits: list[Hit] = []
    if content_terms(term):
        with suppress(UsageError):
            hits = search(pattern, mode="keyword", regex=True, filters=filters, top_k=MOST_COUNTED).hits
    if not hits:
        return None
    counts = Counter(hit.document_id for hit in hits)
    told_best = sorted(hits, key=lambda hit: hit.role != "paragraph")
    first = {hit.document_id: hit for hit in reversed(told_best)}
    order = sorted(counts, key=lambda key: (-counts[key], first[key].document))
    evidence = [item for key in order[:MOST_QUOTED] for item in pack([first[key]], storage, _BUDGET)[:1]]
    sources = Sources(evidence)
    by_document = {item.hit.document_id: index for index, item in enumerate(evidence)}
    searched = len(storage.documents_within(filters))
    lead = phrases.mentioning.format(count=len(counts), total=searched, term=harmless(term))
    lines = [lead, ""]
    for key in order[:MOST_LISTED]:
        count = phrases.passages.format(count=counts[key])
        line = f"- {harmless(first[key].document)} ({count})"
        if (index := by_document.get(key)) is not None:
            line += ": " + _quotation(pattern, term, index, evidence[index], sources)
        lines.append(line)
    if len(order) > MOST_LISTED:
        lines.append(phrases.and_more.format(count=len(order) - MOST_LISTED))
    said = phrases.step_search.format(query=term)
    return told(
        lines, TraceStep(0, "action", said, "keyword_search", {"keywords": [term]}, lead), sources, tell
    )


def as_a_word(term: str) -> str:
    """Return the pattern of a term that is no part of a longer word; Chinese has no edges of words."""
    pattern = r"\s+".join(re.escape(word) for word in term.split())
    left = r"(?<![A-Za-z0-9])" if re.match(r"[A-Za-z0-9]", term) else ""
    right = r"(?![A-Za-z0-9])" if re.search(r"[A-Za-z0-9]$", term) else ""
    return left + pattern + right


def _quotation(pattern: str, term: str, index: int, item: Evidence, sources: Sources) -> str:
    """Return the sentence that holds what the pattern finds, with its mark."""
    match = re.search(pattern, item.text, re.IGNORECASE)
    at = match.start() if match else 0
    sentences = sentences_of(item.text, item.hit.role)
    found = next((one for one in sentences if one.start <= at < one.end), sentences[0] if sentences else None)
    if found is None:
        return f"[{sources.add(index, 0, 0)}]"
    start, end = narrow(found.start, found.end, item.text, content_terms(term))
    return f"{quotable(item.text[start:end])} [{sources.add(index, start, end)}]"
