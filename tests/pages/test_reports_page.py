"""Reports on their page: begun, read, gone on with, deleted; and begun from the chat."""

import time
from dataclasses import replace

import pytest

from engine.ingest import Source
from engine.interfaces.identity import LOCAL_OWNER
from engine.model import Answer, Citation, Report, ReportSection, Statement
from tests.engine.reports.report_writer import HARBOURS

FEE = Citation(1, "d1", "vardo.md", 1, "Fees", "n1", None, None, None, "The fee is 55 euro.", 0.9)
WRITTEN = Answer(
    "The fee is 55 euro [1]. ![x](http://evil.example/x.png)", "direct", "high", True, [FEE], engine="llm",
    statements=[Statement(0, 23, "contradicted", "Another number.", [1], ["55 euro", "56 euro"])],
)  # fmt: skip


@pytest.fixture
def stocked(shelf):
    shelf.add([Source(name, text.encode()) for name, text in HARBOURS.items()])
    return shelf


def kept(library, **more):
    """Keep a report that has a section and one that failed; nobody writes it any more."""
    sections = [
        ReportSection("Fees", ["?"], WRITTEN),
        ReportSection("Tides", ["?"], error="The model is busy."),
    ]
    report = Report("r1", "Harbours", 1.0, title="Harbours compared", sections=sections, state="failed")
    library.storage.reports.add(LOCAL_OWNER, replace(report, **more))


def test_citations_are_numbered_through_a_report_and_the_same_place_has_the_same_number(stocked, open_page):
    berths = replace(FEE, node_id="n2", snippet="Vardo has 12 berths.")
    later = replace(
        WRITTEN, answer="12 berths [1], at 55 euro [2].", statements=[], sources=[berths, replace(FEE, n=2)]
    )
    sections = [ReportSection("Fees", ["?"], replace(WRITTEN, statements=[])), ReportSection("Berths", ["?"], later)]
    kept(stocked, sections=sections, state="done")
    told = shown(open_page("reports", report="r1"))
    assert "55 euro [:blue-badge[1]]" in told
    assert "12 berths [:blue-badge[2]]" in told and ", at 55 euro [:blue-badge[1]]" in told


def done(library, report_id):
    deadline = time.monotonic() + 60
    while library.reports.get(LOCAL_OWNER, report_id).under_way:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def shown(app):
    return "\n".join(one.value.replace("\\", "") for kind in (app.markdown, app.caption, app.subheader) for one in kind)


def test_a_report_without_a_model_says_what_it_is_before_and_after(stocked, open_page):
    app = open_page("reports")
    assert "No language model is set up, so nothing is written" in shown(app)
    app.text_area(key="reports.subject").set_value("harbour fee of Vardo").run()
    app.button(key="reports.begin").click().run()
    assert not app.exception
    [report] = stocked.reports.list(LOCAL_OWNER)
    done(stocked, report.report_id)
    app = open_page("reports", report=report.report_id)
    assert "harbour fee of Vardo" in app.title[0].value
    assert "No language model is set up, so nothing was written" in shown(app) and "55 euro" in shown(app)


def test_a_report_shows_what_is_supported_and_what_could_not_be_written(stocked, open_page):
    kept(stocked)
    app = open_page("reports", report="r1")
    assert [one.value for one in app.subheader] == ["Fees", "Tides"]
    assert "The model is busy." in shown(app) and "56 euro" in shown(app)
    assert "evil.example" not in shown(app)
    assert "Some sections could not be written" in shown(app)


def test_what_is_missing_is_written_on_demand_or_one_section_anew(stocked, open_page):
    kept(stocked)
    app = open_page("reports", report="r1")
    app.button(key="reports.resume").click().run()
    done(stocked, "r1")
    after = stocked.reports.get(LOCAL_OWNER, "r1")
    assert after.sections[1].answer and after.sections[0].answer.answer == WRITTEN.answer
    app = open_page("reports", report="r1")
    app.button(key="reports.anew.1").click().run()
    done(stocked, "r1")
    assert stocked.reports.get(LOCAL_OWNER, "r1").sections[0].answer.engine == "extractive"


def test_a_report_is_listed_and_deleted(stocked, open_page):
    kept(stocked)
    app = open_page("reports", report="r1")
    app.button(key="reports.delete").click().run()
    app.button(key="reports.delete.confirm").click().run()
    assert not app.exception and stocked.reports.list(LOCAL_OWNER) == []
    assert "no longer exists" in shown(open_page("reports", report="r1"))


def test_the_chat_begins_a_report_where_that_is_chosen(stocked, open_page):
    app = open_page("chat")
    app.radio(key="chat.path").set_value("report").run()
    app.chat_input(key="chat.input").set_value("All about berths").run()
    assert not app.exception
    [report] = stocked.reports.list(LOCAL_OWNER)
    assert report.subject == "All about berths" and stocked.conversations.list(LOCAL_OWNER) == []
    done(stocked, report.report_id)


def test_a_subject_without_words_is_refused_on_the_page(stocked, open_page):
    app = open_page("reports")
    app.text_area(key="reports.subject").set_value("?!").run()
    app.button(key="reports.begin").click().run()
    assert "needs a subject" in app.toast[0].value and stocked.reports.list(LOCAL_OWNER) == []
