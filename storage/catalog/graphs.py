"""The graph of a version as networkx node-link JSON."""

from collections.abc import Iterable
from typing import Any

import networkx
import orjson

from engine.model import BESIDE, Edge, Node
from storage.base import VersionWrite


def dump(write: VersionWrite, number: int, first_key: int) -> bytes:
    """Return the node-link JSON of a version; its nodes get the keys from ``first_key`` on."""
    graph = built(write.nodes, write.edges, first_key)
    graph.graph.update(
        document_id=write.document_id, name=write.name, media_type=write.media_type, version=number,
        pages=write.pages, page_sizes=write.page_sizes, warnings=write.warnings,
    )  # fmt: skip
    return orjson.dumps(networkx.node_link_data(graph, edges="edges"))


def built(nodes: Iterable[Node], edges: Iterable[Edge], first_key: int) -> networkx.DiGraph:
    """Return the graph of nodes, whose keys begin with ``first_key``, and edges."""
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
    for item in data["nodes"]:
        if "node" in item:
            item["node"] = Node.from_dict(item["node"])
    for edge in data["edges"]:  # siblings went by another name
        edge["kinds"] = ["sibling" if kind == "next" else kind for kind in edge.get("kinds") or [edge["kind"]]]
    return networkx.node_link_graph(data, edges="edges")
