"""Pictures of a document for the reading view, as data addresses: small enough to send, cached by content."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

import streamlit as st

from engine.config import library_folder
from engine.errors import DropQAError
from engine.model import Node
from pages.widgets.document_view import DocumentView
from pages.widgets.services import library

MOST = 24
WIDEST = 1000
PAGE_DPI = 144
LEAST_POINTS = 6.0


def sources(view: DocumentView, nodes: Iterable[Node]) -> dict[str, str]:
    """Return the pictures among some nodes as data addresses by node id; those that cannot be had are left out."""
    wanted = [node for node in nodes if node.role == "image" and not node.metadata.get("whole_page")]
    found = {}
    for node in wanted[:MOST]:
        if address := _address(str(library_folder()), view.tree.document_id, view.tree.version, node.node_id):
            found[node.node_id] = address
    return found


@st.cache_data(show_spinner=False, max_entries=200)
def _address(folder: str, document_id: str, version: int, node_id: str) -> str:
    tree = library().tree(document_id, version)
    node = next(node for node in tree.nodes if node.node_id == node_id)
    try:
        data = _cut_out(document_id, version, node, dict(enumerate(tree.page_sizes, 1)))
    except DropQAError:
        return ""
    return _small(data) if data else ""


def _cut_out(
    document_id: str, version: int, node: Node, sizes: dict[int, tuple[float, float]]
) -> bytes | None:
    """Return the part of its page that a picture covers, as PNG."""
    if node.page not in sizes or node.bbox is None:
        return None
    from PIL import Image

    width, height = sizes[node.page]
    x0, y0, x1, y1 = node.bbox
    if x1 - x0 < LEAST_POINTS or y1 - y0 < LEAST_POINTS:
        return None
    page = Image.open(io.BytesIO(library().page_image(document_id, node.page, version=version, dpi=PAGE_DPI)))
    across, down = page.width / width, page.height / height
    cut = page.crop((int(x0 * across), int(y0 * down), int(x1 * across) + 1, int(y1 * down) + 1))
    buffer = io.BytesIO()
    cut.save(buffer, "PNG")
    return buffer.getvalue()


def _small(data: bytes) -> str:
    """Return a picture as a data address, at most ``WIDEST`` pixels wide."""
    from PIL import Image

    picture = Image.open(io.BytesIO(data))
    picture.thumbnail((WIDEST, 2 * WIDEST))
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
