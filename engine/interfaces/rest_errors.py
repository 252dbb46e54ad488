"""How REST comes to its errors (:mod:`engine.interfaces.problems`): always JSON, whatever went wrong.

Values that nothing can be found by (a level that is no level, half a character, a page before the first) are 400,
bodies of another shape 422.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.errors import DropQAError, LimitExceededError, UsageError
from engine.interfaces.limits import TOO_LONG
from engine.interfaces.problems import problem, unexpected

# Values out of range, in pydantic's words; anything else that is wrong with a body is its shape.
_OUT_OF_RANGE = (
    "greater_than", "less_than", "value_error", "int_parsing_size", "string_unicode", "too_long", "string_too_long",
)  # fmt: skip
log = logging.getLogger(__name__)


def add_handlers(app: FastAPI) -> None:
    """Have an app answer all errors as JSON."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        problems = error.errors()
        code = 400 if all(str(one["type"]).startswith(_OUT_OF_RANGE) for one in problems) else 422
        return problem(UsageError("; ".join(map(_problem, problems))), code)

    app.add_exception_handler(HTTPException, refused)
    app.add_middleware(JsonErrors)


async def refused(_request: Request, error: Exception) -> JSONResponse:
    """Answer what no route takes: a path, a method, a body that is too long (:class:`limits.BodyLimit`)."""
    assert isinstance(error, HTTPException)
    if error.status_code == 413:
        return problem(LimitExceededError(TOO_LONG))
    return problem(UsageError(str(error.detail)), error.status_code, error.headers)


class JsonErrors:
    """Turns what nobody expected into a JSON answer and a line in the log. Outermost, as plain ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

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
            await problem(error)(scope, receive, send)
        except Exception:  # the boundary of REST
            log.exception("A request to %s failed", scope.get("path", ""))
            if begun or scope["type"] != "http":
                raise
            await JSONResponse(unexpected(), 500)(scope, receive, send)


def _problem(problem: Mapping[str, Any]) -> str:
    where: Sequence[Any] = problem.get("loc", ())
    name = ".".join(str(part) for part in where[1:] if problem["type"] != "json_invalid") or "The request"
    given = problem.get("input")
    shown = f" ({given[:60]!a})" if isinstance(given, str) else ""
    return f"{name}: {problem['msg']}{shown}"
