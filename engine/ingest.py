"""A file's way into the library: receive, parse, index, commit.

The original is stored first, parsing runs in a worker process, and one commit makes the version visible, so that a
failure at any step leaves the library as it was. Vectors and the text of scanned pages follow in the background.
"""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from pathlib import Path

from engine.config import Settings, Strategy
from engine.errors import (
    CancelledError,
    DiskFullError,
    DropQAError,
    EmptyFileError,
    LimitExceededError,
    NotFoundError,
    StorageError,
    UnreadableFileError,
    UsageError,
)
from engine.index.affordances import facets_of
from engine.index.graph_edges import graph_edges
from engine.index.strategies import BY_MODEL, WITHOUT_MODEL_NOTHING, records, strategy_of
from engine.model import AddResult, Correction, Document, Tree, Version, document_id_for
from engine.parse.detect import refuse_unknown
from engine.parse.filename import clean_name
from engine.parse.worker import ParseWorker
from engine.providers.cancelling import Cancelled
from storage.base import Storage, VersionWrite
from storage.collections import place

OnStage = Callable[[str, float], None]
# Gets the name of a file, a stage and the share of it done.
OnProgress = Callable[[str, str, float], None]
TEXT_BATCH, MOST_WAITING = 500, 100_000
# What a file takes in the library for each of its bytes: itself, an upload on its way, tree, index and vectors.
BYTES_A_BYTE, BYTES_TO_SPARE = 5, 16_000_000
OCR_JOB, ENRICH_JOB = "ocr", "enrich"


@dataclass(frozen=True)
class Source:
    """A file to add: its name in the library and its bytes, or the path to read them from.

    ``strategy`` is how it is to be indexed; None: as the version before, or as the settings say. With
    ``again`` a file that is in already is read once more, in place of what was made of it. ``document_id`` is the
    document that it is the content of, which has this name from then on; empty: the one that has it already.
    ``collection`` is the id or name of the one that it comes into, empty: none; None leaves it where it is.
    """

    name: str
    data: bytes | Path
    strategy: Strategy | None = None
    again: bool = False
    document_id: str = ""
    collection: str | None = None

    def size(self) -> int:
        """Return the size in bytes. Raises UnreadableFileError when the path cannot be read."""
        with self._readable():
            return len(self.data) if isinstance(self.data, bytes) else self.data.stat().st_size

    def sha256(self) -> str:
        """Return the SHA-256 of the content in hex. Raises UnreadableFileError."""
        with self._readable(), BytesIO(self.data) if isinstance(self.data, bytes) else self.data.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
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
    strategy: Strategy = "recursive"
    created_at: float | None = None
    """When a version that the catalog has lost was made, in seconds since 1970; None: it is a new one."""

    def is_made(self, document: Document) -> bool:
        """Tell whether somebody else was faster."""
        return (document.sha256, document.version, document.archived) == (self.sha256, self.version, None)


def stages_of(name: str, on_progress: OnProgress | None) -> OnStage | None:
    """Return what tells ``on_progress`` of the stages of one file."""
    return on_progress and (lambda stage, done: on_progress(name, stage, done))


def once_more(document: Document, version: Version | None = None) -> Received:
    """Return a version's original (None: the current one), to be parsed in place of what was made of it."""
    made = version or document
    return Received(
        document.name, document.document_id, made.sha256, made.size, made.version, known=True, replaces=made.version,
        strategy=strategy_of(made),
    )  # fmt: skip


