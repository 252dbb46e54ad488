"""An answer under way: made in its own thread, so that it goes on while its reader looks elsewhere.

The conversation's message is stored before the answer begins and completed when it ends, whatever happens
to the page that asked. Pages only look at what there is so far. This file knows nothing of Streamlit.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine.answer.events import Discard, Token
from engine.errors import CancelledError, DropQAError, NotFoundError
from engine.model import Filters, Manner, TraceStep

if TYPE_CHECKING:
    from engine.library import Library

log = logging.getLogger(__name__)
UNEXPECTED = (
    "An unexpected error ({kind}) stopped this answer. Ask again; the log of the app has the details."
)
State = Literal["done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What there is of an answer: ``change`` counts up with every event, ``seconds`` since the start."""

    change: int
    steps: tuple[TraceStep, ...]
    text: str
    done: bool
    seconds: float


@dataclass(eq=False)
class Answering:
    """Makes one answer and stores it in its message."""

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
        self._cancelled = threading.Event()
        self._changed = threading.Condition()
        self._change = 0
        self._steps: list[TraceStep] = []
        self._pieces: list[str] = []
        self._done = False
        self._started = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="answer", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask it to stop; what has been written so far is kept."""
        self._cancelled.set()

    def join(self, timeout: float) -> None:
        """Wait for the end, at most ``timeout`` seconds."""
        self._thread.join(timeout)

    def progress(self) -> Progress:
        """Return what there is now."""
        with self._changed:
            text, seconds = "".join(self._pieces), time.monotonic() - self._started
            return Progress(self._change, tuple(self._steps), text, self._done, seconds)

    def wait(self, seen: int, timeout: float) -> Progress:
        """Return what there is once it differs from change number ``seen``, or after ``timeout`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._change != seen or self._done, timeout)
        return self.progress()

    def _take(self, event: object) -> None:
        with self._changed:
            if isinstance(event, Token):
                self._pieces.append(event.text)
            elif isinstance(event, Discard):
                self._pieces.clear()
            elif isinstance(event, TraceStep):
                self._steps.append(event)
            self._change += 1
            self._changed.notify_all()

    def _run(self) -> None:
        state: State = "failed"
        text = ""
        made: dict[str, Any] | None = None
        try:
            answer = self.library.ask(
                self.question,
                filters=self.filters,
                history=self.history,
                on_event=self._take,
                cancelled=self._cancelled.is_set,
                path=self.path,
                manner=self.manner,
            )
            text, made = answer.answer, answer.to_dict()
            state = "stopped" if self._cancelled.is_set() else "done"
        except CancelledError:
            text, state = self.progress().text, "stopped"
        except DropQAError as error:
            text = str(error)
        except Exception as error:  # whoever asked must learn that, and why, there is no answer
            log.exception("An answer failed")
            text = UNEXPECTED.format(kind=type(error).__name__)
        finally:
            update = self.library.conversations.update
            with contextlib.suppress(NotFoundError):  # the conversation may be deleted meanwhile
                update(self.owner, self.message_id, text=text, answer=made, state=state)
            with self._changed:
                self._done = True
                self._changed.notify_all()
            self.on_end()
