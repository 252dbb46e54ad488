"""The documents related to one, each with the reasons in words."""

import streamlit as st

from engine.export.harmless import plain
from engine.model import Document
from engine.topics.related import Reason, Related
from pages.widgets.buttons import link_to
from pages.widgets.language import current
from pages.widgets.services import library
from pages.widgets.texts import t

VERY_ALIKE = 0.6


def related(document: Document) -> None:
    """Draw the documents related to one, where there are any."""
    found = _related(str(library().folder), library().topics.state, document.document_id)
    if not found:
        return
    label = f"{t('document.related')} · {len(found)}"
    with st.expander(label, icon=":material/hub:", key="reader.related"):
        for one in found:
            with st.container(gap=None):
                link_to("document", plain(one.name), doc=one.document_id)
                st.caption("  \n".join(plain(told(reason)) for reason in one.reasons))


def told(reason: Reason) -> str:
    """Return a reason in words."""
    if reason.kind == "alike":
        return t("related.alike.very" if reason.strength >= VERY_ALIKE else "related.alike")
    words = ("、" if current() == "zh" else ", ").join(reason.words)
    one = reason.kind == "topics" and len(reason.words) == 1
    return t("related.topics.one" if one else f"related.{reason.kind}", words=words)


@st.cache_data(show_spinner=False, max_entries=64)
def _related(folder: str, state: tuple[int, int], document_id: str) -> list[Related]:
    return library().topics.related(document_id)
