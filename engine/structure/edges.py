"""The relations between nodes that the tree itself implies."""

from __future__ import annotations

import itertools

from engine.model import Edge, Tree, children_of
from engine.structure.footnotes import footnote_edges


def edges_of(tree: Tree) -> list[Edge]:
    """Return the edges of a tree.

    ``child`` (parent to child), ``next`` (to the next sibling); ``same_page`` joins tables and images with the
    paragraphs of their page, ``caption_of`` goes from a caption to its table or image and carries the label,
    ``footnote_of`` from a footnote to its text.
    """
    edges: list[Edge] = []
    for parent, children in children_of(tree.nodes).items():
        if parent is None:
            continue
        edges += [Edge(parent, child.node_id, "child") for child in children]
        edges += [Edge(a.node_id, b.node_id, "next") for a, b in itertools.pairwise(children)]
    by_id = {node.node_id: node for node in tree.nodes}
    by_page: dict[int, list[str]] = {}
    for node in tree.nodes:
        if node.role in ("paragraph", "list") and node.page is not None:
            by_page.setdefault(node.page, []).append(node.node_id)
    for node in tree.nodes:
        if node.role == "caption" and node.parent_id and by_id[node.parent_id].role in ("table", "image"):
            edges.append(Edge(node.node_id, node.parent_id, "caption_of", node.metadata.get("label")))
        if node.role in ("table", "image") and node.page is not None:
            edges += [Edge(node.node_id, other, "same_page") for other in by_page.get(node.page, [])]
    return edges + footnote_edges(tree.nodes)
