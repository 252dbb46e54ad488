"""The app for self-hosting: the pages, the REST routes under ``/api``, security headers and a warm start.

``streamlit run app.py`` shows the same pages without what is added here.
"""

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

import streamlit as st
from anyio import to_thread
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.config import AccessSettings
from engine.errors import READING_ONLY, AccessError, DropQAError
from engine.interfaces import stopping
from engine.interfaces.doors import Doors
from engine.interfaces.gate import Gate
from engine.interfaces.identity import OWNER_COOKIE, OWNER_SECONDS, new_token, owner_of, valid_token
from engine.interfaces.limits import LONGEST_BODY, MEGABYTE, BodyLimit, SameOrigin, hostname
from engine.interfaces.request_id import RequestId
from engine.interfaces.rest_errors import refused
from engine.library import Library
from engine.settings_sources import library_folder
from engine.turns import AT_ONCE, WAITING
from pages.widgets.deployment import ask_nobody, streamlit_secrets
from pages.widgets.index_html import page_routes

__all__ = ["app", "get_library", "streamlit_secrets"]
log = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parent
MARK = (ROOT / "static" / "mark.svg").read_text("utf-8")
# Streamlit, Vega and ECharts need inline code and eval; nothing may be fetched from, or sent to, elsewhere.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
        "worker-src 'self' blob:",
        "connect-src 'self' {sockets} blob: data:",
        "font-src 'self' data:",
        "frame-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self' {ancestors}",
    )
)
# What REST and files are served by: those whose questions wait take one each, and twice as many are left to all others.
THREADS = 3 * (AT_ONCE + WAITING)
# Collections of the middle generation. What answers keep for the next ones makes a full one take 0.1 to 0.2 s, and it
# would come with every fifteenth question or so; what it finds are a few thousand objects, so it can wait.
FULL_COLLECTION_AFTER = 300
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-permitted-cross-domain-policies": "none",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


UPLOADS = "/_stcore/upload_file"
# What a file is wrapped in on its way.
WRAPPING = MEGABYTE


def _access() -> AccessSettings:
    return get_library().settings.access


def _embedding_sites() -> Sequence[str]:
    try:
        return _access().embed_from
    except DropQAError:
        return ()  # a library that cannot be opened is told by the page


def policy(host: str, ancestors: Sequence[str] = ()) -> str:
    """Return the content policy for pages of this host: their sockets lead back to it and nowhere else.

    ``ancestors`` are the other sites that may show them within their own pages.
    """
    sockets = f"ws://{host} wss://{host}" if hostname(host) else ""
    return POLICY.format(sockets=sockets, ancestors=" ".join(ancestors)).rstrip()


class Protect:
    """Adds the security headers to every response, and the owner's cookie to a first page.

    ``sites`` tells which others may show the pages within theirs.
    """

    def __init__(self, app: ASGIApp, sites: Callable[[], Sequence[str]] = tuple) -> None:
        self._app = app
        self._sites = sites

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers_in = {name: value.decode("latin-1") for name, value in scope["headers"]}
        sites = self._sites()
        headers_out = HEADERS | {"content-security-policy": policy(headers_in.get(b"host", ""), sites)}
        if sites:  # it knows no sites but this one; the policy says the same to every browser of today
            del headers_out["x-frame-options"]
        if scope.get("scheme") == "https":
            headers_out["strict-transport-security"] = "max-age=31536000"
        stranger = _asks_for_page(headers_in) and not valid_token(_cookie(headers_in))

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                present = {name.lower() for name, _ in headers}
                headers += [(k.encode(), v.encode()) for k, v in headers_out.items() if k.encode() not in present]
                if stranger:
                    headers.append((b"set-cookie", _owner_cookie(secure=scope.get("scheme") == "https")))
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, protected)


def _cookie(headers: Mapping[bytes, str]) -> str | None:
    try:
        found = SimpleCookie(headers.get(b"cookie", "")).get(OWNER_COOKIE)
    except CookieError:
        return None
    return found.value if found else None


def _asks_for_page(headers: Mapping[bytes, str]) -> bool:
    """Tell whether a browser wants to show this; the answer itself may be a bare 304."""
    return "text/html" in headers.get(b"accept", "")


def _owner_cookie(*, secure: bool) -> bytes:
    cookie = f"{OWNER_COOKIE}={new_token()}; Path=/; Max-Age={OWNER_SECONDS}; HttpOnly; SameSite=Lax"
    return (cookie + "; Secure" if secure else cookie).encode()


def allowance(scope: Scope) -> int:
    """Return how many bytes a request may bring. Doors have limits of their own; only pages send files otherwise.

    Raises AccessError where it may bring none.
    """
    if scope["path"].startswith(Doors.LIMITED):
        return sys.maxsize
    if not scope["path"].startswith(UPLOADS) or scope["method"] == "DELETE":
        return LONGEST_BODY
    settings = get_library().settings
    if settings.access.read_only:
        raise AccessError(READING_ONLY)
    return settings.parsing.max_file_mb * MEGABYTE + WRAPPING


def get_library() -> Library:
    """Return the Library that the pages use, too."""
    from pages.widgets.services import whole_library  # declares components, which needs the running server

    return whole_library()


def _owner(request: Request) -> str:
    """Return whose conversations a request may see: those of the browser that it comes from, if it has a cookie."""
    return owner_of(request.cookies.get(OWNER_COOKIE))


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Import what the first page needs, then keep the garbage collector away from it for good.

    Streamlit would collect everything after every run; with the heap frozen (and ``postScriptGC`` off) a
    click costs a fifth of the processor time.
    """
    from pages.widgets import answer, document_list, model_form, reader, turns, uploads  # noqa: F401

    stopping.watch()  # the server has set its own handlers by now
    to_thread.current_default_thread_limiter().total_tokens = THREADS
    _freeze()
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], FULL_COLLECTION_AFTER)
    preparing = asyncio.create_task(asyncio.to_thread(_warm))
    yield {"ready": True}
    preparing.cancel()
    await doors.close()
    gc.set_threshold(*thresholds)


def _warm() -> None:
    """Make ready what the first file and the first question need, so that neither waits for it."""
    try:
        get_library().warm()
    except DropQAError as error:
        log.warning("%s", error)  # the pages tell it, too
    _freeze()  # the dictionary alone is half a million objects: a full collection would hold a question up for 0.4 s


def _freeze() -> None:
    """Let the garbage collector pass over what is there for good."""
    gc.collect()
    gc.freeze()


ask_nobody()
doors = Doors(get_library, _owner)
app = st.App(
    ROOT / "app.py",
    lifespan=lifespan,
    routes=[*doors.routes, *page_routes()],
    exception_handlers={405: refused},
    middleware=[
        Middleware(RequestId),
        Middleware(Protect, sites=_embedding_sites),
        Middleware(SameOrigin),
        Middleware(Gate, access=_access, folder=library_folder, mark=MARK),
        Middleware(BodyLimit, allowance=allowance),
    ],
)  # fmt: skip
