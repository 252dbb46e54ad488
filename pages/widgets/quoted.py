"""Where the words that were cited stand on the picture of a page: cells of a table, lines of a text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Node
from engine.page_image import words_on_page
from pages.widgets.document_view import DocumentView, Place
from pages.widgets.services import library
from pages.widgets.table_grid import cited_in


def quoted(view: DocumentView, node: Node | None, page: int, *, quote: str, cell: str) -> Sequence[Place]:
    """Return the boxes, as shares of page ``page``, of the cells or words of ``node`` that were cited."""
    if node is None or not (quote or cell):
        return []
    if node.role == "table":
        return view.cited(node, page, cited_in(node, quote=quote, cell=cell))
    if lines := view.lines(page, node):  # read by text recognition, line by line
        wanted = _bare(quote)
        return [box for box, text, _ in lines if (bare := _bare(text)) and (bare in wanted or wanted in bare)]
    if view.tree.media_type != "application/pdf":
        return []
    original = library().original(view.tree.document_id, view.tree.version)
    return view.shares(page, words_on_page(original, page, quote, tuple(view.boxes(node, page))))


def _bare(text: str) -> str:
    return "".join(text.split())
