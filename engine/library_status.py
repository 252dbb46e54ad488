"""What is in a library, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import Settings
from engine.model import Document, Job, Value
from storage.base import Snapshot

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder


@dataclass(frozen=True, slots=True)
class LibraryStatus(Value):
    """What is in the library and what is missing; ``missing`` holds sentences for the user."""

    documents: int
    nodes: int
    embedded: int
    retrievable: int
    embedder: str | None
    llm: str | None
    folder: str
    generation: int
    missing: list[str] = field(default_factory=list)


def status_of(
    documents: Sequence[Document],
    snapshot: Snapshot,
    embedder: Embedder | None,
    settings: Settings,
    folder: Path,
    missing: list[str],
) -> LibraryStatus:
    """Return the figures of a library; without an embedder, nothing counts as embedded."""
    embedded, retrievable = snapshot.coverage(embedder.name) if embedder else (0, 0)
    return LibraryStatus(
        documents=len(documents),
        nodes=sum(document.nodes for document in documents),
        embedded=embedded,
        retrievable=retrievable,
        embedder=embedder.name if embedder else None,
        llm=settings.llm.model or "default" if settings.llm.configured else None,
        folder=str(folder),
        generation=snapshot.generation,
        missing=missing,
    )


def jobs_of(status: LibraryStatus, embedding_failed: str | None, topics: float | None) -> list[Job]:
    """Return the work that is in no queue, while it goes on: computing vectors, and topics (the share done)."""
    jobs = []
    if status.embedder and status.embedded < status.retrievable:
        jobs.append(_running("embed", status.embedded / status.retrievable, embedding_failed))
    if topics is not None:
        jobs.append(_running("topics", topics, None))
    return jobs


def _running(kind: str, share: float, error: str | None) -> Job:
    return Job(kind, kind, "", "", "running", kind, share, error, {}, 0, 0)
