"""A document's text, reflowed: headings, paragraphs, lists, tables and code, the active node marked.

It is how formats without pages are read, and how a page reads without its picture. Everything a document
says is set as text, never as HTML or Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.widgets.frontend import component

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
) -> str | None:
    """Draw blocks (of ``document_view.block_of``) and return the id of the node that was clicked.

    ``quote`` is marked in the active node where it stands there.
    """
    data = {
        "blocks": list(blocks), "active": active, "quote": quote, "label": label, "empty": empty,
        "key": cache_key, "quiet": False, "linked": bool(active),
    }  # fmt: skip
    picked = _component(data=data, key="reading", on_picked_change=lambda: None).picked
    return picked if isinstance(picked, str) else None


def passage(block: dict[str, Any], *, quote: str, label: str, key: str) -> None:
    """Draw one node's text by itself, with the quote marked."""
    data = {
        "blocks": [block], "active": block["id"], "quote": quote, "label": label, "empty": "", "key": key,
        "quiet": True, "linked": False,
    }  # fmt: skip
    _component(data=data, key=key)
