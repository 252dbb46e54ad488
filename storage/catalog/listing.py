"""Documents and versions as the library lists them, read from the catalog."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import NotFoundError
from engine.model import Document, Tree, Version, tree_edges
from storage.catalog import rows
from storage.catalog.database import Catalog
from storage.catalog.graphs import built
from storage.catalog.liveness import RETRIEVABLE, Liveness, VersionEntry
from storage.catalog.state import State

if TYPE_CHECKING:
    import networkx

_DOCUMENT = """
SELECT v.document_id, v.name, v.media_type, v.number,
    v.sha256, v.size, v.pages, v.nodes, coalesce(d.created_at, v.created_at), coalesce(d.updated_at, v.created_at),
    v.warnings, v.strategy,
    coalesce((SELECT w.path FROM watched_file w WHERE w.document_id = v.document_id LIMIT 1), ''), d.archived,
    coalesce(c.name, ''), v.id
FROM version v LEFT JOIN document d USING (document_id)
LEFT JOIN document_collection m USING (document_id) LEFT JOIN collection c USING (collection_id)
WHERE v.id IN ({})
"""
_UPDATED = 9


def documents(catalog: Catalog, state: State) -> list[Document]:
    """Return all documents of a state, the last changed first; the list is the state's own.

    The catalog is of the newest state, so which versions there are, and are current, is asked of the given one.
    """
    if state.listed:
        return state.listed
    live = state.live
    found = catalog.read_in(_DOCUMENT, np.flatnonzero(live.current_version).tolist())
    found.sort(key=lambda row: (row[_UPDATED], row[-1]), reverse=True)
    counts = Counter(live.versions[one].document_id for one in np.flatnonzero(live.exists_version).tolist())
    embedded, retrievable = (np.r_[0, np.cumsum(bitmap)] for bitmap in _texts(state, 0, live.size))
    made = []
    for row in found:
        first, end = live.versions[row[-1]].first_key, live.versions[row[-1]].end_key
        figures = int(embedded[end] - embedded[first]), int(retrievable[end] - retrievable[first])
        made.append(_document(row, counts[row[0]], *figures))
    state.listed[:] = made
    return state.listed


def archived(catalog: Catalog, state: State) -> list[Document]:
    """Return the documents that are put away, the last first."""
    found = catalog.read(
        "SELECT document_id FROM document WHERE archived IS NOT NULL ORDER BY archived DESC, document_id"
    )
    return [
        document(catalog, state, document_id, archived=True)
        for (document_id,) in found
        if state.live.versions_of(document_id, archived=True)
    ]


def document(catalog: Catalog, state: State, reference: str, archived: bool = False) -> Document:
    """Return a document by id or name, with ``archived`` one that is put away, too. Raises NotFoundError."""
    versions = state.live.versions_of(reference, archived)
    current = [entry.id for entry in versions if state.live.current_version[entry.id]]
    if versions and not current:
        current = [max(versions, key=lambda entry: entry.number).id]
    found = catalog.read_in(_DOCUMENT, current)
    if not found:
        raise NotFoundError(f"There is no document {reference!r} in the library.")
    entry = state.live.versions[current[0]]
    embedded, retrievable = map(np.count_nonzero, _texts(state, entry.first_key, entry.end_key))
    return _document(found[0], len(versions), int(embedded), int(retrievable))


def versions(catalog: Catalog, live: Liveness, document_id: str, archived: bool) -> list[Version]:
    """Return a document's versions, the newest first. Raises NotFoundError."""
    ids = [entry.id for entry in live.versions_of(document_id, archived) if entry.document_id == document_id]
    found = catalog.read_in(
        "SELECT document_id, number, sha256, size, media_type, pages, nodes, created_at, warnings, seconds,"
        " strategy, id FROM version WHERE id IN ({})",
        ids,
    )
    if not found:
        raise NotFoundError(f"There is no document {document_id} in the library.")
    return [
        Version(*[*row[:8], bool(live.current_version[row[-1]]), rows.loaded(row[8]), *row[9:11]])
        for row in sorted(found, key=lambda row: -int(row[1]))
    ]


def version_entry(live: Liveness, document_id: str, number: int | None) -> VersionEntry:
    """Return a document's version (None: the current one). Raises NotFoundError."""
    for entry in live.versions_of(document_id):
        if (number is None and live.current_version[entry.id]) or entry.number == number:
            return entry
    which = "" if number is None else f", version {number},"
    raise NotFoundError(f"There is no document {document_id}{which} in the library.")


def tree(catalog: Catalog, entry: VersionEntry) -> Tree:
    """Return the node tree of a version from the catalog alone."""
    (facts,) = catalog.read(
        "SELECT media_type, pages, page_sizes, warnings FROM version WHERE id = ?", (entry.id,)
    )
    found = catalog.read(
        f"SELECT {rows.COLUMNS} FROM node WHERE key >= ? AND key < ? ORDER BY key",
        (entry.first_key, entry.end_key),
    )
    return Tree(
        entry.document_id, entry.name, facts[0], entry.number, facts[1], [rows.node_of(row) for row in found],
        rows.sizes_of(facts[2]), rows.loaded(facts[3]),
    )  # fmt: skip


def graph(catalog: Catalog, entry: VersionEntry) -> networkx.DiGraph:
    """Return the graph of a version as far as the catalog alone tells it: what its tree implies."""
    nodes = tree(catalog, entry).nodes
    return built(nodes, tree_edges(nodes), entry.first_key)


def _texts(state: State, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a bool for each key in a range: whether all its node's texts have vectors, and whether it has any."""
    retrievable = state.live.roles[first:end] >= RETRIEVABLE
    if not state.vectors:
        return np.zeros_like(retrievable), retrievable
    newest = max(state.vectors.values(), key=lambda model: model.id)
    return retrievable & newest.complete(np.arange(first, end), state.live.part_of), retrievable


def _document(row: tuple[Any, ...], versions: int, embedded: int, retrievable: int) -> Document:
    told = embedded, retrievable, rows.loaded(row[10])
    return Document(*[*row[:4], versions, *row[4:10], *told, *row[11:15]])
