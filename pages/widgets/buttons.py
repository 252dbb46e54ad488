"""Buttons that do something and links that lead to a page, each with a Material icon by its name."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.widgets.places import page_file


def button(
    label: str, key: str, icon: str = "", act: Callable[..., Any] | None = None, *args: object, **look: Any
) -> bool:
    """Draw a quiet button that calls ``act`` with ``args``; tell whether it was just pressed.

    ``look`` is what Streamlit's own takes besides, such as another ``type``.
    """
    return st.button(label, key=key, icon=_named(icon), on_click=act, args=args, **{"type": "tertiary"} | look)


def link_to(page: str, label: str, icon: str = "", /, **place: Any) -> None:
    """Draw a link to the page with this name; ``place`` are its query parameters, what is empty is left out."""
    given = {name: value for name, value in place.items() if value}
    st.page_link(page_file(page), label=label, icon=_named(icon), query_params=given)


def _named(icon: str) -> str | None:
    return f":material/{icon}:" if icon else None
