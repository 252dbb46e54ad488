"""Everything that lasts: one folder, one owning process, every thread welcome."""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import CatalogLostError, NotFoundError, StorageError, UsageError
from engine.model import Check, Document, Filters, Tree, Version
from storage.base import Conversations, Questions, Replies, StoredNode
from storage.collections import NONE, Collections, Rights
from storage.embedded import (
    backup,
    checks,
    listing,
    lock,
    marker,
    modes,
    old_vectors,
    parts,
    recovery,
    room,
    rows,
)
from storage.embedded.catalog import Catalog
from storage.embedded.collections import EmbeddedCollections
from storage.embedded.conversations import EmbeddedConversations
from storage.embedded.damage import Damage, not_indexed
from storage.embedded.dense import EXACT_LIMIT, DenseSearch
from storage.embedded.embeddings import Embeddings
from storage.embedded.files import EmbeddedFiles
from storage.embedded.graphs import Graphs
from storage.embedded.jobs import EmbeddedJobs
from storage.embedded.journal import Journal
from storage.embedded.liveness import Liveness, VersionEntry
from storage.embedded.neighbours import GraphShape, Neighbours
from storage.embedded.questions import EmbeddedQuestions
from storage.embedded.repair import begin_anew, set_damaged_aside, strays
from storage.embedded.replies import EmbeddedReplies
from storage.embedded.reports import EmbeddedReports
from storage.embedded.segments import Segment
from storage.embedded.snapshot import EmbeddedSnapshot, stored
from storage.embedded.sparse import SparseIndex
from storage.embedded.state import Generations, ScopeCache, State
from storage.embedded.topics import EmbeddedTopics
from storage.embedded.unit import EmbeddedUnitOfWork, Plan
from storage.embedded.upkeep import Upkeep
from storage.embedded.vectors import ModelVectors, VectorFile
from storage.embedded.watched import EmbeddedWatchedFiles
from storage.jobs import Jobs
from storage.originals import Files, Original
from storage.reports import Reports
from storage.topics import Topics
from storage.visible import PARTS, Sight
from storage.watched import WatchedFiles

if TYPE_CHECKING:
    import networkx

CLOSE_SECONDS = 2.0
log = logging.getLogger(__name__)
_CROWDED = 64  # segments; a busy writer merges them itself before searches suffer


