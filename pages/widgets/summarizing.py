"""A summary of the document or the section that is open, written or quoted while one looks on."""

from __future__ import annotations

import streamlit as st

from engine.answer.events import Discard, Token
from engine.errors import DropQAError
from engine.model import Node, TraceStep
from engine.summaries import Summary
from pages.widgets.document_view import DocumentView
from pages.widgets.reader import Place
from pages.widgets.sanitize import plain, safe_markdown
from pages.widgets.services import library
from pages.widgets.sources import sources
from pages.widgets.texts import t


def button(here: Place, view: DocumentView) -> None:
    """Draw the button that opens the summary."""
    if st.button(t("summary.button"), key="summary.button", icon=":material/notes:", type="tertiary"):
        _dialog(here, view)


def _dialog(here: Place, view: DocumentView) -> None:
    @st.dialog(t("summary.title"), width="large")
    def dialog() -> None:
        summary(here, view)

    dialog()


def summary(here: Place, view: DocumentView) -> None:
    """Draw the summary of the document, or of a section around the open place that is chosen."""
    node = view.node(here.node_id)
    section = view.section_of(node) if node is not None else view.root
    path = [*view.path(section), section] if section is not view.root else []
    choices: list[Node | None] = [None, *reversed(path)]
    chosen = choices[0]
    if len(choices) > 1:
        chosen = st.selectbox(
            t("summary.what"), choices, key="summary.what",
            format_func=lambda one: t("summary.whole") if one is None else t("summary.section", title=one.title),
        )  # fmt: skip
    try:
        made = _streamed(here, chosen)
    except DropQAError as error:
        st.markdown(plain(str(error)))
        return
    if made.engine == "extractive":
        st.caption(t("summary.quoted"))
    for warning in made.warnings:
        st.caption(plain(warning))
    sources(made.sources, label=t("summary.sources"), key="summary.sources")


def _streamed(here: Place, section: Node | None) -> Summary:
    """Make the summary, showing its text as it comes, and then as it was checked."""
    with st.container():
        status, box = st.empty(), st.empty()
    text: list[str] = []

    def follow(event: Token | Discard | TraceStep) -> None:
        if isinstance(event, Discard):
            text.clear()
        elif isinstance(event, Token):
            text.append(event.text)
        box.markdown(safe_markdown("".join(text)))

    with status, st.spinner(t("summary.writing")):
        made = library().summaries.document(
            here.document.document_id, version=here.version, on_event=follow,
            node_ids=[section.node_id] if section is not None else [],
        )  # fmt: skip
    box.markdown(safe_markdown(made.summary))
    return made
