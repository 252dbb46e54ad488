"""Verification of a library: every part is compared with what the catalog says of it."""

from pathlib import Path

from engine.model import Check
from storage.catalog.checks import line, rows
from storage.catalog.state import State
from storage.embedded.catalog import Catalog
from storage.embedded.damage import fault_of, not_indexed
from storage.embedded.graphs import PLACE, GraphPlace, Graphs
from storage.embedded.neighbours import Neighbours
from storage.embedded.segments import changed, stored
from storage.embedded.vectors import VectorFile

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
