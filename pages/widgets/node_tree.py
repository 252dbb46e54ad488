"""The tree of a document: an ARIA tree of its sections, with the passages of the selected one.

Only what is unfolded is put into the page, sections fold below the second level, and passages come for one
section at a time, so that a tree of thousands of nodes stays quick.
"""

from engine.model import Node
from pages.widgets.document_view import DocumentView
from pages.widgets.frontend import component
from pages.widgets.texts import t

_component = component("node_tree", "<details open><summary></summary><div class='panel'></div></details>")


def node_tree(view: DocumentView, node: Node | None) -> str | None:
    """Draw the tree with a node selected, if one is; return the id of the node that was picked."""
    section = view.section_of(node or view.root)
    shown = view.shown_in_tree(node) if node else None
    data = {
        "rows": view.outline(), "section": section.node_id, "selected": shown.node_id if shown else None,
        "leaves": [
            [node_id, label if label or label is None else t(f"role.{role}"), role, page]
            for node_id, label, role, page in view.leaves(section, shown)
        ],
        "key": f"{view.tree.document_id}.{view.tree.version}", "label": t("document.contents"),
        "page": t(f"document.{view.kind}"), "untitled": t("document.untitled"),
    }  # fmt: skip
    picked = _component(data, "node_tree", "picked").picked
    return picked if isinstance(picked, str) else None
