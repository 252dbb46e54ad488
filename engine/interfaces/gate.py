"""The gate before everything that is served when a library is shared by login: pages, files and REST.

With a password nothing but the login page and a sign of life is served to a stranger. With OIDC the pages do the
asking (Streamlit's ``st.login``) and REST stays closed. With a proxy that signs people in nothing is served but what it
forwards for somebody. The command line on the same machine comes in with the
token that the app left in the library folder, programs with API keys. Signing out ends the session wherever its cookie
was copied to, and the connections that it has open.
"""

import asyncio
import hmac
import html
import logging
import math
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.config import AccessSettings
from engine.errors import AccessError, BusyError, DropQAError
from engine.interfaces.client import server_token
from engine.interfaces.identity import GATE, USER, forwarded_user
from engine.interfaces.keys import KEY, ApiKey, api_keys
from engine.interfaces.limits import OTHER_SITES, RateLimit
from engine.interfaces.login import SESSION_SECONDS, TRIES, Attempts, new_session, password_matches, session_valid
from engine.interfaces.problems import problem
from engine.interfaces.signed_out import signed_out

COOKIE = "dropqa_session"
LOGIN, LOGOUT = "/login", "/logout"
OPEN = ("/api/health", "/_stcore/health")
PROBES = ("/healthz", "/readyz")
# What programs come in by; OIDC's pages do their own asking.
DOORS = ("/api", "/v1", "/mcp", "/metrics")
LOOKED_AT_ONCE = 2  # passwords: each takes 32 MB for a tenth of a second
log = logging.getLogger(__name__)
LONGEST_FORM = 8192
_TEXTS = {
    "en": ("This library is shared by password", "Password", "Sign in", "This is not the password.",
           "Too many wrong passwords. Try again in {minutes} min."),
    "zh": ("此资料库需要密码", "密码", "登录", "密码不正确。", "密码错误次数过多，请在 {minutes} 分钟后重试。"),
}  # fmt: skip
_PAGE = Path(__file__).with_name("login.html").read_text("utf-8").rstrip()


T = TypeVar("T")


