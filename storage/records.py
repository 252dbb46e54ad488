"""The small records that cross between the engine and storage.

A node has two names: ``node_id``, the public string, and ``key``, a small integer that storage gives it
and never reuses. Searches return keys; :meth:`storage.catalog.snapshot.Snapshot.nodes` turns them into nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.model import Edge, Node

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
