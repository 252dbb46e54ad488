"""Limits at the door: how much a request may bring, told before it is read, and from which sites it may come.

All are plain ASGI, before anything parses or stores what arrives.
"""

import asyncio
import re
import time
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.errors import AccessError, DropQAError, LimitExceededError, UsageError
from engine.interfaces.problems import problem

MEGABYTE = 1024 * 1024
# A question, its filters, a list of nodes: the longest that is sensible is some kilobytes.
LONGEST_BODY = MEGABYTE
# A name or address, with or without a port.
HOST = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?", re.ASCII)
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
TOO_LONG = "The request is larger than what is taken here."
OTHER_SITES = "Requests from other sites are refused."
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class BodyLimit:
    """Refuses requests whose bodies are too long, by what they announce or once more than that has arrived."""

    def __init__(self, app: ASGIApp, allowance: Callable[[Scope], int] = lambda _: LONGEST_BODY) -> None:
        """``allowance`` tells how many bytes a request may bring, or raises AccessError where it may bring none."""
        self._app, self._allowance = app, allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
            await self._app(scope, receive, send)
            return
        try:
            most = self._allowance(scope)
        except AccessError as error:
            await _refused(error)(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced[:20]) > most:
            await _refused(LimitExceededError(TOO_LONG))(scope, receive, send)
            return
        await RequestBodyLimitMiddleware(self._app, most)(scope, receive, send)


class RateLimit:
    """Spreads what each of several askers may ask evenly, with a minute's worth at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # how much, and when

    def wait(self, name: str, per_minute: int) -> float:
        """Count a request; return how many seconds it comes too early, 0 when it may pass."""
        now = self._clock()
        left, when = self._left.get(name, (float(per_minute), now))
        left = min(per_minute, left + (now - when) * per_minute / 60)
        if per_minute and left < 1:
            return (1 - left) * 60 / per_minute
        self._left[name] = left - 1, now
        return 0.0


class SameOrigin:
    """Refuses what pages of other sites ask for: websockets, and requests that change something.

    A page from another port of this machine is another site, too. Programs that are no browsers name no origin.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        asks = scope["type"] == "websocket" or scope.get("method", "GET") not in SAFE_METHODS
        if not asks or from_here(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": "Other sites are refused."})
        else:
            await _refused(AccessError(OTHER_SITES))(scope, receive, send)


class ServedHere:
    """Refuses to browsers of other sites whatever they ask: by ``Origin``, and by ``Host`` (DNS rebinding).

    What is served answers to loopback names and to those that ``names`` gives.
    """

    def __init__(self, app: ASGIApp, names: Callable[[], Collection[str]]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        refusal = await self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> JSONResponse | None:
        name = hostname(dict(scope["headers"]).get(b"host", b"").decode("latin-1"))
        if name is None:
            return problem(UsageError("The host name is malformed."), 400)
        if name not in LOOPBACK and name not in await asyncio.to_thread(self._names):
            return problem(AccessError("This host name is not served here."))
        return None if from_here(scope) else problem(AccessError(OTHER_SITES))


def hostname(host: str) -> str | None:
    """Return the name or address in a ``Host`` header, without the port; None for what is no such thing."""
    if not HOST.fullmatch(host):
        return None
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname if parts.port != 0 else None
    except ValueError:
        return None


def from_here(scope: Scope) -> bool:
    """Tell whether a request names no origin, or one whose host and port are those that were asked."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin.decode("latin-1")).netloc == headers.get(b"host", b"").decode("latin-1")
    except ValueError:
        return False


def _refused(error: DropQAError) -> JSONResponse:
    return problem(error, headers={"connection": "close"})
