"""The picture of a page with boxes drawn over it, and the way from page to page: by number, thumbnails and words.

The active box is scrolled to; the picture can be made larger and smaller. The text of the page lies over it, to be
selected and copied, and so do the lines that text recognition has read, each with how sure the reading is. The picture
goes in as a data address, so that it works wherever the pages do. Everything a document says reaches the browser as
data and is set as text, never as HTML.
"""

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from engine.errors import NotFoundError, UnreadableFileError
from engine.model import Node
from engine.model.tree import DOUBTED
from engine.page_image import small_picture, text_on_page, words_on_page
from engine.retrieve.query import is_unspaced
from pages.widgets.document_view import DocumentView, Share
from pages.widgets.fragments import component, fragment
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
_KEY, _SENT, _BAR = "page_image", "page_image.sent", "page_bar"
LONGEST, MOST_SMALL = 100, 24
_SOUGHT, _SMALL = "page_bar.sought", "page_bar.small"
_SAID = ("back", "on", "find", "count", "none", "many", "previous", "next", "small")
_bar = component(
    _BAR,
    "<div class='bar'><div class='pages' role='group'><button class='back'>‹</button>"
    "<input class='number' inputmode='numeric' />"
    "<span class='of'></span><button class='on'>›</button></div><button class='small'></button>"
    "<div class='find' role='search'><input type='search' autocomplete='off' spellcheck='false' maxlength='100' />"
    "<span class='count' role='status'></span><button class='previous'>‹</button><button class='next'>›</button>"
    "</div></div>",
)
_small = component("small_pages", "<div class='strip' role='listbox'></div>")


def sharp() -> bool:
    """Tell whether pages are looked at so closely that their pictures must be finer."""
    return bool((st.session_state.get(_KEY) or {}).get("sharp"))


def page_image(
    picture: bytes, here: Place, view: DocumentView, node: Node | None, number: int
) -> str | Selected | None:
    """Draw page ``number`` (its ``picture`` is a PNG) with the boxes of its nodes, of which ``node`` is the active one.

    Return the id of the node that was clicked, or what is asked of words.
    """
    # Later boxes lie on top, so that a paragraph inside a table or section can be reached.
    places = [(one, boxes, sum((x - x0) * (y - y0) for x0, y0, x, y in boxes)) for one, boxes in view.places(number)]
    placed = [(one, boxes) for one, boxes, _ in sorted(places, key=lambda place: (place[0] is node, -place[2]))]
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
    return Selected.or_node(_component(data, _KEY, "picked", "act", "sharp", "lacks"))


def _ratio(view: DocumentView, page: int) -> float | None:
    """Return a page's width by its height, None where that is not known."""
    [(width, height)] = view.tree.page_sizes[page - 1 : page] or [(0, 0)]
    return width / height if height else None


def _source(picture: bytes, shown: str) -> str:
    """Return the picture as an address, once, however often the page is drawn anew; then "" unless it is asked for."""
    lacks = (st.session_state.get(_KEY) or {}).get("lacks")
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
        quote, said = bare(here.quote), [(box, bare(text)) for box, text, _ in lines]
        return [box for box, text in said if text and (text in quote or quote in text)]
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


def _lines(lines: Sequence[Line]) -> list[list[Any]]:
    return [[box, text, t("document.ocr", percent=int(100 * sure)), sure < DOUBTED] for box, text, sure in lines]


def _summary(lines: Sequence[Line]) -> str:
    if not lines:
        return ""
    low = sum(sure < DOUBTED for _, _, sure in lines)
    return t("document.ocr.page.low" if low else "document.ocr.page", count=len(lines), low=low)


def _label(node: Node) -> str:
    text = " ".join((node.title or node.text).split())[:LABEL_CHARACTERS]
    return f"{t(f'role.{node.role}')}: {text}"


def marks(view: DocumentView) -> dict[str, Any] | None:
    """Return how the words that are sought in a document are found: their parts, and what stands between; or None."""
    words = _sought(view)
    return _pattern(words) if words else None


def _pattern(words: str) -> dict[str, Any]:
    """Return how words are found whatever the white space between: their parts, and what may stand between these."""
    if is_unspaced(words):
        return {"parts": list("".join(words.split())), "glue": r"\s*"}
    return {"parts": words.split(), "glue": r"\s+"}


