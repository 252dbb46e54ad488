"""The default backend: SQLite catalog, networkx graphs, vectors with Chroma, bm25s segments, files."""

from __future__ import annotations

from pathlib import Path

from storage.embedded.store import EmbeddedStorage


def open_storage(
    folder: Path,
    *,
    ann_m: int = 32,
    ann_ef_construction: int = 200,
    ann_ef_search: int = 64,
    exact_limit: int = 50_000,
) -> EmbeddedStorage:
    """Open or create the library in a folder, after sweeping up what a killed process left.

    The ``ann_`` values shape the approximate index; scopes of up to ``exact_limit`` vectors are searched
    exactly. Raises LibraryLockedError, naming the holder's pid, and StorageError.
    """
    return EmbeddedStorage(
        folder, ann_m=ann_m, ann_ef_construction=ann_ef_construction, ann_ef_search=ann_ef_search,
        exact_limit=exact_limit,
    )  # fmt: skip
