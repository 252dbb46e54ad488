"""A document's text, reflowed: headings, paragraphs, lists, tables and code, the active node marked.

It is how formats without pages are read, and how a page reads without its picture. Everything a document
says is set as text, never as HTML or Markdown.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.errors import DropQAError
from engine.model import Node
from pages.widgets.document_view import DocumentView
from pages.widgets.frontend import component
from pages.widgets.page_bar import marks
from pages.widgets.selection import Selected, acts
from pages.widgets.services import library, seen
from pages.widgets.texts import t

if TYPE_CHECKING:
    from pages.widgets import reader

MOST_PICTURES = 24
WIDEST = 1000
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
        "label": t("document.text.label", name=here.document.name), "empty": t("document.no_text"),
    }  # fmt: skip
    result = _component(data, "reading", "picked", "act")
    return Selected.of(result.act) or (result.picked if isinstance(result.picked, str) else None)


def _says() -> dict[str, str]:
    """Return the words that the browser puts beside what a document says."""
    keys = ("speaker", "comment", "footnote", "endnote", "hidden", "generated", "chart", "picture")
    more = ("rows_above", "rows_below", "table", "doubtful", "read")
    return {key: t(f"reading.{key}") for key in (*keys, *more)}


def pictures(view: DocumentView, nodes: Iterable[Node]) -> dict[str, str]:
    """Return the pictures among some nodes as data addresses by node id; those that cannot be had are left out."""
    wanted = [node for node in nodes if node.role == "image" and not node.metadata.get("whole_page")]
    version = view.tree.version
    found = {node.node_id: _address(seen(), node.node_id, version) for node in wanted[:MOST_PICTURES]}
    return {node_id: address for node_id, address in found.items() if address}


@st.cache_data(show_spinner=False, max_entries=200)
def _address(seen: str, node_id: str, version: int) -> str:
    """Return a picture as a data address, at most ``WIDEST`` pixels wide; "" where it cannot be had."""
    from PIL import Image

    try:
        picture = Image.open(io.BytesIO(library().image(node_id, version))).convert("RGB")
    except DropQAError:
        return ""
    picture.thumbnail((WIDEST, 2 * WIDEST))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
