from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

import streamlit as st

from engine.model import Job
from pages.widgets import access, conversation, document_list, for_you, model_form, topic_overview, uploads
from pages.widgets.buttons import button, link_to
from pages.widgets.empty_state import empty_state, questions_to_begin_with
from pages.widgets.services import contents, library
from pages.widgets.texts import t

RECENT, TOPICS = 5, 10
shown = contents()  # before anything else is read, so that nothing that comes meanwhile is missed
documents = library().documents()

if not documents:
    with empty_state(t("dashboard.first.title"), t("dashboard.first.text"), heads_page=True):
        with st.container(width=640):
            uploads.drop_zone()
            uploads.watch(uploads.work, shown)
        if access.changeable()(None):
            button(
                t("dashboard.first.sample"), "dashboard.samples", "library_add", uploads.add_samples,
                type="secondary", help=t("dashboard.first.sample.help"),
            )  # fmt: skip
        model_form.offer_running()
    st.stop()


def titled(title: str, page: str, label: str) -> None:
    """Draw the title of a part of the overview and the way to its page."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(title, anchor=False, width="content")
        link_to(page, label, "arrow_forward")


def work(jobs: list[Job]) -> None:
    """Draw what is being read and what failed."""
    uploads.work(jobs)
    if not (uploads.active(jobs) or uploads.failed(jobs)):
        st.caption(t("dashboard.work.none"))


st.title(t("dashboard.title"), anchor=False)
with st.container():  # outside of one it would lie at the foot of the page
    question = st.chat_input(t("dashboard.ask"), key="dashboard.ask", max_chars=8000)
if question:
    conversation.ask_elsewhere(str(question))
questions_to_begin_with("dashboard.suggestion", conversation.ask_elsewhere)

status = library().status()
findable = 100 * status.embedded // status.retrievable if status.embedder and status.retrievable else None
if findable and document_list.being_read():  # what text recognition has still to read is not among the passages
    findable = min(findable, 99)
figures = {
    "documents": f"{len(documents):,}",
    "pages": f"{sum(document.pages or 0 for document in documents):,}",
    "passages": f"{sum(map(document_list.passages, documents)):,}",
    "meaning": t("dashboard.meaning.off") if findable is None else f"{findable}%",
}
with st.grid(4, min_column_width=130, gap="small"):
    for name, figure in figures.items():
        st.metric(t(f"dashboard.{name}"), figure, border=True)

left, right = st.columns([3, 2], gap="medium")
with left:
    titled(t("dashboard.recent"), "documents", t("dashboard.all"))
    document_list.rows(documents[:RECENT], key="dashboard.recent")
with right, st.container(border=True, gap="small"):
    st.subheader(t("dashboard.work"), anchor=False)
    uploads.watch(work, shown)
if largest := library().topics.known().browsed[:TOPICS]:
    with right, st.container(border=True, gap="small"):
        titled(t("topics.title"), "topics", t("topics.all"))
        topic_overview.links(largest, key="dashboard.topics")
with right:
    for_you.show(documents)
