"""A document's text, reflowed: headings, paragraphs, lists, tables and code, the active node marked.

It is how formats without pages are read, and how a page reads without its picture. Everything a document
says is set as text, never as HTML or Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.widgets.frontend import component
from pages.widgets.texts import t

_component = component(
    "reading", "<div class='panel' role='document' tabindex='0'><div class='text'></div></div>"
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
) -> str | None:
    """Draw blocks (of ``node_block.block_of``) and return the id of the node that was clicked.

    ``quote`` is marked in the active node where it stands there. ``look`` is "text", "page", "slide" or "sheet".
    """
    data = {
        "blocks": list(blocks), "active": active, "quote": quote, "label": label, "empty": empty,
        "key": cache_key, "quiet": False, "linked": bool(active), "look": look, "says": _says(),
    }  # fmt: skip
    picked = _component(data=data, key="reading", on_picked_change=lambda: None).picked
    return picked if isinstance(picked, str) else None


def passage(block: dict[str, Any], *, quote: str, label: str, key: str) -> None:
    """Draw one node's text by itself, with the quote marked."""
    data = {
        "blocks": [block], "active": block["id"], "quote": quote, "label": label, "empty": "", "key": key,
        "quiet": True, "linked": False, "look": "text", "says": _says(),
    }  # fmt: skip
    _component(data=data, key=key)


def _says() -> dict[str, str]:
    """Return the words that the browser puts beside what a document says."""
    keys = ("speaker", "comment", "footnote", "endnote", "hidden", "generated", "chart", "picture")
    more = ("rows_above", "rows_below", "table", "doubtful")
    return {key: t(f"reading.{key}") for key in (*keys, *more)}
