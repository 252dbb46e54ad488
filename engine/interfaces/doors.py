"""What programs come in by, beside the pages or alone: REST, chat completions, MCP, figures and signs of life."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, request_response

from engine.errors import AccessError, DropQAError
from engine.interfaces import stopping
from engine.interfaces.chat_completions import create_chat_api
from engine.interfaces.gate import Gate
from engine.interfaces.identity import LOCAL_OWNER, USER, owner_of_user
from engine.interfaces.keys import KEY, ApiKey
from engine.interfaces.limits import MEGABYTE, BodyLimit, SameOrigin, ServedHere
from engine.interfaces.mcp_http import McpDoor
from engine.interfaces.problems import problem
from engine.interfaces.request_id import RequestId
from engine.interfaces.rest import create_api
from engine.interfaces.rest_errors import refused
from engine.interfaces.rest_questions import OwnerOf
from engine.library import Library
from engine.metrics import REGISTRY
from engine.shared_library import reading_only
from engine.visited_library import Visitor, seen_by
from storage.visible import OWNERS_ONLY

MOST_JOBS = 100_000


def exposition(library: Library) -> bytes:
    """Return what was counted (:mod:`engine.metrics`) and what the library holds now as Prometheus reads it."""
    now = CollectorRegistry()
    status, storage = library.status(), library.storage
    for name, value, told in (
        ("documents", status.documents, "Documents in the library"),
        ("nodes", status.nodes, "Nodes of current versions"),
        ("vectors", status.embedded, "Nodes that have a vector"),
        ("vectors_wanted", status.retrievable, "Nodes that are to have one"),
        ("disk_free_bytes", storage.free_bytes(), "Room on the library's disk"),
    ):
        Gauge(f"dropqa_{name}", told, registry=now).set(value)
    queue = Gauge("dropqa_jobs", "Background work by kind and state", ("kind", "state"), registry=now)
    found = storage.jobs.list(("queued", "running", "failed"), limit=MOST_JOBS)
    for place, count in Counter((job.kind, job.state) for job in found).items():
        queue.labels(*place).set(count)
    sizes = Gauge("dropqa_library_bytes", "Size of the library's parts", ("part",), registry=now)
    for part in library.folder.iterdir():
        files = part.rglob("*") if part.is_dir() else [part]
        sizes.labels(part.name).set(sum(one.stat().st_size for one in files if one.is_file()))
    return generate_latest(REGISTRY) + generate_latest(now)


# What a call of a tool may bring: a document in base64. Larger ones come by REST.
LONGEST_CALL = 4 * MEGABYTE


class Doors:
    """The routes of one library; each door has limits of its own, the gate stands before all of them."""

    # Paths below these are limited by the doors themselves.
    LIMITED = ("/api/", "/v1/", "/mcp")

    def __init__(self, get_library: Callable[[], Library], owner_of: OwnerOf = lambda _request: LOCAL_OWNER) -> None:
        """``owner_of`` tells whose conversations a request may see."""
        self._get_library = get_library

        def seen() -> Library:
            user, key = USER.get(), KEY.get()
            return seen_by(get_library(), Visitor.of(user)) if user else seen_with(key, get_library())

        def owner(request: Request) -> str:
            if user := USER.get():
                return owner_of_user(user["iss"], user["sub"])
            key = KEY.get()
            return key.key_id if key and key.collections else owner_of(request)

        self._seen, self._mcp = seen, McpDoor(seen)

        def names() -> Collection[str]:
            return get_library().settings.server.allowed_hosts

        self.routes: list[BaseRoute] = [
            Mount("/api", create_api(seen, owner)),
            Mount("/v1", create_chat_api(seen)),
            Route("/mcp", BodyLimit(ServedHere(self._mcp, names), lambda _: LONGEST_CALL)),
            Route("/metrics", ServedHere(request_response(self._metrics), names)),
            Route("/healthz", self._alive),
            Route("/readyz", self._ready),
        ]

    async def close(self) -> None:
        """End what the doors keep open."""
        await self._mcp.close()

    async def _metrics(self, _request: Request) -> Response:
        """Return what Prometheus collects."""
        try:
            if self._seen().rights:
                raise AccessError(OWNERS_ONLY)
            told = await asyncio.to_thread(lambda: exposition(self._get_library()))
        except DropQAError as error:
            return problem(error)
        return Response(told, media_type=CONTENT_TYPE_LATEST)

    async def _alive(self, _request: Request) -> JSONResponse:
        """Tell that the server runs, whatever state the library is in."""
        return JSONResponse({"ok": True})

    async def _ready(self, _request: Request) -> JSONResponse:
        """Tell whether questions can be asked and files are read: 503 while the library is not open, or stops."""

        def works() -> bool:
            library = self._get_library()
            library.storage.snapshot()
            return library.works

        try:
            if await asyncio.to_thread(works):
                return JSONResponse({"ready": True})
        except DropQAError as error:
            return JSONResponse({"ready": False, "type": type(error).__name__}, 503)
        return JSONResponse({"ready": False, "type": "BackgroundStopped"}, 503)


def seen_with(key: ApiKey | None, library: Library) -> Library:
    """Return the library for who came in with a key, or without one, as an owner."""
    if key is None:
        return library
    seen = seen_by(library, Visitor(bound=frozenset(key.collections)) if key.collections else None)
    return reading_only(seen) if key.scope == "read" else seen


def create_server(get_library: Callable[[], Library], folder: Path) -> Starlette:
    """Return the app of ``dropqa serve``: the doors behind the gate, without the pages."""
    doors = Doors(get_library)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        stopping.watch()  # the server has set its own handlers by now
        yield
        await doors.close()

    return Starlette(
        lifespan=lifespan,
        exception_handlers={HTTPException: refused},
        routes=[*doors.routes, Route("/docs", lambda _request: RedirectResponse("/api/docs"))],
        middleware=[
            Middleware(RequestId),
            Middleware(SameOrigin),
            Middleware(Gate, access=lambda: get_library().settings.access, folder=lambda: folder),
        ],
    )
