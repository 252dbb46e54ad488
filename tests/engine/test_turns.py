"""So many questions are answered at once; the others wait in order, and too many are told when to come again."""

import threading
import time

import pytest

from engine.errors import BusyError, CancelledError
from engine.turns import Turns


class Asked:
    """Questions, each in its own thread, that last until they are let go."""

    def __init__(self, turns, at_once=1):
        self.turns, self._at_once = turns, at_once
        self.begun, self.most, self._now = [], 0, 0
        self.go = threading.Semaphore(0)
        self._lock = threading.Lock()

    def ask(self, name, cancelled=None):
        thread = threading.Thread(target=self._answer, args=(name, cancelled), daemon=True)
        thread.start()
        time.sleep(0.05)  # they come one after the other
        return thread

    def _answer(self, name, cancelled):
        with self.turns.taken(self._at_once, cancelled):
            with self._lock:
                self.begun.append(name)
                self._now += 1
                self.most = max(self.most, self._now)
            self.go.acquire(timeout=20)
            with self._lock:
                self._now -= 1


def test_no_more_than_so_many_are_answered_at_once_and_the_first_comes_first():
    asked = Asked(Turns(waiting=9), at_once=2)
    threads = [asked.ask(name) for name in "abcdef"]
    assert asked.begun == ["a", "b"]
    for _ in threads:
        asked.go.release()
        time.sleep(0.05)
    for thread in threads:
        thread.join(20)
    assert asked.begun == list("abcdef") and asked.most == 2


def test_one_too_many_is_told_after_how_many_seconds_to_come_again():
    now = [0.0]
    turns = Turns(waiting=1, clock=lambda: now[0])
    with turns.taken(1):
        now[0] = 30.0
    asked = Asked(turns)
    threads = [asked.ask(name) for name in "ab"]
    with pytest.raises(BusyError, match="Ask again in 60 s") as refused, turns.taken(1):
        pass
    assert refused.value.seconds == 60
    for thread in threads:
        asked.go.release()
        thread.join(20)
    with turns.taken(1):
        pass  # there is room again


def test_a_wait_that_is_given_up_leaves_the_queue():
    turns, stopped = Turns(waiting=1), threading.Event()
    asked = Asked(turns)
    first = asked.ask("a")
    threading.Timer(0.1, stopped.set).start()
    with pytest.raises(CancelledError), turns.taken(1, stopped.is_set):
        pass
    later = asked.ask("b")
    for thread in (first, later):
        asked.go.release()
        thread.join(20)
    assert asked.begun == ["a", "b"]


def test_who_is_answered_and_who_waits_are_told_to_come_again_when_the_library_is_closed(tmp_path):
    from engine.ingest import Source
    from engine.library import Library

    with Library.open(tmp_path, background=False, flags={"embedding.enabled": False}) as library:
        library.add([Source("a.md", b"# Ships\n\nThe ferry Ada has 31 berths.")])
        began, told = threading.Event(), []

        def end_at_the_first_step(_event):
            if not began.is_set():
                began.set()
                library._turns.end()

        for on_event in (end_at_the_first_step, None):
            with pytest.raises(BusyError) as raised:
                library.ask("How many berths has the ferry Ada?", on_event=on_event)
            told.append(str(raised.value))
        assert began.is_set() and all("Ask again once it runs" in one for one in told)
