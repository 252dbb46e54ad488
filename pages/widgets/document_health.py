"""What of a document could not be understood, told with its pages and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Node
from pages.widgets.document_view import DocumentView
from pages.widgets.texts import t

PAGES_NAMED = 12


def findings(view: DocumentView) -> list[str]:
    """Return a sentence each for pages without text, tables without rows and headings that were made up."""
    told = []
    nodes = view.tree.nodes[1:]
    if view.paged and view.kind == "page":
        bare = [page for page in range(1, view.pages + 1) if not any(map(_says, view.on_page(page)))]
        if bare:
            told.append(t("health.no_text", count=len(bare), pages=_named(bare)))
    flat = [node for node in nodes if node.role == "table" and not node.metadata.get("rows")]
    if flat:
        told.append(t("health.tables", count=len(flat), pages=_named([view.page_of(node) for node in flat])))
    made = sum(bool(node.metadata.get("generated")) for node in view.sections)
    if made:
        told.append(t("health.headings", found=len(view.sections) - made, made=made))
    return told


def _says(node: Node) -> bool:
    return bool(
        node.text.strip() or node.title.strip() or node.metadata.get("rows") or node.metadata.get("ocr_text")
    )


def _named(pages: Sequence[int]) -> str:
    distinct = sorted(set(pages))
    return ", ".join(map(str, distinct[:PAGES_NAMED])) + (" …" if len(distinct) > PAGES_NAMED else "")
