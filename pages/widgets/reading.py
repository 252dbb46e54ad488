"""A document's text, reflowed: headings, paragraphs, lists, tables and code, the active node marked.

It is how formats without pages are read, and how a page reads without its picture. Everything a document
says is set as text, never as HTML or Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.model import Node
from pages.widgets.document_view import DocumentView
from pages.widgets.frontend import component
from pages.widgets.page_bar import marks
from pages.widgets.selection import Selected, acts
from pages.widgets.texts import t

if TYPE_CHECKING:
    from pages.widgets import reader

_component = component(
    "reading", "<div class='panel' role='document' tabindex='0'><div class='text'></div></div>", "selection"
)


def reading(
    blocks: Sequence[dict[str, Any]], here: reader.Place, view: DocumentView, node: Node | None, number: int
) -> str | Selected | None:
    """Draw the blocks (of ``node_block.block_of``) of page or part ``number``, of which ``node`` is the active one.

    Return the id of the node that was clicked, or what is asked of words.
    """
    data = {
        "blocks": list(blocks), "active": node.node_id if node else None, "linked": node is not None,
        "key": f"{here.document.document_id}.{here.version}.{number}.{here.part}", "quote": here.quote,
        "look": "text" if view.kind == "part" else view.kind, "acts": acts(), "sought": marks(view), "says": _says(),
        "label": t("document.text.label", name=here.document.name), "empty": t("document.no_text"), "quiet": False,
    }  # fmt: skip
    result = _component(data, "reading", "picked", "act")
    return Selected.of(result.act) or (result.picked if isinstance(result.picked, str) else None)


def passage(block: dict[str, Any], *, quote: str, key: str) -> None:
    """Draw one node's text by itself, with the quote marked."""
    data = {
        "blocks": [block], "active": block["id"], "quote": quote, "key": key, "quiet": True,
        "label": t("document.passage"), "says": _says(),
    }  # fmt: skip
    _component(data, key)


def _says() -> dict[str, str]:
    """Return the words that the browser puts beside what a document says."""
    keys = ("speaker", "comment", "footnote", "endnote", "hidden", "generated", "chart", "picture")
    more = ("rows_above", "rows_below", "table", "doubtful")
    return {key: t(f"reading.{key}") for key in (*keys, *more)}
