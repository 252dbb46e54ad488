"""REST: the JSON of ``--json`` under ``/api``, beside the pages in the same process.

Browsers of other sites cannot use it: a request whose ``Origin`` is not this server, or whose ``Host`` is
not one it serves, is refused (cross-site requests and DNS rebinding).
"""

from __future__ import annotations

import logging
import queue
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.types import Scope

from engine.config import Strategy
from engine.errors import (
    READING_ONLY,
    AccessError,
    BusyError,
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
from engine.interfaces.api_docs import add_docs
from engine.interfaces.limits import MEGABYTE, Allowance, BodyLimit, from_here, hostname
from engine.interfaces.rest_errors import INTERNAL, UNEXPECTED, add_handlers, as_line, told
from engine.library import Library
from engine.model import AddResult, Filters

log = logging.getLogger(__name__)
LONGEST_TEXT = 100_000
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
STATUS: dict[type[DropQAError], int] = {
    AccessError: 403,
    BusyError: 503,
    CancelledError: 503,
    NotFoundError: 404,
    UsageError: 422,
    LimitExceededError: 413,
    UnreadableFileError: 415,
    ProviderError: 502,
    StorageError: 507,
}


def _whole(text: str) -> str:
    """Return a text whose characters are whole; halves (lone surrogates) and NUL stand in no document."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("holds characters that no text has")
    return text


Text = Annotated[str, AfterValidator(_whole), Field(max_length=LONGEST_TEXT)]
# Levels, pages, versions, counts: the largest that the stores can hold is far beyond any of them.
Number = Annotated[int, Field(ge=1, le=1_000_000)]


class FilterBody(BaseModel):
    """The filters that search and ask share."""

    model_config = ConfigDict(extra="forbid")

    document: list[Text] = []
    topic: list[Text] = []
    role: list[Text] = []
    section: Text | None = None
    version: Number | None = None
    pages: tuple[Number, Number] | None = None
    level: list[Number] = []
    unit: list[Text] = []
    chart_type: list[Text] = []
    has_numbers: bool | None = None

    def filters(self) -> Filters:
        """Return them as the engine's value."""
        return Filters(
            tuple(self.document), tuple(self.topic), tuple(self.role), self.section, self.version, self.pages,
            tuple(self.level), tuple(self.unit), tuple(self.chart_type), self.has_numbers,
        )  # fmt: skip


class SearchBody(FilterBody):
    """A search."""

    query: Text
    mode: Text = "hybrid"
    regex: bool = False
    top_k: Number | None = None


class ExportBody(FilterBody):
    """A question whose nodes are exported."""

    query: Text
    top_k: Number | None = None


class TurnBody(BaseModel):
    """One earlier message of a conversation."""

    role: Literal["user", "assistant"]
    text: str = Field(max_length=100_000)


class AskBody(FilterBody):
    """A question; ``stream`` sends events as JSON lines and the answer as the last.

    ``path`` is auto, direct (one search) or agent (a loop of at most ``max_iterations`` rounds). ``history`` holds the
    earlier messages of the conversation, the oldest first. ``model`` of the endpoint answers in place of the one
    that is set up; ``instructions`` say how the answer is to be.
    """

    question: Text
    history: list[TurnBody] = Field(default_factory=list, max_length=100)
    stream: bool = False
    path: Literal["auto", "direct", "agent"] = "auto"
    max_iterations: int | None = Field(None, ge=1, le=20)
    model: str = Field("", max_length=200)
    instructions: str = Field("", max_length=4000)

    def turns(self) -> list[tuple[str, str]]:
        """Return the earlier messages as (role, text)."""
        return [(turn.role, turn.text) for turn in self.history]


class ReindexBody(BaseModel):
    """Which document to parse again; null for all."""

    document: Text | None = None


class VersionBody(BaseModel):
    """One version of a document."""

    document: Text
    version: Number


class SummaryBody(BaseModel):
    """What to summarise: a document, the section with this title, or chosen nodes."""

    document: Text
    version: Number | None = None
    section: Text = ""
    nodes: list[Text] = []


class TopicBody(BaseModel):
    """A topic, by id or name."""

    topic: Text


class MergeBody(TopicBody):
    """A topic, and the one whose documents it takes over."""

    other: Text


def create_api(get_library: Callable[[], Library]) -> FastAPI:
    """Return the REST app, to be mounted at ``/api``.

    It answers to loopback names and to those of the setting ``server.allowed_hosts``.
    """
    app = FastAPI(
        title="DropQA", docs_url=None, redoc_url=None, openapi_url="/openapi.json", lifespan=_no_lifespan
    )
    add_docs(app)

    @app.middleware("http")
    async def same_site(request: Request, call_next: Any) -> Any:
        name = hostname(request.headers.get("host", ""))
        if name is None:
            return told("The host name is malformed.", "UsageError", 400)
        if name not in LOOPBACK and name not in get_library().settings.server.allowed_hosts:
            return told("This host name is not served here.", "AccessError", 403)
        if not from_here(request.scope):
            return told("Requests from other sites are refused.", "AccessError", 403)
        return await call_next(request)

    app.add_middleware(BodyLimit, allowance=lambda scope: _allowance(get_library(), scope))
    add_handlers(app, STATUS)

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
    async def add(request: Request, name: Text, strategy: Strategy | None = None) -> dict[str, Any]:
        library = get_library()
        announced = request.headers.get("content-length", "")
        refuse_without_room(name, int(announced) if announced.isdigit() else 0, library.storage.free_bytes())
        with tempfile.NamedTemporaryFile(dir=library.folder, prefix="upload-", suffix=".tmp") as file:
            async for chunk in request.stream():
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
    def remove(reference: Text) -> dict[str, Any]:
        return api().remove(reference)

    @app.get("/tree")
    def tree(document: Text, version: Number | None = None) -> dict[str, Any]:
        return api().tree(document, version)

    @app.get("/versions")
    def versions(document: Text) -> dict[str, Any]:
        return api().versions(document)

    @app.get("/diff")
    def difference(document: Text, before: Number, after: Number) -> dict[str, Any]:
        return api().difference(document, before, after)

    @app.post("/versions/restore")
    def restore(body: VersionBody) -> dict[str, Any]:
        return added([get_library().version_history.restore(body.document, body.version)])

    @app.delete("/versions")
    def delete_version(document: Text, version: Number) -> dict[str, Any]:
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
    def page(document: Text, page: Number, version: Number | None = None, dpi: int = 110) -> Response:
        picture = get_library().page_image(document, page, version=version, dpi=min(max(dpi, 20), 300))
        return Response(picture, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})

    @app.post("/search")
    def search(body: SearchBody) -> dict[str, Any]:
        return api().search(body.query, body.mode, body.regex, body.top_k, body.filters())

    @app.post("/ask", response_model=None)
    def ask(body: AskBody) -> dict[str, Any] | StreamingResponse:
        if not body.stream:
            return api().ask(
                body.question,
                body.filters(),
                body.path,
                body.max_iterations,
                body.turns(),
                body.model,
                body.instructions,
            )
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
    def export_indexes(document: Text, version: Number | None = None) -> Response:
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


def _allowance(library: Library, scope: Scope) -> Allowance:
    """Return how much a request may bring: a file where files are added, else a question and what goes with it."""
    if scope["method"] != "PUT" or not scope["path"].endswith("/documents"):
        return Allowance()
    if library.settings.access.read_only:
        return Allowance(refusal=READING_ONLY)
    return Allowance(library.settings.parsing.max_file_mb * MEGABYTE)


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
                history=body.turns(),
                model=body.model,
                instructions=body.instructions,
            )
            events.put({"answer": answer.to_dict()})
        except DropQAError as error:
            events.put({"error": str(error), "type": type(error).__name__})
        except Exception:  # the boundary of a thread whose caller waits for an answer
            log.exception("A question failed")
            events.put({"error": UNEXPECTED, "type": INTERNAL})
        finally:
            events.put(None)

    threading.Thread(target=work, name="ask", daemon=True).start()
    try:
        while (event := events.get()) is not None:
            yield as_line(event)
    finally:
        gone.set()
