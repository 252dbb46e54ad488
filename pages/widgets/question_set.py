"""The set of saved questions: saving, changing, deleting one; from a bad answer to one that is measured.

A question is saved where its passages are seen: below an answer, from the hits of the lab, beside the conversation.
"""

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from engine.model import Filters, Message, SavedQuestion
from pages.widgets.buttons import link_to, tell_next, tried
from pages.widgets.services import library, owner
from pages.widgets.texts import short, t

FAULTS = ("wrong", "incomplete", "elsewhere", "not_found", "false_warning")
LABEL_CHARACTERS = 120


def saved_questions() -> Sequence[SavedQuestion]:
    """Return this reader's questions, the newest first."""
    return library().questions.list(owner())


def save(text: str, node_ids: Sequence[str], filters: Filters | None = None, kind: str = "") -> None:
    """Save a question with the nodes that it must find, once."""
    if is_saved(text, node_ids) or tried(
        lambda: library().questions.save(text, node_ids, owner=owner(), filters=filters or Filters(), kind=kind)
    ):
        st.toast(t("eval.saved"), icon=":material/check:")


def is_saved(text: str, node_ids: Sequence[str]) -> bool:
    """Tell whether a question is saved already that must find all these nodes."""
    same = [one for one in saved_questions() if one.text == " ".join(text.split())]
    return any({node.node_id for node in one.expected} >= set(node_ids) for one in same)


def edit(question: SavedQuestion) -> None:
    """Draw the form of a question: its text, its group, its right answer, and the passages that it must find."""
    name = f"eval.form.{question.question_id}"
    passages = {one.node_id: short(one.snippet, LABEL_CHARACTERS) for one in question.expected}
    with st.form(name, border=False):
        text = st.text_input(t("eval.form.question"), question.text, key=f"{name}.text", max_chars=2000)
        kind = st.text_input(
            t("eval.form.kind"), question.kind, key=f"{name}.kind", placeholder=t("eval.form.kind.placeholder")
        )  # fmt: skip
        answer = st.text_input(
            t("eval.form.answer"), question.answer, key=f"{name}.answer", max_chars=500,
            placeholder=t("eval.form.answer.placeholder"),
        )  # fmt: skip
        expected = st.multiselect(
            t("eval.form.expected"), list(passages), list(passages), key=f"{name}.expected",
            format_func=lambda one: passages.get(one, one),
        )  # fmt: skip
        submitted = st.form_submit_button(t("eval.form.save"), type="primary", key=f"{name}.save")
    change = library().questions.change
    if submitted and tried(
        lambda: change(question.question_id, text, expected, owner=owner(), kind=kind, answer=answer)
    ):
        tell_next(t("eval.saved"))
        st.rerun()


def delete(question_id: str) -> None:
    """Delete a question; one that is gone already is no error."""
    if tried(lambda: library().questions.delete(question_id, owner()), gone=True):
        tell_next(t("eval.deleted"))


def fault_of(message: Message) -> str:
    """Return what its reader found wrong with an answer, one of ``FAULTS``; "" where nothing was said."""
    return str(library().conversations.chosen(owner(), message.conversation_id).get(message.message_id, ""))


def ask_what(message: Message) -> None:
    """Draw the choice of what is wrong with an answer; one press keeps it with the answer."""
    before = fault_of(message)
    chosen = st.pills(
        t("wrong.what"), FAULTS, default=before or None, format_func=lambda name: t(f"wrong.{name}"),
        key=f"wrong_answer.{message.message_id}", label_visibility="collapsed",
    )  # fmt: skip
    st.caption(t("wrong.kept.help"))
    if (chosen or "") != before:
        choose, kept = library().conversations.choose, {message.message_id: chosen or ""}
        tried(lambda: choose(owner(), message.conversation_id, **kept))
        st.rerun()


def pick_right(messages: Sequence[Message], node_id: str | None) -> None:
    """Where the answer was called bad, let the passage that is open beside it be what its question must find."""
    turn = st.query_params.get("turn", "")
    bad = (pair for pair in pairwise(messages) if pair[1].message_id == turn and pair[1].rating < 0)
    question, answer = next(bad, (None, None))
    if question is None or answer is None or not node_id:
        return
    row = st.empty()
    if not is_saved(question.text, [node_id]):
        if not row.button(t("beside.right"), key="beside.right", icon=":material/bookmark_add:"):
            return
        fault = fault_of(answer)
        save(question.text, [node_id], question.filters, t(f"wrong.{fault}") if fault else "")
    with row.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":green[:material/check:] {t('eval.saved')}", width="content")
        link_to("evaluation", t("wrong.compare"), "compare_arrows")
