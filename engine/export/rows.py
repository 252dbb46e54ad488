"""The JSON records of the index artefacts (seed 002, section 4): dense, sparse, graph edges, id maps.

Pages are counted from 0 (``page_idx``), nodes go by their ids in the tree. Coarse nodes are sections, images
and tables; a document without sections is one itself. Leaves are paragraphs, lists, captions, code and
equations, each one chunk: ``node_id`` is ``orig_node_id`` with "#c0". Equations have no dense record.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.enrich.labels import label_of
from engine.enrich.references import Labels
from engine.index.affordances import affordances, nodes_with_numbers, units_of
from engine.index.views import View, gist, views
from engine.model import Edge, Node, Tree, children_of, down_to
from engine.structure.sequences import grouped

COARSE = ("section", "image", "table")
LEAVES = ("paragraph", "list", "caption", "code", "equation")
_NUMBERS = {"image": "figure_no", "table": "table_no"}
_CAPTIONED = {"figure": "figure_no", "table": "table_no"}
Row = dict[str, Any]


def rows_of(tree: Tree, edges: list[Edge]) -> tuple[dict[str, list[Row]], Row]:
    """Return the records of a tree, by artefact, and its id maps; ``edges`` are those of its graph."""
    document = _Document(tree, edges)
    coarse = [node for node in tree.nodes if document.role(node) in COARSE and document.says_something(node)]
    leaves = [node for node in tree.nodes if node.role in LEAVES]
    records = {
        "dense_coarse": list(map(document.dense_coarse, coarse)),
        "dense_leaf": [document.dense_leaf(node) for node in leaves if node.role != "equation"],
        "sparse_coarse": list(map(document.sparse, coarse)),
        "sparse_leaf": list(map(document.sparse, leaves)),
        "graph_edges": list(document.graph_edges(edges)),
    }
    return records, document.id_maps()


class _Document:
    def __init__(self, tree: Tree, edges: list[Edge]) -> None:
        self._tree = tree
        self._nodes = {node.node_id: node for node in tree.nodes}
        self._children = children_of(tree.nodes)
        self._views: Mapping[str, View] = {view.node.node_id: view for view in views(tree)}
        self._numbers = nodes_with_numbers(tree.nodes)
        self._is_one_section = not any(node.role == "section" for node in tree.nodes)
        self._references = grouped((edge.source, edge) for edge in edges if edge.kind == "ref")

    def role(self, node: Node) -> str:
        return "section" if node.role == "document" and self._is_one_section else node.role

    def says_something(self, node: Node) -> bool:
        """False for a picture of which nothing is known."""
        view = self._views.get(node.node_id)
        return bool(gist(node)) or (view is not None and bool(view.fields["body"].strip()))

    def dense_coarse(self, node: Node) -> Row:
        inside = self._children.get(node.node_id, []) if node.role in ("section", "document") else []
        return {
            "node_id": node.node_id, "role": self.role(node), "dense_text": gist(node), "title": _title(node),
            "summary": node.summary or gist(node), "filters": self.filters(node),
            "affordances": {"has_numbers": node.node_id in self._numbers} | affordances(node, inside),
        }  # fmt: skip

    def dense_leaf(self, node: Node) -> Row:
        return {
            "node_id": f"{node.node_id}#c0",
            "orig_node_id": node.node_id,
            "role": node.role,
            "dense_text": gist(node),
            "raw_text": node.text,
            "filters": self.filters(node),
            "refs": [
                {"type": "ref", "label": edge.label or "", "target": edge.target}
                for edge in self._references.get(node.node_id, [])
            ],
        }

    def sparse(self, node: Node) -> Row:
        view = self._views.get(node.node_id)
        fields = view.fields if view else {}
        return {
            "id": node.node_id, "role": self.role(node), "title": _title(node), "caption": fields.get("caption", ""),
            "table_schema": fields.get("table_schema", ""), "aliases": fields.get("aliases", "").strip(),
            "labels": fields.get("labels", ""), "body": fields.get("body", "") or gist(node),
            "filters": self.filters(node),
        }  # fmt: skip

    def filters(self, node: Node) -> Row:
        """Return what is known of a node's place and kind; what does not apply is left out."""
        above = down_to(node.parent_id or "", self._nodes)
        parent = next((one for one in reversed(above) if self.role(one) == "section"), None)
        level = node.depth if node.level is None else node.level
        label = str(node.metadata.get("label") or "") if node.role in _NUMBERS else ""
        found: Row = {
            "page_idx": page_idx(node), "level": level if self.role(node) == "section" else None,
            **({"parent_section": parent.node_id, "parent_title": parent.title} if parent else {}),
            "chart_type": node.metadata.get("chart_type"), "label": label,
            _NUMBERS.get(node.role, ""): numbered.number if (numbered := label_of(label)) else None,
            "has_numbers": node.node_id in self._numbers, "units_set": list(units_of(node)),
        }  # fmt: skip
        if node.role == "table":
            found["col_types"] = [
                {"name": column.get("name", ""), "dtype": column.get("dtype"), **_measure(column)}
                for column in node.columns
            ]
        return {name: value for name, value in found.items() if value not in (None, "", [])}

    def graph_edges(self, edges: list[Edge]) -> Iterator[Row]:
        for edge in edges:
            label = {"label": edge.label} if edge.label else {}
            yield {"src": edge.source, "dst": edge.target, "type": edge.kind} | label | edge.facts

    def id_maps(self) -> Row:
        labels = Labels(self._tree)
        # "Fig. 1" is also to be found as "Figure 1".
        forms = {key.capitalize(): holders[0] for key, holders in labels.by_key.items()} | labels.printed
        numbered: dict[str, dict[str, str]] = {"figure_no": {}, "table_no": {}}
        # A drawing that is no picture of its own is where its caption is.
        for node in sorted(self._tree.nodes, key=lambda one: one.role == "caption"):
            label = label_of(str(node.metadata.get("label") or ""))
            kind = _CAPTIONED.get(label.kind) if label and node.role == "caption" else _NUMBERS.get(node.role)
            if kind and label:
                numbered[kind].setdefault(label.number, node.node_id)
        sections = {node.title: node.node_id for node in self._tree.nodes[::-1] if node.role == "section"}
        return {
            "label_to_node": forms, "figure_no_to_image": numbered["figure_no"],
            "table_no_to_table": numbered["table_no"], "title_to_section": sections,
        }  # fmt: skip


def page_idx(node: Node) -> int | None:
    """Return a node's page, counted from 0."""
    return None if node.page is None else node.page - 1


def _title(node: Node) -> str:
    return node.title or str(node.metadata.get("caption") or "")


def _measure(column: Mapping[str, Any]) -> Row:
    """Return a column's unit, and its scale where its figures stand for more than they say: m³ and 10000 for 万m³."""
    scale = column.get("scale") or 1
    return {"unit": column.get("unit")} | ({"scale": scale} if scale != 1 else {})
