"""The turns of a conversation: questions, answers as they come and as they are, and what can be done with them.

Under each are small buttons: copy, ask again, good, bad, share, export.
"""

import time
from collections.abc import Sequence

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from engine.export.harmless import safe_markdown
from engine.model import Answer, Conversation, Document, Filters, Message
from pages.widgets import answer as answers
from pages.widgets import conversation, question_set
from pages.widgets.background import Answering
from pages.widgets.buttons import button, link_to
from pages.widgets.chat_scope import chips, label_of, limit_to, names_of
from pages.widgets.fragments import component, follow
from pages.widgets.services import MARK, library, owner
from pages.widgets.texts import said, t

TICK_SECONDS = 0.05
STOP_WAIT_SECONDS = 1.5
HANG_UP_SECONDS = 0.5
RATINGS = {"up": 1, "down": -1}
_CURSOR = " ▍"
_OPEN = "turn.open"
_newest = component("newest_question")
_buttons = component("turn_actions", "<div class='bar' role='group'></div><span class='told' role='status'></span>")


def show(talk: Conversation, messages: Sequence[Message], documents: Sequence[Document]) -> None:
    """Draw a conversation; an answer under way is followed to its end."""
    names = names_of(documents)
    newest = max((i for i, message in enumerate(messages) if message.role == "user"), default=0)
    told: set[str] = set()
    for number, message in enumerate(messages):
        if message.role == "user":
            _question(message, names, place=number, newest=number == newest)
        else:
            with st.chat_message("assistant", avatar=MARK):
                question = messages[number - 1] if number else None
                _answer(message, question, told, last=number == len(messages) - 1)
    _open_dialog(talk, messages)


def _question(message: Message, names: dict[str, str], *, place: int, newest: bool) -> None:
    with st.chat_message("user", avatar=":material/person:"), st.container(gap="xxsmall"):
        if newest:
            # Brought into view once; the first one is in view by itself.
            key = f"newest_question.{message.message_id}"
            _newest({"id": message.message_id, "bring": place > 0}, key)
        st.markdown(answers.as_typed(message.text))
        if message.filters:
            st.caption(f":material/filter_alt: {label_of(message.filters, names)}")
        _actions(message, ("edit", "copy"), label=t("turn.question"), text=message.text)


def _answer(message: Message, question: Message | None, told: set[str], *, last: bool) -> None:
    asked = last and question is not None
    if message.state == "running":
        answering = conversation.UNDER_WAY.get(message.message_id)
        if answering is not None:
            _follow(answering)
            return
        # What it has become since the page began to be drawn.
        stored = library().conversations.get(owner(), message.conversation_id)[1]
        message = next((one for one in stored if one.message_id == message.message_id), message)
    _content(message, question, told)
    if message.state == "done":
        _about_answer(message, question, asked=asked)
    else:
        _unfinished(message, asked=asked)


def _content(message: Message, question: Message | None, told: set[str]) -> None:
    if message.answer and (message.state != "stopped" or message.answer["answered"]):
        answers.show_answer(Answer.from_dict(message.answer), message.message_id, question, told)
    elif message.text and message.state != "failed" and not message.answer:
        st.markdown(safe_markdown(message.text))


def _about_answer(message: Message, question: Message | None, *, asked: bool) -> None:
    """Draw an answer's buttons, and ask what is wrong with one that was rated as bad."""
    if asked and question is not None and message.answer and not message.answer["answered"]:
        _after_refusal(message, question)
    names = ["copy", *(["again"] if asked else []), "up", "down", "share", "export"]
    pressed = next((name for name, rating in RATINGS.items() if rating == message.rating), "")
    text = conversation.answer_text(message)
    _actions(message, names, label=t("turn.answer"), text=text, pressed=pressed)
    if pressed == "down" and question is not None and message.answer:
        _after_bad(message, question.text)
    if asked and message.answer:
        chips(message.message_id, message.answer.get("identified_topics") or ())


