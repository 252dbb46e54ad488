"""The owner's reports, the form that begins one, and one report: how far it is, its sections with their sources."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from engine.answer.joined_answers import numbered_through
from engine.errors import NotFoundError
from engine.export.harmless import plain
from engine.export.report_file import KINDS, report_file, report_name
from engine.model import Answer, Filters, Report
from engine.reports.reports import LONGEST_SUBJECT
from pages.widgets import access, chat_model, chat_scope, uploads
from pages.widgets import answer as answers
from pages.widgets.answer import sources
from pages.widgets.buttons import ask_to_delete, button, link_to, there, tried
from pages.widgets.empty_state import to_documents
from pages.widgets.fragments import fragment, private_file, redraw
from pages.widgets.places import page_file
from pages.widgets.services import library, owner
from pages.widgets.texts import day, said, t

_BEGUN = "reports.begun"
# Colour and words say the same.
_COLOURS = {"waiting": "gray", "writing": "blue", "done": "green", "stopped": "gray", "failed": "red"}


def show() -> None:
    """Draw the report that the address names, else the form and the list; one that was just begun is opened."""
    reference = st.query_params.get("report", "")
    get = partial(library().reports.get, owner(), reference)
    if reference and (report := there(get, t("reports.gone"))):
        _report(report)
        return
    go_to_begun()
    st.title(t("reports.title"), anchor=False)
    st.caption(t("reports.subtitle"))
    if not library().documents():
        st.markdown(t("reports.no_documents"))
        to_documents()
    elif library().rights:
        st.caption(t("reports.owners"))
    else:
        _form()
    under_way = any(report.under_way for report in library().reports.list(owner()))
    fragment(_rows, run_every="3s" if under_way else None)()


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
            _badge(report)
            st.caption(day(report.created_at), width="content")


def _badge(report: Report) -> None:
    st.badge(t(f"reports.state.{report.state}"), color=_COLOURS[report.state])  # type: ignore[arg-type]


def _report(report: Report) -> None:
    """Draw a report; one that is being written is followed, its finished sections can be read meanwhile."""
    link_to("reports", t("reports.all"), "arrow_back")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(plain(report.title or report.subject), anchor=False, width="content")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            _actions(report)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _badge(report)
        st.caption(f"{day(report.created_at)} · {_within(report, plain)}", width="content")
    if report.title not in ("", report.subject):
        st.caption(plain(report.subject))
    if report.under_way:
        # The strip in the sidebar, which shows the work, has drawn what redraws an idle page.
        fragment(partial(_follow, report), run_every="2s")()
        return
    if report.state != "done":
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            told = said(report.error) if report.error else t(f"reports.ended.{report.state}")
            st.markdown(f":material/info: {told}", width="stretch")
            resume = _doing(library().reports.resume, report)
            button(t("reports.resume"), "reports.resume", "play_arrow", resume, type="primary")
    _texts(report)


def _within(report: Report, written: Callable[[str], str]) -> str:
    return chat_scope.label_of(report.filters, chat_scope.names_of(library().documents()), written)


def _actions(report: Report) -> None:
    if any(section.answer for section in report.sections) and button(
        t("reports.export"), "reports.export", "download", type="secondary"
    ):
        st.dialog(t("reports.export"))(_files)(report)
    if button(t("reports.delete"), "reports.delete", "delete"):
        name = report.title or report.subject
        ask_to_delete("reports", name, lambda: library().reports.delete(owner(), report.report_id))


def _files(report: Report) -> None:
    st.caption(t("reports.export.help"))
    for kind, mime in KINDS.items():
        within = _within(report, str) if report.filters != Filters() else ""
        make, name = partial(report_file, report, kind, within), report_name(report, kind)
        private_file(t(f"reports.export.{kind}"), make, name, mime, key=f"reports.export.{kind}")


def _follow(shown: Report) -> None:
    """Draw a report as it is now; once it is over the page is drawn anew."""
    try:
        report = library().reports.get(owner(), shown.report_id)
    except NotFoundError:  # deleted in another window
        redraw()
        return
    if not report.under_way or bool(report.title) != bool(shown.title):
        redraw()
    written = sum(section.answer is not None for section in report.sections)
    stage = t(f"reports.stage.{report.stage or 'waiting'}", written=written, count=len(report.sections))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(report.progress, text=f"{stage}{uploads.told(report.eta)}")
        button(t("reports.cancel"), "reports.cancel", "stop_circle", _doing(library().reports.cancel, report))
    _texts(report)


def _numbered(report: Report) -> Report:
    """Return a report whose sources are numbered through: the same place has one number in all of its texts."""
    texts = [report.summary, *(one.answer for one in report.sections)]
    made = iter(numbered_through([one for one in texts if one is not None])[0])
    summary, *answers = [one and next(made) for one in texts]
    sections = [replace(one, answer=answer) for one, answer in zip(report.sections, answers, strict=True)]
    return replace(report, summary=summary, sections=sections)


def _texts(report: Report) -> None:
    report = _numbered(report)
    for note in report.notes:
        st.caption(f":material/info: {plain(note)}")
    if report.summary is not None:
        with st.container(border=True, key="reports.summary"):
            st.subheader(t("reports.summary"), anchor=False)
            _text(report.summary, "summary")
    for number, section in enumerate(report.sections, 1):
        st.subheader(plain(section.title), anchor=False)
        if section.answer is not None:
            _text(section.answer, str(number))
        elif section.error:
            st.markdown(f":red-badge[:material/error: {t('reports.section.failed')}] {said(section.error)}")
        else:
            st.caption(t("reports.section.waiting"))
        if not report.under_way and (section.answer or section.error):
            anew = _doing(library().reports.resume, report, number)
            button(t("reports.section.anew"), f"reports.anew.{number}", "refresh", anew)


def _text(answer: Answer, key: str) -> None:
    # By the name of what holds them, the script of the sources opens a text's marks in the same session.
    with st.container(key=f"reports-text-{key}"):
        answers.show_text(answer)
        if answer.sources:
            with st.expander(t("reports.sources", count=len(answer.sources)), type="compact"):
                sources(answer.sources, label=t("answer.sources"), key=f"report.{key}")
    for warning in answer.warnings:
        st.caption(said(warning))


def _doing(act: Callable[..., object], report: Report, *more: object) -> Callable[[], object]:
    """Return what a button does: something to a report that may have been deleted meanwhile."""
    return partial(tried, partial(act, owner(), report.report_id, *more))
