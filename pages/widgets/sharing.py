"""A conversation as a link for others to read: making and taking it back, and what they see."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from engine.errors import NotFoundError
from engine.export.harmless import plain, safe_markdown
from engine.interfaces.shared_links import shared_links
from engine.model import Answer, Conversation, Message
from pages.widgets import answer as answers
from pages.widgets.buttons import button, tried
from pages.widgets.services import MARK, library, owner
from pages.widgets.texts import t

PARAMETER = "shared"


def offered() -> bool:
    """Tell whether conversations of this library may be shared."""
    return library().settings.access.shared_links


def reading() -> bool:
    """Tell whether the address is such a link."""
    return bool(st.query_params.get(PARAMETER))


def link(conversation: Conversation) -> None:
    """Draw the link of a conversation, with the buttons that make it and take it back."""
    links, mine = shared_links(library().folder), (owner(), conversation.conversation_id)
    st.caption(t("share.text"))
    if (secret := links.of(*mine)) is None:
        button(t("share.begin"), "share.begin", "", tried, partial(links.begin, *mine), type="primary")
        return
    address = (st.context.url or "").partition("?")[0]
    st.code(f"{address}?{PARAMETER}={secret}", language=None, wrap_lines=True)
    st.caption(t("share.embed"))
    button(t("share.end"), "share.end", "link_off", tried, partial(links.end, *mine), type="secondary")


def opened() -> tuple[Conversation, Sequence[Message]] | None:
    """Return the conversation that the address shares; where it shares none, say so and return None."""
    found = shared_links(library().folder).find(st.query_params[PARAMETER]) if offered() else None
    try:
        if found:
            return library().conversations.get(*found)
    except NotFoundError:
        pass  # deleted since it was shared
    st.subheader(t("share.gone"), icon=":material/link_off:", anchor=False)
    st.caption(t("share.gone.text"))
    return None


def withheld(message: Message) -> bool:
    """Tell whether an answer of somebody else may tell of documents that who is here may not read.

    One without sources may speak of all that its asker could see.
    """
    sources = (message.answer or {}).get("sources")
    return message.state == "withheld" or (library().rights is not None and not sources)


def show(talk: Conversation, messages: Sequence[Message]) -> None:
    """Draw a shared conversation, to be read and no more."""
    st.subheader(plain(talk.title), anchor=False)
    for message in messages:
        if message.role == "user":
            with st.chat_message("user", avatar=":material/person:"):
                st.markdown(answers.as_typed(message.text))
            continue
        with st.chat_message("assistant", avatar=MARK):
            if withheld(message):
                st.caption(f":material/lock: {t('answer.withheld')}")
            elif message.answer:
                answers.show_answer(Answer.from_dict(message.answer), message.message_id)
            else:
                st.markdown(safe_markdown(message.text) if message.state == "done" else t("answer.interrupted"))
