"""The relations between nodes that the tree and its captions imply."""

from engine.model import Edge, Tree, tree_edges


def edges_of(tree: Tree) -> list[Edge]:
    """Return ``tree_edges``, and ``caption_of`` a table or image (labelled)."""
    roles = {node.node_id: node.role for node in tree.nodes}
    captions = [
        Edge(node.node_id, node.parent_id, "caption_of", node.metadata.get("label"))
        for node in tree.nodes
        if node.role == "caption" and node.parent_id and roles[node.parent_id] in ("table", "image")
    ]
    return [*tree_edges(tree.nodes), *captions]
