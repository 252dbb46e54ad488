"""Conversations: the list in the sidebar, asking, following an answer as it comes, renaming and deleting."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from urllib.parse import quote

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from engine.errors import NotFoundError
from engine.model import Answer, Conversation, Filters, Message
from pages.widgets import answer as answers
from pages.widgets.answering import Answering
from pages.widgets.frontend import component
from pages.widgets.sanitize import plain, safe_markdown
from pages.widgets.services import MARK, library, owner
from pages.widgets.texts import t

PARAMETER = "conversation"
SCOPE = "chat.scope"
LISTED = 100
TITLE_CHARACTERS = 60
HISTORY_MESSAGES = 6
TICK_SECONDS = 0.2
FRAME_SECONDS = 0.05
STOP_WAIT_SECONDS = 1.5
_CURSOR = " ▍"
_list = component("conversation", "<a class='new'></a><div class='head'></div><ul></ul>")


@st.cache_resource(show_spinner=False)
def _under_way() -> dict[str, Answering]:
    return {}


def current() -> str | None:
    """Return the id of the conversation that the address names."""
    return st.query_params.get(PARAMETER) or None


def sidebar_list() -> None:
    """Draw the link to a new conversation and the list of the owner's conversations."""
    here = current()
    rows = [
        {
            "title": item.title or t("chat.new"),
            "href": f"chat?{PARAMETER}={quote(item.conversation_id)}",
            "current": item.conversation_id == here,
        }
        for item in library().conversations.list(owner(), LISTED)
    ]
    data = {"rows": rows, "label": t("chat.conversations"), "fresh": t("chat.new"), "address": "chat"}
    _list(data=data, key="conversation_list")


def ask(question: str) -> None:
    """Store a question in the current conversation (or a new one) and begin to answer it."""
    question = question.strip()
    if not question:
        return
    conversations, me = library().conversations, owner()
    conversation_id = current()
    earlier: Sequence[Message] = []
    if conversation_id is not None:
        try:
            earlier = conversations.get(me, conversation_id)[1]
        except NotFoundError:
            conversation_id = None
    if conversation_id is None:
        conversation_id = conversations.create(me, _title(question)).conversation_id
    conversations.append(me, conversation_id, "user", question)
    _begin(conversation_id, question, earlier)
    st.query_params.from_dict({PARAMETER: conversation_id})


def _begin(conversation_id: str, question: str, earlier: Sequence[Message]) -> None:
    me = owner()
    message = library().conversations.append(me, conversation_id, "assistant", "", state="running")
    under_way = _under_way()
    history = [(m.role, m.text) for m in earlier if m.state == "done"][-HISTORY_MESSAGES:]
    answering = under_way[message.message_id] = Answering(
        library(),
        me,
        message.message_id,
        question,
        filters=Filters(documents=tuple(st.session_state.get(SCOPE) or ())),
        history=history,
        on_end=lambda: under_way.pop(message.message_id, None),
    )
    answering.start()


def show(messages: Sequence[Message]) -> None:
    """Draw a conversation; an answer under way is followed to its end."""
    for number, message in enumerate(messages):
        if message.role == "user":
            with st.chat_message("user", avatar=":material/person:"):
                st.markdown(plain_lines(message.text))
            continue
        with st.chat_message("assistant", avatar=MARK):
            question = messages[number - 1].text if number else ""
            _show_answer(message, question, last=number == len(messages) - 1)


def plain_lines(text: str) -> str:
    """Return Markdown that shows a text as it stands, line by line."""
    return "  \n".join(plain(line) for line in text.splitlines())


def _show_answer(message: Message, question: str, *, last: bool) -> None:
    if message.state == "running":
        answering = _under_way().get(message.message_id)
        if answering is not None:
            _follow(answering)
            return
        refreshed = library().conversations.get(owner(), message.conversation_id)[1]
        message = next((m for m in refreshed if m.message_id == message.message_id), message)
    if message.answer:
        answers.show_answer(Answer.from_dict(message.answer), message.message_id)
    elif message.text and message.state != "failed":
        st.markdown(safe_markdown(message.text))
    if message.state != "done":
        _unfinished(message, question if last else "")


def _unfinished(message: Message, question: str) -> None:
    """Say why an answer ended early; its question can be asked again."""
    state = message.state if message.state in ("stopped", "failed") else "interrupted"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/info: {t(f'answer.{state}')}", width="content")
        if question:
            st.button(
                t("answer.again"),
                key=f"again.{message.message_id}",
                icon=":material/refresh:",
                type="tertiary",
                on_click=ask,
                args=(question,),
            )
    if message.state == "failed" and message.text:
        st.caption(plain(message.text))


def _follow(answering: Answering) -> None:
    """Draw an answer as it comes, then draw the page anew from what was stored."""
    # The stop button of the input ends this run without another; the fragment's timer brings one.
    st.fragment(_watch, run_every="1s")(answering)
    status = st.status(f":shimmer[{t('answer.searching')}]", type="compact", expanded=True)
    box = st.empty()
    st.button(
        t("chat.stop"),
        key="chat.stop",
        icon=":material/stop_circle:",
        type="tertiary",
        on_click=_stop,
        args=(answering,),
    )
    seen, steps, shown = -1, 0, ""
    try:
        while True:
            progress = answering.wait(seen, TICK_SECONDS)
            seen = progress.change
            with status:
                for step in progress.steps[steps:]:
                    answers.show_step(step)
            steps = len(progress.steps)
            doing = t("answer.writing") if progress.text else t("answer.searching")
            status.update(label=f":shimmer[{doing}] · {progress.seconds:.0f} s")
            if progress.text != shown:
                shown = progress.text
                box.markdown(safe_markdown(shown) + _CURSOR)
            if progress.done:
                break
            time.sleep(FRAME_SECONDS)
    except StopException:
        answering.cancel()
        raise
    st.rerun()


def _watch(answering: Answering) -> None:
    if answering.progress().done:
        st.rerun()


def _stop(answering: Answering) -> None:
    answering.cancel()
    answering.join(STOP_WAIT_SECONDS)


def actions(conversation: Conversation) -> None:
    """Draw the menu of a conversation: rename, delete."""
    rename, delete = t("chat.rename"), t("chat.delete")
    picked = st.menu_button(
        t("chat.actions"), [f":material/edit: {rename}", f":material/delete: {delete}"],
        key="chat.actions", type="tertiary", icon=":material/more_horiz:",
    )  # fmt: skip
    if picked and rename in picked:
        _rename(conversation)
    elif picked:
        _delete(conversation)


def _rename(conversation: Conversation) -> None:
    @st.dialog(t("chat.rename"))
    def dialog() -> None:
        with st.form("chat.rename", border=False):
            title = st.text_input(t("chat.rename.label"), conversation.title, max_chars=200)
            if st.form_submit_button(t("chat.save"), type="primary") and (title or "").strip():
                library().conversations.rename(owner(), conversation.conversation_id, str(title).strip())
                st.rerun()

    dialog()


def _delete(conversation: Conversation) -> None:
    @st.dialog(t("chat.delete.title"))
    def dialog() -> None:
        st.markdown(f"**{plain(conversation.title)}**")
        st.caption(t("chat.delete.text"))
        if st.button(t("chat.delete"), key="chat.delete.confirm", type="primary", icon=":material/delete:"):
            with contextlib.suppress(NotFoundError):
                library().conversations.delete(owner(), conversation.conversation_id)
            st.query_params.clear()
            st.rerun()

    dialog()


def _title(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= TITLE_CHARACTERS else line[:TITLE_CHARACTERS].rstrip() + "…"
