"""An answer that is told while it is being made: events from the thread that makes it, as lines or as SSE."""

import contextvars
import json
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.answer.events import Discard, Token
from engine.errors import DropQAError
from engine.interfaces.problems import described, unexpected

log = logging.getLogger(__name__)
# So long nothing is sent before a sign of life, in seconds: proxies close what is silent.
SILENCE = 15.0
SSE, LINES = "text/event-stream", "application/x-ndjson"
# A proxy that collects what is streamed would hold it back.
SSE_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}

OnEvent = Callable[[Any], None]
Made = Callable[[OnEvent, Callable[[], bool]], dict[str, Any]]


def answer_events(make: Made) -> Iterator[dict[str, Any] | None]:
    """Yield the events of an answer, then ``{"answer": …}`` or an error; None where nothing has come for a while.

    ``make`` gets what is to be called with each event, and what tells whether whoever asked has gone.
    """
    events: queue.Queue[dict[str, Any] | StopIteration] = queue.Queue()
    gone = threading.Event()

    def work() -> None:
        try:
            answer = make(lambda event: events.put(event_to_dict(event)), gone.is_set)
            events.put({"answer": answer})
        except DropQAError as error:
            events.put(described(error))
        except Exception:  # the boundary of a thread whose caller waits for an answer
            log.exception("A question failed")
            events.put(unexpected())
        finally:
            events.put(StopIteration())

    context = contextvars.copy_context()
    threading.Thread(target=lambda: context.run(work), name="ask", daemon=True).start()
    try:
        while True:
            try:
                event = events.get(timeout=SILENCE)
            except queue.Empty:
                yield None
                continue
            if isinstance(event, StopIteration):
                return
            yield event
    finally:
        gone.set()


def event_to_dict(event: Any) -> dict[str, Any]:
    """Return an answer event as JSON: ``{"token": text}``, ``{"discard": reason}`` or ``{"step": TraceStep}``.

    After ``discard`` the tokens so far are void. What is such a dict already stays as it is.
    """
    if isinstance(event, Token):
        return {"token": event.text}
    if isinstance(event, Discard):
        return {"discard": event.reason}
    return event if isinstance(event, dict) else {"step": event.to_dict()}


def as_lines(events: Iterator[dict[str, Any] | None]) -> Iterator[str]:
    """Yield events as lines of JSON."""
    yield from (as_json(event) + "\n" for event in events if event is not None)


def as_sse(events: Iterator[dict[str, Any] | None]) -> Iterator[str]:
    """Yield events as server-sent events, named token, discard, step, answer or error."""
    for event in events:
        yield f"event: {next(iter(event))}\ndata: {as_json(event)}\n\n" if event is not None else ": \n\n"


def as_json(value: Mapping[str, Any]) -> str:
    """Return JSON on one line that can be sent, whatever characters stand in it."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
