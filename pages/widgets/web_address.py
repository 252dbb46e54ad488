"""Adding a page or file of the web by its address: fetched once, when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.errors import DropQAError
from engine.ingest import Source
from pages.widgets.messages import in_language
from pages.widgets.services import library
from pages.widgets.texts import t

_PROBLEM = "web.problem"


def add(key: str, queue: Callable[[Sequence[Source]], None]) -> None:
    """Draw the field for an address; what is fetched goes to ``queue``. ``key`` names the field within the page."""
    with st.popover(t("documents.web"), icon=":material/link:", type="tertiary"):
        with st.form(f"{key}.web", border=False, clear_on_submit=False):
            st.text_input(
                t("documents.web.label"), key=f"{key}.address", placeholder="https://example.org/guide"
            )
            st.form_submit_button(
                t("documents.web.fetch"), type="primary", on_click=_fetch, args=(f"{key}.address", queue)
            )
        if problem := st.session_state.pop(_PROBLEM, ""):
            st.caption(f":red[:material/error:] {problem}")


def _fetch(key: str, queue: Callable[[Sequence[Source]], None]) -> None:
    from engine.web_source import fetch

    settings = library().settings
    try:
        source = fetch(
            st.session_state[key] or "", most_bytes=settings.parsing.max_file_mb * 1_000_000,
            private=not settings.access.shared,
        )  # fmt: skip
    except DropQAError as error:
        st.session_state[_PROBLEM] = in_language(str(error))
        return
    queue([source])
