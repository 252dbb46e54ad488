from dataclasses import replace

from engine.model import Job
from pages.widgets import job_strip

RUNNING = Job("j", "ingest", "a.pdf", "", "running", "parse", 0.5, None, {}, 0, 0, eta=130.0)


def test_the_time_left_is_told_in_round_figures_once_it_is_known():
    assert job_strip.left(RUNNING) == " · about 2 min left"
    assert job_strip.left(replace(RUNNING, eta=12.0)) == " · about 10 s left"
    assert job_strip.left(replace(RUNNING, eta=None)) == ""
    assert job_strip.left(replace(RUNNING, state="queued")) == ""
    assert job_strip.left(replace(RUNNING, eta=10.0**7)) == ""
