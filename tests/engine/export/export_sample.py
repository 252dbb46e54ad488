"""A small tree with every kind of node, enriched as the pipeline does it."""

from engine.enrich.enrich import enrich
from engine.index.graph_edges import graph_edges
from engine.model import Edge, Node, Tree

ROWS = [["Model", "Accuracy (%)", "Cost (USD)"], ["Alpha", "81.5", "1,200"], ["Beta", "77.0", "900"]]


def sample() -> tuple[Tree, list[Edge]]:
    """The tree and the edges of its graph."""
    nodes = [
        Node("root", None, "document", title="Reading machines"),
        Node("s1", "root", "section", title="1 Introduction", depth=1, level=1, page=1),
        Node(
            "p1", "s1", "paragraph", depth=2, page=1, bbox=(10, 20, 30, 40),
            text="Machines read slowly. As Figure 3b shows, speed doubled since 2019. See Table 1 for costs.",
        ),
        Node("l1", "s1", "list", text="- fast\n- cheap", depth=2, position=1, page=2),
        Node("s2", "root", "section", title="2 Results", depth=1, position=1, level=1, page=2),
        Node(
            "t1", "s2", "table", text="\n".join(" | ".join(row) for row in ROWS), depth=2, page=2,
            bbox=(10, 20, 90, 60),
            metadata={"rows": ROWS, "caption": "Table 1: Accuracy and cost of both models.", "label": "Table 1"},
        ),
        Node(
            "i1", "s2", "image", depth=2, position=1, page=3, bbox=(10, 20, 90, 80),
            metadata={
                "caption": "Fig. 3b. Line chart of speed over the years.", "width": 80, "height": 60,
                "description": "Speed rises every year.", "description_method": "vision",
            },
        ),
        Node("p2", "s2", "paragraph", text="Effort follows this law:", depth=2, position=2, page=3),
        Node("e1", "s2", "equation", text="E = k n^2", depth=2, position=3, page=3),
        Node("i2", "s2", "image", depth=2, position=4, page=3),
    ]  # fmt: skip
    tree, _ = enrich(Tree("d1", "papers/machines.pdf", "application/pdf", 1, 3, nodes))
    return tree, graph_edges(tree)
