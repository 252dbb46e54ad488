"""One report: how far it is, its summary and sections with their sources, and what can be done with it."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from engine.errors import NotFoundError
from engine.export.harmless import plain
from engine.export.report_file import KINDS, report_file, report_name
from engine.model import Answer, Report, ReportSection
from pages.widgets import answer as answers
from pages.widgets import job_strip, report_list
from pages.widgets.buttons import button, link_to
from pages.widgets.chat_scope import label_of, names_of
from pages.widgets.confirm import ask_to_delete
from pages.widgets.fragments import fragment, redraw
from pages.widgets.messages import said, tried
from pages.widgets.private_file import private_file
from pages.widgets.services import library, owner
from pages.widgets.sources import sources
from pages.widgets.texts import day, t


def show(report: Report) -> None:
    """Draw a report; one that is being written is followed, its finished sections can be read meanwhile."""
    link_to("reports", t("reports.all"), "arrow_back")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(plain(report.title or report.subject), anchor=False, width="content")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            _actions(report)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        report_list.badge(report)
        within = label_of(report.filters, names_of(library().documents()))
        st.caption(f"{day(report.created_at)} · {within}", width="content")
    if report.title not in ("", report.subject):
        st.caption(plain(report.subject))
    if report.under_way:
        # The strip in the sidebar, which shows the work, has drawn what redraws an idle page.
        fragment(partial(_follow, report), run_every="2s")()
    else:
        _ended(report)
        _texts(report)


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
        make, name = partial(report_file, report, kind), report_name(report, kind)
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
        st.progress(report.progress, text=f"{stage}{job_strip.told(report.eta)}")
        button(t("reports.cancel"), "reports.cancel", "stop_circle", _doing(library().reports.cancel, report))
    _texts(report)


def _ended(report: Report) -> None:
    """Say what is missing of a report, and offer to go on with it."""
    if report.state == "done":
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        told = said(report.error) if report.error else t(f"reports.ended.{report.state}")
        st.markdown(f":material/info: {told}", width="stretch")
        resume = _doing(library().reports.resume, report)
        button(t("reports.resume"), "reports.resume", "play_arrow", resume, type="primary")


def _texts(report: Report) -> None:
    for note in report.notes:
        st.caption(f":material/info: {plain(note)}")
    if report.summary is not None:
        with st.container(border=True, key="reports.summary"):
            st.subheader(t("reports.summary"), anchor=False)
            _text(report.summary, "summary")
    for number, section in enumerate(report.sections, 1):
        st.subheader(plain(section.title), anchor=False)
        _section(report, section, number)


def _section(report: Report, section: ReportSection, number: int) -> None:
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
        st.markdown(answers.marked(answer.answer, answer.sources, answer.statements))
        answers.show_contradicted(answer.statements)
        if answer.sources:
            with st.expander(t("reports.sources", count=len(answer.sources)), type="compact"):
                sources(answer.sources, label=t("answer.sources"), key=f"report.{key}")
    for warning in answer.warnings:
        st.caption(said(warning))


def _doing(act: Callable[..., object], report: Report, *more: object) -> Callable[[], object]:
    """Return what a button does: something to a report that may have been deleted meanwhile."""
    return partial(tried, partial(act, owner(), report.report_id, *more))
