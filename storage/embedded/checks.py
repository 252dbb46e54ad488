"""Verification of a library: every part is compared with what the catalog says of it.

Derived files that are not what was written: found by their checksums, told, and written again in the background.

A graph is checked whenever it is read, and once after opening, when the catalog's nodes are compared with its own; a
segment and the links when the library is opened; a node's row whenever it is read. Until a version is mended, its tree
is read from the catalog, which has every node.
"""

from pathlib import Path

import numpy as np

from engine.errors import StorageError
from engine.model import Check
from storage.catalog.checks import line, rows
from storage.catalog.liveness import Liveness
from storage.catalog.rows import COLUMNS, node_of
from storage.catalog.sparse import SparseIndex
from storage.catalog.state import State
from storage.embedded.catalog import Catalog
from storage.embedded.graphs import PLACE, GraphPlace, Graphs
from storage.embedded.neighbours import Neighbours
from storage.embedded.segments import changed, stored
from storage.embedded.vectors import VectorFile


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
            f"SELECT {COLUMNS} FROM version v JOIN node n ON n.key >= v.first_key"
            " AND n.key < v.first_key + v.nodes WHERE v.id = ? ORDER BY key",
            (version_id,),
        )
        same = [node_of(row).to_dict() for row in found] == told
    except (StorageError, ValueError, TypeError):  # what is there cannot even be read
        same = False
    return "" if same else "The text in the catalog"


_MENDS = "It is mended while the app runs; start it, or run `dropqa reindex --all`."
_REINDEX = "Run `dropqa reindex --all`."
_LOOKED_AT = 1000  # vectors


def database(catalog: Catalog, deep: bool) -> Check:
    """Check the catalog's own structure and that its tables agree; ``deep`` compares its indexes, too."""
    pragma = "PRAGMA integrity_check(5)" if deep else "PRAGMA quick_check(5)"
    faults = [row[0] for row in catalog.read(pragma) if row[0] != "ok"]
    return rows(catalog, faults, "SQLite")


def graphs(catalog: Catalog, store: Graphs, deep: bool) -> Check:
    """Check that every version's graph can be read; ``deep`` compares the catalog's nodes with those in it."""
    faults = []
    found = catalog.read(f"SELECT id, name, number, {PLACE} FROM version WHERE live")
    for id_, name, number, *place in found:
        if what := fault_of(catalog, store, id_, GraphPlace(*place), deep):
            faults.append(f"{what[0].lower()}{what[1:]} of {name}, version {number}, is damaged")
    return line("graphs", faults, f"{len(found)} graphs", _MENDS)


def sparse(folder: Path, catalog: Catalog, state: State) -> Check:
    """Check that the segments in a folder are whole and hold each node of the current versions once."""
    segments = stored(state.sparse)
    wrong = (changed(folder / segment.name) for segment in segments)
    faults = [f"{one} is not what was written" for one in wrong if one]
    if missing := not_indexed(catalog, state.live, state.sparse):
        faults.append(f"{len(missing)} documents are not indexed as a whole")
    nodes = sum(view.nodes for view in state.sparse.views)
    return line("full text", faults, f"{nodes} nodes in {len(segments)} segments", _REINDEX)


def vectors(file: VectorFile, neighbours: Neighbours, state: State, deep: bool) -> list[Check]:
    """Check that each model's vectors are what was written, and linked; ``deep`` compares Chroma's with them.

    Without ``deep`` a thousand of them are looked at.
    """
    changed, last = file.changed(0, _LOOKED_AT)
    while deep and last >= 0:
        more, last = file.changed(last, _LOOKED_AT)
        changed += more
    lines = []
    for model in state.vectors.values():
        faults = [f"{len(changed)} vectors are damaged"] if changed else []
        names = model.linked.all()
        found = file.counted(model.id)
        if found != len(names):
            faults.append(f"{len(names) - found} nodes are linked to vectors that do not exist")
        if deep and (differing := neighbours.differing(model)):
            neighbours.rebuild()
            faults.append(f"{differing} vectors are damaged in Chroma")
        lines.append(line("vectors", faults, f"{len(names)} nodes with vectors of {model.name}", _MENDS))
    return lines
