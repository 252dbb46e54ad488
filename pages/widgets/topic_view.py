"""One topic: its documents with their confidence, a summary with sources, related topics, ways to change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.export.harmless import plain
from pages.widgets import access, summarizing, topic_actions, topic_overview
from pages.widgets.buttons import link_to
from pages.widgets.frontend import component
from pages.widgets.places import document_address
from pages.widgets.services import library
from pages.widgets.texts import t

if TYPE_CHECKING:
    from engine.topics.known import Topic

MOST_MEMBERS = 200
RELATED = 12
_members = component("topic_members", "<ul></ul>")


def show(topic: Topic) -> None:
    """Draw a topic."""
    link_to("topics", t("topics.all"), "arrow_back")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(plain(topic.name), anchor=False, width="content")
        if access.manages():
            topic_actions.buttons(topic)
    if topic.description:
        st.caption(plain(topic.description))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _documents(topic)
    with right:
        _summary(topic)
    related = _related(topic)
    if related:
        st.subheader(t("topics.related"), anchor=False)
        topic_overview.cards(related, key="topics.related")


def _documents(topic: Topic) -> None:
    st.subheader(f"{t('topics.members')} · {topic_overview.size_of(topic)}", anchor=False)
    names = {document.document_id: document.name for document in library().documents()}
    rows: list[dict[str, Any]] = [
        {
            "name": names[one.document_id], "href": document_address(doc=one.document_id),
            "share": one.confidence, "told": f"{one.confidence:.0%}",
        }
        for one in topic.documents[:MOST_MEMBERS]
        if one.document_id in names
    ]  # fmt: skip
    says = {"label": t("topics.members"), "confidence": t("topics.confidence")}
    _members({"rows": rows} | says, "topics.members")


def _summary(topic: Topic) -> None:
    with st.container(border=True):
        st.subheader(t("topics.summary.title"), anchor=False)
        of = ("topic", topic.topic_id, len(topic.documents))
        offer = st.empty()
        if not summarizing.is_made(of):
            with offer.container(gap="small"):
                st.caption(t("topics.summarize.help"))
                if not st.button(t("topics.summarize"), key="topics.summarize", icon=":material/summarize:"):
                    return
            offer.empty()
        summarizing.draw(of, lambda follow: library().topics.summary(topic.topic_id, on_event=follow))


def _related(topic: Topic) -> list[Topic]:
    """Return the topics that share most documents with this one, by how large a part of them is shared."""
    own = {one.document_id for one in topic.documents}
    found = []
    for other in library().topics.all():
        shared = len(own & {one.document_id for one in other.documents})
        if shared and other.topic_id != topic.topic_id and len(other.documents) > 1:
            found.append((-shared / len(other.documents), -shared, other.name, other))
    return [other for *_, other in sorted(found, key=lambda one: one[:3])[:RELATED]]
