"""Reading a library: everything that is asked of one state of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from engine.errors import NotFoundError, StorageError
from engine.model import Check, Document, Filters, Tree, Version
from storage.base import Conversations, Questions, Replies, StoredNode
from storage.collections import Collections
from storage.embedded import listing, rows
from storage.embedded.catalog import Catalog
from storage.embedded.damage import Damage
from storage.embedded.dense import DenseSearch
from storage.embedded.graphs import Graphs
from storage.embedded.snapshot import EmbeddedSnapshot, stored
from storage.embedded.state import State
from storage.jobs import Jobs
from storage.originals import Files
from storage.reports import Reports
from storage.topics import Topics
from storage.watched import WatchedFiles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import networkx
    import numpy as np

    from storage.base import Storage, UnitOfWork
    from storage.collections import Rights
    from storage.originals import Original


class EmbeddedReading(ABC):
    """What can be read of the state that :meth:`_state` gives."""

    files: Files
    jobs: Jobs
    conversations: Conversations
    questions: Questions
    reports: Reports
    replies: Replies
    topics: Topics
    collections: Collections
    watched: WatchedFiles
    read_only: bool
    _catalog: Catalog
    _graphs: Graphs
    _dense: DenseSearch
    _damage: Damage

    @abstractmethod
    def _state(self) -> State:
        """Return the state that is read."""

    def snapshot(self) -> EmbeddedSnapshot:
        """Return the state for searching. Never waits for a writer."""
        return EmbeddedSnapshot(self._state(), self._catalog, self._in_groups, self._dense)

    def _in_groups(self, filters: Filters) -> set[str] | None:
        groups: tuple[tuple[Topics | Collections, Sequence[str]], ...] = (
            (self.topics, filters.topics), (self.collections, filters.collections),
        )  # fmt: skip
        found = [set(group.documents_of(names)) for group, names in groups if names]
        return set.intersection(*found) if found else None

    def documents(self) -> list[Document]:
        """Return all documents, the last changed first."""
        return list(listing.documents(self._catalog, self._state()))

    def documents_within(self, filters: Filters) -> list[Document]:
        """Return the documents that filters name, by themselves or as a group. Raises NotFoundError."""
        found = [self.document(one) for one in filters.documents] or self.documents()
        grouped = self._in_groups(filters)
        return found if grouped is None else [one for one in found if one.document_id in grouped]

    def archived(self) -> list[Document]:
        """Return the documents that are put away, the last first."""
        return listing.archived(self._catalog, self._state())

    def document(self, reference: str, archived: bool = False) -> Document:
        """Return a document by id or name, with ``archived`` one that is put away, too. Raises NotFoundError."""
        return listing.document(self._catalog, self._state(), reference, archived)

    def versions(self, document_id: str, archived: bool = False) -> list[Version]:
        """Return a document's versions, the newest first, with ``archived`` of one put away. Raises NotFoundError."""
        return listing.versions(self._catalog, self._state().live, document_id, archived)

    def tree(self, document_id: str, version: int | None = None) -> Tree:
        """Return the node tree of a version (None: the current one). Raises NotFoundError."""
        entry = listing.version_entry(self._state().live, document_id, version)
        try:
            data = self._graphs.load(listing.graph_place(self._catalog, entry.id))
        except StorageError:
            self._damage.note(entry.id, "The graph")
            return listing.tree(self._catalog, entry)
        facts = data["graph"]
        return Tree(
            entry.document_id, entry.name, facts["media_type"], entry.number, facts["pages"],
            [item["node"] for item in data["nodes"]], [(w, h) for w, h in facts["page_sizes"]],
            list(facts["warnings"]),
        )  # fmt: skip

    def graph(self, document_id: str, version: int | None = None) -> networkx.DiGraph:
        """Return the graph of a version, shared with other callers: not to be changed.

        Nodes go by ``node_id`` and have a ``key`` and a ``node`` attribute; edges have ``kind``, ``label``
        and ``kinds``, all kinds of the pair. Of a graph that is damaged, only children and neighbours are known until
        it was written again. Raises NotFoundError.
        """
        entry = listing.version_entry(self._state().live, document_id, version)
        try:
            return self._graphs.graph(listing.graph_place(self._catalog, entry.id))
        except StorageError:
            self._damage.note(entry.id, "The graph")
            return listing.graph(self._catalog, entry)

    def find_node(self, node_id: str, version: int | None = None) -> StoredNode:
        """Return a node by its public id, that of a current version first. Raises NotFoundError."""
        state = self._state()
        found = [
            stored(row, state)
            for row in self._catalog.read(f"SELECT {rows.COLUMNS} FROM node WHERE node_id = ?", (node_id,))
            if row[0] < state.live.size and state.live.shows(row[0])
        ]
        if version is not None:
            found = [node for node in found if node.version == version]
        if not found:
            raise NotFoundError(f"There is no node {node_id} in the library.")
        return max(found, key=lambda node: (node.current, node.key))


class PinnedStorage(EmbeddedReading):
    """A library as it is at one moment, for as long as somebody reads it; changes go to the library itself.

    The rows and graphs of the state are kept until this object is gone.
    """

    def __init__(self, owner: EmbeddedReading, changing: Storage, state: State) -> None:
        """``owner`` and ``changing`` are the same library, for what is read and for what is changed."""
        for name in EmbeddedReading.__annotations__:
            setattr(self, name, getattr(owner, name))
        self._changing = changing
        self._pinned = state

    def _state(self) -> State:
        return self._pinned

    def pinned(self) -> Storage:
        """Return this view."""
        return self

    def unit_of_work(self) -> AbstractContextManager[UnitOfWork]:
        """Open a unit of work on the library; what it commits is not seen here."""
        return self._changing.unit_of_work()

    def visible(self, rights: Rights) -> Storage:
        """As the library's, which shows the newest state."""
        return self._changing.visible(rights)

    def is_free(self, document_id: str) -> bool:
        """As the library's."""
        return self._changing.is_free(document_id)

    def nodes_without_vector(self, model: str, limit: int) -> list[tuple[int, str]]:
        """As the library's."""
        return self._changing.nodes_without_vector(model, limit)

    def add_vectors(self, model: str, keys: Sequence[int], texts: Sequence[str], vectors: np.ndarray) -> None:
        """As the library's."""
        self._changing.add_vectors(model, keys, texts, vectors)

    def warm(self) -> None:
        """As the library's."""
        self._changing.warm()

    def maintain(self) -> bool:
        """As the library's."""
        return self._changing.maintain()

    def free_bytes(self) -> int:
        """As the library's."""
        return self._changing.free_bytes()

    def reading(self) -> int:
        """As the library's."""
        return self._changing.reading()

    def note_reading(self, number: int) -> None:
        """As the library's."""
        self._changing.note_reading(number)

    def damaged(self) -> list[tuple[str, int]]:
        """As the library's."""
        return self._changing.damaged()

    def strays(self) -> list[Original]:
        """As the library's."""
        return self._changing.strays()

    def back_up(self, target: Path) -> Mapping[str, tuple[int, str]]:
        """As the library's."""
        return self._changing.back_up(target)

    def check(self, deep: bool = False) -> list[Check]:
        """As the library's."""
        return self._changing.check(deep)

    def close(self) -> None:
        """Do nothing: the library is closed by who opened it."""
