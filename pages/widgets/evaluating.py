"""A run of the saved questions under way, in its own thread, so that it goes on while its reader looks elsewhere.

This file knows nothing of Streamlit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.config import Settings
from engine.errors import CancelledError, DropQAError

if TYPE_CHECKING:
    from engine.evaluate.saved import Comparison, SavedQuestions, SavedRun


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: the figures, for a comparison those of both settings too; or why it failed."""

    run: SavedRun | None = None
    comparison: Comparison | None = None
    error: str = ""
    stopped: bool = False


@dataclass(eq=False)
class Evaluating:
    """Runs one owner's set, under ``second`` as well as under the settings in force if that is given.

    ``on_run`` is told of the run, the second one of two, and when it was. ``progress`` are the searches that are done
    and those in all, (0, 0) before the first one.
    """

    questions: SavedQuestions
    owner: str
    second: Settings | None = None
    on_run: Callable[[SavedRun, float], object] = lambda run, at: None

    def __post_init__(self) -> None:
        self._cancelled = threading.Event()
        self._outcome: Outcome | None = None
        self.progress = (0, 0)
        self._thread = threading.Thread(target=self._run, name="evaluation", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask it to stop after the question that is being searched."""
        self._cancelled.set()

    def wait(self, timeout: float) -> Outcome | None:
        """Wait for the end, at most ``timeout`` seconds; return the outcome, None while it goes on."""
        self._thread.join(timeout)
        return self._outcome

    def _report(self, done: int, total: int) -> None:
        self.progress = done, total
        if self._cancelled.is_set() and done < total:
            raise CancelledError

    def _run(self) -> None:
        outcome = Outcome(error="The run ended early. Run it again.")
        try:
            if self.second is None:
                outcome = Outcome(run=self.questions.run(self.owner, on_progress=self._report))
            else:
                both = self.questions.compare(self.second, owner=self.owner, on_progress=self._report)
                outcome = Outcome(run=both.second, comparison=both)
        except CancelledError:
            outcome = Outcome(stopped=True)
        except DropQAError as error:
            outcome = Outcome(error=str(error))
        finally:
            if outcome.run is not None:
                with suppress(DropQAError):  # a run is no worse for not being in the history
                    self.on_run(outcome.run, time.time())
            self._outcome = outcome
