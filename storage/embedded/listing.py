"""Documents and versions as the library lists them, read from the catalog."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson

from engine.errors import NotFoundError
from engine.model import Document, Version
from storage.embedded.catalog import Catalog
from storage.embedded.graphs import GraphPlace
from storage.embedded.liveness import RETRIEVABLE, Liveness, VersionEntry
from storage.embedded.state import State

_DOCUMENT = """
SELECT d.document_id, d.name, v.media_type, v.number,
    (SELECT count(*) FROM version o WHERE o.document_id = d.document_id AND o.live), v.sha256, v.size, v.pages,
    v.nodes, d.created_at, d.updated_at, v.first_key, v.warnings, v.strategy
FROM document d JOIN version v ON v.id = d.current
"""


def documents(catalog: Catalog, state: State) -> list[Document]:
    """Return all documents, the last changed first."""
    found = catalog.read(_DOCUMENT + "ORDER BY d.updated_at DESC, v.id DESC")
    retrievable = state.live.roles >= RETRIEVABLE
    embedded = np.zeros(len(retrievable), np.bool_)
    if state.vectors:
        keys = np.flatnonzero(retrievable)
        newest = max(state.vectors.values(), key=lambda model: model.id)
        embedded[keys[newest.locate(keys) >= 0]] = True
        embedded[newest.awaited(state.live.part_of)] = False
    sums = [np.r_[0, np.cumsum(bitmap)] for bitmap in (embedded, retrievable)]
    return [_document(row, *sums) for row in found]


def document(catalog: Catalog, state: State, reference: str) -> Document:
    """Return a document by id or name. Raises NotFoundError."""
    versions = state.live.versions_of(reference)
    rows = catalog.read(_DOCUMENT + "WHERE d.document_id = ?", (versions[0].document_id,)) if versions else []
    if not rows:
        raise NotFoundError(f"There is no document {reference!r} in the library.")
    first, end = rows[0][11], rows[0][11] + rows[0][8]
    keys = np.arange(first, end)[state.live.roles[first:end] >= RETRIEVABLE]
    embedded = 0
    if state.vectors:
        newest = max(state.vectors.values(), key=lambda model: model.id)
        awaited = newest.awaited(state.live.part_of)
        embedded = int(np.count_nonzero((newest.locate(keys) >= 0) & ~np.isin(keys, awaited)))
    return _as_document(rows[0], embedded, len(keys))


def versions(catalog: Catalog, document_id: str) -> list[Version]:
    """Return a document's versions, the newest first. Raises NotFoundError."""
    rows = catalog.read(
        "SELECT v.document_id, v.number, v.sha256, v.size, v.media_type, v.pages, v.nodes, v.created_at,"
        " d.current = v.id, v.warnings, v.seconds, v.strategy FROM version v JOIN document d USING (document_id)"
        " WHERE v.document_id = ? AND v.live ORDER BY v.number DESC",
        (document_id,),
    )
    if not rows:
        raise NotFoundError(f"There is no document {document_id} in the library.")
    return [_version(row) for row in rows]


def version_entry(live: Liveness, document_id: str, number: int | None) -> VersionEntry:
    """Return a document's version (None: the current one). Raises NotFoundError."""
    for entry in live.versions_of(document_id):
        if (number is None and live.current_version[entry.id]) or entry.number == number:
            return entry
    which = "" if number is None else f", version {number},"
    raise NotFoundError(f"There is no document {document_id}{which} in the library.")


def graph_place(catalog: Catalog, version_id: int) -> GraphPlace:
    """Return where a version's graph lies. Raises NotFoundError when it was deleted meanwhile."""
    rows = catalog.read("SELECT graph, graph_offset, graph_length FROM version WHERE id = ?", (version_id,))
    if not rows:
        raise NotFoundError("This version was deleted.")
    return GraphPlace(*rows[0])


def _version(row: tuple[Any, ...]) -> Version:
    document_id, number, sha256, size, media_type, pages, nodes, created_at, *rest = row
    current, warnings, seconds, strategy = rest
    return Version(
        document_id, number, sha256, size, media_type, pages, nodes, created_at, bool(current),
        orjson.loads(warnings), seconds, strategy,
    )  # fmt: skip


def _document(row: tuple[Any, ...], embedded: np.ndarray, retrievable: np.ndarray) -> Document:
    first, last = (min(key, len(embedded) - 1) for key in (row[11], row[11] + row[8]))
    return _as_document(
        row, int(embedded[last] - embedded[first]), int(retrievable[last] - retrievable[first])
    )


def _as_document(row: tuple[Any, ...], embedded: int, retrievable: int) -> Document:
    document_id, name, media_type, number, count, sha256, size, pages, nodes, created_at, updated_at = row[
        :11
    ]
    return Document(
        document_id, name, media_type, number, count, sha256, size, pages, nodes, created_at, updated_at,
        embedded, retrievable, orjson.loads(row[12]), row[13],
    )  # fmt: skip
