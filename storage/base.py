"""What the engine asks of storage: Protocols and the small records that cross them.

A node has two names: ``node_id``, the public string, and ``key``, a small integer that storage gives it
and never reuses. Searches return keys; :meth:`Snapshot.nodes` turns them into nodes.

One commit point decides what is visible. A writer stages any number of versions and deletions in a
:class:`UnitOfWork` and commits them in one step; until then, and after a crash before it, readers see
the old state. Vectors may follow later: a node without one is simply not found by the dense view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from engine.model import Check, Document, Edge, Filters, Node, Tree, Version
from storage.collections import Collections, Rights
from storage.conversations import Conversations
from storage.corrections import Corrections
from storage.jobs import Jobs
from storage.questions import Questions
from storage.replies import Replies
from storage.reports import Reports
from storage.topics import Topics
from storage.watched import WatchedFiles

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True)
class Original:
    """A stored original and what it was: a version of a document. Without a name, that is not known."""

    document_id: str
    name: str
    number: int
    sha256: str
    size: int
    created_at: float = 0.0
    strategy: str = "recursive"


class Files(Protocol):
    """The original files, by content."""

    def put(self, data: bytes | Path) -> str:
        """Store bytes or a copy of a file durably and return the SHA-256 in hex."""

    def put_many(self, data: Sequence[bytes | Path]) -> list[str]:
        """Store many, much faster than one by one; return each one's SHA-256."""

    def path(self, sha256: str) -> Path:
        """Return the path of a stored file. Raises NotFoundError, DamagedOriginalError."""

    def verified(self, sha256: str) -> Path:
        """Return the path of a stored file after reading it all. Raises NotFoundError, DamagedOriginalError."""

    def size(self, sha256: str) -> int:
        """Return how many bytes a stored file has. Raises NotFoundError."""


Tokens = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Ways of saying one thing, such as the translations of a ``word``: together they count as one term.

    Each way is the tokens that must all be there. A node holds it as often as the way that it holds most, and
    every node with any of them counts for how rare it is (Pirkola 1998), so that one rare way does not outweigh
    the rest.
    """

    word: str
    ways: tuple[tuple[str, ...], ...]


QueryTerms = Sequence[tuple[str | AnyOf, float]]


class Scored(NamedTuple):
    """A node's key with its score; higher is better."""

    key: int
    score: float


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """What the index knows of one retrievable node.

    ``tokens`` are (term, field weight) pairs, repeated as often as the term occurs; an empty list means
    that the sparse view does not know the node. ``dense_text`` is what is embedded, None for never; ``parts``
    are further texts that are embedded beside it: the node is as near to a question as the nearest of them.
    """

    node_id: str
    tokens: Tokens
    dense_text: str | None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facets:
    """What a node can be filtered by, beside its document, version, role and section.

    ``pages`` are all that it stands on, 1-based; ``units`` are canonical names ("%", "USD"); ``col_types`` are
    the types of a table's columns ("number", "date").
    """

    pages: tuple[int, ...] = ()
    level: int | None = None
    has_numbers: bool = False
    units: tuple[str, ...] = ()
    chart_type: str | None = None
    col_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VersionWrite:
    """One version of a document as it is handed to a unit of work."""

    document_id: str
    name: str
    media_type: str
    sha256: str
    size: int
    pages: int | None
    page_sizes: list[tuple[float, float]]
    nodes: list[Node]
    edges: list[Edge]
    records: list[IndexRecord]
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    replaces: int | None = None
    """A version number whose tree and index this one takes over (parsed again), instead of a new one."""
    facets: Mapping[str, Facets] = field(default_factory=dict)
    """By node id; a node without facets passes no filter by them."""
    strategy: str = "recursive"
    """How its records were made; kept with the version."""
    restored: tuple[int, float] | None = None
    """Number and time (seconds since 1970) of a version that the catalog has lost, instead of new ones."""


