"""Documents, trees and graphs as the rows of the catalog have them, and the graph of a version as node-link JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from engine.errors import NO_DOCUMENT, NotFoundError
from engine.model import BESIDE, Document, Edge, Node, Tree, tree_edges
from storage.base import VersionWrite
from storage.catalog import rows
from storage.catalog.database import Catalog
from storage.catalog.liveness import RETRIEVABLE, Liveness, VersionEntry
from storage.catalog.state import State

if TYPE_CHECKING:
    import networkx


def dump(write: VersionWrite, number: int, first_key: int) -> bytes:
    """Return the node-link JSON of a version; its nodes get the keys from ``first_key`` on."""
    import networkx

    graph = built(write.nodes, write.edges, first_key)
    graph.graph.update(
        document_id=write.document_id, name=write.name, media_type=write.media_type, version=number,
        pages=write.pages, page_sizes=write.page_sizes, warnings=write.warnings,
    )  # fmt: skip
    return orjson.dumps(networkx.node_link_data(graph, edges="edges"))


def built(nodes: Iterable[Node], edges: Iterable[Edge], first_key: int) -> networkx.DiGraph:
    """Return the graph of nodes, whose keys begin with ``first_key``, and edges."""
    import networkx

    graph = networkx.DiGraph()
    for key, node in enumerate(nodes, first_key):
        graph.add_node(node.node_id, key=key, node=node)
    for edge in edges:
        if edge.kind not in BESIDE and not (edge.source in graph and edge.target in graph):
            continue
        known = graph.get_edge_data(edge.source, edge.target)
        if known is None:
            graph.add_edge(edge.source, edge.target, kinds=[edge.kind], **edge.facts)
        elif edge.kind not in known["kinds"]:
            known["kinds"].append(edge.kind)
        if edge.label:
            graph.edges[edge.source, edge.target].setdefault("label", edge.label)
    return graph


def graph_of(data: dict[str, Any]) -> networkx.DiGraph:
    """Return the graph of node-link data, its ``node`` values as :class:`Node`; not to be changed."""
    import networkx

    for item in data["nodes"]:
        if "node" in item:
            item["node"] = Node.from_dict(item["node"])
    for edge in data["edges"]:  # siblings went by another name
        edge["kinds"] = ["sibling" if kind == "next" else kind for kind in edge.get("kinds") or [edge["kind"]]]
    return networkx.node_link_graph(data, edges="edges")


# What is told of a version as a document, by the ids of versions.
DOCUMENT = """
SELECT v.document_id, v.name, v.media_type, v.number,
    v.sha256, v.size, v.pages, v.nodes, coalesce(d.created_at, v.created_at), coalesce(d.updated_at, v.created_at),
    v.warnings, v.strategy,
    coalesce((SELECT w.path FROM watched_file w WHERE w.document_id = v.document_id LIMIT 1), ''), d.archived,
    coalesce(c.name, ''), v.id
FROM version v LEFT JOIN document d USING (document_id)
LEFT JOIN document_collection m USING (document_id) LEFT JOIN collection c USING (collection_id)
WHERE v.id IN ({})
"""
UPDATED = 9


def version_entry(live: Liveness, document_id: str, number: int | None) -> VersionEntry:
    """Return a document's version (None: the current one). Raises NotFoundError."""
    for entry in live.versions_of(document_id):
        if (number is None and live.current_version[entry.id]) or entry.number == number:
            return entry
    which = "" if number is None else f", version {number},"
    raise NotFoundError(NO_DOCUMENT.format(document_id + which))


def tree(catalog: Catalog, entry: VersionEntry) -> Tree:
    """Return the node tree of a version from the catalog alone."""
    (facts,) = catalog.read("SELECT media_type, pages, page_sizes, warnings FROM version WHERE id = ?", (entry.id,))
    found = catalog.read(
        f"SELECT {rows.COLUMNS} FROM node WHERE key >= ? AND key < ? ORDER BY key", (entry.first_key, entry.end_key)
    )
    return Tree(
        entry.document_id, entry.name, facts[0], entry.number, facts[1], [rows.node_of(row) for row in found],
        [(width, height) for width, height in rows.loaded(facts[2])], rows.loaded(facts[3]),
    )  # fmt: skip


def graph(catalog: Catalog, entry: VersionEntry) -> networkx.DiGraph:
    """Return the graph of a version as far as the catalog alone tells it: what its tree implies."""
    nodes = tree(catalog, entry).nodes
    return built(nodes, tree_edges(nodes), entry.first_key)


def texts(state: State, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a bool for each key in a range: whether all its node's texts have vectors, and whether it has any."""
    retrievable = state.live.roles[first:end] >= RETRIEVABLE
    if not state.vectors:
        return np.zeros_like(retrievable), retrievable
    newest = max(state.vectors.values(), key=lambda model: model.id)
    return retrievable & newest.complete(np.arange(first, end), state.live.part_of), retrievable


def document(row: tuple[Any, ...], versions: int, embedded: int, retrievable: int) -> Document:
    """Build a document from a row of :data:`DOCUMENT` and its figures."""
    told = embedded, retrievable, rows.loaded(row[10])
    return Document(*[*row[:4], versions, *row[4:10], *told, *row[11:15]])
