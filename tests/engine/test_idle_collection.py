import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from engine.idle_collection import WORTH, IdleCollector


class Knot:
    """An object that only the garbage collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[IdleCollector]:
    collector = IdleCollector(look_every=0.05)
    collector.start()
    yield collector
    collector.stop()


def grown_old() -> weakref.ref[Knot]:
    """Return a dropped knot that only a full collection finds."""
    knot = Knot()
    gone = weakref.ref(knot)
    for _ in range(WORTH):
        gc.collect(1)
    return gone


def test_what_grew_old_is_collected_as_soon_as_nothing_is_done(collector: IdleCollector) -> None:
    gone = grown_old()
    until = time.monotonic() + 10
    while gone() is not None and time.monotonic() < until:
        time.sleep(0.02)
    assert gone() is None


def test_no_full_collection_comes_of_making_objects(collector: IdleCollector) -> None:
    assert gc.get_threshold()[2] > 100_000


def test_the_collector_is_set_as_before_when_it_is_stopped() -> None:
    before = gc.get_threshold()
    collector = IdleCollector()
    collector.start()
    collector.stop()
    assert gc.get_threshold() == before
