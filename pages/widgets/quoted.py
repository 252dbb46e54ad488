"""Where words stand on the picture of a page: those that were cited (cells of a table, lines of a text), and all."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Node
from engine.page_image import text_on_page, words_on_page
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


def text_of(view: DocumentView, page: int) -> list[tuple[Place, str]]:
    """Return the text of a page of a PDF as it is set, each stretch with its box as shares of the page."""
    if view.tree.media_type != "application/pdf":
        return []
    set_there = text_on_page(library().original(view.tree.document_id, view.tree.version), page)
    return list(
        zip(view.shares(page, [box for box, _ in set_there]), [text for _, text in set_there], strict=False)
    )


def _bare(text: str) -> str:
    return "".join(text.split())
