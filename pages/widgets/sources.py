"""The sources of an answer as cards: number, document, version, page, section, quote; a click opens the place.

The citation marks in the answer's text open their place in the same session, too.
"""

from collections.abc import Collection, Sequence
from typing import Any

from engine.model import Citation
from pages.widgets.document_view import page_kind
from pages.widgets.frontend import component
from pages.widgets.places import document_address, document_place
from pages.widgets.services import library, node
from pages.widgets.texts import t

QUOTE_CHARACTERS = 240
# Of so many cells of a row the first and the last are named.
_SPAN = 3
# They have a statement on each line: a list, or what was read in a picture.
_IN_LINES = ("list", "image")
_component = component("sources", "<div class='head'></div><ol></ol>")


def sources(cited: Sequence[Citation], *, label: str, turn: str = "", near: bool = False, key: str = "") -> None:
    """Draw the sources; each opens at its box: beside the conversation whose answer ``turn`` cites it, else alone.

    ``key`` tells several lists of one page apart that belong to no turn.
    Passages that only come ``near`` an answer look different from what one rests on, and tell more of themselves.
    """
    versioned = {document.document_id for document in library().documents() if document.versions > 1}
    rows = cards(cited, versioned)
    _component({"rows": rows, "label": label, "turn": turn, "near": near}, f"sources.{key or turn}")


def cards(cited: Sequence[Citation], versioned: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return what is shown of the sources; cells of one row, which say the same, are one card with several numbers."""
    found: dict[tuple[object, ...], dict[str, Any]] = {}
    cells: dict[tuple[object, ...], list[str]] = {}
    for source in cited:
        card = {
            "name": source.document,
            "place": _place_in(source, version=source.document_id in versioned),
            "section": source.section.split(" > ")[-1],
            "said": " · ".join(filter(str.strip, source.snippet.split(" | "))),  # of a row its cells
            "lines": "\n" in source.snippet and (at := node(source.node_id)) is not None and at.node.role in _IN_LINES,
        }
        told = (source.node_id, *card.values())
        found.setdefault(told, {"n": [], "href": address_of(source), **card})["n"].append(source.n)
        if source.cell and page_kind(source.document) == "sheet":
            cells.setdefault(told, []).append(source.cell.rpartition("!")[2])
    for told, named in cells.items():
        span = ", ".join(named) if len(named) < _SPAN else f"{named[0]} … {named[-1]}"
        found[told]["place"] = " · ".join(filter(None, [found[told]["place"], span]))
    return list(found.values())


def _place_in(source: Citation, *, version: bool) -> str:
    """Return the page of a source, after its version where the document has several."""
    parts = [t("answer.version", version=source.version)] if version else []
    if source.page:
        parts.append(t(f"answer.{page_kind(source.document)}", page=source.page))
    return " · ".join(parts)


def place_of(source: Citation) -> dict[str, str]:
    """Return the query parameters that open the Document page at a source."""
    return document_place(
        doc=source.document_id, version=source.version, node=source.node_id, page=source.page, cell=source.cell,
        quote=" ".join(source.snippet.split())[:QUOTE_CHARACTERS],
    )  # fmt: skip


def address_of(source: Citation) -> str:
    """Return the address of a source, relative to any page."""
    return document_address(**place_of(source))
