"""All edges of a document's graph (seed 002, 2 and 4.4): of its tree, its references and its tables."""

from collections import Counter
from collections.abc import Iterator

from engine.enrich.references import reference_edges
from engine.index.affordances import body_rows
from engine.model import Edge, Node, Tree, tree_edges

# Larger tables are databases: their cells are not worth an edge each.
MOST_CELLS = 1000


def graph_edges(tree: Tree) -> list[Edge]:
    """Return the edges between the nodes of a tree, and to the columns and cells of its tables.

    Beside ``tree_edges`` there is ``caption_of`` a table or image (labelled), and ``ref``.
    """
    objects = {node.node_id: node for node in tree.nodes if node.role in ("table", "image")}
    captions = [
        Edge(node.node_id, node.parent_id, "caption_of", node.metadata.get("label"))
        for node in tree.nodes if node.role == "caption" and node.parent_id in objects
    ]  # fmt: skip
    tables = [edge for node in objects.values() if node.role == "table" for edge in _table_edges(node)]
    return [*tree_edges(tree.nodes), *captions, *reference_edges(tree), *tables]


def _table_edges(node: Node) -> Iterator[Edge]:
    """A table's columns (``has_col``), and their cells (``has_cell``) where there are few.

    A column has its unit, and its scale where its figures stand for more than they say: m³ and 10000 for 万m³.
    """
    body, named = body_rows(node), Counter[str]()
    with_cells = len(body) * len(node.columns) <= MOST_CELLS
    for place, column in enumerate(node.columns):
        name = "".join(str(column.get("name") or "").split()) or str(place)
        named[name] += 1
        column_id = f"{node.node_id}:col:{name}" + (f"#{named[name]}" if named[name] > 1 else "")
        measure = {name: column[name] for name in ("unit", "scale") if column.get(name) not in (None, "", 1)}
        yield Edge(node.node_id, column_id, "has_col", facts=measure)
        for row in body if with_cells else ():
            value = "".join(map(str, node.metadata["rows"][row][place : place + 1]))
            if value.strip():
                cell_id = f"{node.node_id}:cell:{row},{place}"
                yield Edge(column_id, cell_id, "has_cell", facts={"value": value})
