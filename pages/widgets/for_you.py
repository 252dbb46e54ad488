"""What to read next: documents near to what was opened and asked lately, each with the reason."""

from collections.abc import Hashable, Sequence
from contextlib import suppress

import streamlit as st

from engine.errors import NotFoundError
from engine.export.harmless import plain
from engine.model import Document, Message
from engine.topics.recommended import LATELY, Recommended, recommended
from pages.widgets import conversation, reader
from pages.widgets.buttons import link_to
from pages.widgets.services import library, owner, seen
from pages.widgets.texts import short, t


def show(documents: Sequence[Document]) -> None:
    """Draw what is near to what was opened and asked lately, with why; where nothing is, what will stand here."""
    names, messages = {one.document_id: one.name for one in documents}, _lately()
    state = seen(), library().topics.state, *(f"{one.message_id} {one.state}" for one in messages)
    near = _recommended(state, reader.opened(), messages)
    found = [one for one in near if one.document_id in names and (one.reason == "asked" or one.of in names)]
    with st.container(border=True, gap="small"):
        st.subheader(t("dashboard.for_you"), anchor=False)
        if not found:
            st.caption(t("dashboard.for_you.nothing" if messages or reader.opened() else "dashboard.for_you.none"))
        for one in found:
            with st.container(gap=None):
                link_to("document", plain(names[one.document_id]), doc=one.document_id)
                of = names.get(one.of) or short(one.of, conversation.TITLE_CHARACTERS)
                st.caption(t(f"dashboard.for_you.{one.reason}", of=plain(of)))


def _lately() -> list[Message]:
    """Return the messages of the last conversations of who reads, the last first."""
    found: list[Message] = []
    for one in library().conversations.list(owner(), LATELY):
        with suppress(NotFoundError):  # deleted meanwhile
            found += library().conversations.get(owner(), one.conversation_id)[1][::-1]
    return found


@st.cache_data(show_spinner=False, max_entries=32)
def _recommended(state: Hashable, opened: Sequence[str], _messages: Sequence[Message]) -> list[Recommended]:
    return recommended(library().topics, _messages, opened)
