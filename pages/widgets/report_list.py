"""The owner's reports, and the form that begins one."""

import streamlit as st

from engine.export.harmless import plain
from engine.model import Report
from engine.reports.reports import LONGEST_SUBJECT
from pages.widgets import access, chat_model, chat_scope
from pages.widgets.buttons import button, link_to
from pages.widgets.empty_state import to_documents
from pages.widgets.fragments import fragment
from pages.widgets.messages import tried
from pages.widgets.places import page_file
from pages.widgets.services import library, owner
from pages.widgets.texts import day, t

_BEGUN = "reports.begun"
# Colour and words say the same.
_COLOURS = {"waiting": "gray", "writing": "blue", "done": "green", "stopped": "gray", "failed": "red"}


def show() -> None:
    """Draw the form and the list; a report that was just begun is opened."""
    go_to_begun()
    st.title(t("reports.title"), anchor=False)
    st.caption(t("reports.subtitle"))
    documents = library().documents()
    if not documents:
        st.markdown(t("reports.no_documents"))
        to_documents()
    elif library().rights:
        st.caption(t("reports.owners"))
    else:
        _form()
    reports = library().reports.list(owner())
    fragment(_rows, run_every="3s" if any(report.under_way for report in reports) else None)()


def begin(subject: str) -> None:
    """Begin a report on a subject from what the session's scope says; why it cannot be is told on the page."""
    model = chat_model.chosen(st.query_params.get("conversation")).model

    def started() -> None:
        begun = library().reports.start(owner(), subject, filters=chat_scope.scope(), model=model)
        st.session_state[_BEGUN] = begun.report_id
        chat_model.begin_anew()

    tried(started)


def go_to_begun() -> None:
    """Open the report that this session has just begun."""
    if begun := st.session_state.pop(_BEGUN, None):
        st.switch_page(page_file("reports"), query_params={"report": begun})


def badge(report: Report) -> None:
    """Draw in which state a report is."""
    st.badge(t(f"reports.state.{report.state}"), color=_COLOURS[report.state])  # type: ignore[arg-type]


def _form() -> None:
    with st.container(border=True):
        st.text_area(
            t("reports.subject"), key="reports.subject", max_chars=LONGEST_SUBJECT, height=80,
            placeholder=t("reports.subject.example"),
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            button(
                t("reports.begin"), "reports.begin", "edit_note",
                lambda: begin(str(st.session_state["reports.subject"] or "")), type="primary",
            )  # fmt: skip
            chat_scope.choose(library().documents())
        if not library().settings.llm.configured:
            st.caption(t("reports.no_model"))
            if access.manages():
                link_to("settings", t("chat.set_up_model"), "tune")


def _rows() -> None:
    for report in library().reports.list(owner()):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(
                page_file("reports"), label=plain(report.title or report.subject), icon=":material/article:",
                query_params={"report": report.report_id}, width="stretch",
            )  # fmt: skip
            badge(report)
            st.caption(day(report.created_at), width="content")