class Gate:
    """Lets through who has signed in; ``access`` gives the settings, ``folder`` is the library's."""

    def __init__(
        self, app: ASGIApp, access: Callable[[], AccessSettings], folder: Callable[[], Path], mark: str = ""
    ) -> None:
        self._app, self._access, self._folder, self._mark = app, access, folder, mark
        self._attempts = Attempts()
        self._known: AccessSettings | None = None
        self._rate = RateLimit()
        self._looking = asyncio.Semaphore(LOOKED_AT_ONCE)
        GATE.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        access = await self._settings()
        path, pages = scope["path"], {LOGIN: self._login, LOGOUT: self._logout}
        if key := await self._key(scope):
            await self._serve_key(key, access, scope, receive, send)
        elif user := self._forwarded(scope, access):
            await self._serve_as(USER, user, scope, receive, send)
        elif access.password_hash and scope["type"] == "http" and path in pages:
            response = await pages[path](Request(scope, receive), access)
            await response(scope, receive, send)
        elif not self._asks(access, path):
            await self._app(scope, receive, send)
        elif self._admitted(scope, access):
            await self._serve(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4401, "reason": "Sign in first."})
        else:
            await self._stopped(Request(scope), access)(scope, receive, send)

    async def _key(self, scope: Scope) -> ApiKey | None:
        if scope["type"] != "http" or not scope["path"].startswith(DOORS):
            return None
        text = _bearer(scope)
        try:
            return await asyncio.to_thread(api_keys(self._folder()).match, text) if text else None
        except DropQAError as error:
            log.warning("%s", error)
            return None

    async def _serve_key(self, key: ApiKey, access: AccessSettings, scope: Scope, receive: Receive, send: Send) -> None:
        if wait := self._rate.wait(key.key_id, access.requests_per_minute):
            seconds = math.ceil(wait)
            told = BusyError(f"The key {key.name} has asked too often. Try again in {seconds} s.", seconds)
            await problem(told, 429)(scope, receive, send)
            return
        await self._serve_as(KEY, key, scope, receive, send)

    async def _serve_as(
        self, variable: ContextVar[T | None], who: T, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Let a connection through in the name of somebody, whom ``variable`` tells meanwhile."""
        token = variable.set(who)
        try:
            await self._app(scope, receive, send)
        finally:
            variable.reset(token)

    @staticmethod
    def _forwarded(scope: Scope, access: AccessSettings) -> Mapping[str, Any] | None:
        if not access.proxy_user or scope["path"] in PROBES:
            return None
        return forwarded_user(HTTPConnection(scope), access)

    async def _settings(self) -> AccessSettings:
        if self._known is None:
            try:
                self._known = await asyncio.to_thread(self._access)
            except DropQAError:
                return AccessSettings()  # the library cannot be opened: there is nothing to come in to
        return self._known

    @staticmethod
    def _asks(access: AccessSettings, path: str) -> bool:
        if path in PROBES:
            return False
        return bool(access.password_hash or access.proxy_user) or (access.oidc and path.startswith(DOORS))

    def _admitted(self, scope: Scope, access: AccessSettings) -> bool:
        if (token := _bearer(scope)) and (wanted := server_token(self._folder())):
            return hmac.compare_digest(token.encode(), wanted.encode())
        session = HTTPConnection(scope).cookies.get(COOKIE) if access.password_hash else None
        valid = session_valid(session, access.password_hash, time.time())
        return valid and session not in signed_out(self._folder())

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection through; one that stays open ends when its session does."""
        session = HTTPConnection(scope).cookies.get(COOKIE)
        if scope["type"] != "websocket" or session is None:
            await self._app(scope, receive, send)
            return
        sessions = signed_out(self._folder())
        ended = sessions.watch(session)

        async def until_ended() -> Message:
            message, over = asyncio.ensure_future(receive()), asyncio.ensure_future(ended.wait())
            try:
                await asyncio.wait({message, over}, return_when=asyncio.FIRST_COMPLETED)
                return message.result() if message.done() else {"type": "websocket.disconnect", "code": 4401}
            finally:
                message.cancel()
                over.cancel()

        try:
            await self._app(scope, until_ended, send)
        finally:
            sessions.unwatch(session, ended)

    @staticmethod
    def _stopped(request: Request, access: AccessSettings) -> Response:
        if request.url.path in OPEN:
            return JSONResponse({"ok": True})
        shows = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if access.password_hash and shows:
            address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"{LOGIN}?next={quote(address, safe='')}", 303)
        return problem(AccessError("Sign in first."), 401)

    async def _login(self, request: Request, access: AccessSettings) -> Response:
        if request.method != "POST":
            return self._page(request, "", 200)
        origin = request.headers.get("origin")
        if origin and urlsplit(origin).netloc != request.headers.get("host"):
            return problem(AccessError(OTHER_SITES))
        source = request.client.host if request.client else ""
        if wait := self._attempts.wait(source):
            return self._page(request, _texts(request)[4].format(minutes=max(1, round(wait / 60))), 429)
        password = await _password(request)
        tries = self._attempts.begin(source)
        await asyncio.sleep(self._attempts.pause())
        async with self._looking:
            right = await asyncio.to_thread(password_matches, password, access.password_hash)
        if not right:
            log.warning("Wrong password from %r, try %d of %d in five minutes", source, tries, TRIES)
            return self._page(request, _texts(request)[3], 401)
        self._attempts.succeeded(source)
        response = RedirectResponse(_next(request), 303)
        response.set_cookie(
            COOKIE, new_session(access.password_hash, time.time()), max_age=SESSION_SECONDS, httponly=True,
            samesite="lax", secure=request.url.scheme == "https",
        )  # fmt: skip
        return response

    async def _logout(self, request: Request, access: AccessSettings) -> Response:
        if request.headers.get("sec-fetch-site") == "cross-site":
            return problem(AccessError(OTHER_SITES))
        session = request.cookies.get(COOKIE)
        if session and session_valid(session, access.password_hash, time.time()):
            await asyncio.to_thread(signed_out(self._folder()).end, session, time.time())
        response = RedirectResponse(LOGIN, 303)
        response.delete_cookie(COOKIE, httponly=True, samesite="lax")
        return response

    def _page(self, request: Request, problem: str, status: int) -> Response:
        title, label, button, *_ = _texts(request)
        told = f'<p role="alert">{html.escape(problem)}</p>' if problem else ""
        page = _PAGE.format(
            language=language_of(request), mark=self._mark, title=title, label=label, button=button, problem=told,
            next=quote(_next(request), safe=""),
        )  # fmt: skip
        return HTMLResponse(page, status, {"cache-control": "no-store"})


async def _password(request: Request) -> str:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_FORM:
            return ""
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True).get("password", [""])[0]


def _next(request: Request) -> str:
    """Return the address to go on to: one of this server's own, whatever the link said."""
    wanted = request.query_params.get("next", "/")
    own = wanted.startswith("/") and not wanted.startswith(("//", "/\\", LOGIN, LOGOUT))
    return wanted if own and not any(ord(character) < 33 for character in wanted) else "/"


def _bearer(scope: Scope) -> str:
    """Return the token that a request shows in its header ``Authorization``, if any."""
    kind, _, token = HTTPConnection(scope).headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""


def language_of(request: Request) -> str:
    """Return the language of a request: "zh" or "en", as chosen in the app or as the browser prefers."""
    chosen = request.cookies.get("dropqa_language") or request.headers.get("accept-language", "").lower()[:2]
    return "zh" if chosen == "zh" else "en"


def _texts(request: Request) -> tuple[str, ...]:
    return _TEXTS[language_of(request)]
