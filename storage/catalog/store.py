"""A library over a database and one generation of it in memory: all that reading it is, for every backend."""

from __future__ import annotations

import copy
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from engine.errors import NO_DOCUMENT, NotFoundError, UsageError
from engine.model import Document, Filters, Version
from storage.base import Storage, StoredNode
from storage.catalog import listing, rows
from storage.catalog.database import Catalog, put
from storage.catalog.dense import DenseSearch
from storage.catalog.embeddings import Embeddings
from storage.catalog.liveness import Damage, VersionEntry
from storage.catalog.snapshot import CatalogSnapshot
from storage.catalog.state import Generations, State
from storage.catalog.unit import StagedUnitOfWork
from storage.collections import NONE, Collections, Rights
from storage.conversations import Conversations
from storage.corrections import Corrections
from storage.questions import Questions
from storage.replies import Replies
from storage.reports import Reports
from storage.topics import Topics
from storage.visible import PARTS, Sight
from storage.watched import WatchedFiles

if TYPE_CHECKING:
    import networkx


class CatalogStorage(Storage):
    """What reads a library (see :class:`storage.base.Storage`); a backend adds how it is opened, written and kept.

    One instance is the library. Others are views of it (:meth:`pinned`, :meth:`visible`), which share everything
    with it but the state that they read.
    """

    folder: Path
    _pinned: State | None = None
    _sight: Sight | None = None
    _whole: Self | None = None
    """The library itself, where this is a view of it."""

    tables: Catalog
    """The database that everything is read from."""
    _generations: Generations
    _embeddings: Embeddings
    _dense: DenseSearch

    @property
    def state(self) -> State:
        """What this shows of the library: one generation."""
        if self._pinned is not None:
            return self._pinned
        state, sight = self._generations.current, self._sight
        if sight is None:
            return state
        key = sight.rights.readable, sight.collections.changes
        return self._generations.keep(state.within(self._catalog, sight.shows, key))

    @contextmanager
    def unit_of_work(self) -> Iterator[StagedUnitOfWork]:
        """Open a unit of work; leaving it without a commit drops what was staged. Writers take turns.

        Raises UsageError when this thread has one open already.
        """
        with self._writer:
            if self._units:
                raise UsageError("A unit of work is open in this thread already.")
            with self._new_unit() as unit:
                self._units.append(unit)
                try:
                    yield unit
                finally:
                    self._units.remove(unit)
                    unit.close()

    # What a backend adds.

    def _new_unit(self) -> AbstractContextManager[StagedUnitOfWork]:
        """Begin a unit of work of this thread, the only one of this process."""
        raise NotImplementedError

    def version_graph(self, entry: VersionEntry) -> networkx.DiGraph:
        """Return the graph of a version, also of a document that is put away."""
        raise NotImplementedError

    def _tables(self, catalog: Catalog, clock: Callable[[], float] = time.time) -> None:
        """Take up what is beside the documents, and whose turn it is to write."""
        self.tables = self._catalog = catalog
        self.read_only = catalog.read_only
        self._damage = Damage()
        self._writer = threading.RLock()
        self._units: list[StagedUnitOfWork] = []  # the one that is open
        self.conversations = Conversations(catalog, clock)
        self.questions = Questions(catalog, clock)
        self.reports = Reports(catalog, clock)
        self.replies = Replies(catalog)
        self.corrections = Corrections(catalog)
        self.topics = self._all_topics = Topics(catalog)
        self.watched = WatchedFiles(catalog, self._listed_anew)
        self.collections = self._collections = Collections(catalog, self._listed_anew)

    def _listed_anew(self) -> None:
        self._generations.current.listed.clear()

    def pinned(self) -> Self:
        """Return the library as it is now, for reading; changes made through it go to the library itself."""
        view = copy.copy(self)
        view._whole, view._pinned = self._whole or self, self.state
        return view

    def visible(self, rights: Rights) -> Self:
        """Return the library for somebody with these rights: what they may not read is as if it were not there."""
        whole = self._whole or self
        view = copy.copy(whole)
        view._whole, view._sight = whole, Sight(rights, whole.collections, whole.is_free)
        for name, part in PARTS.items():
            setattr(view, name, part(getattr(whole, name), view._sight))
        return view

    def is_free(self, document_id: str) -> bool:
        """Tell whether no document has this id, be it one that is put away, hidden, or being read."""
        if self._generations.current.live.versions_of(document_id, archived=True):
            return False
        held = self._sight.collections.members().get(document_id, NONE) if self._sight else NONE
        return held == NONE or (self._sight is not None and held in self._sight.rights.readable)

    def snapshot(self) -> CatalogSnapshot:
        """Return the state for searching. Never waits for a writer."""
        return CatalogSnapshot(self.state, self._catalog, self._in_groups, self._dense, self._note_damage)

    def _in_groups(self, filters: Filters) -> set[str] | None:
        topics, collections = filters.topics, filters.collections
        found = [set(self.topics.documents_of(topics))] if topics else []
        found += [set(self.collections.documents_of(collections))] if collections else []
        return set.intersection(*found) if found else None

    def _note_damage(self, version_id: int) -> None:
        self._damage.note(version_id, "The text in the catalog")

    def damaged(self) -> list[tuple[str, int]]:
        """Return (document id, number) of the versions of which something derived is to be written again."""
        return self._damage.versions(self._generations.current.live)

    def documents(self) -> list[Document]:
        """Return all documents, the last changed first.

        The catalog is of the newest state, so which versions there are, and are current, is asked of the one shown.
        """
        state = self.state
        if not state.listed:
            live = state.live
            found = self._catalog.read_in(listing.DOCUMENT, np.flatnonzero(live.current_version).tolist())
            found.sort(key=lambda row: (row[listing.UPDATED], row[-1]), reverse=True)
            there = np.flatnonzero(live.exists_version).tolist()
            counts = Counter(live.versions[one].document_id for one in there)
            bitmaps = listing.texts(state, 0, live.size)
            made = []
            for row in found:
                keys = slice(live.versions[row[-1]].first_key, live.versions[row[-1]].end_key)
                embedded, retrievable = (int(np.count_nonzero(bitmap[keys])) for bitmap in bitmaps)
                made.append(listing.document(row, counts[row[0]], embedded, retrievable))
            state.listed[:] = made
        return list(state.listed)

    def documents_within(self, filters: Filters) -> list[Document]:
        """Return the documents that filters name, by themselves or as a group. Raises NotFoundError."""
        found = [self.document(one) for one in filters.documents] or self.documents()
        grouped = self._in_groups(filters)
        return found if grouped is None else [one for one in found if one.document_id in grouped]

    def archived(self) -> list[Document]:
        """Return the documents that are put away, the last first."""
        found = self._catalog.read(
            "SELECT document_id FROM document WHERE archived IS NOT NULL ORDER BY archived DESC, document_id"
        )
        live = self.state.live
        return [self.document(one, archived=True) for (one,) in found if live.versions_of(one, archived=True)]

    def document(self, reference: str, archived: bool = False) -> Document:
        """Return a document by id or name, with ``archived`` one that is put away, too. Raises NotFoundError."""
        state, live = self.state, self.state.live
        versions = live.versions_of(reference, archived) or live.versions_of(live.called(reference))
        current = [entry for entry in versions if live.current_version[entry.id]] or versions[-1:]
        found = self._catalog.read_in(listing.DOCUMENT, [entry.id for entry in current])
        if not found:
            raise NotFoundError(NO_DOCUMENT.format(repr(reference)))
        bitmaps = listing.texts(state, current[0].first_key, current[0].end_key)
        embedded, retrievable = (int(np.count_nonzero(bitmap)) for bitmap in bitmaps)
        return listing.document(found[0], len(versions), embedded, retrievable)

    def versions(self, document_id: str, archived: bool = False) -> list[Version]:
        """Return a document's versions, the newest first, with ``archived`` of one put away. Raises NotFoundError."""
        live = self.state.live
        known = live.versions_of(document_id, archived)
        found = self._catalog.read_in(
            "SELECT document_id, number, sha256, size, media_type, pages, nodes, created_at, warnings, seconds,"
            " strategy, id FROM version WHERE id IN ({})",
            [entry.id for entry in known if entry.document_id == document_id],
        )
        if not found:
            raise NotFoundError(NO_DOCUMENT.format(document_id))
        return [
            Version(*[*row[:8], bool(live.current_version[row[-1]]), rows.loaded(row[8]), *row[9:11]])
            for row in sorted(found, key=lambda row: -int(row[1]))
        ]

    def find_node(self, node_id: str, version: int | None = None) -> StoredNode:
        """Return a node by its public id, that of a current version first. Raises NotFoundError."""
        live, keys = self.state.live, self._catalog.read("SELECT key FROM node WHERE node_id = ?", (node_id,))
        found = self.snapshot().nodes([key for (key,) in keys if key < live.size and live.shows(key)])
        if version is not None:
            found = [node for node in found if node.version == version]
        if not found:
            raise NotFoundError(f"There is no node {node_id} in the library.")
        return max(found, key=lambda node: (node.current, node.key))

    def graph(self, document_id: str, version: int | None = None) -> networkx.DiGraph:
        """Return the graph of a version, shared with other callers: not to be changed. Raises NotFoundError.

        Of a graph that is damaged, only children and neighbours are known until it was written again.
        """
        return self.version_graph(listing.version_entry(self.state.live, document_id, version))

    def vectors_of_texts(self, model: str, hashes: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Return the vectors that there are of texts, by the texts' hashes."""
        return self._dense.file.of_texts(self.state.vectors[model], hashes)

    def nodes_without_vector(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return up to ``limit`` (key, text) of current nodes still to embed (see :meth:`Embeddings.missing`)."""
        return self._embeddings.missing(model, limit)

    def add_vectors(self, model: str, keys: Sequence[int], texts: Sequence[str], vectors: np.ndarray) -> None:
        """Store unit vectors, shape (n, dimension) float32, for nodes; remembered by (model, text)."""
        self._embeddings.add(model, keys, texts, vectors)

    def free_bytes(self) -> int:
        """Return how many bytes are free for the library, or for its original files."""
        return shutil.disk_usage(self.folder).free

    def reading(self) -> int:
        """Return what was noted by :meth:`note_reading`, 0 before that."""
        found = self._catalog.read("SELECT value FROM meta WHERE name = 'reading'")
        return int(found[0][0]) if found else 0

    def note_reading(self, number: int) -> None:
        """Note by which way of reading files all documents were read. Raises StorageError."""
        with self._catalog.transaction() as write:
            write.execute(put("meta", "name, value"), ("reading", number))