@dataclass(frozen=True, slots=True)
class StoredNode:
    """A node with the document and version it belongs to, and the section titles above it.

    ``path`` includes the node's own title when it is a section; ``current`` tells whether the version
    is the document's current one.
    """

    key: int
    node: Node
    document_id: str
    document: str
    version: int
    current: bool
    path: list[str]


class Scope(Protocol):
    """A set of node keys to search in, made by :meth:`Snapshot.scope`."""

    @property
    def size(self) -> int:
        """How many nodes it holds."""

    @property
    def keys(self) -> np.ndarray:
        """The keys of its nodes as int64, ascending: within a document in reading order."""

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return a bool array: which of these int64 keys belong to the scope."""


class Snapshot(Protocol):
    """A consistent view of one generation: what a reader sees does not change under its feet."""

    @property
    def generation(self) -> int:
        """The number of the commit it shows; a cache key for anything derived from the library."""

    def scope(self, filters: Filters) -> Scope:
        """Return the nodes that pass the filters (an empty filter: all nodes of current versions).

        With ``filters.version`` the nodes of that version of every document that has it. Raises
        NotFoundError for a document, topic or collection that does not exist.
        """

    def sparse_search(self, terms: QueryTerms, k: int, scope: Scope) -> list[Scored]:
        """Return the k best nodes by BM25 (lucene, k1 1.5, b 0.75) over weighted terms, best first.

        Document frequencies and average length are those of all current nodes, so that scores equal
        one index built over exactly these, whatever the scope.
        """

    def matched_share(self, terms: QueryTerms, keys: Sequence[int]) -> list[float]:
        """Return for each node the share, 0 to 1, of the terms' weighted idf whose term it holds.

        It tells how much of a question the words of a node account for; a term that stands nowhere in
        the library weighs most.
        """

    def document_names(self, least_nodes: int = 1) -> Mapping[str, str]:
        """Return the names, by id, of all documents whose current version has so many nodes or more."""

    def document_frequency(self, term: str) -> int:
        """Return how many current nodes hold a term."""

    def dense_search(self, vector: np.ndarray, k: int, scope: Scope, model: str) -> list[Scored]:
        """Return the k nodes whose unit vectors of this model have the highest inner product.

        A node with parts counts once, with the best of its vectors.
        """

    def vectors(self, keys: Sequence[int], model: str) -> dict[int, np.ndarray]:
        """Return the vectors that exist for these keys."""

    def keyword_search(self, matches: Callable[[str], bool], k: int, scope: Scope) -> list[int]:
        """Return the keys of the first k nodes, in library order, whose title or text matches."""

    def nodes(self, keys: Sequence[int]) -> list[StoredNode]:
        """Return the nodes with these keys, in that order; unknown keys are left out."""

    def coverage(self, model: str, scope: Scope | None = None) -> tuple[int, int]:
        """Return (nodes all of whose texts have a vector of this model, nodes that should have one)."""


class UnitOfWork(Protocol):
    """Staged changes that become visible together, or not at all."""

    def write(self, version: VersionWrite) -> int:
        """Stage a version (of a new or an existing document) and return its number."""

    def delete(self, document_id: str) -> None:
        """Stage the removal of a document with all versions. Raises NotFoundError."""

    def archive(self, document_id: str) -> None:
        """Stage that a document is put away: nobody finds it until one of its versions is written again.

        Raises NotFoundError.
        """

    def delete_version(self, document_id: str, version: int) -> None:
        """Stage the removal of one version; the newest that is left is current then. Its number is not given again.

        Raises NotFoundError for an unknown one, UsageError for the only one: that is deleting the document.
        """

    def commit(self) -> None:
        """Make everything staged visible in one step. Raises StorageError (disk full …)."""


class Storage(Protocol):
    """Everything that lasts. One instance owns the library; all methods may be called from any thread."""

    files: Files
    jobs: Jobs
    conversations: Conversations
    questions: Questions
    reports: Reports
    replies: Replies
    topics: Topics
    collections: Collections
    corrections: Corrections
    watched: WatchedFiles
    read_only: bool
    """The folder takes nothing: every change raises StorageError."""

    def unit_of_work(self) -> AbstractContextManager[UnitOfWork]:
        """Open a unit of work; leaving it without a commit drops what was staged. Writers take turns."""

    def snapshot(self) -> Snapshot:
        """Return the current state. Never waits for a writer."""

    def pinned(self) -> Storage:
        """Return the library as it is now, for reading: what is deleted or added meanwhile does not change it.

        Its rows are kept until the returned object is gone; changes made through it go to the library itself.
        """

    def visible(self, rights: Rights) -> Storage:
        """Return the library for somebody with these rights: what they may not read is as if it were not there.

        Changes of documents that they may read and not edit raise AccessError.
        """

    def is_free(self, document_id: str) -> bool:
        """Tell whether no document has this id, be it one that is put away or hidden."""

    def documents(self) -> list[Document]:
        """Return all documents, the last changed first."""

    def documents_within(self, filters: Filters) -> list[Document]:
        """Return the documents that filters name, by themselves or as a group. Raises NotFoundError."""

    def archived(self) -> list[Document]:
        """Return the documents that are put away, the last first."""

    def document(self, reference: str, archived: bool = False) -> Document:
        """Return a document by id or name, its ending or not; with ``archived`` put away, too. Raises NotFoundError."""

    def versions(self, document_id: str, archived: bool = False) -> list[Version]:
        """Return a document's versions, the newest first, with ``archived`` of one put away. Raises NotFoundError."""

    def tree(self, document_id: str, version: int | None = None) -> Tree:
        """Return the node tree of a version (None: the current one). Raises NotFoundError."""

    def graph(self, document_id: str, version: int | None = None) -> networkx.DiGraph:
        """Return the graph of a version: nodes by ``node_id`` with a ``key`` and a ``node`` attribute.

        Beside these it has pages, columns and cells without either. Edges carry ``kinds``, all of the pair in the
        order they were written, and ``label`` where one has it. Raises NotFoundError.
        """

    def find_node(self, node_id: str, version: int | None = None) -> StoredNode:
        """Return a node by its public id, that of a current version first. Raises NotFoundError."""

    def nodes_without_vector(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return up to ``limit`` (key, dense text) of current nodes still to embed, newest document first.

        Nodes whose text this model has embedded before are given that vector here and not returned. What
        comes for a part is a name of the part, which only :meth:`add_vectors` understands.
        """

    def add_vectors(self, model: str, keys: Sequence[int], texts: Sequence[str], vectors: np.ndarray) -> None:
        """Store unit vectors, shape (n, dimension) float32, for nodes; remembered by (model, text)."""

    def warm(self) -> None:
        """Load ahead what makes searches fast; takes seconds, meant for a background thread after opening."""

    def alone(self, work: str) -> AbstractContextManager[bool]:
        """Tell whether no other process is at a kind of work; none begins it until the context is left."""

    def maintain(self) -> bool:
        """Do one bounded piece of upkeep (merge segments, encode vectors, collect garbage).

        Returns False when there is nothing left to do.
        """

    def free_bytes(self) -> int:
        """Return how many bytes are free for the library."""

    def reading(self) -> int:
        """Return what was noted by :meth:`note_reading`, 0 before that."""

    def note_reading(self, number: int) -> None:
        """Note by which way of reading files all documents were read. Raises StorageError."""

    def damaged(self) -> list[tuple[str, int]]:
        """Return (document id, number) of the versions of which something derived is to be written again."""

    def strays(self) -> list[Original]:
        """Return the originals that the catalog does not know, the oldest first, those without a name last."""

    def back_up(self, target: Path) -> Mapping[str, tuple[int, str]]:
        """Copy the library into an empty folder while it is used; return size and SHA-256 of each file, by path.

        Raises UsageError for a folder that holds something, DamagedOriginalError, StorageError.
        """

    def check(self, deep: bool = False) -> list[Check]:
        """Verify that what is stored is whole: files, graphs, segments, vectors, database; ``deep`` reads it all."""

    def close(self) -> None:
        """Release the library; nothing else may be called afterwards."""
