"""A summary of a document, of chosen sections of it, or of several documents, made while one looks on."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from engine.answer.events import Discard, OnEvent, Token
from engine.errors import DropQAError
from engine.export.harmless import plain, safe_markdown
from engine.model import Document, TraceStep
from engine.summaries import MOST_DOCUMENTS, Summary
from pages.widgets import buttons
from pages.widgets.answer import marked, sources
from pages.widgets.document_view import DocumentView
from pages.widgets.places import Place
from pages.widgets.services import generation, library
from pages.widgets.texts import said, t

MOST_SECTIONS = 500
_MADE = "summary.made"
KEPT = 8


def button(here: Place, view: DocumentView) -> None:
    """Draw the button that opens the summary."""
    if buttons.button(t("summary.button"), "summary.button", "notes"):
        st.dialog(t("summary.title"), width="large")(summary)(here, view)


def of_documents(documents: Sequence[Document]) -> None:
    """Open a summary of several documents."""
    ids = [document.document_id for document in documents]

    def chosen() -> None:
        if len(documents) > MOST_DOCUMENTS:
            st.markdown(t("summary.too_many", most=MOST_DOCUMENTS, count=len(documents)))
            return
        st.caption(", ".join(plain(document.name) for document in documents))
        draw(tuple(ids), lambda follow: library().summaries.documents(ids, on_event=follow))

    st.dialog(t("summary.title"), width="large")(chosen)()


def summary(here: Place, view: DocumentView) -> None:
    """Draw the summary of the document, or of the sections that are chosen."""
    offered = {one.node_id: one for one in view.sections[:MOST_SECTIONS]}
    chosen: list[str] = []
    if offered:
        chosen = st.multiselect(
            t("summary.what"), list(offered), key=f"summary.what.{here.document.document_id}",
            placeholder=t("summary.whole"),
            format_func=lambda one: " › ".join(
                above.title or t("document.untitled") for above in [*view.path(offered[one]), offered[one]]
            ),
        )  # fmt: skip
    draw(
        (here.document.document_id, here.version, *chosen),
        lambda follow: library().summaries.document(
            here.document.document_id, version=here.version, node_ids=chosen, on_event=follow
        ),
    )


def is_made(of: tuple[Any, ...]) -> bool:
    """Tell whether this session has a summary of this that still holds."""
    return _state(of) in st.session_state.get(_MADE, {})


def _state(of: tuple[Any, ...]) -> tuple[Any, ...]:
    return (of, generation(), library().settings.summary_llm.model)


def draw(of: tuple[Any, ...], make: Callable[[OnEvent], Summary]) -> None:
    """Draw what was made of this before and still holds, or make it, showing its text as it comes."""
    kept: dict[Any, Summary] = st.session_state.setdefault(_MADE, {})
    state = _state(of)
    with st.container():
        status, box = st.empty(), st.empty()
    if state not in kept:
        try:
            with status, st.spinner(t("summary.writing")):
                made = make(_following(box))
        except DropQAError as error:
            st.markdown(said(error))
            return
        while len(kept) >= KEPT:
            del kept[next(iter(kept))]
        kept[state] = made
    made = kept[state]
    box.markdown(marked(made.summary, made.sources))
    if made.engine == "extractive":
        st.caption(t("summary.quoted"))
    for warning in made.warnings:
        st.caption(said(warning))
    sources(made.sources, label=t("summary.sources"))


def _following(box: Any) -> OnEvent:
    """Return what shows the text of a summary as it comes."""
    text: list[str] = []

    def follow(event: Token | Discard | TraceStep) -> None:
        if isinstance(event, Discard):
            text.clear()
        elif isinstance(event, Token):
            text.append(event.text)
        box.markdown(safe_markdown("".join(text)))

    return follow
