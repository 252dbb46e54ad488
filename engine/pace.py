"""How fast work goes on, and when it will be done."""

import time
from collections import deque
from collections.abc import Callable

# The speed is that of so many steps of late: a busy machine slows down, a warm one speeds up.
STEPS = 20
# A shorter look tells nothing.
LEAST_SECONDS = 2.0


class Pace:
    """Follows work that is done in steps and whose amount may grow. May be read from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps: deque[tuple[float, int]] = deque(maxlen=STEPS)
        self.end()

    def begin(self) -> None:
        """Note that work begins now, or goes on."""
        self._before = self._done
        self._steps.clear()
        self._steps.append((self._clock(), 0))

    def end(self) -> None:
        """Note that all is done: what comes from now on is other work."""
        self._steps.clear()
        self._before = self._total = 0
        # What is told, and what it was when the work last grew, with how much was done then.
        self._share, self._grown = 0.0, (0.0, 0)

    @property
    def _done(self) -> int:
        return self._before + (self._steps[-1][1] if self._steps else 0)

    def advance(self, done: int) -> None:
        """Note how much has been done since the beginning."""
        self._steps.append((self._clock(), done))

    def share(self, left: int) -> float:
        """Return the share done, 0 to 1, when so much is left; where work was added it goes on from what it was."""
        done = self._done
        if done + left > self._total:
            self._grown = self._share, done if self._total else 0
            self._total = done + left
        share, before = self._grown
        share += (1 - share) * (done - before) / max(1, done - before + left)
        self._share = max(self._share, share)
        return self._share

    def seconds_left(self, left: int) -> float | None:
        """Return how long so much will take; None before that can be told."""
        steps = list(self._steps)
        if len(steps) < 2:
            return None
        (began, before), (last, done) = steps[0], steps[-1]
        if last - began < LEAST_SECONDS or done <= before:
            return None
        return max(0.0, left * (last - began) / (done - before) - (self._clock() - last))
