"""How long work will take."""

import pytest

from engine.background import Pace


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_nothing_is_foretold_before_a_step_is_done(clock):
    pace = Pace(clock)
    assert (pace.share(10), pace.seconds_left(10)) == (0.0, None)
    pace.begin()
    clock.now += 60
    assert pace.seconds_left(10) is None


def test_the_time_left_follows_from_the_speed_so_far(clock):
    pace = Pace(clock)
    pace.begin()
    for done in (64, 128):
        clock.now += 4
        pace.advance(done)
    assert pace.share(128) == 0.5
    assert pace.seconds_left(128) == pytest.approx(8.0)
    clock.now += 3
    assert pace.seconds_left(128) == pytest.approx(5.0)


def test_a_machine_that_slows_down_is_believed(clock):
    pace = Pace(clock)
    pace.begin()
    done = 0
    for seconds in (1.0,) * 30 + (10.0,) * 30:
        clock.now += seconds
        done += 10
        pace.advance(done)
    assert pace.seconds_left(100) == pytest.approx(100.0)


def test_work_that_begins_again_forgets_the_speed_before(clock):
    pace = Pace(clock)
    pace.begin()
    clock.now += 4
    pace.advance(64)
    pace.begin()
    assert (pace.share(64), pace.seconds_left(64)) == (0.0, None)
