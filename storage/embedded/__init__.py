"""The default backend: SQLite catalog, networkx graphs, Chroma vectors, bm25s segments, files."""

from __future__ import annotations

from pathlib import Path

from storage.embedded.backup import restore
from storage.embedded.dense import EXACT_LIMIT
from storage.embedded.marker import refuse_others
from storage.embedded.neighbours import GraphShape
from storage.embedded.store import EmbeddedStorage

__all__ = ["EXACT_LIMIT", "EmbeddedStorage", "GraphShape", "open_storage", "refuse_others", "restore"]


def open_storage(
    folder: Path, *, exact_limit: int = EXACT_LIMIT, shape: GraphShape | None = None, repair: bool = False
) -> EmbeddedStorage:
    """Open or create the library in a folder, after taking up what a killed process left.

    Scopes of up to ``exact_limit`` vectors are searched exactly, larger ones through Chroma's graphs, which are made
    in the given shape. With ``repair`` a library without its catalog gets a new one, which does not know the originals
    yet. Raises LibraryLockedError, naming the holder's pid, NotALibraryError for a folder with other things in it,
    CatalogLostError for a library without its catalog, and StorageError.
    """
    return EmbeddedStorage(folder, exact_limit=exact_limit, shape=shape, repair=repair)
