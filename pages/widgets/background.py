"""Work under way: done in its own thread, so that it goes on while its reader looks elsewhere.

An answer's message is stored before it begins and completed when it ends, whatever happens to the page that asked.
Pages only look at what there is so far. This file knows nothing of Streamlit.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, Literal, TypeVar

from engine.answer.events import Discard, Token
from engine.errors import CancelledError, DropQAError, NotFoundError
from engine.library import Library
from engine.model import Filters, Manner, TraceStep

T = TypeVar("T")
EARLY = "This ended early; the log of the app has the details."
log = logging.getLogger(__name__)
UNEXPECTED = "An unexpected error ({kind}) stopped this answer. Ask again; the log of the app has the details."
State = Literal["done", "stopped", "failed"]


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


@dataclass(eq=False)
class Answering:
    """Makes one answer and stores it in its message. ``steps`` and ``text`` are what there is of it so far."""

    library: Library
    owner: str
    message_id: str
    question: str
    _: KW_ONLY
    filters: Filters
    history: Sequence[tuple[str, str]]
    path: str = "auto"
    manner: Manner = Manner()
    on_end: Callable[[], object] = lambda: None

    def __post_init__(self) -> None:
        self.steps: list[TraceStep] = []
        self.started = time.monotonic()
        self._pieces: list[str] = []
        self._cancelled, self._ended = threading.Event(), threading.Event()

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, name="answer", daemon=True).start()

    def cancel(self) -> None:
        """Ask it to stop; what has been written so far is kept."""
        self._cancelled.set()

    @property
    def text(self) -> str:
        """What is written so far."""
        return "".join(self._pieces)

    def ended(self, timeout: float = 0.0) -> bool:
        """Wait for the end, at most ``timeout`` seconds, and tell whether it has come."""
        return self._ended.wait(timeout)

    def _take(self, event: object) -> None:
        if isinstance(event, Token):
            self._pieces.append(event.text)
        elif isinstance(event, Discard):
            self._pieces.clear()
        elif isinstance(event, TraceStep):
            self.steps.append(event)

    def _run(self) -> None:
        state: State = "failed"
        text = ""
        made: dict[str, Any] | None = None
        try:
            answer = self.library.ask(
                self.question, filters=self.filters, history=self.history, path=self.path, manner=self.manner,
                on_event=self._take, cancelled=self._cancelled.is_set,
            )  # fmt: skip
            text, made = answer.answer, answer.to_dict()
            state = "stopped" if self._cancelled.is_set() else "done"
        except CancelledError:
            text, state = self.text, "stopped"
        except DropQAError as error:
            text = str(error)
        except Exception as error:  # whoever asked must learn that, and why, there is no answer
            log.exception("An answer failed")
            text = UNEXPECTED.format(kind=type(error).__name__)
        finally:
            update = self.library.conversations.update
            with contextlib.suppress(NotFoundError):  # the conversation may be deleted meanwhile
                update(self.owner, self.message_id, text=text, answer=made, state=state)
            self._ended.set()
            self.on_end()
