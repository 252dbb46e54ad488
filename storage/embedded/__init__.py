"""The default backend: SQLite catalog, networkx graphs, Chroma vectors, bm25s segments, files."""

from storage.catalog.dense import EXACT_LIMIT
from storage.embedded.backup import restore
from storage.embedded.marker import refuse_others
from storage.embedded.store import EmbeddedStorage

__all__ = ["EXACT_LIMIT", "EmbeddedStorage", "open_storage", "refuse_others", "restore"]

open_storage = EmbeddedStorage
