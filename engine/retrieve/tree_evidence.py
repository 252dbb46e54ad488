"""Nodes of a tree as evidence: what is quoted without having been searched for."""

from engine.model import Evidence, Hit, Node, Tree, section_path
from engine.model.tree import DOUBTED


def evidence_of(hit: Hit, node: Node, text: str, subject: str = "", position: int = 0) -> Evidence:
    """Return a node, or the stretch ``text`` of it, as evidence; ``hit`` is its anchor."""
    read = (line for line in node.metadata.get("ocr_lines") or () if line["text"] in text)
    return Evidence(
        hit, text, node.title, node.cell, list(node.metadata.get("spans") or []),
        node if node.role == "table" else None, None, subject, position, node.metadata.get("article", ""),
        doubted=any(line["confidence"] < DOUBTED for line in read),
    )  # fmt: skip


class TreeEvidence:
    """Turns nodes of one version of a document into evidence whose citations name that version."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._nodes = {node.node_id: node for node in tree.nodes}

    def of(self, node: Node, rank: int = 1) -> Evidence:
        """Return a node with its whole text; a section has none, its title stands for it."""
        tree = self._tree
        hit = Hit(
            node.node_id, tree.document_id, tree.name, tree.version, node.role, 1.0, rank, node.page, node.bbox,
            section_path(node.node_id, self._nodes), node.text or node.title,
        )  # fmt: skip
        return evidence_of(hit, node, node.text)

    def by_id(self, node_id: str) -> Evidence | None:
        """Return the evidence of a node by its id, None where the version does not have it."""
        return self.of(self._nodes[node_id]) if node_id in self._nodes else None
