"""The picture of a page with boxes drawn over it; the active one is scrolled to. It can be made larger and smaller.

The text of the page lies over the picture, to be selected and copied, and so do the lines that text recognition has
read, each with how sure the reading is. The picture goes in as a data address, so that it works wherever the pages
do. Everything a document says reaches the browser as data and is set as text, never as HTML.
"""

import base64
from collections.abc import Sequence
from typing import Any

import streamlit as st

from engine.model import Node
from engine.page_image import text_on_page, words_on_page
from pages.widgets.document_view import DocumentView, Share
from pages.widgets.frontend import component
from pages.widgets.node_block import LOW_CONFIDENCE
from pages.widgets.page_bar import marks
from pages.widgets.places import Place
from pages.widgets.selection import Selected, acts
from pages.widgets.services import library
from pages.widgets.table_grid import bare, cited_in
from pages.widgets.texts import t

LABEL_CHARACTERS = 120
Line = tuple[Share, str, float]

_component = component(
    "page_image",
    "<div class='bar' hidden><span class='found'></span><label><input type='checkbox' /><span></span></label></div>"
    "<div class='panel' tabindex='0'><div class='page'><img alt='' /></div></div>"
    f"<div class='zoom'>{4 * '<button type=button></button>'}</div>",
    "selection",
)
KEY, _SENT = "page_image", "page_image.sent"


def sharp() -> bool:
    """Tell whether pages are looked at so closely that their pictures must be finer."""
    return bool((st.session_state.get(KEY) or {}).get("sharp"))


def page_image(
    picture: bytes, here: Place, view: DocumentView, node: Node | None, number: int
) -> str | Selected | None:
    """Draw page ``number`` (its ``picture`` is a PNG) with the boxes of its nodes, of which ``node`` is the active one.

    Return the id of the node that was clicked, or what is asked of words.
    """
    # Later boxes lie on top, so that a paragraph inside a table or section can be reached.
    placed = sorted(view.places(number), key=lambda one: (one[0] is node, -_area(one[1])))
    read = [view.lines(number, one) for one, _ in placed]
    nodes = [
        {"id": one.node_id, "label": _label(one), "boxes": boxes, "lines": _lines(lines)}
        for (one, boxes), lines in zip(placed, read, strict=True)
    ]
    key = f"{here.document.document_id}.{here.version}.{number}"
    shown = f"{key}.{sharp()}"
    source = _source(picture, shown)
    data: dict[str, Any] = {
        "source": source, "picture": shown, "key": key, "nodes": nodes, "active": node.node_id if node else None,
        "cited": _cited(here, view, node, number), "text": _text(view, number), "sought": marks(view),
        "sharp": sharp(), "acts": acts(), "alt": t("document.page.alt", page=number, name=here.document.name),
        "ratio": _ratio(view, number),  # keeps the layout still while the picture loads
        "recognised": _summary([line for lines in read for line in lines]),
        "says": {"show": t("document.ocr.show")}
        | {name: t(f"document.zoom.{name}") for name in ("less", "fit", "more", "whole")},
    }  # fmt: skip
    return Selected.or_node(_component(data, KEY, "picked", "act", "sharp", "lacks"))


def _ratio(view: DocumentView, page: int) -> float | None:
    """Return a page's width by its height, None where that is not known."""
    sizes = view.tree.page_sizes
    width, height = sizes[page - 1] if page <= len(sizes) else (0, 0)
    return width / height if height else None


def _source(picture: bytes, shown: str) -> str:
    """Return the picture as an address, once, however often the page is drawn anew; then "" unless it is asked for."""
    lacks = (st.session_state.get(KEY) or {}).get("lacks")
    held = st.session_state.get(_SENT) == shown and lacks != shown
    st.session_state[_SENT] = shown
    return "" if held else "data:image/png;base64," + base64.b64encode(picture).decode()


def _cited(here: Place, view: DocumentView, node: Node | None, page: int) -> Sequence[Share]:
    """Return the boxes, as shares of a page, of the cells or words of a node that were cited."""
    if node is None or not (here.quote or here.cell):
        return []
    if node.role == "table":
        return view.cited(node, page, cited_in(node, quote=here.quote, cell=here.cell))
    if lines := view.lines(page, node):  # read by text recognition, line by line
        return [box for box, text, _ in lines if _overlaps(bare(text), bare(here.quote))]
    if view.tree.media_type != "application/pdf":
        return []
    original = library().original(view.tree.document_id, view.tree.version)
    return view.shares(page, words_on_page(original, page, here.quote, tuple(view.boxes(node, page))))


def _text(view: DocumentView, page: int) -> list[tuple[Share, str]]:
    """Return the text of a page of a PDF as it is set, each stretch with its box as shares of the page."""
    if view.tree.media_type != "application/pdf":
        return []
    stretches = text_on_page(library().original(view.tree.document_id, view.tree.version), page)
    boxes = view.shares(page, [box for box, _ in stretches])
    return [(box, text) for box, (_, text) in zip(boxes, stretches, strict=False)]


def _overlaps(line: str, quote: str) -> bool:
    return bool(line) and (line in quote or quote in line)


def _lines(lines: Sequence[Line]) -> list[list[Any]]:
    return [[box, text, t("document.ocr", percent=int(100 * sure)), sure < LOW_CONFIDENCE] for box, text, sure in lines]


def _summary(lines: Sequence[Line]) -> str:
    """Say that the page was read by text recognition, and how many lines are to be checked."""
    if not lines:
        return ""
    low = sum(sure < LOW_CONFIDENCE for _, _, sure in lines)
    if low:
        return t("document.ocr.page.low", count=len(lines), low=low)
    return t("document.ocr.page", count=len(lines))


def _area(boxes: Sequence[Share]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


def _label(node: Node) -> str:
    text = " ".join((node.title or node.text).split())[:LABEL_CHARACTERS]
    return f"{t(f'role.{node.role}')}: {text}"
