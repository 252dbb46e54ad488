"""Waiting for a model's endpoint in such a way that the wait can be given up at any moment.

A blocked read cannot be interrupted, so it waits in a thread of its own. Where the wait is given up the thread is
left behind: it drops the connection as soon as it hears anything, or its timeout comes.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from typing import Protocol, TypeVar

from engine.errors import CancelledError

Cancelled = Callable[[], bool]

# So often whoever waits is asked whether it is given up, in seconds.
_POLL = 0.05


T = TypeVar("T")
Piece = TypeVar("Piece", covariant=True)


class Stream(Protocol[Piece]):
    """Pieces that come over a connection."""

    def __iter__(self) -> Iterator[Piece]:
        """Yield the pieces as they come."""

    def close(self) -> None:
        """Drop the connection."""


class _End:
    """The end of a stream, with the error that ended it, if one did."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error


def stop_if(cancelled: Cancelled | None) -> None:
    """Raise CancelledError where work is given up."""
    if cancelled is not None and cancelled():
        raise CancelledError("Stopped.")


def awaited(
    call: Callable[[], T], cancelled: Cancelled | None, drop: Callable[[T], None] = lambda _late: None
) -> T:
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


def pieces_of(stream: Stream[T], cancelled: Cancelled | None) -> Generator[T]:
    """Yield the pieces of a stream and close it. Raises CancelledError as soon as the wait is given up."""
    if cancelled is None:
        try:
            yield from stream
        finally:
            stream.close()
        return
    received: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
    given_up = threading.Event()

    def read() -> None:
        end = _End()
        try:
            for piece in stream:
                if given_up.is_set():
                    break
                received.put(piece)
        except Exception as error:  # noqa: BLE001  raised again where the pieces are taken
            end = _End(error)
        finally:
            stream.close()
            received.put(end)

    threading.Thread(target=read, name="model-stream", daemon=True).start()
    try:
        while True:
            stop_if(cancelled)
            try:
                piece = received.get(timeout=_POLL)
            except queue.Empty:
                continue
            if isinstance(piece, _End):
                if piece.error is not None:
                    raise piece.error
                return
            yield piece
    finally:
        given_up.set()
