"""Waiting for a model's endpoint in such a way that the wait can be given up at any moment.

A blocked read cannot be interrupted, so it waits in a thread of its own. Where the wait is given up the thread is
left behind until it hears anything, or its timeout comes.
"""

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import closing
from typing import Any, TypeVar

from engine.errors import CancelledError

Cancelled = Callable[[], bool]

# So often whoever waits is asked whether it is given up, in seconds.
_POLL = 0.05


T = TypeVar("T")


def stop_if(cancelled: Cancelled | None) -> None:
    """Raise CancelledError where work is given up."""
    if cancelled is not None and cancelled():
        raise CancelledError("Stopped.")


def awaited(call: Callable[[], T], cancelled: Cancelled | None, drop: Callable[[T], None] = lambda _late: None) -> T:
    """Return what ``call`` returns, or raise what it raises; CancelledError as soon as the wait is given up.

    ``drop`` gets a result that comes when nobody waits for it any more.
    """
    if cancelled is None:
        return call()
    stop_if(cancelled)
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001  raised again where it is waited for
            future.set_exception(error)

    threading.Thread(target=run, name="model-call", daemon=True).start()
    while True:
        try:
            return future.result(_POLL)
        except TimeoutError:
            if future.done():  # at the last moment, or the error is the call's own
                return future.result()
        if cancelled():
            future.add_done_callback(lambda late: None if late.exception() else drop(late.result()))
            raise CancelledError("Stopped.")


def pieces_of(stream: Any, cancelled: Cancelled | None) -> Generator[Any]:
    """Yield the pieces of a stream and close it. Raises CancelledError as soon as the wait is given up."""
    pieces, end = iter(stream), object()
    with closing(stream):
        while (piece := awaited(lambda: next(pieces, end), cancelled)) is not end:
            yield piece
