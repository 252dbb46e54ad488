"""What can be done with several documents at once: summarise, move, tag, read their files again, remove them."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from engine.export.harmless import plain
from engine.ingest import Source
from engine.model import Document
from pages.widgets import collections, summarizing, tags
from pages.widgets.confirm import confirm
from pages.widgets.messages import tell_next, tried
from pages.widgets.services import library, owner
from pages.widgets.texts import t

NAMED = 8


def act(action: str, ids: Sequence[str], documents: Sequence[Document]) -> None:
    """Do what was chosen for the documents with these ids."""
    wanted = set(ids)
    chosen = [document for document in documents if document.document_id in wanted]
    does: dict[str, Callable[[Sequence[Document]], object]] = {
        "remove": confirm_removal, "reindex": _read_again, "tag": tags.edit, "summarize": summarizing.of_documents,
        "move": st.dialog(t("collections.move.title", count=len(chosen)))(collections.move),
    }  # fmt: skip
    if chosen and action in does:
        does[action](chosen)


def _read_again(documents: Sequence[Document]) -> None:
    """Queue the current files; each keeps what it has until it has been read anew."""

    def queue(document: Document) -> None:
        original = library().original(document.document_id)
        library().enqueue(Source(document.name, original, again=True), owner())

    queued = sum(tried(partial(queue, document)) for document in documents)
    st.toast(t("documents.reindex.queued", count=queued), icon=":material/check:")


def confirm_removal(documents: Sequence[Document]) -> None:
    """Open the dialog that asks before documents are removed."""
    title = "documents.remove.title" if len(documents) == 1 else "documents.remove.many.title"
    st.dialog(t(title, count=len(documents)))(_removal)(documents)


def _removal(documents: Sequence[Document]) -> None:
    if len(documents) == 1:
        [one] = documents
        kind = "documents.remove.versions" if one.versions > 1 else "documents.remove.text"
        st.markdown(t(kind, name=plain(one.name), versions=one.versions))
    else:
        names = "  \n".join(plain(document.name) for document in documents[:NAMED])
        st.markdown(names + ("  \n…" if len(documents) > NAMED else ""))
        st.caption(t("documents.remove.many.text"))

    def remove() -> None:
        for document in documents:
            if tried(partial(library().remove, document.document_id), gone=True):
                tell_next(t("documents.removed", name=plain(document.name)))

    confirm(t("documents.remove"), "remove.confirm", remove, "delete")
