"""Files just added that are nearly the same as another document: told beside the upload, to be kept or removed."""

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from engine.errors import NotFoundError
from engine.export.harmless import plain
from engine.model import Document, Job
from engine.near_duplicates import near_duplicate
from pages.widgets import access
from pages.widgets.buttons import button, link_to
from pages.widgets.messages import tried
from pages.widgets.services import library
from pages.widgets.texts import t

AT_ONCE = 2  # files compared in one run of the page
_ADDED, _FOUND = "alike.added", "alike.found"


def watch_for(job_id: str) -> None:
    """Have a file that was queued compared with all others once it has been read."""
    st.session_state.setdefault(_ADDED, set()).add(job_id)


def show(jobs: Sequence[Job]) -> None:
    """Compare what has been read since, and draw what is nearly the same as another document."""
    found: dict[str, tuple[str, float]] = st.session_state.setdefault(_FOUND, {})
    added: set[str] = st.session_state.get(_ADDED, set())
    for job in [job for job in jobs if job.job_id in added and job.state == "done"][:AT_ONCE]:
        added.discard(job.job_id)  # another part of the page that is drawn meanwhile may have taken it
        document_id = job.payload["received"]["document_id"]
        with suppress(NotFoundError):  # removed since
            if other := near_duplicate(library().storage, library().search, document_id):
                found[document_id] = other[0].document_id, other[1]
    known = {document.document_id: document for document in library().documents()}
    for document_id, (other_id, share) in found.items():
        if document_id in known and other_id in known:
            _pair(known[document_id], known[other_id], share)


def _pair(new: Document, old: Document, share: float) -> None:
    with st.container(border=True, gap="small", key=f"alike.{new.document_id}"):
        told = t("alike.told", name=plain(new.name), other=plain(old.name), percent=int(100 * share))
        st.markdown(f":material/content_copy: {told}")
        with st.container(horizontal=True, gap="small"):
            for document in (new, old):
                link_to("document", plain(document.name), "article", doc=document.document_id)
            st.space("stretch")
            if access.changeable()(new):
                button(
                    t("alike.remove"), f"alike.remove.{new.document_id}", "delete", _remove, new.document_id
                )
            button(t("alike.keep"), f"alike.keep.{new.document_id}", "check", _keep, new.document_id)


def _keep(document_id: str) -> None:
    st.session_state[_FOUND].pop(document_id, None)


def _remove(document_id: str) -> None:
    _keep(document_id)
    tried(lambda: library().remove(document_id), gone=True)
