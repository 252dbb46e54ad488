"""The graph of a library, ``graphs/library.json``: its documents, topics and collections, and what joins them.

It is networkx's node-link JSON. An edge goes, by its key, from a document to a topic that it is ``about``, to the
collection that it is ``in``, to a document that its text ``names``, or to one ``alike`` in meaning. A document is
named where a text has its title, its file's name or its number ("ISO 9001", 国发〔2019〕5号) as these are printed.
Titles that could stand in any text by chance name nothing; of two titles one inside the other, the longer is meant.
Whom a document names is told once of each version; so a file that is missing or damaged costs time only. A document's
``told`` are the names that its tables and forms make known, with how much they say of each (``entities``).
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

import networkx
import orjson

from engine.errors import NotFoundError
from engine.index.tokenize import query_terms
from engine.kept_file import write_kept
from engine.model import Document, Filters
from engine.providers.embedding import Embedder
from engine.retrieve.query import is_unspaced
from engine.topics.entities import names_in
from engine.topics.known import KnownTopics
from engine.topics.likeness import ENOUGH, MOST_GROUPED, Space
from engine.topics.names import stands_in
from storage.base import Storage
from storage.topics import TopicProfile

FILE = "graphs/library.json"
# Which way of telling of a document a graph was made by.
READING = 4
LEAST_ALIKE, MOST_ALIKE = 0.3, 8
# So much of a text is read for the names of others, and so many nodes are looked at for one's own.
READ_LETTERS, READ_NODES = 200_000, 40
SHORTEST_TITLE, SHORTEST_HAN_TITLE = 8, 4
_NUMBER = re.compile(
    r"(?<![A-Za-z])[A-Z]{2,8}(?:[/-][A-Z]{1,3})?[ -]?\d{2,6}(?:[.\-:]\d{1,6})*(?!\d)"
    r"|[\u3400-\u9fff]{1,8}[〔\[(]\d{4}[〕\])]\s?\d{1,5}\s?号"
)


class LibraryGraph:
    """Safe to call from several threads: a graph that was given is left as it is, a newer one takes its place."""

    def __init__(self, folder: Path, storage: Storage, embedder: Callable[[], Embedder | None]) -> None:
        """``embedder`` is asked for where documents are few, for a model may have to be loaded (see :class:`Space`)."""
        self._path, self._storage, self._embedder = folder / FILE, storage, embedder
        self._graph: networkx.MultiDiGraph | None = None
        self._telling = threading.Lock()  # two that tell at once would write the same file

    def kept(self) -> networkx.MultiDiGraph | None:
        """Return what the file holds, None where it is missing or damaged."""
        try:
            graph = networkx.node_link_graph(orjson.loads(self._path.read_bytes()), edges="edges")
        except (OSError, ValueError, LookupError, TypeError, AttributeError, networkx.NetworkXError):
            return None
        return graph if isinstance(graph, networkx.MultiDiGraph) else None

    def get(self) -> networkx.MultiDiGraph:
        """Return the graph as it was last made."""
        if self._graph is None:
            self._graph = self.kept() or networkx.MultiDiGraph()
        return self._graph

    def joined(self, document_id: str) -> networkx.MultiDiGraph:
        """Return the graph in which what joins this document to others is that of now."""
        now = _Now(self._storage, self.get())
        if document_id in now.changed():
            now.tell_names([document_id])
            now.tell_alike([document_id], self._embedder)
            self._graph = now.graph
        return self.get()

    def tell(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Make the graph that of the library as it is now, and keep it. Raises StorageError."""
        with self._telling:
            before = self.get()
            now = _Now(self._storage, before)
            changed = now.changed()
            now.tell_names(changed, stopped)
            # What is alike depends on what else there is; of a large library that is told of what is new.
            now.tell_alike(now.documents if len(now.documents) <= MOST_GROUPED else changed, self._embedder)
            if stopped() or (self._path.exists() and networkx.utils.graphs_equal(now.graph, before)):
                return
            self._graph = now.graph
            told = networkx.node_link_data(now.graph, edges="edges")
            write_kept(self._path, orjson.dumps(told).decode())


