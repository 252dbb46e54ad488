"""The names that the engine uses of storage.

One commit point decides what is visible. A writer stages any number of versions and deletions in a
:class:`UnitOfWork` and commits them in one step; until then, and after a crash before it, readers see
the old state. Vectors may follow later: a node without one is simply not found by the dense view.
"""

from __future__ import annotations

from storage.conversations import Conversations
from storage.records import (
    AnyOf,
    Facets,
    IndexRecord,
    QueryTerms,
    Scored,
    StoredNode,
    Tokens,
    VersionWrite,
)
from storage.replies import Replies
from storage.scope import Scope
from storage.snapshot import Snapshot
from storage.store import Storage
from storage.unit import UnitOfWork

__all__ = [
    "AnyOf", "Conversations", "Facets", "IndexRecord", "QueryTerms", "Replies", "Scope", "Scored", "Snapshot",
    "Storage", "StoredNode", "Tokens", "UnitOfWork", "VersionWrite",
]  # fmt: skip
