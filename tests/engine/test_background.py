"""Queued files and vectors: done in the background, cancellable, taken up again."""

import threading
from pathlib import Path

import pytest
from sample_texts import REPORT

from engine.ingest import Source
from engine.library import Library
from engine.outdated import READING
from engine.parse.worker import ParseWorker
from tests.waiting import wait_until


@pytest.fixture
def running(tmp_path: Path):
    with Library.open(tmp_path / "library") as opened:
        yield opened


def test_a_queued_file_is_found_by_text_and_then_by_meaning(running):
    job_id = running.enqueue(Source("report.md", REPORT.encode()), owner="me")
    wait_until(lambda: running.storage.jobs.get(job_id).state == "done")
    assert running.search("foundries", mode="fulltext").hits
    wait_until(lambda: (status := running.status()).embedded == status.retrievable > 0)
    assert "dense" in running.search("Who makes the semiconductors?").views


def test_a_file_that_cannot_be_read_fails_with_its_reason(running):
    job_id = running.enqueue(Source("broken.pdf", b"%PDF-1.7\nnothing else"))
    wait_until(lambda: running.storage.jobs.get(job_id).state == "failed")
    assert "damaged" in running.storage.jobs.get(job_id).error
    assert not running.documents()


def test_a_failed_job_can_be_tried_again(running):
    job_id = running.enqueue(Source("broken.pdf", b"%PDF-1.7\nnothing else"))
    wait_until(lambda: running.storage.jobs.get(job_id).state == "failed")
    assert running.retry_job(job_id)
    wait_until(lambda: running.storage.jobs.get(job_id).state == "failed")


def test_an_unchanged_file_is_told_at_once(running):
    running.add([Source("report.md", REPORT.encode())])
    assert running.enqueue(Source("report.md", REPORT.encode())).status == "unchanged"


def test_a_job_left_by_a_closed_library_is_done_after_the_next_start(tmp_path: Path):
    with Library.open(tmp_path / "library", background=False) as first:
        job_id = first.enqueue(Source("report.md", REPORT.encode()))
    with Library.open(tmp_path / "library") as second:
        wait_until(lambda: second.storage.jobs.get(job_id).state == "done")
        assert second.search("foundries", mode="fulltext").hits


def test_a_cancelled_job_leaves_nothing_behind(tmp_path: Path):
    with Library.open(tmp_path / "library", background=False) as first:
        job_id = first.enqueue(Source("report.md", REPORT.encode()))
        assert first.cancel_job(job_id)
    with Library.open(tmp_path / "library") as second:
        marker = second.enqueue(Source("other.md", b"# Other\n\nText."))
        wait_until(lambda: second.storage.jobs.get(marker).state == "done")
        assert [document.name for document in second.documents()] == ["other.md"]


def test_a_removed_document_is_not_brought_back_by_an_upload_of_it_that_waits(tmp_path: Path):
    folder = tmp_path / "library"
    with Library.open(folder, background=False) as first:
        first.add([Source("report.md", REPORT.encode())])
        job_id = first.enqueue(Source("report.md", b"# Report\n\nThe mill is closed."))
        first.remove("report.md")
        assert first.storage.jobs.get(job_id).state == "cancelled"
    with Library.open(folder) as second:
        marker = second.enqueue(Source("other.md", b"# Other\n\nText."))
        wait_until(lambda: second.storage.jobs.get(marker).state == "done")
        assert [document.name for document in second.documents()] == ["other.md"]
        assert second.retry_job(job_id)
        wait_until(lambda: second.search("mill", mode="fulltext").hits)


def test_a_document_removed_while_an_upload_of_it_is_read_stays_removed(tmp_path: Path, monkeypatch):
    parsed, removed, process = threading.Event(), threading.Event(), ParseWorker.parse

    def parse(worker, *given, **named):
        tree = process(worker, *given, **named)
        if named["version"] == 2:
            parsed.set()
            assert removed.wait(30)
        return tree

    monkeypatch.setattr(ParseWorker, "parse", parse)
    with Library.open(tmp_path / "library") as running:
        running.add([Source("report.md", REPORT.encode())])
        job_id = running.enqueue(Source("report.md", b"# Report\n\nThe mill is closed."))
        assert parsed.wait(30)
        running.remove("report.md")
        removed.set()
        marker = running.enqueue(Source("other.md", b"# Other\n\nText."))
        wait_until(lambda: running.storage.jobs.get(marker).state == "done")
        assert running.storage.jobs.get(job_id).state == "cancelled"
        assert [document.name for document in running.documents()] == ["other.md"]


def test_what_an_earlier_version_read_otherwise_is_read_again_once_in_the_background(tmp_path: Path):
    folder = tmp_path / "library"
    with Library.open(folder, background=False) as first:
        first.add([Source("report.md", REPORT.encode())])
        first.storage.note_reading(READING - 1)
    before = {path.name for path in (folder / "graphs").rglob("*.json")}
    with Library.open(folder, background=False) as waiting:
        assert not waiting.storage.jobs.list()  # nobody works the queue off
    with Library.open(folder) as second:
        wait_until(lambda: [job.state for job in second.storage.jobs.list()] == ["done"])
        assert [document.version for document in second.documents()] == [1]
        assert {path.name for path in (folder / "graphs").rglob("*.json")} > before
        assert second.search("foundries", mode="fulltext").hits
    with Library.open(folder) as third:
        assert len(third.storage.jobs.list()) == 1 and third.storage.reading() == READING
