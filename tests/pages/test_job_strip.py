from dataclasses import replace

import pytest

from engine.model import Job
from pages.widgets import uploads

RUNNING = Job("j", "ingest", "a.pdf", "", "running", "parse", 0.5, None, {}, 0, 0, eta=130.0)


def test_the_time_left_is_told_in_round_figures_once_it_is_known():
    assert uploads.left(RUNNING) == " · about 2 min left"
    assert uploads.left(replace(RUNNING, eta=12.0)) == " · about 10 s left"
    assert uploads.left(replace(RUNNING, eta=None)) == ""
    assert uploads.left(replace(RUNNING, state="queued")) == ""
    assert uploads.left(replace(RUNNING, eta=10.0**7)) == ""


def file(name, state="queued", progress=0.0, created_at=100.0, updated_at=100.0, eta=None):
    return Job(name, "ingest", name, "", state, "", progress, None, {}, created_at, updated_at, eta)


def test_files_that_came_together_share_one_bar_and_the_time_left_is_told_once_none_waits():
    jobs = [
        file("d"),
        file("c", "running", 0.5),
        file("b", "done", 1.0, 100, 120),
        file("a", "done", 1.0, 100, 110),
    ]
    share, seconds = uploads.of_files(jobs)
    assert share == pytest.approx(2.5 / 4)
    assert seconds is None


def test_files_that_were_done_before_do_not_count():
    earlier = file("z", "done", 1.0, 10, 20)
    assert uploads.of_files([file("b"), file("a", "running", 0.25, eta=30.0), earlier]) == (0.125, None)
    assert uploads.of_files([file("a", "running", 0.25, eta=30.0), earlier]) == (0.25, 30.0)
    assert uploads.of_files([earlier]) == (1.0, None)


def test_a_share_does_not_fall_when_a_file_fails_or_ends_before_a_later_one_was_added():
    failing = file("a", "running", 0.6)
    before, _ = uploads.of_files([file("b"), failing])
    assert uploads.of_files([file("b"), replace(failing, state="failed", updated_at=120)])[0] > before
    first, second = file("a", "done", 1.0, 10, 60), file("b", "running", 0.9, 50)
    late = file("c", created_at=100)
    before, _ = uploads.of_files([late, second, first])
    assert uploads.of_files([late, replace(second, state="done", updated_at=110), first])[0] > before
