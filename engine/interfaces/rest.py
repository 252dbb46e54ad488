"""REST: the JSON of ``--json`` under ``/api``, beside the pages in the same process.

Browsers of other sites cannot use it: a request whose ``Origin`` is not this server, or whose ``Host`` is
not one it serves, is refused (cross-site requests and DNS rebinding).
"""

from __future__ import annotations

import json
import queue
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from engine.config import Strategy
from engine.errors import (
    AccessError,
    CancelledError,
    DropQAError,
    LimitExceededError,
    NotFoundError,
    ProviderError,
    StorageError,
    UnreadableFileError,
    UsageError,
)
from engine.ingest import Source, refuse_without_room
from engine.interfaces.api import LocalApi, added, event_to_dict
from engine.library import Library
from engine.model import AddResult, Filters

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
STATUS: dict[type[DropQAError], int] = {
    AccessError: 403,
    CancelledError: 503,
    NotFoundError: 404,
    UsageError: 422,
    LimitExceededError: 413,
    UnreadableFileError: 415,
    ProviderError: 502,
    StorageError: 507,
}


class FilterBody(BaseModel):
    """The filters that search and ask share."""

    model_config = ConfigDict(extra="forbid")

    document: list[str] = []
    topic: list[str] = []
    role: list[str] = []
    section: str | None = None
    version: int | None = None
    pages: tuple[int, int] | None = None
    level: list[int] = []
    unit: list[str] = []
    chart_type: list[str] = []
    has_numbers: bool | None = None

    def filters(self) -> Filters:
        """Return them as the engine's value."""
        return Filters(
            tuple(self.document), tuple(self.topic), tuple(self.role), self.section, self.version, self.pages,
            tuple(self.level), tuple(self.unit), tuple(self.chart_type), self.has_numbers,
        )  # fmt: skip


class SearchBody(FilterBody):
    """A search."""

    query: str
    mode: str = "hybrid"
    regex: bool = False
    top_k: int | None = None


class ExportBody(FilterBody):
    """A question whose nodes are exported."""

    query: str
    top_k: int | None = None


class AskBody(FilterBody):
    """A question; ``stream`` sends events as JSON lines and the answer as the last.

    ``path`` is auto, direct (one search) or agent (a loop of at most ``max_iterations`` rounds).
    """

    question: str
    stream: bool = False
    path: Literal["auto", "direct", "agent"] = "auto"
    max_iterations: int | None = Field(None, ge=1, le=20)


class ReindexBody(BaseModel):
    """Which document to parse again; null for all."""

    document: str | None = None


class VersionBody(BaseModel):
    """One version of a document."""

    document: str
    version: int


class SummaryBody(BaseModel):
    """What to summarise: a document, the section with this title, or chosen nodes."""

    document: str
    version: int | None = None
    section: str = ""
    nodes: list[str] = []


class TopicBody(BaseModel):
    """A topic, by id or name."""

    topic: str


class MergeBody(TopicBody):
    """A topic, and the one whose documents it takes over."""

    other: str


