"""One topic: its documents with their confidence, a summary with sources, related topics, ways to change it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.export.harmless import plain
from pages.widgets import access, summarizing, topic_overview
from pages.widgets.buttons import button, link_to
from pages.widgets.confirm import confirm
from pages.widgets.frontend import component
from pages.widgets.messages import tell_next
from pages.widgets.places import document_address
from pages.widgets.services import library
from pages.widgets.texts import t

if TYPE_CHECKING:
    from engine.topics.known import Topic

MOST_MEMBERS = 200
ACTIONS = {"rename": "edit", "merge": "merge", "split": "call_split", "delete": "delete"}
_members = component("topic_members", "<ul></ul>")


def show(topic: Topic) -> None:
    """Draw a topic."""
    link_to("topics", t("topics.all"), "arrow_back")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(plain(topic.name), anchor=False, width="content")
        if access.manages():
            _actions(topic)
    if topic.description:
        st.caption(plain(topic.description))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _documents(topic)
    with right:
        _summary(topic)


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
        st.caption(t("topics.summarize.help"))
        asked = button(t("topics.summarize"), "topics.summarize", "summarize", type="secondary")
        if asked or summarizing.is_made(of):
            summarizing.draw(of, lambda follow: library().topics.summary(topic.topic_id, on_event=follow))


def _actions(topic: Topic) -> None:
    """Draw the ways to change a topic by hand, each in a dialog that says what it does."""
    dialogs = (_rename, _merge, _split, _delete)
    with st.container(horizontal=True, gap="xsmall", width="content"):
        for (action, icon), dialog in zip(ACTIONS.items(), dialogs, strict=True):
            disabled = action == "split" and len(topic.documents) < 2
            if button(t(f"topics.{action}"), f"topics.{action}", icon, disabled=disabled):
                st.dialog(t(f"topics.{action}"))(dialog)(topic)


def _rename(topic: Topic) -> None:
    st.caption(t("topics.rename.text"))
    name = st.text_input(t("topics.name"), value=topic.name, max_chars=60, key=f"topics.rename.{topic.topic_id}")
    _finish("rename", lambda: library().topics.rename(topic.topic_id, name))


def _merge(topic: Topic) -> None:
    st.caption(t("topics.merge.text"))
    others = {one.topic_id: one for one in library().topics.all() if one.topic_id != topic.topic_id}
    chosen = st.selectbox(
        t("topics.merge.other", name=plain(topic.name)), list(others), index=None,
        format_func=lambda one: f"{others[one].name} ({len(others[one].documents)})",
        key=f"topics.merge.{topic.topic_id}",
    )  # fmt: skip
    _finish("merge", lambda: library().topics.merge(topic.topic_id, chosen or ""), ready=bool(chosen))


def _split(topic: Topic) -> None:
    st.caption(t("topics.split.text"))
    names = {document.document_id: document.name for document in library().documents()}
    members = [one.document_id for one in topic.documents if one.document_id in names]
    chosen = st.multiselect(
        t("topics.split.documents"), members, format_func=lambda one: names[one],
        key=f"topics.split.documents.{topic.topic_id}",
    )  # fmt: skip
    name = st.text_input(t("topics.split.name"), max_chars=60, key=f"topics.split.name.{topic.topic_id}")
    _finish("split", lambda: library().topics.split(topic.topic_id, name, chosen), ready=bool(chosen))


def _delete(topic: Topic) -> None:
    st.markdown(t("topics.delete.text", name=plain(topic.name)))
    _finish("delete", lambda: library().topics.delete(topic.topic_id))


def _finish(action: str, change: Callable[[], Topic], ready: bool = True) -> None:
    """Draw the button that does it; the page then shows what came of it."""

    def done() -> None:
        changed = change()
        tell_next(t("topics.done", name=plain(changed.name)))
        st.query_params.from_dict({} if action == "delete" else {"topic": changed.topic_id})

    label, icon = t(f"topics.{action}"), ACTIONS[action]
    confirm(label, f"topics.{action}.do", done, icon, disabled=not ready, align="left")
