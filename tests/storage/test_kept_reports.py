"""Reports of several owners."""

import pytest

from engine.errors import NotFoundError
from engine.model import Answer, Citation, Filters, Report, ReportSection, Statement

SOURCE = Citation(1, "d1", "a.pdf", 2, "Lamp", "n1", 3, (1.0, 2.0, 3.0, 4.0), None, "It burned.", 0.9)
WRITTEN = Answer(
    "It burned [1].", "direct", "high", True, [SOURCE], engine="llm",
    statements=[Statement(0, 13, "supported", sources=[1])],
)  # fmt: skip
SECTIONS = [
    ReportSection("The lamp", ["What did the lamp burn?"], WRITTEN),
    ReportSection("The keepers", ["Who kept it?"], error="The model is busy."),
]


def report(report_id="r1", created_at=1.0, **more):
    return Report(report_id, "The lighthouse", created_at, **more)


def test_a_report_comes_back_as_it_was(storage):
    kept = report(filters=Filters(documents=("d1",), pages=(2, 5)), sections=SECTIONS, summary=WRITTEN)
    storage.reports.add("ann", kept)
    found = storage.reports.get("ann", "r1")
    assert (found.sections, found.summary, found.filters) == (SECTIONS, WRITTEN, kept.filters)
    assert found.updated_at > 0


def test_reports_are_listed_newest_first_without_what_is_long(storage):
    for number in (1, 2, 3):
        storage.reports.add("ann", report(f"r{number}", float(number), sections=SECTIONS, summary=WRITTEN))
    listed = storage.reports.list("ann")
    assert [one.report_id for one in listed] == ["r3", "r2", "r1"]
    assert all(one.sections == [] and one.summary is None for one in listed)


def test_nobody_sees_changes_or_deletes_anothers_report(storage):
    storage.reports.add("ann", report())
    assert storage.reports.list("bob") == []
    for attempt in (
        lambda: storage.reports.get("bob", "r1"),
        lambda: storage.reports.save("bob", report()),
        lambda: storage.reports.delete("bob", "r1"),
    ):
        with pytest.raises(NotFoundError):
            attempt()
    storage.reports.delete("ann", "r1")
    with pytest.raises(NotFoundError):
        storage.reports.save("ann", report(title="Too late"))


def test_a_report_that_another_job_writes_by_now_is_left_as_it_is(storage):
    storage.reports.add("ann", report(job_id="second"))
    with pytest.raises(NotFoundError):
        storage.reports.save("ann", report(job_id="first", title="Stopped"), "first")
    storage.reports.save("ann", report(job_id="second", title="Goes on"), "second")
    assert storage.reports.get("ann", "r1").title == "Goes on"


def test_a_report_is_complete_once_all_of_it_that_can_be_told_is_written():
    written = SECTIONS[0]
    nothing = ReportSection("Whales", ["?"], Answer("Nothing.", "direct", "low", False, []))
    assert not report().complete
    assert not report(title="L", sections=SECTIONS, summary=WRITTEN).complete
    assert not report(title="L", sections=[written]).complete
    assert report(title="L", sections=[written], summary=WRITTEN).complete
    assert report(title="L", sections=[nothing]).complete