def _after_refusal(message: Message, question: Message) -> None:
    """Draw what can be done next: ask all documents, search in several rounds, see why it was not found."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if question.filters:
            label, key = t("answer.beyond", count=len(library().documents())), f"beyond.{message.message_id}"
            button(label, key, "filter_list_off", _ask_of_all, question.text, type="secondary")
        if message.answer and message.answer["mode"] == "direct":
            again = message, "", "agent"
            button(t("answer.deeper"), f"deeper.{message.message_id}", "manage_search", conversation.ask_anew, *again)
        link_to("retrieval_lab", t("eval.to_lab"), "biotech", q=question.text)


def _after_bad(message: Message, question: str) -> None:
    """Say what was found wrong with an answer, and where the right passage is picked."""
    fault = question_set.fault_of(message)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        told = t(f"wrong.{fault}" if fault else "turn.down")
        st.markdown(f":orange-badge[:material/thumb_down: {told}]", width="content")
        ask = {_OPEN: ("down", message.message_id)}
        label, key = t("wrong.change" if fault else "wrong.what"), f"wrong.{message.message_id}"
        button(label, key, "", st.session_state.update, ask)
        link_to("retrieval_lab", t("eval.to_lab"), "biotech", q=question, view="why")
    st.caption(t("wrong.help"))


def _ask_of_all(question: str) -> None:
    """Ask the same again without what it was limited to."""
    limit_to(Filters())
    conversation.ask(question)


def _actions(message: Message, names: Sequence[str], *, label: str, text: str, pressed: str = "") -> None:
    """Draw a message's buttons by name; what is done by one is done before the page is drawn anew.

    ``text`` is what "copy" copies, in the browser; ``pressed`` is the button that shows as being on.
    """
    key = f"turn.{message.message_id}"
    buttons = [
        {"name": one, "label": t(f"turn.{one}"), "pressed": one == pressed, "toggle": one in RATINGS} for one in names
    ]

    def acted() -> None:
        if (action := st.session_state[key].action) in names:
            _act(message, action)

    data = {"buttons": buttons, "text": text, "copied": t("turn.copied"), "label": label}
    _buttons(data, key, on_action_change=acted)


def _act(message: Message, name: str) -> None:
    """Do what a button under a turn says; what opens a dialog waits until the page is drawn."""
    if name in RATINGS:
        rating = 0 if message.rating == RATINGS[name] else RATINGS[name]
        library().conversations.update(owner(), message.message_id, rating=rating)
        if rating >= 0:
            return
    if name == "again":
        conversation.ask_anew(message)
    else:
        st.session_state[_OPEN] = (name, message.message_id)


def _open_dialog(talk: Conversation, messages: Sequence[Message]) -> None:
    name, message_id = st.session_state.pop(_OPEN, ("", ""))
    for number, message in enumerate(messages):
        if message.message_id != message_id:
            continue
        if name == "edit":
            st.dialog(t("chat.edit"))(_edit)(message, last=number >= len(messages) - 2)
        elif name == "export":
            conversation.export(talk, messages[max(0, number - 1) : number + 1], t("chat.export.answer"))
        elif name == "down":
            st.dialog(t("wrong.what"))(question_set.ask_what)(message)
        elif name == "share":
            st.dialog(t("turn.share"))(conversation.share)(talk, message_id)


def _edit(message: Message, *, last: bool) -> None:
    with st.form("chat.edit", border=False):
        text = st.text_area(t("chat.edit.label"), message.text, max_chars=8000)
        if not last:
            st.caption(t("chat.edit.text"))
        asked = st.form_submit_button(t("chat.edit.ask"), type="primary", icon=":material/arrow_upward:")
    if asked and (text or "").strip():
        conversation.ask_anew(message, str(text).strip())
        st.rerun()


def _unfinished(message: Message, *, asked: bool) -> None:
    state = message.state if message.state in ("stopped", "failed", "withheld") else "interrupted"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/info: {t(f'answer.{state}')}", width="content")
        if asked:
            key = f"again.{message.message_id}"
            button(t("answer.again"), key, "refresh", conversation.ask_anew, message)
    if message.state == "failed":
        st.caption(said(message.text) if message.text else t("answer.failed.unknown"))


def _follow(answering: Answering) -> None:
    """Draw an answer as it comes, then draw the page anew from what was stored."""
    # The stop button of the input ends this run without another; the fragment's timer brings one.
    follow(answering.ended, lambda: None, "1s")
    status = st.status(f":shimmer[{t('answer.searching')}]", type="compact", expanded=True)
    taken = status.container()  # to leave the status itself would end it
    box = st.empty()
    button(t("chat.stop"), "chat.stop", "stop_circle", _stop, answering)
    steps, shown, over = 0, "", False
    try:
        while not over:
            over = answering.ended(TICK_SECONDS)  # what came before the end is drawn, too
            with taken:
                for step in answering.steps[steps:]:
                    answers.show_step(step)
                    steps += 1
            text, seconds = answering.text, time.monotonic() - answering.started
            doing = t("answer.writing") if text else t("answer.searching")
            took = t("answer.seconds", seconds=f"{seconds:.0f}")
            status.update(label=f":shimmer[{doing}] · {took}", expanded=not text)
            if text != shown:
                shown = text
                box.markdown(safe_markdown(shown) + _CURSOR)
    except StopException:
        if not _reader_is_gone():
            answering.cancel()
        raise
    st.rerun()


def _reader_is_gone() -> bool:
    """Tell whether a run was ended because its browser went away or was reloaded, not because of a Stop button."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return False
    # A session that hangs up has its run ended first; how soon it is gone then depends on the machine's load.
    until = time.monotonic() + HANG_UP_SECONDS
    while time.monotonic() < until:
        if not runtime.get_instance().is_active_session(context.session_id):
            return True
        time.sleep(TICK_SECONDS)
    return False


def _stop(answering: Answering) -> None:
    answering.cancel()
    answering.ended(STOP_WAIT_SECONDS)
