"""Verification of a library in a database: that its tables agree, and that every original is there."""

import numpy as np

from engine.model import Check
from storage.catalog.checks import line, originals, rows
from storage.catalog.state import State
from storage.embedded.files import EmbeddedFiles
from storage.postgres.catalog import PostgresCatalog
from storage.postgres.sparse import FetchedIndex

_RESTORE = "Restore the database from a backup, or remove the named documents and add them again."
_ORIGINALS = "Give all servers the same folder of originals ([database] originals), or restore it from a backup."
_REINDEX = "Run `dropqa reindex --all`."


def checks(catalog: PostgresCatalog, files: EmbeddedFiles, state: State, deep: bool) -> list[Check]:
    """Return all checks of a library."""
    vector = catalog.read("SELECT extversion FROM pg_extension WHERE extname = 'vector'")[0][0]
    kept_in = f"PostgreSQL {catalog.version} with pgvector {vector} at {catalog.place}"
    return [
        rows(catalog, [], kept_in),
        originals(catalog, files, 0, deep, _ORIGINALS),
        _graphs(catalog),
        _sparse(catalog, state, deep),
        *_vectors(catalog, state),
    ]


def _graphs(catalog: PostgresCatalog) -> Check:
    without = catalog.read(
        "SELECT name, number FROM version v LEFT JOIN graph g ON g.version_id = v.id"
        " WHERE v.live AND g.version_id IS NULL"
    )
    faults = [f"the graph of {name}, version {number}, is missing" for name, number in without]
    (count,) = catalog.read("SELECT count(*) FROM graph")[0]
    return line("graphs", faults, f"{count} graphs", _REINDEX)


def _sparse(catalog: PostgresCatalog, state: State, deep: bool) -> Check:
    """Check that the nodes with tokens are found by them; ``deep`` reads all postings."""
    index = state.sparse
    lengths = index.lengths if isinstance(index, FetchedIndex) else np.zeros(0, np.float32)
    faults = []
    if deep:
        found = np.zeros(len(lengths), np.float64)
        postings = "SELECT first_key, nodes, frequencies FROM posting WHERE first_key < ?"
        for first, nodes, frequencies in catalog.read(postings, (len(lengths),), binary=True):
            np.add.at(found, first + np.frombuffer(nodes, "<i4"), np.frombuffer(frequencies, "<f4"))
        differing = int(np.count_nonzero(~np.isclose(found, lengths, rtol=1e-3) & state.live.current))
        if differing:
            faults.append(f"{differing} nodes are not indexed with all their terms")
    return line("full text", faults, f"{int(np.count_nonzero(lengths[state.live.current]))} nodes", _REINDEX)


def _vectors(catalog: PostgresCatalog, state: State) -> list[Check]:
    lines = []
    for model in state.vectors.values():
        (lost,) = catalog.read(
            "SELECT count(*) FROM link l LEFT JOIN embedding e ON e.id = l.embedding_id"
            " WHERE l.model_id = ? AND e.id IS NULL",
            (model.id,),
        )[0]
        faults = [f"{lost} nodes are linked to vectors that do not exist"] if lost else []
        lines.append(line("vectors", faults, f"{model.linked.size} nodes with vectors of {model.name}", _RESTORE))
    return lines
