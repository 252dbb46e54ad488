"""A clean stop: SIGTERM ends the program as Ctrl-C does, within ten seconds whatever is still running.

The web server first lets requests finish. Those that take too long lose their parser, which sends an upload back to
the queue; what still runs after that is left behind when the process ends, with the library closed.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE_SECONDS = 2.5
LIMIT_SECONDS = 8.0
SIGNALS = (signal.SIGTERM, signal.SIGINT)

log = logging.getLogger(__name__)
_Step = Callable[[], None]
_steps: tuple[_Step, _Step] | None = None


def terminate_as_interrupt() -> None:
    """Have SIGTERM raise KeyboardInterrupt in the main thread, as SIGINT does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def held() -> Iterator[None]:
    """Hold a signal back until what is done within is done: a library half open could not be closed.

    A second signal is not held: whoever asks twice does not want to wait.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    came: list[int] = []

    def restored() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    def hold(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        restored()

    for number in SIGNALS:
        signal.signal(number, hold)
    try:
        yield
    finally:
        restored()
    if came:
        signal.raise_signal(came[0])


@contextmanager
def limited(stop_work: _Step, release: _Step) -> Iterator[None]:
    """Limit how long the program goes on after a signal, once :func:`watch` was called within.

    ``stop_work`` ends what requests wait for, ``release`` closes what must not stay open; both are called from
    another thread, and may be called again by who leaves this context.
    """
    global _steps
    _steps = stop_work, release
    try:
        yield
    finally:
        _steps = None


def watch() -> None:
    """Begin the countdown at the next signal, before the handler that is in force now is called.

    For servers that set handlers of their own when they start. Does nothing outside :func:`limited`.
    """
    if _steps is None or threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        signal.signal(number, _counting_down(signal.getsignal(number), *_steps))


def _counting_down(
    inner: Callable[[int, FrameType | None], object] | int | None, stop_work: _Step, release: _Step
) -> Callable[[int, FrameType | None], None]:
    begun = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        if not begun.is_set():
            begun.set()
            threading.Thread(
                target=_count_down, args=(number, stop_work, release), name="stopping", daemon=True
            ).start()
        if callable(inner):
            inner(number, frame)

    return handle


def _count_down(number: int, stop_work: _Step, release: _Step) -> None:
    forever = threading.Event()
    forever.wait(PATIENCE_SECONDS)
    stopping = threading.Thread(target=stop_work, name="stopping-work", daemon=True)
    stopping.start()
    forever.wait(LIMIT_SECONDS - PATIENCE_SECONDS)
    log.warning("Something still ran %.0f seconds after the signal; the program ends without it", LIMIT_SECONDS)
    releasing = threading.Thread(target=release, name="releasing", daemon=True)
    releasing.start()
    releasing.join(1.0)
    os._exit(128 + number)
