"""What the library keeps of files: documents, versions, what became of an addition, background work, health."""

from dataclasses import dataclass, field
from typing import Any, Literal

from engine.model.values import Value


@dataclass(frozen=True, slots=True)
class Version(Value):
    """One version of a document: its original file, by SHA-256, and what parsing made of it."""

    document_id: str
    version: int
    sha256: str
    size: int
    media_type: str
    pages: int | None
    nodes: int
    created_at: float
    current: bool = True
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    strategy: str = "recursive"


@dataclass(frozen=True, slots=True)
class Document(Value):
    """A document as the library lists it; the figures are those of the current version.

    ``embedded`` is how many of its ``retrievable`` nodes have a vector yet. ``path`` is where its file lies in a
    watched folder, if it does; ``archived`` since when it is put away, in seconds since 1970, None when it is not;
    ``collection`` is the name of the one that it is in, if any.
    """

    document_id: str
    name: str
    media_type: str
    version: int
    versions: int
    sha256: str
    size: int
    pages: int | None
    nodes: int
    created_at: float
    updated_at: float
    embedded: int = 0
    retrievable: int = 0
    warnings: list[str] = field(default_factory=list)
    strategy: str = "recursive"
    path: str = ""
    archived: float | None = None
    collection: str = ""


@dataclass(frozen=True, slots=True)
class Collection(Value):
    """A named set of documents. ``readers`` and ``editors`` are who may see and change it, both empty: everyone."""

    collection_id: str
    name: str
    documents: int
    readers: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()


CorrectionKind = Literal["heading", "text", "title", "header_rows"]


@dataclass(frozen=True, slots=True)
class Correction(Value):
    """What somebody says of a document against what was read: something is a heading (of a ``level``, and called
    ``text`` where that is given) or is none ("text"), the title, how many ``rows`` of a table are its header.

    ``place`` finds it in any version of the file (see ``engine.structure.corrections``), ``said`` is what stood there.
    """

    kind: CorrectionKind
    place: str = "title"
    text: str = ""
    level: int = 1
    rows: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class AddResult(Value):
    """What became of one file that was added; the shape of ``dropqa add --json``."""

    document_id: str | None
    name: str
    version: int | None
    status: Literal["added", "updated", "unchanged", "failed"]
    error: str | None = None
    pages: int | None = None
    nodes: int = 0
    seconds: float = 0.0


JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Job(Value):
    """A piece of background work. ``progress`` is 0..1; ``eta`` is in seconds, None when unknown."""

    job_id: str
    kind: str
    name: str
    owner: str
    state: JobState
    stage: str
    progress: float
    error: str | None
    payload: dict[str, Any]
    created_at: float
    updated_at: float
    eta: float | None = None

    @property
    def document_id(self) -> str:
        """The document that the work is on, "" for work on the whole library."""
        return str(self.payload.get("received", {}).get("document_id", ""))


@dataclass(frozen=True, slots=True)
class Check(Value):
    """One line of ``dropqa doctor``; ``fix`` says what to do when ``ok`` is false."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
