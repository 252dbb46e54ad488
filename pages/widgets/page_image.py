"""The picture of a page with boxes drawn over it; the active one is scrolled to. It can be made larger and smaller.

The text of the page lies over the picture, to be selected and copied, and so do the lines that text recognition has
read, each with how sure the reading is. The picture goes in as a data address, so that it works wherever the pages
do. Everything a document says reaches the browser as data and is set as text, never as HTML.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from engine.model import Node
from pages.widgets.document_view import Place
from pages.widgets.frontend import component
from pages.widgets.node_block import LOW_CONFIDENCE
from pages.widgets.selection import Selected, acts
from pages.widgets.texts import t

LABEL_CHARACTERS = 120
Line = tuple[Place, str, float]

_component = component(
    "page_image",
    "<div class='bar' hidden><span class='found'></span><label><input type='checkbox' /><span></span></label></div>"
    "<div class='panel' tabindex='0'><div class='page'><img alt='' /></div></div>"
    f"<div class='zoom'>{4 * '<button type=button></button>'}</div>",
    "selection",
)
KEY, _SENT = "page_image", "page_image.sent"


@dataclass(frozen=True, slots=True)
class Placed:
    """A node on a page: its boxes as shares of the page, and what text recognition read of it there."""

    node: Node
    boxes: Sequence[Place]
    lines: Sequence[Line] = ()


def sharp() -> bool:
    """Tell whether pages are looked at so closely that their pictures must be finer."""
    return bool((st.session_state.get(KEY) or {}).get("sharp"))


def page_image(
    picture: bytes,
    placed: Sequence[Placed],
    *,
    active: str | None,
    text: Sequence[tuple[Place, str]] = (),
    cited: Sequence[Place] = (),
    sought: Mapping[str, object] | None = None,
    ratio: float | None,
    alt: str,
    cache_key: str,
) -> str | Selected | None:
    """Draw a page (PNG) with its nodes' boxes; return the id of the node that was clicked, or what is asked of words.

    ``text`` is what is set on the page, where. ``cited`` are boxes within the active node (cells of a table), which
    are marked and scrolled to. ``sought`` are words that are marked wherever they stand (see ``page_bar.pattern``).
    ``ratio`` is width over height, which keeps the layout still while the picture loads. ``cache_key`` changes
    whenever the page does.
    """
    # Later boxes lie on top, so that a paragraph inside a table or section can be reached.
    ordered = sorted(placed, key=lambda item: (item.node.node_id == active, -_area(item.boxes)))
    nodes = [
        {"id": one.node.node_id, "label": _label(one.node), "boxes": one.boxes, "lines": _lines(one.lines)}
        for one in ordered
    ]
    # Sent once, however often the page is drawn anew; the browser asks for what it has not kept.
    shown, lacks = f"{cache_key}.{sharp()}", (st.session_state.get(KEY) or {}).get("lacks")
    held = st.session_state.get(_SENT) == shown and lacks != shown
    source = "" if held else "data:image/png;base64," + base64.b64encode(picture).decode()
    st.session_state[_SENT] = shown
    data: dict[str, Any] = {
        "source": source, "picture": shown, "key": cache_key,
        "nodes": nodes, "active": active, "cited": cited, "text": text,
        "sought": sought, "sharp": sharp(), "ratio": ratio, "alt": alt, "acts": acts(),
        "recognised": _summary([line for item in placed for line in item.lines]),
        "says": {"show": t("document.ocr.show")}
        | {name: t(f"document.zoom.{name}") for name in ("less", "fit", "more", "whole")},
    }  # fmt: skip
    result = _component(data, KEY, "picked", "act", "sharp", "lacks")
    return Selected.of(result.act) or (result.picked if isinstance(result.picked, str) else None)


def _lines(lines: Sequence[Line]) -> list[list[Any]]:
    return [
        [box, text, t("document.ocr", percent=int(100 * sure)), sure < LOW_CONFIDENCE]
        for box, text, sure in lines
    ]


def _summary(lines: Sequence[Line]) -> str:
    """Say that the page was read by text recognition, and how many lines are to be checked."""
    if not lines:
        return ""
    low = sum(sure < LOW_CONFIDENCE for _, _, sure in lines)
    if low:
        return t("document.ocr.page.low", count=len(lines), low=low)
    return t("document.ocr.page", count=len(lines))


def _area(boxes: Sequence[Place]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


def _label(node: Node) -> str:
    text = " ".join((node.title or node.text).split())[:LABEL_CHARACTERS]
    return f"{t(f'role.{node.role}')}: {text}"