def find(view: DocumentView, words: str) -> list[tuple[Node, str]]:
    """Return the nodes in which words stand, in reading order, each with the words as they stand there."""
    if not words.strip():
        return []
    made = _pattern(words)
    wanted = re.compile(made["glue"].join(map(re.escape, made["parts"])), re.IGNORECASE)
    found = ((node, wanted.search(node.text) or wanted.search(node.title)) for node in view.tree.nodes[1:])
    return [(node, place.group()) for node, place in found if place]


def _sought(view: DocumentView) -> str:
    """Return the words that are sought in this document; none in another."""
    document_id, words = st.session_state.get(_SOUGHT, ("", ""))
    return words if document_id == view.tree.document_id else ""


def page_bar(view: DocumentView, node: Node | None, number: int, go: Callable[..., None]) -> None:
    """Draw the page's number to be changed, the switch for thumbnails and the field that finds words.

    ``go`` opens a place, given the query parameters that differ there.
    """
    words = _sought(view)
    found = find(view, words)
    here = node if node is not None and view.page_of(node) == number else None
    at = next((at for at, (one, _) in enumerate(found) if one is here), None)

    def moved() -> None:
        asked = st.session_state[_BAR]
        if turn := asked.get("turn"):
            go(page=min(max(int(turn), 1), view.pages))
        if small := asked.get("small"):
            st.session_state[_SMALL] = small == "show"
        if isinstance(seek := asked.get("seek"), dict):
            new = str(seek.get("words") or "")[:LONGEST].strip()
            st.session_state[_SOUGHT] = (view.tree.document_id, new)
            places, step = (found, at) if new == words else (find(view, new), None), seek.get("step")
            if step in (1, -1) and places[0]:
                to, said = places[0][_next(view, places, step, number)]
                go(node=to.node_id, page=view.page_of(to), quote=said)

    _bar(
        data={
            "number": number, "pages": view.pages, "words": words, "found": len(found), "paged": view.paged,
            "at": None if at is None else at + 1, "small": view.has_pictures and view.pages > 1,
            "shown": bool(st.session_state.get(_SMALL)),
            "says": {name: t(f"page_bar.{name}") for name in _SAID} | {"number": t(f"document.{view.kind}")},
        },
        key=_BAR, on_turn_change=moved, on_small_change=moved, on_seek_change=moved,
    )  # fmt: skip


def _next(view: DocumentView, places: tuple[list[tuple[Node, str]], int | None], step: int, page: int) -> int:
    """Return which place comes next: after the one that is open, else the first from the page that is open."""
    found, at = places
    if at is not None:
        return (at + step) % len(found)
    later = [at for at, (node, _) in enumerate(found) if view.page_of(node) >= page]
    first = later[0] if later else 0
    return first if step == 1 else (first - 1) % len(found)


@fragment
def thumbnails(view: DocumentView, number: int, go: Callable[..., None]) -> None:
    """Draw thumbnails where :func:`page_bar` switches them on; the pictures come as the browser says which it shows."""
    if not (view.has_pictures and view.pages > 1 and st.session_state.get(_SMALL)):
        return
    state = st.session_state.get("small_pages") or {}
    first, last = state.get("seen") or (number - 4, number + 8)
    shown = range(max(1, int(first)), min(view.pages, int(last), int(first) + MOST_SMALL) + 1)
    data = {
        "document": f"{view.tree.document_id}.{view.tree.version}", "number": number, "pages": view.pages,
        "pictures": {str(page): _picture(view, page) for page in shown},
        "ratios": [round(width / height, 3) if height else 1 for width, height in view.tree.page_sizes],
        "says": {"page": t("document.page"), "label": t("page_bar.small")},
    }  # fmt: skip
    picked = _small(data, "small_pages", "picked", "seen").picked
    if picked:
        go(page=min(max(int(picked), 1), view.pages))
        st.rerun()


def _picture(view: DocumentView, page: int) -> str:
    try:
        original = library().original(view.tree.document_id, view.tree.version)
        picture = small_picture(original, view.tree.media_type, page)
    except (NotFoundError, UnreadableFileError):
        return ""
    return "data:image/jpeg;base64," + base64.b64encode(picture).decode()
