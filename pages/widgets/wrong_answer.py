"""From a bad answer to a question that is measured: what was wrong, and the passage that is right, picked beside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from engine.model import Filters, Message
from pages.widgets import sharing
from pages.widgets.buttons import button, link_to
from pages.widgets.messages import tried
from pages.widgets.services import library, owner
from pages.widgets.texts import t

FAULTS = ("not_found", "wrong", "incomplete", "elsewhere")


def ask_what(message_id: str) -> None:
    """Draw the choice of what was wrong with an answer, and say where the right passage is picked."""
    st.pills(
        t("wrong.what"), FAULTS, format_func=lambda name: t(f"wrong.{name}"), key=_key(message_id),
        persist_state="session",
    )  # fmt: skip
    st.caption(t("wrong.help"))


def pick_right(messages: Sequence[Message], node_id: str | None) -> None:
    """Where the answer was called bad, let the passage that is open beside it be what its question must find."""
    if sharing.reading() or not node_id:
        return
    turn = st.query_params.get("turn")
    asked = pairwise(messages)
    question = next((one for one, answer in asked if answer.message_id == turn and answer.rating < 0), None)
    if question is None or turn is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if any(
            one.text == " ".join(question.text.split()) and node_id in [node.node_id for node in one.expected]
            for one in library().questions.list(owner())
        ):
            st.markdown(f":green[:material/check:] {t('eval.saved')}", width="content")
            link_to("evaluation", t("wrong.compare"), "compare_arrows")
        else:
            label = t("beside.right")
            button(label, "beside.right", "bookmark_add", _save, question, turn, node_id, type="secondary")


def _save(question: Message, turn: str, node_id: str) -> None:
    fault = st.session_state.get(_key(turn))
    kind = t(f"wrong.{fault}") if fault else ""
    filters = question.filters or Filters()
    save = library().questions.save
    tried(lambda: save(question.text, [node_id], owner=owner(), filters=filters, kind=kind))


def _key(message_id: str) -> str:
    return f"wrong_answer.{message_id}"
