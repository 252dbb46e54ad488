"""REST of documents and topics, by the routes of seed 003, 7.1."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Query, UploadFile

from engine.config import Strategy
from engine.errors import NotFoundError, StorageError, UnreadableFileError
from engine.ingest import Source
from engine.interfaces import library_commands
from engine.interfaces import rest_shapes as shapes
from engine.interfaces.library_commands import added, dicts, removed
from engine.interfaces.rest_shapes import Paging, Reference, Text, gives
from engine.library import Library
from engine.model import AddResult, Document, Job, document_id_for
from engine.parse.filename import clean_name
from engine.visited_library import within
from storage.visible import MOST_JOBS

Pages = Annotated[Paging, Query()]
Within = Annotated[Sequence[Text], Query(description="ids or names of collections to look in")]


def document_routes(get_library: Callable[[], Library]) -> APIRouter:
    """Return the routes below ``/documents``."""
    router = APIRouter(prefix="/documents", tags=["documents"])

    @router.get("", **gives(shapes.Documents))
    def documents(page: Pages, collection: Within = ()) -> dict[str, Any]:
        """List the documents, the last changed first."""
        found = within(get_library(), collection).documents()
        return page.of("documents", [listed(one) for one in found])

    @router.post("/upload", **gives(shapes.Uploaded), openapi_extra=_FILES)
    def upload(
        files: list[UploadFile], collection: Text | None = None, strategy: Strategy | None = None
    ) -> dict[str, Any]:
        """Take in files; each is read in the background, and ``GET /documents/{id}`` tells when it is ready."""
        taken = [_taken(get_library(), file, collection, strategy) for file in files]
        return {"success": all(one["status"] != "failed" for one in taken), "documents": taken}

    @router.get("/{reference:path}/versions", **gives(shapes.Versions))
    def versions(reference: Reference, page: Pages) -> dict[str, Any]:
        """List a document's versions, the newest first."""
        found = library_commands.versions(get_library(), reference)
        return found | page.of("versions", found["versions"])

    @router.post("/{reference:path}/reindex", **gives(shapes.Added))
    def reindex_one(reference: Reference) -> dict[str, Any]:
        """Parse the original again."""
        return added(get_library().reindex(reference))

    @router.get("/{reference:path}", **gives(shapes.DocumentDetail))
    def document(reference: Reference) -> dict[str, Any]:
        """Return a document and its topics; one that waits in the queue is "processing"."""
        return _detail(get_library(), reference)

    @router.delete("/{reference:path}", **gives(shapes.Removed))
    def remove(reference: Reference) -> dict[str, Any]:
        """Delete a document with all its versions."""
        return removed(get_library(), reference)

    return router


def topic_routes(get_library: Callable[[], Library]) -> APIRouter:
    """Return the routes below ``/topics``."""
    router = APIRouter(prefix="/topics", tags=["topics"])

    @router.get("", **gives(shapes.Topics))
    def topics(page: Pages, collection: Within = ()) -> dict[str, Any]:
        """List the topics, the largest first, each with its documents."""
        return page.of("topics", dicts(within(get_library(), collection).topics.all()))

    @router.post("/merge", **gives(shapes.Topics))
    def merge_topics(body: shapes.MergeBody) -> dict[str, Any]:
        """Put the documents of one topic into another; all topics are returned."""
        known = get_library().topics
        known.merge(body.topic, body.other)
        return Paging().of("topics", dicts(known.all()))

    @router.get("/{reference:path}/documents", **gives(shapes.TopicDocuments))
    def topic_documents(reference: Reference, page: Pages) -> dict[str, Any]:
        """List the documents of a topic, the surest first."""
        return page.of("documents", _members(get_library(), reference))

    @router.get("/{reference:path}", **gives(shapes.TopicDetail))
    def topic(reference: Reference) -> dict[str, Any]:
        """Return a topic and its documents."""
        library = get_library()
        return library.topics.get(reference).to_dict() | {"documents": _members(library, reference)}

    return router


def listed(document: Document) -> dict[str, Any]:
    """Return a document's JSON, also by the seed's names."""
    return document.to_dict() | {"id": document.document_id, "filename": document.name}


def _members(library: Library, topic: str) -> list[dict[str, Any]]:
    known = {one.document_id: listed(one) for one in library.documents()}
    members = library.topics.get(topic).documents
    found = [known.get(one.document_id, {}) | {"confidence": one.confidence} for one in members]
    return [one for one in found if "id" in one]


def _taken(library: Library, file: UploadFile, collection: str | None, strategy: Strategy | None) -> dict[str, Any]:
    """Put an uploaded file into the queue and tell what became of it; what it is, its id says at once."""
    name = file.filename or ""
    told = {"id": document_id_for(clean_name(name)), "filename": name, "status": "processing", "error": None}
    try:
        with tempfile.NamedTemporaryFile(dir=library.folder, prefix="upload-", suffix=".tmp") as copy:
            shutil.copyfileobj(file.file, copy)
            copy.flush()
            queued = library.enqueue(Source(name, FilePath(copy.name), strategy, collection=collection))
    except OSError as error:
        raise StorageError(
            f"A file cannot be stored in {library.folder} ({error}). Free disk space or mend the permissions."
        ) from error
    except UnreadableFileError as error:
        return told | {"id": None, "status": "failed", "error": str(error)}
    if isinstance(queued, AddResult):
        return told | {"id": queued.document_id, "status": queued.status}
    return told | {"id": _id_of(library.storage.jobs.get(queued))}


def _detail(library: Library, reference: str) -> dict[str, Any]:
    """Return a document, or what is known of one that is in the queue. Raises NotFoundError."""
    job = _job_of(library, reference)
    waits = job is not None and job.state in ("queued", "running")
    told: dict[str, Any] = {"status": "processing" if waits else "ready", "error": None, "topics": []}
    try:
        document = library.document(reference)
    except NotFoundError:
        if job is None or job.state == "done":  # read, and removed since
            raise
        told |= {"id": _id_of(job), "filename": job.name}
        return told if waits else told | {"status": "failed", "error": job.error}
    names = [topic.name for topic, _ in library.topics.of_document(document.document_id)]
    return listed(document) | told | {"topics": names}


def _job_of(library: Library, reference: str) -> Job | None:
    """Return the newest job that reads a file, by the file's name or the document's id."""
    jobs = (job for job in library.jobs(limit=MOST_JOBS) if job.kind == "ingest")
    return next((job for job in jobs if reference in (job.name, _id_of(job))), None)


def _id_of(job: Job) -> str:
    return str(job.payload["received"]["document_id"])


_FILES = {"requestBody": {"content": {"multipart/form-data": {"example": {"files": ["plan.docx", "budget.xlsx"]}}}}}
