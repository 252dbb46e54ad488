"""Work under way: done in its own thread, so that it goes on while its reader looks elsewhere.

This file knows nothing of Streamlit.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from engine.errors import CancelledError, DropQAError

T = TypeVar("T")
EARLY = "This ended early; the log of the app has the details."


class Background(Generic[T]):
    """Begins some work, which is given what it tells its steps to: those done and those in all.

    ``progress`` are these, (0, 0) before the first one; ``found`` is what the work came to, ``problem`` why it failed.
    """

    def __init__(self, work: Callable[[Callable[[int, int], None]], T]) -> None:
        self.progress, self.problem, self.stopped = (0, 0), "", False
        self.found: T | None = None
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), name="background", daemon=True)
        self._thread.start()

    @property
    def share(self) -> float:
        """The share of the steps that are done, 0 to 1."""
        done, total = self.progress
        return done / total if total else 0.0

    def cancel(self) -> None:
        """Ask it to stop after the step that is being done."""
        self._cancelled.set()

    def ended(self, timeout: float = 0.0) -> bool:
        """Wait for the end, at most ``timeout`` seconds, and tell whether it has come."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _report(self, done: int, total: int) -> None:
        self.progress = done, total
        if self._cancelled.is_set() and done < total:
            raise CancelledError

    def _run(self, work: Callable[[Callable[[int, int], None]], T]) -> None:
        problem = EARLY
        try:
            self.found, problem = work(self._report), ""
        except CancelledError:
            self.stopped, problem = True, ""
        except DropQAError as error:
            problem = str(error)
        finally:
            self.problem = problem
