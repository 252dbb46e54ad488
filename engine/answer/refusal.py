"""What is told where the documents hold no answer: what a question was asked of, and what was looked at for it.

The latter is the part of the documents' graphs that was explored (seed 002, 11).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from engine.answer.phrases import Phrases
from engine.errors import NotFoundError
from engine.model import Answer, Filters, Hit, Node, SearchResult
from storage.base import Storage

# So many nodes of what was explored are told.
_MOST_NODES = 60


@dataclass(frozen=True, slots=True)
class Searched:
    """What a question was asked of: the number of documents behind the filters, with documents and topics by name."""

    documents: int
    filters: Filters = Filters()


def searched_in(storage: Storage, filters: Filters) -> Searched:
    """Return what a question with these filters is asked of. Raises NotFoundError."""
    documents = tuple(storage.document(reference).name for reference in filters.documents)
    names = {one.collection_id: one.name for one in storage.collections.list()} if filters.collections else {}
    if filters.topics:
        names |= {topic.topic_id: topic.name for topic in storage.topics.list()}
    topics, collections = (tuple(names.get(one, one) for one in ids) for ids in (filters.topics, filters.collections))
    shown = replace(filters, documents=documents, topics=topics, collections=collections)
    return Searched(len(storage.documents_within(filters)), shown)


def what_was_searched(mode: str, searched: Searched | None, phrases: Phrases) -> str:
    """Return the sentence that says how, in how many documents, and with what filters was searched."""
    name = phrases.modes.get(mode, mode)
    if searched is None:
        return phrases.searched.format(mode=name)
    text = phrases.searched_scope.format(mode=name, documents=searched.documents)
    filters = searched.filters
    collections = (phrases.searched_collection.format(name=name) for name in filters.collections)
    parts = [*filters.documents, *collections, *filters.topics, *filters.roles]
    parts += [filters.section] if filters.section else []
    parts += [f"v{filters.version}"] if filters.version is not None else []
    return f"{text} {phrases.searched_filters.format(filters=', '.join(parts))}" if parts else text


class Exploration:
    """A search that remembers what it found."""

    def __init__(self, search: Callable[..., SearchResult]) -> None:
        self._search = search
        self._seen: dict[str, Hit] = {}

    def __call__(self, query: str, **how: Any) -> SearchResult:
        """Search."""
        result = self._search(query, **how)
        for hit in result.hits:
            self._seen.setdefault(hit.node_id, hit)
        return result

    def found(self, question: str) -> SearchResult:
        """Return all that was found for a question, in the order in which it was."""
        hits = [replace(hit, rank=rank) for rank, hit in enumerate(self._seen.values(), 1)]
        return SearchResult(question, "hybrid", hits, {})

    def noted(self, answer: Answer, storage: Storage, filters: Filters) -> Answer:
        """Return an answer that the documents do not give with what was asked and looked at for it."""
        if answer.state != "not_found":
            return answer
        asked = searched_in(storage, filters)
        given = {name: told for name, told in asked.filters.to_dict().items() if told not in (None, [], ())}
        scope = {"documents": asked.documents, "filters": given}
        return replace(answer, explored=_explored(self._seen.values(), storage), scope=scope)


def _explored(hits: Iterable[Hit], storage: Storage) -> dict[str, Any]:
    """Return the nodes that searches found with the sections above them, and the edges between these.

    ``{"nodes": [{"node_id", "document_id", "version", "role", "page", "found"}], "edges": [{"src", "dst", "type"}]}``;
    ``found`` are hits. No text is in it: what a document says belongs to those who may read it.
    """
    found = {hit.node_id: hit for hit in hits}
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[dict[str, Any]] = []
    for document_id, version in dict.fromkeys((hit.document_id, hit.version) for hit in found.values()):
        try:
            graph = storage.graph(document_id, version)
        except NotFoundError:  # removed since
            continue
        here: dict[str, Node] = {}
        for above in found:
            while above in graph and above not in here and len(nodes) + len(here) < _MOST_NODES:
                here[above] = graph.nodes[above]["node"]
                above = here[above].parent_id or ""
        for node_id, node in here.items():
            nodes[node_id] = {
                "node_id": node_id, "document_id": document_id, "version": version, "role": node.role,
                "page": node.page, "found": node_id in found,
            }  # fmt: skip
        edges += [
            {"src": one, "dst": other, "type": kind}
            for one, other, kinds in graph.subgraph(here).edges(data="kinds")
            for kind in kinds
            if kind != "parent"
        ]
    return {"nodes": list(nodes.values()), "edges": edges} if nodes else {}
