"""What is in a library, and what is missing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.model import Job, Value
from engine.retrieve.notes import READING

if TYPE_CHECKING:
    from engine.background import Background


@dataclass(frozen=True, slots=True)
class LibraryStatus(Value):
    """What is in the library and what is missing; ``missing`` holds sentences for the user."""

    documents: int
    nodes: int
    embedded: int
    retrievable: int
    embedder: str | None
    llm: str | None
    generation: int
    missing: list[str] = field(default_factory=list)


def jobs_of(status: LibraryStatus, background: Background, topics: float | None, queued: Sequence[Job]) -> list[Job]:
    """Return the work that is in no queue while there is some: computing vectors, and topics (the share done).

    Each ``queued`` file that is still to be read counts as so many vectors as the documents have on average.
    """
    jobs = []
    left = status.retrievable - status.embedded
    if status.embedder and left > 0:
        pace = background.embedding
        files = sum(job.kind in READING and job.state in ("queued", "running") for job in queued)
        left += files * status.retrievable // status.documents
        error, eta = background.embedding_failed, pace.seconds_left(left)
        jobs.append(_unqueued("embed", pace.share(left), eta, error))
    if topics is not None:
        eta = background.sorting.seconds_left(round(1000 * (1 - topics)))
        jobs.append(_unqueued("topics", topics, eta))
    return jobs


def _unqueued(kind: str, share: float, eta: float | None, error: str | None = None) -> Job:
    now = time.time()
    return Job(kind, kind, "", "", "running", kind, share, error, {}, now, now, eta)
