"""Pictures of a document for the reading view, as data addresses: small enough to send, kept for the next look."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

import streamlit as st

from engine.errors import DropQAError
from engine.model import Node
from pages.widgets.document_view import DocumentView
from pages.widgets.services import library, seen

MOST = 24
WIDEST = 1000


def sources(view: DocumentView, nodes: Iterable[Node]) -> dict[str, str]:
    """Return the pictures among some nodes as data addresses by node id; those that cannot be had are left out."""
    wanted = [node for node in nodes if node.role == "image" and not node.metadata.get("whole_page")]
    version = view.tree.version
    found = {node.node_id: _address(seen(), node.node_id, version) for node in wanted[:MOST]}
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
