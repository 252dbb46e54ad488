"""The tree of a document: an ARIA tree of its sections, with the passages of the selected one.

Only what is unfolded is put into the page, sections fold below the second level, and passages come for one
section at a time, so that a tree of thousands of nodes stays quick.
"""

from __future__ import annotations

from typing import Any

from pages.widgets.frontend import component

_component = component("node_tree", "<details open><summary></summary><div class='panel'></div></details>")


def node_tree(
    outline: list[list[Any]],
    leaves: list[list[Any]],
    *,
    section: str,
    selected: str | None,
    cache_key: str,
    label: str,
    page: str,
    untitled: str,
) -> str | None:
    """Draw the tree and return the id of the node that was picked.

    ``outline`` and ``leaves`` are those of ``DocumentView``; ``leaves`` are the children of ``section``.
    ``label`` names the tree, ``page`` the numbers at the right, ``untitled`` a section without a title.
    """
    data = {
        "rows": outline, "leaves": leaves, "section": section, "selected": selected, "key": cache_key,
        "label": label, "page": page, "untitled": untitled,
    }  # fmt: skip
    picked = _component(data=data, key="node_tree", on_picked_change=lambda: None).picked
    return picked if isinstance(picked, str) else None
