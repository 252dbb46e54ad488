"""How long work will take."""

import pytest

from engine.pace import Pace


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
    assert pace.seconds_left(64) is None


def test_the_share_never_falls_while_work_is_added_and_comes_to_its_end(clock):
    pace = Pace(clock)
    told, left = [], 256
    for added in (0, 0, 300, 0, 64, 0, 500, *[0] * 20):
        pace.begin()  # each file that comes in wakes the thread that computes
        left += added
        told.append(pace.share(left))
        step = min(64, left)
        pace.advance(step)
        left -= step
        told.append(pace.share(left))
    assert told == sorted(told) and told[0] == 0.0 and told[-1] == 1.0
    assert told[14] < 0.8  # nor is it at its end while most is still to be done


def test_what_comes_after_the_end_is_other_work(clock):
    pace = Pace(clock)
    pace.begin()
    pace.advance(64)
    assert pace.share(0) == 1.0
    pace.end()
    assert pace.share(64) == 0.0
