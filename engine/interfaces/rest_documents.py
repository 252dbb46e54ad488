"""REST of documents and topics, by the routes of seed 003, 7.1."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, UploadFile
from fastapi.concurrency import run_in_threadpool

from engine.config import Strategy
from engine.errors import NotFoundError, UnreadableFileError
from engine.ingest import Source, refuse_without_room
from engine.interfaces.api import LocalApi, added
from engine.interfaces.rest_shapes import (
    Added,
    DocumentDetail,
    Documents,
    MergeBody,
    Paging,
    Reference,
    Removed,
    Text,
    TopicDetail,
    TopicDocuments,
    Topics,
    Uploaded,
    Versions,
    gives,
)
from engine.library import Library
from engine.model import AddResult, Document, Job, document_id_for
from engine.parse.filename import clean_name

Pages = Annotated[Paging, Query()]


def document_routes(get_library: Callable[[], Library], api: Callable[[], LocalApi]) -> APIRouter:
    """Return the routes below ``/documents``."""
    router = APIRouter(prefix="/documents", tags=["documents"])

    @router.get("", **gives(Documents))
    def documents(page: Pages) -> dict[str, Any]:
        return page.of("documents", [listed(one) for one in get_library().documents()])

    @router.put("", **gives(Added), openapi_extra=_A_FILE)
    async def add(
        request: Request, name: Annotated[Text, Query(examples=["note.md"])], strategy: Strategy | None = None
    ) -> dict[str, Any]:
        """Add one file, its bytes being the body, and wait until it is read."""
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

    @router.post("/upload", **gives(Uploaded))
    def upload(files: list[UploadFile]) -> dict[str, Any]:
        """Take in files; each is read in the background, and ``GET /documents/{id}`` tells when it is ready."""
        taken = [_taken(get_library(), file) for file in files]
        return {"success": all(one["status"] != "failed" for one in taken), "documents": taken}

    @router.get("/{reference:path}/versions", **gives(Versions))
    def versions(reference: Reference) -> dict[str, Any]:
        return api().versions(reference)

    @router.post("/{reference:path}/reindex", **gives(Added))
    def reindex_one(reference: Reference) -> dict[str, Any]:
        """Parse the original again."""
        return api().reindex(reference, lambda *_: None)

    @router.get("/{reference:path}", **gives(DocumentDetail))
    def document(reference: Reference) -> dict[str, Any]:
        """Return a document and its topics; one that waits in the queue is "processing"."""
        return _detail(get_library(), reference)

    @router.delete("/{reference:path}", **gives(Removed))
    def remove(reference: Reference) -> dict[str, Any]:
        return api().remove(reference)

    return router


def topic_routes(get_library: Callable[[], Library], api: Callable[[], LocalApi]) -> APIRouter:
    """Return the routes below ``/topics``."""
    router = APIRouter(prefix="/topics", tags=["topics"])

    @router.get("", **gives(Topics))
    def topics(page: Pages) -> dict[str, Any]:
        return page.of("topics", api().topics()["topics"])

    @router.post("/merge", **gives(Topics))
    def merge_topics(body: MergeBody) -> dict[str, Any]:
        """Put the documents of one topic into another; all topics are returned."""
        return Paging().of("topics", api().merge_topics(body.topic, body.other)["topics"])

    @router.get("/{reference:path}/documents", **gives(TopicDocuments))
    def topic_documents(reference: Reference, page: Pages) -> dict[str, Any]:
        return page.of("documents", _members(get_library(), reference))

    @router.get("/{reference:path}", **gives(TopicDetail))
    def topic(reference: Reference) -> dict[str, Any]:
        """Return a topic and its documents."""
        library = get_library()
        return library.topics.get(reference).to_dict() | {"documents": _members(library, reference)}

    return router


def listed(document: Document) -> dict[str, Any]:
    """Return a document's JSON, also by the seed's names."""
    return document.to_dict() | {"id": document.document_id, "filename": document.name}


def _members(library: Library, topic: str) -> list[dict[str, Any]]:
    known = {one.document_id: one for one in library.documents()}
    members = library.topics.get(topic).documents
    return [
        listed(known[one.document_id]) | {"confidence": one.confidence}
        for one in members
        if one.document_id in known
    ]


def _taken(library: Library, file: UploadFile) -> dict[str, Any]:
    """Put an uploaded file into the queue and tell what became of it; what it is, its id says at once."""
    name = file.filename or ""
    told = {"id": document_id_for(clean_name(name)), "filename": name, "status": "processing", "error": None}
    try:
        with tempfile.NamedTemporaryFile(dir=library.folder, prefix="upload-", suffix=".tmp") as copy:
            shutil.copyfileobj(file.file, copy)
            copy.flush()
            queued = library.enqueue(Source(name, Path(copy.name)))
    except UnreadableFileError as error:
        return told | {"id": None, "status": "failed", "error": str(error)}
    return told | ({"status": queued.status} if isinstance(queued, AddResult) else {})


def _detail(library: Library, reference: str) -> dict[str, Any]:
    """Return a document, or what is known of one that is in the queue. Raises NotFoundError."""
    of_file = (job for job in library.jobs() if job.kind == "ingest")
    job = next((one for one in of_file if reference in (one.name, _id_of(one))), None)
    waits = job is not None and job.state in ("queued", "running")
    told: dict[str, Any] = {"status": "processing" if waits else "ready", "error": None, "topics": []}
    try:
        document = library.document(reference)
    except NotFoundError:
        if job is None:
            raise
        told |= {"id": _id_of(job), "filename": job.name}
        return told if waits else told | {"status": "failed", "error": job.error}
    names = [topic.name for topic, _ in library.topics.of_document(document.document_id)]
    return listed(document) | told | {"topics": names}


def _id_of(job: Job) -> str:
    return str(job.payload["received"]["document_id"])


_A_FILE = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "example": "# Note\n\nPier 3 is 120 m long.\n",
            }
        },
    }
}
