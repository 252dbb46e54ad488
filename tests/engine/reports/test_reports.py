"""Reports in the background: progress, cancelling, a process that ends in the middle, and whose they are."""

import threading

import pytest

from engine.errors import NotFoundError
from tests.engine.reports.report_writer import SUBJECT, author, harbours, section_of
from tests.waiting import wait_until

ME = "me"


@pytest.fixture
def slow(server):
    """A model that waits within the section "Berths" until it is let go."""
    go = threading.Event()

    def reply(body):
        if section_of(body) == "Berths":
            go.wait(20)
        return author(body)

    server.default = reply
    yield go
    go.set()


def waits_in_the_second_section(library, report_id):
    wait_until(lambda: library.reports.get(ME, report_id).stage == "write")
    wait_until(lambda: library.reports.get(ME, report_id).progress > 0.3)
    return library.reports.get(ME, report_id)


def test_a_report_tells_how_far_it_is_and_what_is_written_can_be_read(tmp_path, server, slow):
    with harbours(tmp_path / "shelf", server, background=True) as library:
        report_id = library.reports.start(ME, SUBJECT).report_id
        now = waits_in_the_second_section(library, report_id)
        assert now.state == "writing" and 0.3 < now.progress < 1 and now.eta is not None
        assert [one.answer is not None for one in now.sections] == [True, False, False]
        [listed] = library.reports.list(ME)
        assert (listed.state, listed.title, listed.sections) == ("writing", "Harbours compared", [])
        slow.set()
        wait_until(lambda: library.reports.get(ME, report_id).state == "done")


def test_a_cancelled_report_keeps_its_sections_and_goes_on_from_there(tmp_path, server, slow):
    with harbours(tmp_path / "shelf", server, background=True) as library:
        report_id = library.reports.start(ME, SUBJECT).report_id
        waits_in_the_second_section(library, report_id)
        stopped = library.reports.cancel(ME, report_id)
        assert stopped.state == "stopped" and stopped.sections[0].answer
        slow.set()
        server.chats.clear()
        assert library.reports.resume(ME, report_id).under_way
        wait_until(lambda: library.reports.get(ME, report_id).state == "done")
        assert "Fees" not in [section_of(chat) for chat in server.chats]
        assert library.reports.get(ME, report_id).sections[0] == stopped.sections[0]


def test_a_report_that_was_cut_short_by_a_closed_library_goes_on_after_the_next_start(tmp_path, server, slow):
    with harbours(tmp_path / "shelf", server, background=True) as library:
        report_id = library.reports.start(ME, SUBJECT).report_id
        before = waits_in_the_second_section(library, report_id)
    slow.set()
    server.chats.clear()
    with harbours(tmp_path / "shelf", server, background=True) as library:
        wait_until(lambda: library.reports.get(ME, report_id).state == "done")
        after = library.reports.get(ME, report_id)
    assert after.sections[0] == before.sections[0]
    assert [section_of(chat) for chat in server.chats if section_of(chat)] == ["Berths", "Dredging"]


def test_nobody_sees_stops_or_deletes_anothers_report(filled):
    mine = filled.reports.start(ME, SUBJECT)
    assert filled.reports.list("other") == []
    for attempt in (filled.reports.get, filled.reports.cancel, filled.reports.resume, filled.reports.delete):
        with pytest.raises(NotFoundError):
            attempt("other", mine.report_id)
    assert filled.reports.get(ME, mine.report_id).state == "waiting"
    assert SUBJECT not in str([job.to_dict() for job in filled.jobs()])  # others see the jobs


def test_a_deleted_report_is_gone_with_its_job(tmp_path, server, slow):
    with harbours(tmp_path / "shelf", server, background=True) as library:
        report_id = library.reports.start(ME, SUBJECT).report_id
        waits_in_the_second_section(library, report_id)
        assert library.reports.delete(ME, report_id).subject == SUBJECT
        slow.set()
        assert library.reports.list(ME) == []
        second = library.reports.start(ME, SUBJECT).report_id
        wait_until(lambda: library.reports.get(ME, second).state == "done")
        assert [one.report_id for one in library.reports.list(ME)] == [second]


def test_a_report_whose_job_is_long_forgotten_can_still_be_gone_on_with(tmp_path, server):
    server.default = author
    with harbours(tmp_path / "shelf", server) as library:
        report_id = library.reports.start(ME, SUBJECT).report_id
        library.reports.cancel(ME, report_id)
        library.prune_jobs(-1)
        assert library.reports.get(ME, report_id).state == "stopped"
        library.reports.resume(ME, report_id)
        library.reports.write_waiting()
        assert library.reports.get(ME, report_id).state == "done"


def test_a_report_that_is_written_the_moment_it_is_queued_keeps_its_job(tmp_path, server, monkeypatch):
    server.default = author
    with harbours(tmp_path / "shelf", server) as library:
        jobs = library.storage.jobs
        enqueue, seen = jobs.enqueue, []

        def write_at_once(*args, **kwargs):
            job_id = enqueue(*args, **kwargs)
            library.reports.write_waiting()
            seen.append(job_id)
            return job_id

        monkeypatch.setattr(jobs, "enqueue", write_at_once)
        report = library.reports.start(ME, SUBJECT)
        assert (report.state, report.job_id) == ("done", seen[0])