@dataclass(eq=False)
class Ingest:
    """Turns files into versions in storage. Safe to call from several threads.

    Scanned pages are read by a worker of their own, so that no file waits for them.

    ``ocr_cache`` is the folder that keeps what text recognition has read.
    """

    _storage: Storage
    _worker: ParseWorker
    _reader: ParseWorker
    _settings: Callable[[], Settings]
    _ocr_cache: Path

    def receive(self, source: Source) -> Received | AddResult:
        """Check and store the original; an AddResult means that there is nothing to parse.

        Raises EmptyFileError, LimitExceededError or StorageError.
        """
        received = self._examine(source)
        if isinstance(received, Received):
            stored = self._storage.files.put(source.data)
            if stored != received.sha256:
                raise UnreadableFileError(
                    f"{received.name} was changed while it was being read. Add it again when it is complete."
                )
        return received

    def _examine(self, source: Source) -> Received | AddResult:
        """Return what is to be parsed, if anything is, its document being in the collection that it belongs to."""
        result = self._looked_at(source)
        known = isinstance(result, AddResult) or result.known
        place(self._storage.collections, str(result.document_id), source.collection, known=known)
        return result

    def _looked_at(self, source: Source) -> Received | AddResult:
        name, size = clean_name(source.name), source.size()
        self._check_size(name, size)
        refuse_unknown(source.data, name)
        sha256 = source.sha256()
        document = self._found(source.document_id) if source.document_id else self.document_named(name)
        if document is None:
            strategy = self._checked(source.strategy or self._settings().indexing.strategy)
            return Received(name, self._new_id(name), sha256, size, 1, known=False, strategy=strategy)
        document_id = document.document_id
        strategy = source.strategy or strategy_of(document)
        renamed = bool(source.document_id) and document.name != name
        made = (document.sha256, document.strategy, document.archived) == (sha256, strategy, None)
        if made and not (source.again or renamed):
            self._mend_original(source, sha256)
            return AddResult(
                document_id, name, document.version, "unchanged", pages=document.pages, nodes=document.nodes
            )
        same = document.sha256 == sha256
        version = document.version + (not same)
        replaces = version if same else None
        return Received(name, document_id, sha256, size, version, True, replaces, self._checked(strategy))

    def _check_size(self, name: str, size: int) -> None:
        if size == 0:
            raise EmptyFileError(f"{name} is empty. Check the file and add it again.")
        limit = self._settings().parsing.max_file_mb
        if size > limit * 1024 * 1024:
            raise LimitExceededError(
                f"{name} has {size / 1024 / 1024:.0f} MB; the limit is {limit} MB (setting parsing.max_file_mb)."
            )
        refuse_without_room(name, size, self._storage.free_bytes())

    def document_named(self, name: str) -> Document | None:
        """Return the document of this name, also one that is put away; None when there is none."""
        found = filter(None, map(self._found, (document_id_for(name), name)))
        return next((one for one in found if one.name.casefold() == name.casefold()), None)

    def _found(self, reference: str) -> Document | None:
        try:
            return self._storage.document(reference, archived=True)
        except NotFoundError:
            return None

    def _new_id(self, name: str) -> str:
        """Return the id of a new document: that of its name, unless a document has it that was renamed."""
        document_id = document_id_for(name)
        while not self._storage.is_free(document_id):
            document_id = document_id_for(f"{name}\n{document_id}")
        return document_id

    def _mend_original(self, source: Source, sha256: str) -> None:
        """Store an original again that the library has, unless it is still what it was."""
        try:
            self._storage.files.verified(sha256)
        except (NotFoundError, StorageError):
            self._storage.files.put(source.data)

    def _checked(self, strategy: Strategy) -> Strategy:
        if strategy in WITHOUT_MODEL_NOTHING and not self._settings().indexing_llm.configured:
            raise UsageError(
                f"The indexing strategy {strategy} needs a language model and none is set up. "
                "Set llm.api_base (and llm.api_key), or indexing.api_base, or choose another strategy."
            )
        return strategy

    def process(
        self, received: Received, on_stage: OnStage | None = None, cancelled: Cancelled | None = None
    ) -> AddResult:
        """Parse, index and commit a received file. Raises DropQAError; nothing is visible then.

        Scanned pages, and pictures that may hold text, are queued as a job "ocr"; those of a version that is
        parsed again are read at once if they were read before.
        """
        read_scans = received.replaces is not None and self.ocr_cache(received.sha256).is_dir()
        result, tree = self._process(received, on_stage, cancelled, read_scans=read_scans)
        # One that is unchanged may have been made by a run that was killed before it queued the rest.
        waiting = replace(received, version=result.version or 1, known=True, replaces=result.version)
        if (tree.unread_pages or tree.unread_pictures) and not read_scans:
            unread = {"pages": len(tree.unread_pages), "pictures": tree.unread_pictures}
            payload = {"received": dict(waiting.__dict__), **unread}
            self._storage.jobs.enqueue(OCR_JOB, received.name, payload)
        else:
            self._queue_enrichment(waiting, tree)
        return result

    def queue(self, received: Received, owner: str = "") -> str:
        """Queue a stored original to be parsed; return the job's id. Raises StorageError."""
        payload = {"received": dict(received.__dict__), "sha256": received.sha256}
        return self._storage.jobs.enqueue("ingest", received.name, payload, owner)

    def queue_again(self, document: Document, owner: str = "") -> None:
        """Queue a document's current original to be parsed again, unless it waits for that. Raises StorageError."""
        files = [job for job in self._storage.jobs.list(("queued",)) if job.kind == "ingest"]
        queued = {job.document_id: int(job.payload["received"]["version"]) for job in reversed(files)}
        if queued.get(document.document_id, 0) < document.version:
            self.queue(once_more(document), owner)

    def _queue_enrichment(self, received: Received, tree: Tree) -> None:
        """Queue what models have to say of a version as a job "enrich", where one is set up."""
        settings = self._settings()
        pictures = any(node.role == "image" for node in tree.nodes)
        asked = settings.summary.with_model or settings.indexing.relations or received.strategy in BY_MODEL
        if (asked and settings.indexing_llm.configured) or (settings.vision.configured and pictures):
            self._storage.jobs.enqueue(ENRICH_JOB, received.name, {"received": dict(received.__dict__)})

    def reparse(self, document: Document, on_stage: OnStage | None = None) -> AddResult:
        """Parse a document's current original again and replace its tree in place; a failure is told, not raised."""
        received = once_more(document)
        try:
            return self.process(received, on_stage)
        except DropQAError as error:
            return AddResult(document.document_id, document.name, None, "failed", error=str(error))

    def read(
        self, received: Received, on_stage: OnStage | None = None, cancelled: Cancelled | None = None
    ) -> AddResult:
        """Read the scanned pages of a version and replace its tree; a version that is gone is left alone.

        Raises DropQAError; the version stays as it was then, and what was read is not lost.
        """
        try:
            # It may have been indexed in another way since its pages were queued.
            received = replace(received, strategy=strategy_of(self._target(received)))
            result, tree = self._process(received, on_stage, cancelled, read_scans=True)
        except NotFoundError:
            return AddResult(received.document_id, received.name, received.replaces, "unchanged")
        self._queue_enrichment(received, tree)
        return result

    def revise(self, received: Received, change: Callable[[Tree], Tree]) -> None:
        """Replace the tree of a version by what ``change`` makes of it: the same nodes, with more known of them.

        Raises NotFoundError when the version is gone, StorageError.
        """
        with self._storage.unit_of_work() as unit:
            version = self._target(received)
            tree = change(self._storage.tree(received.document_id, received.replaces))
            received = replace(received, strategy=strategy_of(version))
            unit.write(version_write(tree, received, self._settings(), version.seconds))
            unit.commit()

    def mend(self, document_id: str, number: int) -> None:
        """Write a version's graph and index again from its nodes; nothing is parsed.

        Raises NotFoundError, StorageError.
        """
        for version in self._storage.versions(document_id):
            if version.version == number:
                received = once_more(self._storage.document(document_id), version)
                self.revise(received, lambda tree: tree)

    def originals(self, document_id: str) -> set[str]:
        """Return the SHA-256 of the originals of all versions of a document."""
        return {version.sha256 for version in self._storage.versions(document_id, archived=True)}

    def forget(self, document_id: str, originals: Iterable[str]) -> None:
        """Stop the work on a document that was removed, and drop what was read from its originals (SHA-256).

        Uploads of it that wait are cancelled, so that it does not come back; they can be tried again.
        """
        for job in self._storage.jobs.list(("queued", "running"), limit=MOST_WAITING):
            if job.document_id == document_id:
                self._storage.jobs.cancel(job.job_id)
                if job.kind == "ingest" and job.payload["received"]["replaces"] is not None:
                    self._storage.jobs.dismiss(job.job_id)
        for sha256 in originals:
            shutil.rmtree(self.ocr_cache(sha256), ignore_errors=True)

    def rest(self) -> None:
        """Free the memory that reading scanned pages took."""
        self._reader.rest()

    def ocr_cache(self, sha256: str) -> Path:
        """Return the folder of what was read from an original; it exists when that has begun."""
        return self._ocr_cache / sha256

    def _process(
        self, received: Received, on_stage: OnStage | None, cancelled: Cancelled | None, *, read_scans: bool
    ) -> tuple[AddResult, Tree]:
        report = on_stage or (lambda _stage, _progress: None)
        started = time.monotonic()
        corrections = self._storage.corrections.of(received.document_id)
        tree = self._parsed(received, corrections, report, cancelled, read_scans)
        report("index", 0.0)
        write = version_write(tree, received, self._settings(), time.monotonic() - started)
        report("commit", 0.0)
        with self._storage.unit_of_work() as unit:
            if cancelled is not None and cancelled():
                raise CancelledError(f"{received.name} was cancelled.")
            if received.replaces is not None:
                self._target(received, archived=True)
            elif (there := self._found(received.document_id)) and received.is_made(there):
                return AddResult(there.document_id, there.name, there.version, "unchanged"), tree
            version = unit.write(write)
            unit.commit()
        made_meanwhile = self._storage.corrections.of(received.document_id) != corrections
        if made_meanwhile and (document := self._found(received.document_id)):
            self.queue_again(document)
        return _result(received, tree, version, time.monotonic() - started), tree

    def _parsed(
        self, received: Received, corrections: Sequence[Correction], report: OnStage, cancelled: Cancelled | None,
        read_scans: bool,
    ) -> Tree:  # fmt: skip
        stage, worker = ("ocr", self._reader) if read_scans else ("parse", self._worker)
        report(stage, 0.0)

        def told(step: str, done: float) -> None:
            # Before and after its pages are read, a scan only takes moments.
            report(stage, done if not read_scans or step == "ocr" else float(step == "structure"))

        return worker.parse(
            self._storage.files.verified(received.sha256), name=received.name, sha256=received.sha256,
            document_id=received.document_id, version=received.version, on_progress=told, cancelled=cancelled,
            ocr=self._settings().ocr, read_scans=read_scans, cache_dir=self.ocr_cache(received.sha256),
            corrections=corrections,
        )  # fmt: skip

    def _target(self, received: Received, archived: bool = False) -> Version:
        """Return the version that is to be replaced. Raises NotFoundError when it is another file's now, or gone."""
        for version in self._storage.versions(received.document_id, archived):
            if version.version == received.replaces and version.sha256 == received.sha256:
                return version
        raise NotFoundError(f"{received.name} has no version {received.replaces} of this file any more.")

    def add(
        self, source: Source, on_stage: OnStage | None = None, cancelled: Cancelled | None = None,
        on_cut_short: Callable[[Received], None] = lambda received: None,
    ) -> AddResult:  # fmt: skip
        """Add one file; what is wrong with it is told in the result, not raised.

        ``on_cut_short`` gets a stored file whose reading was cancelled. Raises CancelledError after that.
        """
        received: Received | AddResult | None = None
        try:
            received = self.receive(source)
            if isinstance(received, AddResult):
                return received
            return self.process(received, on_stage, cancelled)
        except CancelledError:
            if isinstance(received, Received):
                on_cut_short(received)
            raise
        except DropQAError as error:
            return AddResult(None, clean_name(source.name), None, "failed", error=str(error))

    def add_texts(self, rows: Iterable[tuple[str, str]], strategy: Strategy | None = None) -> Iterator[AddResult]:
        """Add many small text documents, (name, text) each, a batch in one commit."""
        sources = (Source(name, text.encode(), strategy) for name, text in rows)
        while batch := list(islice(sources, TEXT_BATCH)):
            yield from self.add_batch(batch)

    def add_batch(self, sources: Sequence[Source]) -> list[AddResult]:
        """Add small text documents whose bytes are given in one commit; those without a change come first."""
        results: list[AddResult] = []
        waiting: list[tuple[Received, bytes]] = []
        for source in sources:
            try:
                received = self._examine(source)
            except (UnreadableFileError, DiskFullError) as error:
                received = AddResult(None, clean_name(source.name), None, "failed", error=str(error))
            if isinstance(received, AddResult):
                results.append(received)
            else:
                assert isinstance(source.data, bytes)
                waiting.append((received, source.data))
        started = time.monotonic()
        self._storage.files.put_many([data for _, data in waiting])
        trees = self._worker.parse_many(
            [(item.name, data, item.sha256, item.document_id, item.version) for item, data in waiting],
            self._storage.corrections.of,
        )
        with self._storage.unit_of_work() as unit:
            for (received, _), tree in zip(waiting, trees, strict=True):
                if isinstance(tree, UnreadableFileError):
                    results.append(AddResult(None, received.name, None, "failed", error=str(tree)))
                    continue
                seconds = time.monotonic() - started
                version = unit.write(version_write(tree, received, self._settings(), seconds))
                results.append(_result(received, tree, version, seconds))
            unit.commit()
        return results