@dataclass(eq=False)
class _Now:
    """The library as it is now, and its graph on the way there from the one before."""

    storage: Storage
    before: networkx.MultiDiGraph

    @cached_property
    def documents(self) -> dict[str, Document]:
        return {one.document_id: one for one in self.storage.documents()}

    @cached_property
    def profiles(self) -> dict[str, TopicProfile]:
        found = self.storage.topics.profiles()
        return {one.document_id: one for one in found if one.document_id in self.documents}

    @cached_property
    def names(self) -> dict[str, list[str]]:
        return {key: names_of(one, self.profiles.get(key)) for key, one in self.documents.items()}

    @cached_property
    def graph(self) -> networkx.MultiDiGraph:
        """The documents, topics and collections, with what was told of the documents before."""
        graph, topics = networkx.MultiDiGraph(), self.storage.topics
        for key, one in self.documents.items():
            told = self.before.nodes.get(key, {})
            graph.add_node(key, kind="document", name=one.name, state=told.get("state"), said=told.get("said", {}))
        for topic in KnownTopics(topics.list(), topics.links(), list(self.documents.values())).topics:
            graph.add_node(topic.topic_id, kind="topic", name=topic.name)
            for member in topic.documents:
                graph.add_edge(member.document_id, topic.topic_id, "about", confidence=member.confidence)
        for collection in self.storage.collections.list():
            graph.add_node(collection.collection_id, kind="collection", name=collection.name)
        for key, collection_id in self.storage.collections.members().items():
            if key in self.documents and collection_id in graph:
                graph.add_edge(key, collection_id, "in")
        graph.add_edges_from(self._told_before())
        return graph

    def _told_before(self) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """What the graph before tells of documents that there still are: whom they name, and whom they are alike."""
        for one, other, kind, facts in self.before.edges(keys=True, data=True):
            if kind in ("names", "alike") and self.documents.keys() >= {one, other}:
                yield one, other, kind, facts

    def changed(self) -> list[str]:
        """The documents of which there is something to tell."""
        return [key for key in self.documents if self.graph.nodes[key]["state"] != self._state(key)]

    def _state(self, document_id: str) -> str:
        profile = self.profiles.get(document_id)
        return f"{READING} {self.documents[document_id].sha256} {profile.state if profile else ''}"

    def tell_names(self, changed: Sequence[str], stopped: Callable[[], bool] = lambda: False) -> None:
        """Tell whom documents name, and who names them; each text is read once."""
        for key in changed:
            self._drop([(one, key) for one in self.graph.pred[key]], "names")
        read: set[str] = set()
        for key in changed:
            if stopped():
                return
            with suppress(NotFoundError):  # removed meanwhile
                for one in {key, *self._may_name(key)} - read:
                    read.add(one)
                    self._drop([(one, other) for other in self.graph.succ[one]], "names")
                    for other, word in self._named_in(one):
                        self.graph.add_edge(one, other, "names", words=[word])
                said = names_in(self.storage.tree(key).nodes)
                self.graph.nodes[key].update(said=said, state=self._state(key))

    def tell_alike(self, documents: Iterable[str], embedder: Callable[[], Embedder | None]) -> None:
        """Tell whom documents are alike, as far as vectors tell."""
        there = {key: one for key in documents if (one := self.profiles.get(key)) and one.vector is not None}
        spaces = {model: self._space(model, embedder) for model in {one.model for one in there.values()}}
        for key, here in there.items():
            self._drop([(key, other) for other in self.graph.succ[key]], "alike")
            for other, value in spaces[here.model].nearest(key, MOST_ALIKE):
                if value > LEAST_ALIKE:
                    self.graph.add_edge(key, other, "alike", value=round(value, 4))

    def _space(self, model: str, embedder: Callable[[], Embedder | None]) -> Space:
        of_model = [one for one in self.profiles.values() if one.model == model]
        vectors = {one.document_id: one.vector for one in of_model if one.vector is not None}
        loaded = embedder() if len(vectors) < ENOUGH else None
        return Space(vectors, loaded.spread if loaded else None)

    def _drop(self, pairs: list[tuple[str, str]], kind: str) -> None:
        self.graph.remove_edges_from([(*pair, kind) for pair in pairs if self.graph.has_edge(*pair, kind)])

    def _may_name(self, document_id: str) -> list[str]:
        """The documents of the best nodes for the words of a document's names that have one in full."""
        snapshot = self.storage.snapshot()
        everywhere = snapshot.scope(Filters())
        found: dict[str, None] = {}
        for name in self.names[document_id]:
            best = snapshot.sparse_search(query_terms(name), READ_NODES, everywhere)
            for stored in snapshot.nodes([one.key for one in best]):
                if stands_in(name, _spaced(f"{stored.node.title}\n{stored.node.text}"[:READ_LETTERS])):
                    found[stored.document_id] = None
        return [one for one in found if one in self.documents]

    def _named_in(self, document_id: str) -> Iterator[tuple[str, str]]:
        """The documents that a document's text names, each with the name."""
        text = self._text_of(document_id)
        for name in self.names[document_id]:
            text = text.replace(name, "\n")
        found: dict[str, list[str]] = {}
        for key, names in self.names.items():
            for name in names:
                if name in text:
                    found.setdefault(name, []).append(key)
        told: set[str] = set()
        for name in sorted(found, key=len, reverse=True):
            if stands_in(name, text):
                yield from ((key, name) for key in found[name] if key not in told)
                told.update(found[name])
                text = text.replace(name, "\n") if len(found[name]) == 1 else text

    def _text_of(self, document_id: str) -> str:
        nodes = self.storage.tree(document_id).nodes
        return _spaced("\n".join(f"{node.title}\n{node.text}" for node in nodes)[:READ_LETTERS])


def names_of(document: Document, profile: TopicProfile | None) -> list[str]:
    """Return what a document is named by in other texts: title, file name, numbers in these; the longest first."""
    stem = PurePath(document.name).stem.replace("_", " ")
    given = [_spaced(text) for text in (profile.title if profile else "", stem)]
    titles = [text for text in given if _telling(text)]
    numbers = [number for text in given for number in _NUMBER.findall(text)]
    quoted = [f"《{text}》" for text in given if is_unspaced(text) and 1 < len(text) < SHORTEST_HAN_TITLE]
    return sorted(dict.fromkeys([*titles, *numbers, *quoted]), key=len, reverse=True)


def _telling(title: str) -> bool:
    """Tell whether a title could hardly stand in a text by chance: two words and eight letters, four characters."""
    least = SHORTEST_HAN_TITLE if is_unspaced(title) else SHORTEST_TITLE
    return len(title) >= least and (" " in title or is_unspaced(title))


def _spaced(text: str) -> str:
    """A text of one width, with runs of space as one; names keep their case, which tells them from other words."""
    return " ".join(unicodedata.normalize("NFKC", text).split())