def create_api(get_library: Callable[[], Library]) -> FastAPI:
    """Return the REST app, to be mounted at ``/api``.

    It answers to loopback names and to those of the setting ``server.allowed_hosts``.
    """
    app = FastAPI(title="DropQA", docs_url="/docs", openapi_url="/openapi.json", lifespan=_no_lifespan)

    @app.middleware("http")
    async def same_site(request: Request, call_next: Any) -> Any:
        host = urlsplit(f"//{request.headers.get('host', '')}")
        origin = request.headers.get("origin")
        if host.hostname not in LOOPBACK and host.hostname not in get_library().settings.server.allowed_hosts:
            return JSONResponse({"error": "This host name is not served here."}, 403)
        if origin and urlsplit(origin).netloc != host.netloc:
            return JSONResponse({"error": "Requests from other sites are refused."}, 403)
        return await call_next(request)

    @app.exception_handler(DropQAError)
    async def failed(_request: Request, error: DropQAError) -> JSONResponse:
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 500)
        return JSONResponse({"error": str(error), "type": type(error).__name__}, status)

    def api() -> LocalApi:
        return LocalApi(get_library(), outlives_call=True)

    @app.get("/health")
    def health() -> dict[str, Any]:
        return {"ok": True, "library": str(get_library().folder)}

    @app.get("/status")
    def status() -> dict[str, Any]:
        return get_library().status().to_dict()

    @app.get("/documents")
    def documents() -> dict[str, Any]:
        return api().documents()

    @app.put("/documents")
    async def add(request: Request, name: str, strategy: Strategy | None = None) -> dict[str, Any]:
        library = get_library()
        announced = request.headers.get("content-length", "")
        refuse_without_room(name, int(announced) if announced.isdigit() else 0, library.storage.free_bytes())
        with tempfile.NamedTemporaryFile(dir=library.folder, prefix="upload-", suffix=".tmp") as file:
            limit = library.settings.parsing.max_file_mb * 1024 * 1024
            size = 0
            async for chunk in request.stream():
                size += len(chunk)
                if size > limit:
                    raise LimitExceededError(f"{name} is larger than {limit // 1024 // 1024} MB.")
                file.write(chunk)
            file.flush()
            source = Source(name, Path(file.name), strategy)
            results: list[AddResult] = await run_in_threadpool(library.add, [source])
        return added(results)

    @app.post("/embed")
    def embed() -> dict[str, Any]:
        embedded = get_library().embed_pending()
        get_library().topics.refresh()
        return {"embedded": embedded}

    @app.delete("/documents/{reference:path}")
    def remove(reference: str) -> dict[str, Any]:
        return api().remove(reference)

    @app.get("/tree")
    def tree(document: str, version: int | None = None) -> dict[str, Any]:
        return api().tree(document, version)

    @app.get("/versions")
    def versions(document: str) -> dict[str, Any]:
        return api().versions(document)

    @app.get("/diff")
    def difference(document: str, before: int, after: int) -> dict[str, Any]:
        return api().difference(document, before, after)

    @app.post("/versions/restore")
    def restore(body: VersionBody) -> dict[str, Any]:
        return added([get_library().version_history.restore(body.document, body.version)])

    @app.delete("/versions")
    def delete_version(document: str, version: int) -> dict[str, Any]:
        return get_library().version_history.delete(document, version).to_dict()

    @app.get("/topics")
    def topics() -> dict[str, Any]:
        return api().topics()

    @app.post("/topics/merge")
    def merge_topics(body: MergeBody) -> dict[str, Any]:
        return api().merge_topics(body.topic, body.other)

    @app.post("/topics/summary")
    def summarize_topic(body: TopicBody) -> dict[str, Any]:
        return api().summarize_topic(body.topic)

    @app.post("/summarize")
    def summarize(body: SummaryBody) -> dict[str, Any]:
        return api().summarize(body.document, body.version, body.section, body.nodes)

    @app.get("/page")
    def page(document: str, page: int, version: int | None = None, dpi: int = 110) -> Response:
        picture = get_library().page_image(document, page, version=version, dpi=min(max(dpi, 20), 300))
        return Response(picture, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})

    @app.post("/search")
    def search(body: SearchBody) -> dict[str, Any]:
        return api().search(body.query, body.mode, body.regex, body.top_k, body.filters())

    @app.post("/ask", response_model=None)
    def ask(body: AskBody) -> dict[str, Any] | StreamingResponse:
        if not body.stream:
            return api().ask(body.question, body.filters(), None, body.path, body.max_iterations)
        return StreamingResponse(_events(get_library(), body), media_type="application/x-ndjson")

    @app.post("/reindex")
    def reindex(body: ReindexBody) -> dict[str, Any]:
        return api().reindex(body.document, lambda *_: None)

    @app.post("/export/nodes")
    def export_nodes(body: ExportBody) -> dict[str, Any]:
        return {
            "files": get_library().finder.retrieved_nodes(
                body.query, filters=body.filters(), top_k=body.top_k
            )
        }

    @app.get("/export/indexes")
    def export_indexes(document: str, version: int | None = None) -> Response:
        from engine.export.archive import pack

        packed = pack(lambda folder: get_library().export_indexes(document, folder, version))
        return Response(packed, media_type="application/zip")

    @app.get("/jobs")
    def jobs() -> dict[str, Any]:
        return {"jobs": [job.to_dict() for job in get_library().jobs()]}

    @app.get("/doctor")
    def doctor(deep: bool = False) -> dict[str, Any]:
        return api().doctor(deep)

    return app


@asynccontextmanager
async def _no_lifespan(_app: FastAPI) -> AsyncIterator[None]:
    yield


def _events(library: Library, body: AskBody) -> Iterator[str]:
    """Yield an answer's events as JSON lines while it is being made in another thread."""
    events: queue.Queue[dict[str, Any] | None] = queue.Queue()
    gone = threading.Event()

    def work() -> None:
        try:
            answer = library.ask(
                body.question,
                filters=body.filters(),
                on_event=lambda event: events.put(event_to_dict(event)),
                cancelled=gone.is_set,
                path=body.path,
                max_iterations=body.max_iterations,
            )
            events.put({"answer": answer.to_dict()})
        except DropQAError as error:
            events.put({"error": str(error), "type": type(error).__name__})
        finally:
            events.put(None)

    threading.Thread(target=work, name="ask", daemon=True).start()
    try:
        while (event := events.get()) is not None:
            yield json.dumps(event, ensure_ascii=False) + "\n"
    finally:
        gone.set()
