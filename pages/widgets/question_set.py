"""The set of saved questions: adding, editing, deleting one; from a bad answer to one that is measured.

What was wrong with the answer is said below it, the passage that is right is picked beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import streamlit as st

from engine.errors import DropQAError
from engine.model import Filters, Message, SavedQuestion
from pages.widgets import lab_data, sharing
from pages.widgets.buttons import button, link_to
from pages.widgets.empty_state import empty_state
from pages.widgets.messages import tell_next, tried
from pages.widgets.services import library, node, owner
from pages.widgets.texts import t

OFFERED = 20
FAULTS = ("not_found", "wrong", "incomplete", "elsewhere")


@dataclass(frozen=True, slots=True)
class Draft:
    """A question being written: ``?ask=&expect=``, or ``?edit=`` the id of a saved one; ``new`` an empty one."""

    text: str = ""
    node_ids: tuple[str, ...] = ()
    kind: str = ""
    answer: str = ""
    editing: str = ""


def draft() -> Draft | None:
    """Return what the address says is being written, None for nothing."""
    given = st.query_params
    if editing := given.get("edit"):
        saved = next((one for one in saved_questions() if one.question_id == editing), None)
        if saved is None:
            return None
        return Draft(
            saved.text, tuple(one.node_id for one in saved.expected), saved.kind, saved.answer, editing
        )
    if "ask" not in given:
        return None
    return Draft(given["ask"][:2000], tuple(dict.fromkeys(given.get_all("expect")))[:OFFERED])


def saved_questions() -> Sequence[SavedQuestion]:
    """Return this reader's questions, the newest first."""
    return library().questions.list(owner())


def write(draft: Draft) -> None:
    """Draw the form of a question: its text, its group, and the passages that it must find."""
    with st.container(border=True):
        st.subheader(t("eval.form.edit" if draft.editing else "eval.add"), anchor=False)
        stamp = f"{draft.editing}.{draft.text}"
        left, right = st.columns([3, 1], gap="small")
        text = str(
            left.text_input(t("eval.form.question"), draft.text, key=f"eval.text.{stamp}", max_chars=2000)
        )
        kind = right.text_input(
            t("eval.form.kind"),
            draft.kind,
            key=f"eval.kind.{stamp}",
            placeholder=t("eval.form.kind.placeholder"),
        )
        answer = st.text_input(
            t("eval.form.answer"), draft.answer, key=f"eval.answer.{stamp}", max_chars=500,
            placeholder=t("eval.form.answer.placeholder"),
        )  # fmt: skip
        words = st.text_input(
            t("eval.form.find"),
            key=f"eval.find.{stamp}",
            type="search",
            placeholder=t("why.find.placeholder"),
        )
        offered = offers(text, str(words or ""), draft.node_ids)
        key = f"eval.expected.{stamp}"
        if key not in st.session_state:
            st.session_state[key] = [one for one in draft.node_ids if one in offered]
        for one in st.session_state[key]:
            offered.setdefault(one, _named(one))
        expected = st.multiselect(
            t("eval.form.expected"), list(offered), key=key, format_func=lambda one: offered.get(one, one),
            placeholder=t("eval.form.expected.placeholder"),
        )  # fmt: skip
        with st.container(horizontal=True, gap="small"):
            st.button(
                t("eval.form.save"), key="eval.form.save", type="primary", disabled=not (text.strip() and expected),
                on_click=_save, args=(draft, text, list(expected), str(kind or ""), str(answer or "")),
            )  # fmt: skip
            st.button(t("eval.form.cancel"), key="eval.form.cancel", on_click=st.query_params.clear)


def offers(text: str, words: str, node_ids: Sequence[str]) -> dict[str, str]:
    """Return the passages to choose from with their labels: those given, those found by other words, the hits."""
    offered = {node_id: _named(node_id) for node_id in node_ids}
    for query, mode in ((words, "fulltext"), (text, "hybrid")):
        if not query.strip():
            continue
        try:
            hits = library().search(query, mode=mode, top_k=OFFERED).hits
        except DropQAError:
            continue
        for hit in hits:
            offered.setdefault(hit.node_id, f"{hit.document} · {lab_data.label(hit.snippet, hit.path)}")
    return {node_id: label for node_id, label in offered.items() if label}


def empty() -> None:
    """Draw what stands here before the first question is saved."""
    with (
        empty_state(t("eval.empty.title"), t("eval.empty.text")),
        st.container(horizontal=True, horizontal_alignment="center", gap="small"),
    ):
        for name, icon in (("chat", "forum"), ("retrieval_lab", "biotech")):
            link_to(name, t(f"nav.{name}"), icon)


def delete(question_id: str) -> None:
    """Delete a question; one that is gone already is no error."""
    if tried(lambda: library().questions.delete(question_id, owner()), gone=True):
        tell_next(t("eval.deleted"))
        st.query_params.clear()


def _save(draft: Draft, text: str, node_ids: list[str], kind: str, answer: str) -> None:
    questions, me = library().questions, owner()
    save = partial(questions.change, draft.editing) if draft.editing else questions.save
    if tried(lambda: save(text, node_ids, owner=me, kind=kind, answer=answer)):
        tell_next(t("eval.saved"))
        st.query_params.clear()


def _named(node_id: str) -> str:
    """Return a label for a node, "" for one that is gone."""
    if (stored := node(node_id)) is None:
        return ""
    return f"{stored.document} · {lab_data.label(stored.node.text or stored.node.title, stored.path)}"


def ask_what(message_id: str) -> None:
    """Draw the choice of what was wrong with an answer, and say where the right passage is picked."""
    st.pills(
        t("wrong.what"), FAULTS, format_func=lambda name: t(f"wrong.{name}"), key=_fault(message_id),
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
            button(
                label, "beside.right", "bookmark_add", _save_right, question, turn, node_id, type="secondary"
            )


def _save_right(question: Message, turn: str, node_id: str) -> None:
    fault = st.session_state.get(_fault(turn))
    kind = t(f"wrong.{fault}") if fault else ""
    filters = question.filters or Filters()
    save = library().questions.save
    tried(lambda: save(question.text, [node_id], owner=owner(), filters=filters, kind=kind))


def _fault(message_id: str) -> str:
    return f"wrong_answer.{message_id}"
