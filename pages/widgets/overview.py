"""The parts of the overview: figures, a field to ask, what changed last, work, what to read next, topics, samples."""

from collections.abc import Hashable, Sequence
from contextlib import suppress

import streamlit as st

from engine.errors import NotFoundError
from engine.export.harmless import plain
from engine.model import Document, Job, Message
from engine.topics.recommended import LATELY, Recommended, recommended
from pages.widgets import (
    access,
    conversation,
    document_list,
    job_strip,
    reader,
    topic_overview,
    uploads,
)
from pages.widgets.buttons import button, link_to
from pages.widgets.empty_state import questions_to_begin_with
from pages.widgets.services import library, owner, seen
from pages.widgets.texts import short, t

RECENT = 5
TOPICS = 10


def figures(documents: Sequence[Document]) -> None:
    """Draw how much there is."""
    status = library().status()
    meaning = t("dashboard.meaning.off")
    if status.embedder and status.retrievable:
        meaning = f"{100 * status.embedded // status.retrievable}%"
    shown = {
        "documents": f"{len(documents):,}",
        "pages": f"{sum(document.pages or 0 for document in documents):,}",
        "passages": f"{sum(map(document_list.passages, documents)):,}",
        "meaning": meaning,
    }
    with st.grid(4, min_column_width=130, gap="small"):
        for name, value in shown.items():
            st.metric(t(f"dashboard.{name}"), value, border=True)


def ask() -> None:
    """Draw a field to ask in, and a few questions that the documents should be able to answer."""
    with st.container():  # outside of one it would lie at the foot of the page
        question = st.chat_input(t("dashboard.ask"), key="dashboard.ask", max_chars=8000)
    if question:
        conversation.ask_elsewhere(str(question))
    questions_to_begin_with("dashboard.suggestion", conversation.ask_elsewhere)


def recent(documents: Sequence[Document]) -> None:
    """Draw the documents that changed last."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(t("dashboard.recent"), anchor=False, width="content")
        link_to("documents", t("dashboard.all"), "arrow_forward")
    document_list.rows(documents[:RECENT], key="dashboard.recent")


def work(shown: Hashable) -> None:
    """Draw what is being read and what failed; ``shown`` as in :func:`job_strip.watch`."""
    with st.container(border=True, gap="small"):
        st.subheader(t("dashboard.work"), anchor=False)
        job_strip.watch(_work, shown)


def _work(jobs: list[Job]) -> None:
    uploads.work(jobs)
    if not (job_strip.active(jobs) or job_strip.failed(jobs)):
        st.caption(t("dashboard.work.none"))


def for_you(documents: Sequence[Document]) -> None:
    """Draw what is near to what was opened and asked lately, with why; nothing where nothing is near."""
    names, messages = {one.document_id: one.name for one in documents}, _lately()
    state = seen(), library().topics.state, *(f"{one.message_id} {one.state}" for one in messages)
    near = _recommended(state, reader.opened(), messages)
    found = [one for one in near if one.document_id in names and (one.reason == "asked" or one.of in names)]
    if not found:
        return
    with st.container(border=True, gap="small"):
        st.subheader(t("dashboard.for_you"), anchor=False)
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


def topics() -> None:
    """Draw the largest topics, once there are any."""
    largest = library().topics.all()[:TOPICS]
    if not largest:
        return
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.subheader(t("topics.title"), anchor=False, width="content")
            link_to("topics", t("topics.all"), "arrow_forward")
        topic_overview.links(largest, key="dashboard.topics")


def samples() -> None:
    """Draw the button that adds the sample documents, for who may add."""
    if access.changeable()(None):
        button(
            t("dashboard.first.sample"), "dashboard.samples", "library_add", uploads.add_samples,
            type="secondary", help=t("dashboard.first.sample.help"),
        )  # fmt: skip
