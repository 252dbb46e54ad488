"""REST: the JSON of ``--json`` and the routes of seed 003 under ``/api``, beside the pages in the same process.

Browsers of other sites cannot use it: a request whose ``Origin`` is not this server, or whose ``Host`` is
not one it serves, is refused (cross-site requests and DNS rebinding).
"""

import hmac
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, FastAPI, HTTPException, Query, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.types import Scope

from engine.errors import READING_ONLY, AccessError, UsageError
from engine.interfaces import library_commands
from engine.interfaces import rest_shapes as shapes
from engine.interfaces.client import server_token
from engine.interfaces.identity import LOCAL_OWNER
from engine.interfaces.library_commands import ON_LIBRARY, dicts
from engine.interfaces.limits import LONGEST_BODY, MEGABYTE, BodyLimit, ServedHere
from engine.interfaces.rest_documents import document_routes, topic_routes
from engine.interfaces.rest_errors import add_handlers
from engine.interfaces.rest_questions import OwnerOf, question_routes
from engine.interfaces.rest_shapes import Number, Paging, Reference, Text, gives
from engine.interfaces.streaming import LINES, OnEvent, answer_events, as_lines
from engine.library import Library
from engine.model import SearchResult, Tree
from engine.versions.changes import Difference
from storage.visible import MOST_JOBS

# A batch of uploads may bring so many files of the largest size.
BATCH = 5
_SWAGGER = Path(__file__).resolve().parents[2] / "static" / "swagger-ui"
# Kept packed: a quarter of the size in the project and on the wire.
_SCRIPTS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
Named = Annotated[Text, Query(description="id or name", examples=["report.md"])]


def create_api(get_library: Callable[[], Library], owner_of: OwnerOf = lambda _request: LOCAL_OWNER) -> FastAPI:
    """Return the REST app, to be mounted at ``/api``.

    It answers to loopback names and to those of the setting ``server.allowed_hosts``. ``owner_of`` tells whose
    conversations a request may see.
    """
    app = create_app("DropQA")
    _add_docs(app)
    app.include_router(document_routes(get_library))
    app.include_router(topic_routes(get_library))
    app.include_router(question_routes(get_library, owner_of))
    app.include_router(_own_machine_routes(get_library))
    app.include_router(_library_routes(get_library))
    guard(app, get_library, lambda scope: _allowance(get_library(), scope))
    return app


def _add_docs(app: FastAPI) -> None:
    """Add the page of an app's routes, Swagger UI from this server, below ``/docs``: nothing comes from elsewhere."""

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        return get_swagger_ui_html(
            openapi_url=f"{root}{app.openapi_url}",
            title=f"{app.title} API",
            swagger_js_url=f"{root}/docs/swagger-ui-bundle.js",
            swagger_css_url=f"{root}/docs/swagger-ui.css",
            swagger_favicon_url="/app/static/mark.svg",
            swagger_ui_parameters={"validatorUrl": "none"},  # its badge is a picture from elsewhere
        )

    @app.get("/docs/{name}", include_in_schema=False)
    def part(name: str) -> FileResponse:
        if name not in _SCRIPTS:
            raise HTTPException(404)
        headers = {"content-encoding": "gzip", "cache-control": "public, max-age=86400"}
        return FileResponse(_SWAGGER / f"{name}.gz", media_type=_SCRIPTS[name], headers=headers)


def create_app(title: str) -> FastAPI:
    """Return an app of which routes are described in one way, errors included."""
    return FastAPI(
        title=title, docs_url=None, redoc_url=None, openapi_url="/openapi.json",
        responses={"4XX": {"model": shapes.Problem, "description": "Refused"}, 422: {"model": shapes.Problem},
                   "5XX": {"model": shapes.Problem, "description": "Failed"}},
        generate_unique_id_function=lambda route: route.name, separate_input_output_schemas=False,
    )  # fmt: skip


def guard(
    app: FastAPI, get_library: Callable[[], Library], allowance: Callable[[Scope], int] = lambda _: LONGEST_BODY
) -> None:
    """Have an app refuse what comes from elsewhere or is too long, and tell all errors as JSON."""
    app.add_middleware(BodyLimit, allowance=allowance)
    app.add_middleware(ServedHere, names=lambda: get_library().settings.server.allowed_hosts)
    add_handlers(app)


