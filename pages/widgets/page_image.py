"""The picture of a page with boxes drawn over it; the active one is scrolled to.

The picture goes in as a data address, so that it works wherever the pages do. Everything a document says
reaches the browser as data and is set as text, never as HTML.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from engine.model import Node
from pages.widgets.document_view import Place
from pages.widgets.frontend import component
from pages.widgets.texts import t

LABEL_CHARACTERS = 120

_component = component("page_image", "<div class='panel'><div class='page'><img alt='' /></div></div>")


def page_image(
    picture: bytes,
    places: Sequence[tuple[Node, Sequence[Place]]],
    *,
    active: str | None,
    ratio: float | None,
    alt: str,
    cache_key: str,
) -> str | None:
    """Draw a page (PNG) with its nodes' boxes and return the id of the node that was clicked.

    ``places`` holds boxes as shares of the page; ``ratio`` is width over height, which keeps the layout
    still while the picture loads. ``cache_key`` changes whenever the picture does.
    """
    # Later boxes lie on top, so that a paragraph inside a table or section can be reached.
    ordered = sorted(places, key=lambda place: (place[0].node_id == active, -_area(place[1])))
    nodes = [{"id": node.node_id, "label": _label(node), "boxes": boxes} for node, boxes in ordered]
    source = "data:image/png;base64," + base64.b64encode(picture).decode()
    data: dict[str, Any] = {
        "source": source, "key": cache_key, "nodes": nodes, "active": active, "ratio": ratio, "alt": alt,
    }  # fmt: skip
    result = _component(data=data, key="page_image", on_picked_change=lambda: None)
    picked = result.picked
    return picked if isinstance(picked, str) else None


def _area(boxes: Sequence[Place]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


def _label(node: Node) -> str:
    text = " ".join((node.title or node.text).split())[:LABEL_CHARACTERS]
    return f"{t(f'role.{node.role}')}: {text}"
