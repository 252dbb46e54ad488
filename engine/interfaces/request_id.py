"""The id of the request that is being answered: given by the caller or made here, told back, and in every log line."""

import logging
import re
import time
from contextvars import ContextVar
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.metrics import requested

HEADER = "X-Request-ID"
DOORS = ("api", "v1", "mcp", "metrics", "healthz", "readyz")
log = logging.getLogger(__name__)
_GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_current: ContextVar[str | None] = ContextVar("request_id", default=None)


def request_id() -> str | None:
    """Return the id of the request that this thread or task works for; None outside of any."""
    return _current.get()


class RequestId:
    """Gives every request an id, counts it and tells of it in the log. Outermost, as plain ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        name = given if _GIVEN.fullmatch(given) else uuid4().hex[:16]

        status, begun = 0, time.perf_counter()

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        token = _current.set(name)
        try:
            await self._app(scope, receive, named)
        finally:
            if scope["type"] == "http":
                _note(scope, status, time.perf_counter() - begun)
            _current.reset(token)


def _note(scope: Scope, status: int, seconds: float) -> None:
    """Count a request and tell of it: by its door and route, not its address, which may hold names."""
    door = next((one for one in DOORS if scope["path"].startswith(f"/{one}")), "pages")
    requested(door, scope["method"], status, seconds)
    route = getattr(scope.get("route"), "path", "")
    told = {"door": door, "route": route, "method": scope["method"], "status": status}
    log.info("Request answered", extra=told | {"ms": round(seconds * 1000)})
