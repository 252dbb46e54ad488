"""What a document belongs with: its topics, and the documents related to it, each with the reasons in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from engine.model import Document
from pages.widgets.frontend import component
from pages.widgets.language import current
from pages.widgets.places import document_address
from pages.widgets.services import library
from pages.widgets.texts import t
from pages.widgets.topic_overview import chips

if TYPE_CHECKING:
    from engine.topics.related import Reason, Related

VERY_ALIKE = 0.6
_list = component("related_documents", "<ul></ul>")


def topics(document: Document) -> None:
    """Draw the topics of a document as links to their pages."""
    found = [topic for topic, _ in library().topics.of_document(document.document_id)]
    if found:
        chips(found, key="reader.topics", label=t("document.topics"))


def related(document: Document) -> None:
    """Draw the documents related to one, where there are any."""
    known = library().topics
    found = _related(str(library().folder), known.state, document.document_id)
    if not found:
        return
    rows = [
        {
            "name": one.name, "href": document_address(doc=one.document_id),
            "reasons": [told(reason) for reason in one.reasons],
        }
        for one in found
    ]  # fmt: skip
    label = t("document.related")
    with st.expander(f"{label} · {len(rows)}", icon=":material/hub:", key="reader.related"):
        _list({"rows": rows, "label": label}, "reader.related.list")


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