def _library_routes(get_library: Callable[[], Library]) -> APIRouter:
    """Return the routes of what is in the library, and of its upkeep."""
    router = APIRouter(tags=["library"])

    @router.get("/health", **gives(shapes.Alive))
    def health() -> dict[str, Any]:
        """Tell that the library is open, and which it is."""
        return {"ok": True, "library": str(get_library().folder)}

    @router.post("/search", **gives(SearchResult))
    def search(body: shapes.SearchBody) -> dict[str, Any]:
        """Find passages, the best first, with what their scores are made of."""
        return library_commands.search(get_library(), body, body.filters())

    @router.get("/tree", **gives(Tree))
    def tree(document: Named, version: Number | None = None) -> dict[str, Any]:
        """Return a document's nodes in reading order, the root first."""
        return get_library().tree(document, version).to_dict()

    @router.get("/diff", **gives(Difference))
    def difference(
        document: Named, before: Annotated[Number, Query(examples=[1])],
        after: Annotated[Number, Query(examples=[2])],
    ) -> dict[str, Any]:  # fmt: skip
        """Return what differs between two versions of a document."""
        return get_library().version_history.difference(document, before, after).to_dict()

    @router.get("/page", **gives(None, "image/png"))
    def page(
        document: Named, page: Annotated[Number, Query(examples=[1])], version: Number | None = None, dpi: int = 110
    ) -> Response:
        """Return a page of a PDF or a picture as PNG."""
        picture = get_library().page_image(document, page, version=version, dpi=min(max(dpi, 20), 300))
        return Response(picture, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})

    @router.get("/collections", **gives(shapes.Collections))
    def collections(page: Annotated[Paging, Query()]) -> dict[str, Any]:
        """List the collections by name, each with the number of its documents."""
        return page.of("collections", dicts(get_library().collections.all()))

    @router.get("/names", **gives(shapes.Names))
    def names(page: Annotated[Paging, Query()], query: str = "") -> dict[str, Any]:
        """List the names that tables and forms make known and that hold ``query``, those in most documents first."""
        return page.of("names", dicts(get_library().topics.names(query)))

    @router.get("/names/{name:path}", **gives(shapes.Statements))
    def said_of(name: Reference, page: Annotated[Paging, Query()]) -> dict[str, Any]:
        """List what tables and forms say of a name, each with its place."""
        return page.of("statements", dicts(get_library().topics.said_of(name)))

    @router.get("/jobs", **gives(shapes.Jobs))
    def jobs(page: Annotated[Paging, Query()]) -> dict[str, Any]:
        """List the background work that waits, runs, or is over, the newest first."""
        return page.of("jobs", dicts(get_library().jobs(limit=MOST_JOBS)))

    @router.get("/doctor", **gives(shapes.Checks))
    def doctor(deep: bool = False) -> dict[str, Any]:
        """Check that everything is in place; ``deep`` reads all that is stored."""
        return {"checks": dicts(get_library().doctor(deep))}

    return router


def _own_machine_routes(get_library: Callable[[], Library]) -> APIRouter:
    """Return the route for commands of the machine that the app runs on: they may name places on its disks.

    It is shown the token that the app left in the library folder; nobody else is let in, whatever key they have.
    """

    def of_this_machine(request: Request) -> None:
        shown = request.headers.get("authorization", "").partition(" ")[2]
        wanted = server_token(get_library().folder)
        if not wanted or not hmac.compare_digest(shown.encode(), wanted.encode()):
            raise AccessError("Only a command on the machine that the app runs on may name places on its disks.")

    router = APIRouter(dependencies=[Depends(of_this_machine)], include_in_schema=False)

    @router.post("/command/{name}", response_model=None)
    def command(name: str, options: Annotated[dict[str, Any], Body()]) -> StreamingResponse:
        """Do a command, given its options; how far it is comes as lines of JSON, the last one is the outcome."""
        if name not in ON_LIBRARY:
            raise UsageError(f"There is no command {name}.")
        library, told = get_library(), Namespace(**options)

        def done(on_event: OnEvent, _cancelled: Callable[[], bool]) -> dict[str, Any]:
            return ON_LIBRARY[name](library, told, lambda *progress: on_event({"progress": progress}))

        return StreamingResponse(as_lines(answer_events(done)), media_type=LINES)

    return router


def _allowance(library: Library, scope: Scope) -> int:
    """Return how many bytes a request may bring: files where files are added, else a question. Raises AccessError."""
    if not (scope["method"] == "POST" and scope["path"].endswith("/documents/upload")):
        return LONGEST_BODY
    if library.settings.access.read_only:
        raise AccessError(READING_ONLY)
    return library.settings.parsing.max_file_mb * MEGABYTE * BATCH
