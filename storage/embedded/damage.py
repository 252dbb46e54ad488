"""Derived files that are not what was written: found by their checksums, told, and written again in the background.

A graph is checked whenever it is read, and once after opening, when the catalog's nodes are compared with its own; a
segment and the links when the library is opened; a node's row whenever it is read. Until a version is mended, its tree
is read from the catalog, which has every node.
"""

import numpy as np

from engine.errors import StorageError
from storage.catalog import rows
from storage.catalog.liveness import Liveness
from storage.catalog.sparse import SparseIndex
from storage.embedded.catalog import Catalog
from storage.embedded.graphs import GraphPlace, Graphs


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
