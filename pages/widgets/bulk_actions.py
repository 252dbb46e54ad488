"""What can be done with several documents at once: summarise, move, read their files again, remove them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import streamlit as st

from engine.errors import AccessError, DropQAError, NotFoundError
from engine.ingest import Source
from engine.model import Document
from pages.widgets import collections, summarizing
from pages.widgets.messages import said
from pages.widgets.sanitize import plain
from pages.widgets.services import library, owner
from pages.widgets.texts import t

NAMED = 8


def act(action: str, ids: Sequence[str], documents: Sequence[Document]) -> None:
    """Do what was chosen for the documents with these ids."""
    wanted = set(ids)
    chosen = [document for document in documents if document.document_id in wanted]
    if chosen and action == "remove":
        _confirm_removal(chosen)
    elif chosen and action == "reindex":
        _read_again(chosen)
    elif chosen and action == "move":
        collections.move(chosen)
    elif chosen and action == "summarize":
        summarizing.of_documents(chosen)


def _read_again(documents: Sequence[Document]) -> None:
    """Queue the current files; each keeps what it has until it has been read anew."""
    queued = 0
    for document in documents:
        try:
            original = library().original(document.document_id)
            library().enqueue(Source(document.name, original, again=True), owner())
        except DropQAError as error:
            st.toast(said(error), icon=":material/error:")
        else:
            queued += 1
    st.toast(t("documents.reindex.queued", count=queued), icon=":material/check:")


def _confirm_removal(documents: Sequence[Document]) -> None:
    @st.dialog(t("documents.remove.many.title", count=len(documents)))
    def dialog() -> None:
        names = "  \n".join(plain(document.name) for document in documents[:NAMED])
        st.markdown(names + ("  \n…" if len(documents) > NAMED else ""))
        st.caption(t("documents.remove.many.text"))
        with st.container(horizontal=True, horizontal_alignment="right"):
            if st.button(t("documents.cancel"), key="remove.many.cancel"):
                st.rerun()
            if st.button(
                t("documents.remove"), key="remove.many.confirm", type="primary", icon=":material/delete:"
            ):
                bar = st.progress(0.0)
                for number, document in enumerate(documents, 1):
                    with contextlib.suppress(NotFoundError, AccessError):  # another tab was quicker
                        library().remove(document.document_id)
                    bar.progress(number / len(documents))
                st.rerun()

    dialog()
