"""Changing a topic by hand: rename, merge, split, delete, each in a dialog that says what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from engine.export.harmless import plain
from pages.widgets.buttons import button
from pages.widgets.confirm import confirm
from pages.widgets.messages import tell_next
from pages.widgets.services import library
from pages.widgets.texts import t

if TYPE_CHECKING:
    from engine.topics.known import Topic

ACTIONS = {"rename": "edit", "merge": "merge", "split": "call_split", "delete": "delete"}


def buttons(topic: Topic) -> None:
    """Draw the ways to change a topic."""
    dialogs: dict[str, Callable[[Topic], None]] = {
        "rename": _rename, "merge": _merge, "split": _split, "delete": _delete,
    }  # fmt: skip
    with st.container(horizontal=True, gap="xsmall", width="content"):
        for action, icon in ACTIONS.items():
            disabled = action == "split" and len(topic.documents) < 2
            if button(t(f"topics.{action}"), f"topics.{action}", icon, disabled=disabled):
                st.dialog(t(f"topics.{action}"))(dialogs[action])(topic)


def _rename(topic: Topic) -> None:
    st.caption(t("topics.rename.text"))
    name = st.text_input(
        t("topics.name"), value=topic.name, max_chars=60, key=f"topics.rename.{topic.topic_id}"
    )
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
