"""The id of the request that is being answered: given by the caller or made here, told back, and in every log line."""

from __future__ import annotations

import re
from contextvars import ContextVar
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_current: ContextVar[str | None] = ContextVar("request_id", default=None)


def request_id() -> str | None:
    """Return the id of the request that this thread or task works for; None outside of any."""
    return _current.get()


class RequestId:
    """Gives every request an id. Outermost, as plain ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        name = given if _GIVEN.fullmatch(given) else uuid4().hex[:16]

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        token = _current.set(name)
        try:
            await self._app(scope, receive, named)
        finally:
            _current.reset(token)
