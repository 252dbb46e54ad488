"""What every door answers when something goes wrong: ``{"error": {"type", "message", "fix"}, "request_id"}``."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse

from engine import errors
from engine.errors import BusyError, DropQAError
from engine.interfaces.request_id import request_id

UNEXPECTED = "Something unexpected went wrong; the log of the app has the details, and the library is intact."
INTERNAL = "InternalError"
REPORT = "Look for the request id in the log of the app, and report what stands there."
# The status of each kind of error and what to do about it; the first that fits counts.
KINDS: dict[type[DropQAError], tuple[int, str]] = {
    errors.AccessError: (403, "Sign in, or ask whoever runs the library."),
    errors.BusyError: (503, "Send it again after the seconds in the header Retry-After."),
    errors.CancelledError: (503, "Send it again."),
    errors.NotFoundError: (404, "GET /api/documents and GET /api/topics list what there is."),
    errors.UsageError: (422, "Correct what the message names; /api/docs describes every route."),
    errors.LimitExceededError: (413, "Send less, or have the limit raised ([parsing] in dropqa.toml)."),
    errors.UnreadableFileError: (415, "Check the file, and send it in a format that the README names."),
    errors.ProviderError: (502, "Check the model on the Settings page, or send it again later."),
    errors.StorageError: (507, "Run `dropqa doctor` beside the app; it says what to do."),
}


def described(error: DropQAError) -> dict[str, Any]:
    """Return an error as JSON that can be sent, whatever characters stand in it."""
    return shaped(type(error).__name__, str(error), kind_of(error)[1])


def shaped(kind: str, message: str, fix: str) -> dict[str, Any]:
    """Return the one shape of errors."""
    text = message.encode("utf-8", "replace").decode()
    return {"error": {"type": kind, "message": text, "fix": fix}, "request_id": request_id()}


def problem(error: DropQAError, status: int | None = None, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return the response to an error; ``status`` is that of its kind unless it is given."""
    headers = dict(headers or {})
    if isinstance(error, BusyError):
        headers["Retry-After"] = str(error.seconds)
    return JSONResponse(described(error), status or kind_of(error)[0], headers)


def unexpected() -> dict[str, Any]:
    """Return what is told of an error that nobody foresaw: nothing of the inside."""
    return shaped(INTERNAL, UNEXPECTED, REPORT)


def kind_of(error: DropQAError) -> tuple[int, str]:
    """Return the status of an error of this kind, and what to do about it."""
    return next((told for kind, told in KINDS.items() if isinstance(error, kind)), (500, REPORT))
