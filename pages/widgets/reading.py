"""A document's text, reflowed: headings, paragraphs, lists, tables and code, the active node marked.

It is how formats without pages are read, and how a page reads without its picture. Everything a document
says is set as text, never as HTML or Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pages.widgets.frontend import component
from pages.widgets.selection import Selected, acts
from pages.widgets.texts import t

_component = component(
    "reading", "<div class='panel' role='document' tabindex='0'><div class='text'></div></div>", "selection"
)


def reading(
    blocks: Sequence[dict[str, Any]],
    *,
    active: str | None,
    quote: str,
    label: str,
    empty: str,
    cache_key: str,
    look: str = "text",
    sought: Mapping[str, object] | None = None,
) -> str | Selected | None:
    """Draw blocks (of ``node_block.block_of``); return the id of the node that was clicked, or what is asked of words.

    ``quote`` is marked in the active node where it stands there. ``look`` is "text", "page", "slide" or "sheet".
    ``sought`` are words that are marked wherever they stand (see ``page_bar.pattern``).
    """
    data = _data(blocks, active, quote, label) | {
        "empty": empty, "key": cache_key, "linked": bool(active), "look": look,
        "acts": acts(), "sought": sought,
    }  # fmt: skip
    result = _component(data, "reading", "picked", "act")
    return Selected.of(result.act) or (result.picked if isinstance(result.picked, str) else None)


def passage(block: dict[str, Any], *, quote: str, label: str, key: str) -> None:
    """Draw one node's text by itself, with the quote marked."""
    _component(data=_data([block], block["id"], quote, label) | {"key": key, "quiet": True}, key=key)


def _data(blocks: Sequence[dict[str, Any]], active: str | None, quote: str, label: str) -> dict[str, Any]:
    return {
        "blocks": list(blocks), "active": active, "quote": quote, "label": label, "says": _says(),
        "empty": "", "quiet": False, "linked": False, "look": "text", "acts": None, "sought": None,
    }  # fmt: skip


def _says() -> dict[str, str]:
    """Return the words that the browser puts beside what a document says."""
    keys = ("speaker", "comment", "footnote", "endnote", "hidden", "generated", "chart", "picture")
    more = ("rows_above", "rows_below", "table", "doubtful")
    return {key: t(f"reading.{key}") for key in (*keys, *more)}
