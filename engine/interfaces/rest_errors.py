"""What REST answers when something goes wrong: always JSON, ``{"error": text, "type": name}``, whatever it was.

Values that nothing can be found by (a level that is no level, half a character, a page before the first) are 400,
bodies of another shape 422.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.errors import BusyError, DropQAError

UNEXPECTED = "Something unexpected went wrong; the log of the app has the details, and the library is intact."
INTERNAL = "InternalError"
# Values out of range, in pydantic's words; anything else that is wrong with a body is its shape.
_OUT_OF_RANGE = (
    "greater_than", "less_than", "value_error", "int_parsing_size", "string_unicode", "too_long", "string_too_long",
)  # fmt: skip
log = logging.getLogger(__name__)


def add_handlers(app: FastAPI, status: Mapping[type[DropQAError], int]) -> None:
    """Have an app answer all errors as JSON; ``status`` is that of each kind of error, the first that fits counts."""

    def expected(error: DropQAError) -> JSONResponse:
        code = next((code for kind, code in status.items() if isinstance(error, kind)), 500)
        made = told(str(error), type(error).__name__, code)
        if isinstance(error, BusyError):
            made.headers["Retry-After"] = str(error.seconds)
        return made

    @app.exception_handler(DropQAError)
    async def failed(_request: Request, error: DropQAError) -> JSONResponse:
        return expected(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        problems = error.errors()
        code = 400 if all(str(one["type"]).startswith(_OUT_OF_RANGE) for one in problems) else 422
        return told("; ".join(map(_problem, problems)), "UsageError", code)

    @app.exception_handler(HTTPException)
    async def refused(_request: Request, error: HTTPException) -> JSONResponse:
        return told(str(error.detail), "UsageError", error.status_code)

    app.add_middleware(JsonErrors, expected=expected)


def told(text: str, kind: str, status: int) -> JSONResponse:
    """Return an error as a response."""
    return JSONResponse({"error": text.encode("utf-8", "replace").decode(), "type": kind}, status)


def as_line(event: Mapping[str, Any]) -> str:
    """Return an event of a stream as a line of JSON that can be sent, whatever characters stand in it."""
    return json.dumps(event, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"


class JsonErrors:
    """Turns what nobody expected into a JSON answer and a line in the log. Outermost, as plain ASGI."""

    def __init__(self, app: ASGIApp, expected: Callable[[DropQAError], JSONResponse]) -> None:
        """``expected`` answers errors that were raised on purpose, before a route was reached."""
        self._app = app
        self._expected = expected

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except ClientDisconnect:
            log.debug("Whoever asked for %s has gone", scope.get("path", ""))
        except DropQAError as error:
            if begun:
                raise
            await self._expected(error)(scope, receive, send)
        except Exception:  # the boundary of REST
            log.exception("A request to %s failed", scope.get("path", ""))
            if begun or scope["type"] != "http":
                raise
            await told(UNEXPECTED, INTERNAL, 500)(scope, receive, send)


def _problem(problem: Mapping[str, Any]) -> str:
    where: Sequence[Any] = problem.get("loc", ())
    name = ".".join(str(part) for part in where[1:]) or "The request"
    given = problem.get("input")
    shown = f" ({given[:60]!a})" if isinstance(given, str) else ""
    return f"{name}: {problem['msg']}{shown}"