def version_write(tree: Tree, received: Received, settings: Settings, seconds: float) -> VersionWrite:
    """Return what is handed to a unit of work for a file that was parsed into a tree in so many seconds."""
    return VersionWrite(
        document_id=received.document_id, name=received.name, media_type=tree.media_type, sha256=received.sha256,
        size=received.size, pages=tree.pages, page_sizes=tree.page_sizes, nodes=tree.nodes, edges=graph_edges(tree),
        records=records(tree, settings, received.strategy), strategy=received.strategy, facets=facets_of(tree.nodes),
        warnings=tree.warnings, seconds=round(seconds, 3), replaces=received.replaces,
        restored=(received.version, received.created_at) if received.created_at is not None else None,
    )  # fmt: skip


def refuse_without_room(name: str, size: int, free: int) -> None:
    """Raise DiskFullError when a file of ``size`` bytes and what is made of it do not fit into ``free`` bytes."""
    needed = BYTES_A_BYTE * size + BYTES_TO_SPARE
    if needed > free:
        raise DiskFullError(
            f"There is no room for {name}: it takes about {needed / 1e6:.0f} MB on the disk of the library, and "
            f"{free / 1e6:.0f} MB are free. Make room and add it again; nothing was stored."
        )


def _result(received: Received, tree: Tree, version: int, seconds: float) -> AddResult:
    return AddResult(
        received.document_id, received.name, version, "updated" if received.known else "added",
        pages=tree.pages, nodes=len(tree.nodes), seconds=round(seconds, 3),
    )  # fmt: skip


def parse_file(path: Path, settings: Settings, worker: ParseWorker, on_progress: OnStage | None = None) -> Tree:
    """Parse one file with a worker, outside any library, scanned pages too. Raises UnreadableFileError."""
    source = Source(clean_name(path.name), path)
    if not path.is_file():
        raise UnreadableFileError(f"{path} is not a file. Check the path.")
    return worker.parse(
        path, name=source.name, sha256=source.sha256(), document_id=document_id_for(source.name), version=1,
        on_progress=on_progress, ocr=settings.ocr, read_scans=True,
    )  # fmt: skip
