"""The way from page to page of a document: by number, by thumbnails, and to the places where words stand."""

import base64
import re
from collections.abc import Callable
from typing import Any

import streamlit as st

from engine.errors import NotFoundError, UnreadableFileError
from engine.model import Node
from engine.page_image import small_picture
from engine.retrieve.query import is_unspaced
from pages.widgets.document_view import DocumentView
from pages.widgets.fragments import fragment
from pages.widgets.frontend import component
from pages.widgets.services import library
from pages.widgets.texts import t

KEY = "page_bar"
LONGEST = 100
MOST_SMALL = 24
_SOUGHT = "page_bar.sought"
_SMALL = "page_bar.small"
_SAID = ("back", "on", "find", "count", "none", "many", "previous", "next", "small")
_bar = component(
    KEY,
    "<div class='bar'><div class='pages' role='group'><button class='back'>‹</button>"
    "<input class='number' inputmode='numeric' />"
    "<span class='of'></span><button class='on'>›</button></div><button class='small'></button>"
    "<div class='find' role='search'><input type='search' autocomplete='off' spellcheck='false' maxlength='100' />"
    "<span class='count' role='status'></span><button class='previous'>‹</button><button class='next'>›</button>"
    "</div></div>",
)
_small = component("small_pages", "<div class='strip' role='listbox'></div>")


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
        asked = st.session_state[KEY]
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
        key=KEY, on_turn_change=moved, on_small_change=moved, on_seek_change=moved,
    )  # fmt: skip


def thumbnails(view: DocumentView, number: int, go: Callable[..., None]) -> None:
    """Draw the thumbnails of the pages where they are switched on; see :func:`page_bar`."""
    if view.has_pictures and view.pages > 1 and st.session_state.get(_SMALL):
        _small_pages(view, number, go)


def _next(view: DocumentView, places: tuple[list[tuple[Node, str]], int | None], step: int, page: int) -> int:
    """Return which place comes next: after the one that is open, else the first from the page that is open."""
    found, at = places
    if at is not None:
        return (at + step) % len(found)
    later = [at for at, (node, _) in enumerate(found) if view.page_of(node) >= page]
    first = later[0] if later else 0
    return first if step == 1 else (first - 1) % len(found)


@fragment
def _small_pages(view: DocumentView, number: int, go: Callable[..., None]) -> None:
    """Draw thumbnails; the pictures come as the browser says which it shows."""
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
