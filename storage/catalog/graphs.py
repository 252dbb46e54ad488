"""The graph of a version as networkx node-link JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from engine.model import Node
from storage.base import VersionWrite

if TYPE_CHECKING:
    import networkx


def dump(write: VersionWrite, number: int, first_key: int) -> bytes:
    """Return the node-link JSON of a version; its nodes get the keys from ``first_key`` on."""
    import networkx

    graph = networkx.DiGraph(
        document_id=write.document_id, name=write.name, media_type=write.media_type, version=number,
        pages=write.pages, page_sizes=write.page_sizes, warnings=write.warnings,
    )  # fmt: skip
    for key, node in enumerate(write.nodes, first_key):
        graph.add_node(node.node_id, key=key, node=node)
    for edge in write.edges:
        if edge.source not in graph or edge.target not in graph:
            continue
        known = graph.get_edge_data(edge.source, edge.target)
        if known is None:
            graph.add_edge(edge.source, edge.target, kind=edge.kind, label=edge.label, kinds=[edge.kind])
        elif edge.kind not in known["kinds"]:
            known["kinds"].append(edge.kind)
            known["label"] = known["label"] or edge.label
    return orjson.dumps(networkx.node_link_data(graph, edges="edges"))


def graph_of(data: dict[str, Any]) -> networkx.DiGraph:
    """Return the graph of node-link data, its ``node`` values as :class:`Node`; not to be changed."""
    import networkx

    for item in data["nodes"]:
        item["node"] = Node.from_dict(item["node"])
    return networkx.node_link_graph(data, edges="edges")
