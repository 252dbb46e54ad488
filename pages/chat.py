from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

from functools import partial

import streamlit as st

from engine.export.harmless import plain
from pages.widgets import access, beside, chat_model, chat_scope, conversation, model_form, reports, selection, turns
from pages.widgets.buttons import link_to, there
from pages.widgets.empty_state import empty_state, questions_to_begin_with, to_documents
from pages.widgets.services import library, owner
from pages.widgets.texts import t

if conversation.shared():
    if shared := conversation.opened():
        beside.show(shared[1])
        conversation.show_shared(*shared)
    st.stop()

documents = library().documents()
current = conversation.current()
gone = "chat.gone.signed" if library().settings.access.named else "chat.gone"
found = there(partial(library().conversations.get, owner(), current), t(gone)) if current else None

reports.go_to_begun()
chat_scope.enter(current, st.query_params.get("about") or None, found[1] if found else [])

# Before the turns: it would fade while an answer is followed.
with st.bottom:
    begin = reports.begin if chat_model.wants_report() else conversation.ask
    st.chat_input(
        t("reports.subject" if chat_model.wants_report() else "chat.input"), key="chat.input", submit_mode="stop",
        max_chars=8000, disabled=not documents,
        on_submit=lambda: begin(str(st.session_state["chat.input"] or "")),
    )  # fmt: skip
    if documents:
        with st.container(horizontal=True, gap="small", key="chat.choices"):
            chat_scope.choose(documents)
            chat_model.choose_path()
            chat_model.choose(current)

selection.fill_field()
# Emptied at once when the first question is asked; the rest of an old page fades only at the end of a run.
welcome = st.empty()
if found:
    beside.show(found[1])
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(plain(found[0].title), anchor=False, width="stretch")
        conversation.actions(*found)
    turns.show(*found, documents)
else:
    with welcome.container(), empty_state(t("chat.title"), t("chat.subtitle"), heads_page=True):
        st.space("small")
        if documents and chat_scope.scope().empty:  # they are about all of them
            questions_to_begin_with("suggestion", conversation.ask)
        elif not documents:
            st.markdown(t("chat.empty.library"), text_alignment="center")
            to_documents()
        if not library().settings.llm.configured and documents and access.manages():
            with st.container(
                horizontal=True, horizontal_alignment="center", vertical_alignment="center", gap="xsmall"
            ):
                st.caption(t("chat.no_model"), width="content")
                link_to("settings", t("chat.set_up_model"), "tune")
            model_form.offer_running()
