"""A file's way into the library: receive, parse, index, commit.

The original is stored first, parsing runs in a worker process, and one commit makes the version
visible, so that a failure at any step leaves the library as it was. Vectors follow in the background
(``engine.background``).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import Settings
from engine.enrich.references import reference_edges
from engine.errors import (
    CancelledError,
    DropQAError,
    EmptyFileError,
    LimitExceededError,
    NotFoundError,
    UnreadableFileError,
)
from engine.index.views import records
from engine.model import AddResult, Tree, document_id_for
from engine.parse.filename import clean_name
from engine.structure.edges import edges_of
from storage.base import Storage, VersionWrite

if TYPE_CHECKING:
    from engine.parse.worker import ParseWorker

OnStage = Callable[[str, float], None]
Cancelled = Callable[[], bool]
TEXT_BATCH = 500


@dataclass(frozen=True)
class Source:
    """A file to add: its name in the library and its bytes, or the path to read them from."""

    name: str
    data: bytes | Path

    def size(self) -> int:
        """Return the size in bytes. Raises UnreadableFileError when the path cannot be read."""
        if isinstance(self.data, bytes):
            return len(self.data)
        try:
            return self.data.stat().st_size
        except OSError as error:
            raise UnreadableFileError(f"{self.name} cannot be read: {error.strerror}.") from error

    def sha256(self) -> str:
        """Return the SHA-256 of the content in hex. Raises UnreadableFileError."""
        if isinstance(self.data, bytes):
            return hashlib.sha256(self.data).hexdigest()
        try:
            with self.data.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise UnreadableFileError(f"{self.name} cannot be read: {error.strerror}.") from error


@dataclass(frozen=True)
class Received:
    """A stored original that is waiting to be parsed, as a new version or in place of one."""

    name: str
    document_id: str
    sha256: str
    size: int
    version: int
    known: bool
    replaces: int | None = None


class Ingest:
    """Turns files into versions in storage. Safe to call from several threads."""

    def __init__(self, storage: Storage, worker: ParseWorker, settings: Callable[[], Settings]) -> None:
        self._storage = storage
        self._worker = worker
        self._settings = settings

    def receive(self, source: Source) -> Received | AddResult:
        """Check and store the original; an AddResult means that there is nothing to parse.

        Raises EmptyFileError, LimitExceededError or StorageError.
        """
        received = self._examine(source)
        if isinstance(received, Received):
            self._storage.files.put(source.data)
        return received

    def _examine(self, source: Source) -> Received | AddResult:
        name = clean_name(source.name)
        size = source.size()
        if size == 0:
            raise EmptyFileError(f"{name} is empty. Check the file and add it again.")
        limit = self._settings().parsing.max_file_mb
        if size > limit * 1024 * 1024:
            raise LimitExceededError(
                f"{name} has {size / 1024 / 1024:.0f} MB; the limit is {limit} MB "
                "(setting parsing.max_file_mb)."
            )
        sha256 = source.sha256()
        document_id = document_id_for(name)
        try:
            document = self._storage.document(document_id)
        except NotFoundError:
            return Received(name, document_id, sha256, size, 1, known=False)
        if document.sha256 == sha256:
            return AddResult(
                document_id, name, document.version, "unchanged", pages=document.pages, nodes=document.nodes
            )
        return Received(name, document_id, sha256, size, document.version + 1, known=True)

    def process(
        self,
        received: Received,
        on_stage: OnStage | None = None,
        cancelled: Cancelled | None = None,
    ) -> AddResult:
        """Parse, index and commit a received file. Raises DropQAError; nothing is visible then."""
        report = on_stage or (lambda _stage, _progress: None)
        started = time.monotonic()
        report("parse", 0.0)
        tree = self._worker.parse(
            self._storage.files.path(received.sha256),
            name=received.name,
            sha256=received.sha256,
            document_id=received.document_id,
            version=received.version,
            on_progress=lambda _stage, done: report("parse", done),
            cancelled=cancelled,
        )
        report("index", 0.0)
        write = self._version_write(tree, received, started)
        report("commit", 0.0)
        if cancelled is not None and cancelled():
            raise CancelledError(f"{received.name} was cancelled.")
        with self._storage.unit_of_work() as unit:
            version = unit.write(write)
            unit.commit()
        return _result(received, tree, version, time.monotonic() - started)

    def add(
        self, source: Source, on_stage: OnStage | None = None, cancelled: Cancelled | None = None
    ) -> AddResult:
        """Add one file; what is wrong with it is told in the result, not raised."""
        try:
            received = self.receive(source)
            if isinstance(received, AddResult):
                return received
            return self.process(received, on_stage, cancelled)
        except CancelledError:
            raise
        except DropQAError as error:
            return AddResult(None, clean_name(source.name), None, "failed", error=str(error))

    def add_texts(self, rows: Iterable[tuple[str, str]]) -> Iterator[AddResult]:
        """Add many small text documents, (name, text) each, a batch in one commit."""
        batch: list[Source] = []
        for name, text in rows:
            batch.append(Source(name, text.encode()))
            if len(batch) == TEXT_BATCH:
                yield from self._add_batch(batch)
                batch = []
        if batch:
            yield from self._add_batch(batch)

    def _add_batch(self, sources: list[Source]) -> list[AddResult]:
        results: list[AddResult] = []
        waiting: list[tuple[Received, bytes]] = []
        for source in sources:
            assert isinstance(source.data, bytes)
            try:
                received = self._examine(source)
            except UnreadableFileError as error:
                received = AddResult(None, clean_name(source.name), None, "failed", error=str(error))
            if isinstance(received, AddResult):
                results.append(received)
            else:
                waiting.append((received, source.data))
        started = time.monotonic()
        self._storage.files.put_many([data for _, data in waiting])
        trees = self._worker.parse_many(
            [(item.name, data, item.sha256, item.document_id, item.version) for item, data in waiting]
        )
        with self._storage.unit_of_work() as unit:
            for (received, _), tree in zip(waiting, trees, strict=True):
                if isinstance(tree, UnreadableFileError):
                    results.append(AddResult(None, received.name, None, "failed", error=str(tree)))
                    continue
                version = unit.write(self._version_write(tree, received, started))
                results.append(_result(received, tree, version, time.monotonic() - started))
            unit.commit()
        return results

    def _version_write(self, tree: Tree, received: Received, started: float) -> VersionWrite:
        return VersionWrite(
            document_id=received.document_id,
            name=received.name,
            media_type=tree.media_type,
            sha256=received.sha256,
            size=received.size,
            pages=tree.pages,
            page_sizes=tree.page_sizes,
            nodes=tree.nodes,
            edges=edges_of(tree) + reference_edges(tree),
            records=records(tree, self._settings()),
            warnings=tree.warnings,
            seconds=round(time.monotonic() - started, 3),
            replaces=received.replaces,
        )


def _result(received: Received, tree: Tree, version: int, seconds: float) -> AddResult:
    return AddResult(
        received.document_id,
        received.name,
        version,
        "updated" if received.known else "added",
        pages=tree.pages,
        nodes=len(tree.nodes),
        seconds=round(seconds, 3),
    )


def sources_in(paths: Iterable[Path], recursive: bool, suffixes: Collection[str]) -> list[Source]:
    """Return the sources behind command-line paths.

    A file is named by its base name. A folder gives the files in it that have one of the ``suffixes``
    (below it, too, when recursive), named relative to the folder, so that equal names in subfolders stay apart.
    Hidden files and folders are left out. Raises UnreadableFileError for a path that does not exist.
    """
    sources: list[Source] = []
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*") if recursive else path.glob("*"))
            names = [file.relative_to(path) for file in found]
            sources += [
                Source(name.as_posix(), file)
                for name, file in zip(names, found, strict=True)
                if file.is_file()
                and not any(part.startswith(".") for part in name.parts)
                and file.suffix.lower() in suffixes
            ]
        elif path.exists():
            sources.append(Source(path.name, path))
        else:
            raise UnreadableFileError(f"{path} does not exist. Check the path.")
    return sources
