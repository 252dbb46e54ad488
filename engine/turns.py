"""Questions take turns: so many are answered at once, so that pages and health stay quick; the others wait in order.

Those that only compute are as many as the processor has cores: more would take memory, and the first would be done when
the last is. Those that wait for a model most of the time may be more.
"""

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engine.errors import BusyError, CancelledError

AT_ONCE = 8
COMPUTING = min(AT_ONCE, max(2, os.cpu_count() or 2))
WAITING = 24
# A wait looks so often whether it was given up, in seconds.
_LOOKS = 0.2
# Before any question was answered, it is taken to last so long, in seconds.
_USUAL = 2.0


class Turns:
    """Who may be answered now. For any number of threads."""

    def __init__(self, waiting: int = WAITING, clock: Callable[[], float] = time.monotonic) -> None:
        """At most ``waiting`` wait for those that are answered."""
        self._most, self._clock = waiting, clock
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._taken = 0
        self._lasted = _USUAL
        self.ended = False

    def end(self) -> None:
        """Tell those who wait or are answered, by ``ended``, to stop."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    @contextmanager
    def taken(self, at_once: int, cancelled: Callable[[], bool] | None = None) -> Iterator[None]:
        """Hold a turn, waiting for it first come first served until fewer than ``at_once`` are held.

        Raises BusyError where too many wait already, CancelledError where the wait is given up.
        """
        self._wait(at_once, cancelled)
        began = self._clock()
        try:
            yield
        finally:
            with self._changed:
                self._taken -= 1
                self._lasted += (self._clock() - began - self._lasted) / at_once
                self._changed.notify_all()

    def _wait(self, at_once: int, cancelled: Callable[[], bool] | None) -> None:
        with self._changed:
            if len(self._queue) >= self._most and (self._queue or self._taken >= at_once):
                # In so many will those that wait now have been answered.
                seconds = max(1, math.ceil(self._lasted * (len(self._queue) + 1) / at_once))
                told = f"Too many questions are waiting. Ask again in {seconds} s."
                raise BusyError(f"{told} 等待的问题太多，请在 {seconds} 秒后再问。", seconds)
            me = object()
            self._queue.append(me)
            try:
                while self._queue[0] is not me or self._taken >= at_once:
                    if cancelled is not None and cancelled():
                        raise CancelledError("The question was stopped.")
                    self._changed.wait(_LOOKS)
                self._taken += 1
            finally:
                self._queue.remove(me)
                self._changed.notify_all()
