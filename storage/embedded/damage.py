"""Derived files that are not what was written: found by their checksums, told, and written again in the background.

A graph is checked whenever it is read, and once after opening, when the catalog's nodes are compared with its own; a
segment and the links when the library is opened. Until a version is mended, its tree is read from the catalog, which
has every node.
"""

import logging
import threading

import numpy as np

from engine.errors import StorageError
from storage.catalog import rows
from storage.catalog.liveness import Liveness
from storage.catalog.sparse import SparseIndex
from storage.embedded.catalog import Catalog
from storage.embedded.graphs import GraphPlace, Graphs

log = logging.getLogger(__name__)


class Damage:
    """The versions that are to be written again."""

    def __init__(self) -> None:
        self._versions: set[int] = set()
        self._lock = threading.Lock()

    def note(self, version_id: int, what: str) -> None:
        """Note that something derived from a version is damaged."""
        with self._lock:
            if version_id not in self._versions:
                log.warning("%s of version %d is damaged and will be written again", what, version_id)
            self._versions.add(version_id)

    def versions(self, live: Liveness) -> list[tuple[str, int]]:
        """Return (document id, number) of the damaged versions that there still are."""
        with self._lock:
            known = [live.versions[id_] for id_ in sorted(self._versions) if id_ in live.versions]
            self._versions = {entry.id for entry in known if live.exists_version[entry.id]}
            return [(entry.document_id, entry.number) for entry in known if entry.id in self._versions]


def not_indexed(catalog: Catalog, live: Liveness, sparse: SparseIndex) -> list[int]:
    """Return the current versions whose nodes are not all in the segments, by id."""
    counts = np.zeros(len(live.exists_version), np.int64)
    for view in sparse.views:
        keys = view.segment.keys
        found = np.bincount(live.version_of[keys[live.current[keys]]], minlength=len(counts))
        counts += found[: len(counts)]
    expected = catalog.read(
        "SELECT v.id, v.sparse_nodes FROM document d JOIN version v ON v.id = d.current WHERE d.archived IS NULL"
    )
    return [id_ for id_, nodes in expected if counts[id_] != nodes]


def fault_of(catalog: Catalog, graphs: Graphs, version_id: int, place: GraphPlace, deep: bool = True) -> str:
    """Return which of a version's graph and the catalog's nodes is not what was written; "" where both are.

    A graph has a checksum; the rows of nodes, of which a database has none, are compared with it where it is ``deep``.
    """
    try:
        told = [item["node"] for item in graphs.read(place)["nodes"] if "node" in item]
    except StorageError:
        return "The graph"
    if not deep:
        return ""
    try:
        found = catalog.read(
            f"SELECT {rows.COLUMNS} FROM version v JOIN node n ON n.key >= v.first_key"
            " AND n.key < v.first_key + v.nodes WHERE v.id = ? ORDER BY key",
            (version_id,),
        )
        same = [rows.node_of(row).to_dict() for row in found] == told
    except (StorageError, ValueError, TypeError):  # what is there cannot even be read
        same = False
    return "" if same else "The text in the catalog"
