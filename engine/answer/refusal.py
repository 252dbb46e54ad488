"""What a question was asked of: told where the documents hold no answer, and by answers over many documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.answer.phrases import Phrases
from engine.model import Filters

if TYPE_CHECKING:
    from storage.base import Storage


@dataclass(frozen=True, slots=True)
class Searched:
    """What a question was asked of: the number of documents behind the filters, with documents and topics by name."""

    documents: int
    filters: Filters = Filters()


def searched_in(storage: Storage, filters: Filters) -> Searched:
    """Return what a question with these filters is asked of. Raises NotFoundError."""
    named = [storage.document(reference) for reference in filters.documents]
    names = {one.collection_id: one.name for one in storage.collections.list()} if filters.collections else {}
    if filters.topics:
        names |= {topic.topic_id: topic.name for topic in storage.topics.list()}
    shown = replace(
        filters,
        documents=tuple(document.name for document in named),
        topics=tuple(names.get(one, one) for one in filters.topics),
        collections=tuple(names.get(one, one) for one in filters.collections),
    )
    return Searched(len(storage.documents_within(filters)), shown)


def what_was_searched(mode: str, searched: Searched | None, phrases: Phrases) -> str:
    """Return the sentence that says how, in how many documents, and with what filters was searched."""
    name = phrases.modes.get(mode, mode)
    if searched is None:
        return phrases.searched.format(mode=name)
    text = phrases.searched_scope.format(mode=name, documents=searched.documents)
    filters = searched.filters
    parts = [*filters.documents, *filters.collections, *filters.topics, *filters.roles]
    parts += [filters.section] if filters.section else []
    parts += [f"v{filters.version}"] if filters.version is not None else []
    return f"{text} {phrases.searched_filters.format(filters=', '.join(parts))}" if parts else text