class EmbeddedStorage:
    """Everything that lasts, in one folder (see :class:`storage.base.Storage`).

    One instance owns the library. Others are views of it (:meth:`pinned`, :meth:`visible`), which share everything
    with it but the state that they read.
    """

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
    _pinned: State | None = None
    _sight: Sight | None = None
    _whole: EmbeddedStorage | None = None
    """The library itself, where this is a view of it."""

    def __init__(
        self,
        folder: Path,
        *,
        exact_limit: int = EXACT_LIMIT,
        shape: GraphShape | None = None,
        clock: Callable[[], float] = time.time,
        repair: bool = False,
    ) -> None:
        """Open or create the library in a folder, after taking up what a killed process left.

        Scopes of up to ``exact_limit`` vectors are searched exactly, larger ones through Chroma's graphs, which are
        made in the given shape. With ``repair`` a library without its catalog gets a new one, which does not know the
        originals yet. Raises LibraryLockedError, naming the holder's pid, NotALibraryError for a folder with other
        things in it, CatalogLostError for a library without its catalog, and StorageError.
        """
        self.folder = folder
        self._clock = clock
        self._exact_limit, self._shape = exact_limit, shape or GraphShape()
        self._writer = threading.RLock()
        self._units: list[EmbeddedUnitOfWork] = []  # the one that is open
        try:
            with suppress(*(CatalogLostError,) if repair else ()):
                marker.refuse_others(folder)  # before the first byte is written
            folder.mkdir(modes.FOLDER, parents=True, exist_ok=True)
            self._lock = lock.FolderLock(folder)
        except OSError as error:
            raise _unusable(folder, error) from error
        try:
            if repair and set_damaged_aside(folder):
                begin_anew(folder, clock())
            self._open()
        except OSError as error:
            self._lock.release()
            raise _unusable(folder, error) from error
        except StorageError:
            self._lock.release()
            raise

    def _open(self) -> None:
        folder, aside = self.folder, self.folder / recovery.TEMPORARY
        known = marker.recognise(folder)
        with suppress(*(OSError,) if known != "new" else ()):  # a known library opens for reading at least
            recovery.prepare(folder)
        self._catalog = Catalog(folder)
        self.read_only = self._catalog.read_only
        with suppress(*(OSError,) if known == "unmarked" else ()):
            if known != "marked":
                marker.write(folder)
        if not self.read_only:
            recovery.sweep(self._catalog)
        self._journal = Journal(folder, aside, self._catalog)
        if not self.read_only:
            self._journal.sync()
        self._files = EmbeddedFiles(folder, aside, self._catalog, self._clock)
        self.files = self._files
        self.jobs = EmbeddedJobs(self._catalog, self._clock)
        self.conversations = EmbeddedConversations(self._catalog, self._clock)
        self.questions = EmbeddedQuestions(self._catalog, self._clock)
        self.reports = EmbeddedReports(self._catalog, self._clock)
        self.replies = EmbeddedReplies(self._catalog)
        self.topics = EmbeddedTopics(self._catalog)

        def listed_anew() -> None:
            self._generations.current.listed.clear()

        self.watched = EmbeddedWatchedFiles(self._catalog, listed_anew)
        self.collections = self._collections = EmbeddedCollections(self._catalog, listed_anew)
        self._graphs = Graphs(folder, aside)
        self._damage = Damage()
        segments = recovery.open_segments(folder, self._catalog)
        live = _read_liveness(self._catalog)
        sparse = SparseIndex.of(segments, live.current)
        self._vectors = VectorFile(folder, self.read_only)
        old_vectors.move(folder, self._catalog, self._vectors)
        models = _linked(self._vectors, live, self.read_only)
        self._generations = Generations(State(self._catalog.meta("generation"), live, sparse, models))
        self._embeddings = Embeddings(self._catalog, self._vectors, self._generations)
        neighbours = Neighbours(folder, self._catalog, self._vectors, self._generations, self._shape)
        self._dense = DenseSearch(self._vectors, neighbours, self._exact_limit)
        self._upkeep = Upkeep(
            folder, aside, self._catalog, self._generations, self._files, self._vectors, neighbours, self._clock,
            self._embeddings, self._graphs, self._damage, self._collections,
        )  # fmt: skip
        for version_id in not_indexed(self._catalog, live, sparse):
            self._damage.note(version_id, "The full-text index")

    @contextmanager
    def unit_of_work(self) -> Iterator[EmbeddedUnitOfWork]:
        """Open a unit of work; leaving it without a commit drops what was staged. Writers take turns.

        Raises UsageError when this thread has one open already.
        """
        with self._writer:
            if self._units:
                raise UsageError("A unit of work is open in this thread already.")
            unit = EmbeddedUnitOfWork(
                self.folder, self.folder / recovery.TEMPORARY, self._catalog, self._graphs,
                self._generations, self._publish, self._clock, self._journal, self.collections.must_be_editable,
            )  # fmt: skip
            self._units.append(unit)
            try:
                yield unit
            finally:
                self._units.remove(unit)
                unit.close()
            if len(self._generations.current.sparse.views) > _CROWDED:
                with suppress(StorageError):  # it is upkeep's to try again; what was committed is
                    self._upkeep.merge()

    def _publish(self, apply: Callable[[], tuple[Plan, Segment | None]]) -> None:
        with self._generations.lock:
            plan, segment = apply()
            if plan.gone:
                self._collections.forget()
            state = self._generations.current
            added = list(zip(plan.entries, plan.roles, strict=True))
            keys_of_parts = np.array([key for key, _ in plan.parts], np.int64)
            live = state.live.after(
                added, plan.current, plan.retired, plan.deleted, keys_of_parts, plan.archived, plan.returned
            )
            changed = live.ranges([*plan.retired, *plan.deleted, *(entry.id for entry in plan.revived)])
            sparse = state.sparse.after([segment] if segment else [], changed, live.current)
            self._generations.publish(
                replace(state, generation=state.generation + 1, live=live, sparse=sparse, scopes=ScopeCache())
            )

    def _state(self) -> State:
        if self._pinned is not None:
            return self._pinned
        state, sight = self._generations.current, self._sight
        if sight is None:
            return state
        key = sight.rights.readable, sight.collections.changes
        return self._generations.keep(state.within(sight.shows, key))

    def pinned(self) -> EmbeddedStorage:
        """Return the library as it is now, for reading: what is deleted or added meanwhile does not change it.

        Its rows are kept until the returned object is gone; changes made through it go to the library itself.
        """
        view = copy.copy(self)
        view._whole, view._pinned = self._whole or self, self._state()
        return view

    def visible(self, rights: Rights) -> EmbeddedStorage:
        """Return the library for somebody with these rights: what they may not read is as if it were not there.

        Changes of documents that they may read and not edit raise AccessError.
        """
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

    def snapshot(self) -> EmbeddedSnapshot:
        """Return the state for searching. Never waits for a writer."""
        return EmbeddedSnapshot(self._state(), self._catalog, self._in_groups, self._dense)

    def _in_groups(self, filters: Filters) -> set[str] | None:
        topics, collections = filters.topics, filters.collections
        found = [set(self.topics.documents_of(topics))] if topics else []
        found += [set(self.collections.documents_of(collections))] if collections else []
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
            graph = self._graphs.graph(listing.graph_place(self._catalog, entry.id))
        except StorageError:
            self._damage.note(entry.id, "The graph")
            return listing.tree(self._catalog, entry)
        facts = graph.graph
        return Tree(
            entry.document_id, entry.name, facts["media_type"], entry.number, facts["pages"],
            [node for _, node in graph.nodes(data="node")], [(w, h) for w, h in facts["page_sizes"]],
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

    def nodes_without_vector(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return up to ``limit`` (key, dense text) of current nodes still to embed, newest document first.

        Nodes whose text this model has embedded before are given that vector here and not returned. What
        comes for a part is a name of the part, which only :meth:`add_vectors` understands.
        """
        return self._embeddings.missing(model, limit)

    def add_vectors(self, model: str, keys: Sequence[int], texts: Sequence[str], vectors: np.ndarray) -> None:
        """Store unit vectors, shape (n, dimension) float32, for nodes; remembered by (model, text)."""
        self._embeddings.add(model, keys, texts, vectors)

    def warm(self) -> None:
        """Load what makes searches of a large library fast; takes seconds, meant for a background thread."""
        models = self._generations.current.vectors.values()
        if any(model.linked.size > self._exact_limit for model in models):
            self._dense.neighbours.load()

    def maintain(self) -> bool:
        """Do one bounded piece of upkeep; False when there is nothing left to do."""
        return not self.read_only and self._upkeep.step()

    def free_bytes(self) -> int:
        """Return how many bytes are free for the library."""
        return room.free(self.folder)

    def reading(self) -> int:
        """Return what was noted by :meth:`note_reading`, 0 before that."""
        found = self._catalog.read("SELECT value FROM meta WHERE name = 'reading'")
        return int(found[0][0]) if found else 0

    def note_reading(self, number: int) -> None:
        """Note by which way of reading files all documents were read. Raises StorageError."""
        with self._catalog.transaction() as write:
            write.execute("INSERT OR REPLACE INTO meta VALUES ('reading', ?)", (number,))

    def damaged(self) -> list[tuple[str, int]]:
        """Return (document id, number) of the versions whose graph or full-text index is to be written again."""
        return self._damage.versions(self._generations.current.live)

    def strays(self) -> list[Original]:
        """Return the originals that the catalog does not know, the oldest first, those without a name last."""
        return strays(self.folder, self._catalog, self._files)

    def back_up(self, target: Path) -> backup.Sums:
        """Copy the library into an empty folder while it is used; see :func:`storage.backup.back_up`."""
        with self._upkeep.paused():
            return backup.back_up(self.folder, target)

    def check(self, deep: bool = False) -> list[Check]:
        """Verify that what is stored is whole: database, files, graphs, segments, vectors; ``deep`` reads it all."""
        with self._upkeep.paused():
            lines = [
                checks.database(self._catalog, deep),
                checks.originals(self._catalog, self._files, len(self.strays()), deep),
                checks.graphs(self._catalog, self._graphs, deep),
            ]
            with self._generations.lock:  # the catalog and the state in memory must be of one generation
                state = self._generations.current
                return [
                    *lines,
                    checks.sparse(self._catalog, state),
                    *checks.vectors(self._dense, state, deep),
                ]

    def close(self) -> None:
        """Release the library; nothing else may be called afterwards. A view does nothing: it is not its to close."""
        if self._whole is not None:
            return
        # A writer that does not end in time is left to fail: the process is about to.
        locks = [one for one in (self._writer, self._generations.lock) if one.acquire(timeout=CLOSE_SECONDS)]
        try:
            self._requeue()
            self._dense.close()
            self._catalog.close()
            self._lock.release()
        finally:
            for taken in locks:
                taken.release()

    def _requeue(self) -> None:
        with suppress(StorageError):  # the disk is full, or may only be read: the next start does it
            recovery.take_up(self._catalog)


def _read_liveness(catalog: Catalog) -> Liveness:
    found = catalog.read(
        "SELECT v.id, v.document_id, v.name, v.number, v.first_key, v.nodes, v.roles, d.current = v.id"
        " AND d.archived IS NULL, d.archived IS NOT NULL"
        " FROM version v JOIN document d USING (document_id) WHERE v.live ORDER BY v.first_key"
    )
    added = [
        (VersionEntry(id_, document, name, number, first, first + nodes), roles)
        for id_, document, name, number, first, nodes, roles, *_ in found
    ]
    current, archived = [row[0] for row in found if row[7]], [row[0] for row in found if row[8]]
    live = Liveness.empty().after(added, current, [], [], parts.read(catalog), archived)
    return live.padded(catalog.meta("next_key"))


def _linked(file: VectorFile, live: Liveness, read_only: bool) -> dict[str, ModelVectors]:
    """Return the models' vectors, after links of nodes that are gone, or that a lost catalog had, were removed."""
    try:
        models = file.models()
    except StorageError:
        if not file.damaged or read_only:
            raise
        log.error("%s is damaged, everything will be embedded again", file.path)
        file.begin_anew()
        models = {}
    ends = live.size, len(live.part_of)
    if any(ends[0] < len(one.linked.nodes) or ends[1] < len(one.linked.parts) for one in models.values()):
        if read_only:
            return {}
        log.warning("The catalog is older than the vectors, which are linked anew")
        file.unlink_all()
        models = file.models()
    return models


def _unusable(folder: Path, error: OSError) -> StorageError:
    return StorageError(
        f"The library {folder} cannot be used ({error}). Check the path, its permissions and the disk."
    )
