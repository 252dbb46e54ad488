"""Library: the one object that pages, command line and REST talk to.

It chooses the parts, owns the background work and gives every capability as a method, callable from any thread.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

from engine.backends import open_storage
from engine.background import REPORT_JOB, Background, embed_pending
from engine.config import LlmSettings, Settings, Strategy
from engine.corrections import DocumentCorrections
from engine.doctor import steps
from engine.document_collections import DocumentCollections
from engine.enrich.aliases import LibrarySynonyms, library_synonyms
from engine.enrich.asking import OnShare
from engine.enrichment import Enrichment
from engine.errors import NotFoundError
from engine.evaluate.saved import SavedQuestions
from engine.export.automatic import write_new_indexes
from engine.export.indexes import export_indexes
from engine.finder import Finder
from engine.folders.sync import FolderChanges, FolderSync, check_folders
from engine.folders.watcher import FolderWatcher
from engine.freed_memory import give_freed_memory_back
from engine.ingest import ENRICH_JOB, OCR_JOB, Ingest, OnProgress, Received, Source, parse_file, stages_of
from engine.labels import labels
from engine.library_status import LibraryStatus, jobs_of
from engine.model import AddResult, Check, Document, Job, Tree, Version
from engine.outdated import queue_outdated
from engine.page_image import node_image, page_of
from engine.parse.worker import ParseWorker
from engine.providers.cancelling import Cancelled
from engine.providers.embedding import Embedder
from engine.providers.endpoint_address import check_addresses
from engine.providers.llm import check_llm
from engine.providers.opened import OpenedProviders
from engine.question_answering import QuestionAnswering
from engine.reports import reports, writing
from engine.settings_sources import forgetting_keys, library_folder, load_settings, save_settings
from engine.summaries import Summarizer
from engine.topics.library_graph import LibraryGraph
from engine.topics.library_topics import LibraryTopics
from engine.turns import Turns
from engine.versions.history import VersionHistory
from storage.base import Storage, StoredNode
from storage.collections import Rights

SYNONYM_FILE = "synonyms.toml"
KEPT_JOBS_SECONDS = 7 * 24 * 3600


class Library:
    """One library folder, opened by this process."""

    rights: Rights | None = None  # of whom it is read for; None: an owner, who sees everything

    def __init__(
        self, folder: Path, settings: Settings, storage: Storage, background: bool,
        secrets: Mapping[str, Any] | None = None, flags: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.folder, self._settings, self._secrets, self._flags = folder, settings, secrets, flags
        self.labels = labels(folder)
        self._worker = ParseWorker(settings.parsing_in_force, folder / SYNONYM_FILE, settings.summary)
        self._reader = ParseWorker(settings.parsing_in_force, folder / SYNONYM_FILE, settings.summary)
        self._providers, self._turns, self._ending = OpenedProviders(lambda: self._settings), Turns(), False
        self._graph = LibraryGraph(folder, storage, lambda: self.embedder)
        self._work_on(storage)
        enrichment = Enrichment(storage, self._ingest, lambda: self._settings, self._providers)
        self._folders = FolderSync(storage, self._ingest, lambda: self._settings, folder, lambda: self._ending)
        follow = partial(Library.follow, self)  # also where those who use the library may not
        self.watcher = FolderWatcher(
            lambda: self._settings.watch.folders, lambda: self._settings.watch.poll_seconds, follow
        )
        writer = writing.ReportWriter(storage, self._providers, lambda: self._settings, self.finder, self.topics.all)
        self._background = Background(
            storage, self._ingest, enrichment, lambda: self.embedder, self.settle, self.watcher.follow,
            writer.write, settings.indexing.elsewhere,
        )  # fmt: skip
        self.reports = reports.Reports(
            storage, self._background.wake, lambda told: self._background.do_next(REPORT_JOB, told) is not None
        )
        self.runs_background = background and not storage.read_only
        queue_outdated(storage, self._ingest, worked_off=self.runs_background)
        if self.runs_background:
            self.prune_jobs()
            self._background.start()

    def _work_on(self, storage: Storage) -> None:
        """Read from a storage and change it: that of the library, or what somebody may see of it."""
        self.storage = storage
        settings, ocr = (lambda: self._settings), self.folder / "ocr"
        self._ingest = Ingest(storage, self._worker, self._reader, settings, ocr)
        self.finder = Finder(storage, self._providers, settings, lambda: self._synonyms, self.folder)
        self.topics = LibraryTopics(
            storage, settings, lambda: self.embedder, lambda: self._providers.indexing_llm, lambda: self.summaries,
            self._graph,
        )  # fmt: skip
        self.conversations = storage.conversations
        self.collections = DocumentCollections(storage, lambda: self._settings.access)
        self.corrections = DocumentCorrections(storage, self._ingest, lambda: self._background.wake())
        self._answering = QuestionAnswering(storage, self._providers, settings, self.finder, self.topics, self._turns)
        # See there: a search, an answer with verified citations, a search in planned rounds, what agents' tools read.
        self.search, self.ask, self.gather = self.finder.search, self._answering.ask, self._answering.gather
        self.desk = self._answering.desk

    @classmethod
    def open(
        cls, folder: str | Path | None = None, *, settings: Settings | None = None,
        secrets: Mapping[str, Any] | None = None, flags: Mapping[str, Any] | None = None,
        background: bool = True,
    ) -> Self:  # fmt: skip
        """Open a library folder, creating it when it is new.

        The settings are read from the folder, the environment, ``secrets`` and ``flags`` (see
        ``load_settings``), now and after every change, unless ``settings`` gives them to begin with.
        ``background`` starts the threads that take queued files, compute vectors and do upkeep.
        Raises LibraryLockedError, NotALibraryError (other things there), CatalogLostError, StorageError, ConfigError.
        """
        give_freed_memory_back()
        path = library_folder(folder)
        settings = settings or load_settings(path, secrets=secrets, flags=flags)
        return cls(path, settings, open_storage(path, settings), background, secrets, flags)

    @property
    def works(self) -> bool:
        """True while the queue is worked off: in the background, or by whoever adds where there is none."""
        return not self._ending and (not self.runs_background or self._background.alive)

    def end_work(self) -> None:
        """Stop the background work, questions and the parsers; a file that is being added goes into the queue."""
        self._ending = True
        self._turns.end()
        self._background.begin_to_stop()
        self._worker.close()
        self._reader.close()
        if self.runs_background:
            self._background.stop()

    def close(self) -> None:
        """Stop all work and release the folder; what was under way is taken up at the next start."""
        self.end_work()
        self.storage.close()

    def warm(self) -> None:
        """Make ready what the first file and the first question would wait for: parser, dictionary, reader, client."""
        self._worker.warm()
        self.finder.warm()
        self._answering.warm()
        if self._settings.llm.configured:
            import openai  # noqa: F401

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- settings and providers -------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    def update_settings(self, changes: Mapping[str, Any]) -> Settings:
        """Check, save and apply changes (dotted names to values). Raises ConfigError, UsageError, AccessError."""
        if "watch.folders" in changes:
            check_folders(self._settings, changes["watch.folders"], self.folder)
        check_addresses(self._settings, [v for name, v in changes.items() if name.endswith(".api_base")])
        save_settings(self.folder, forgetting_keys(self._settings, changes))
        self._settings = load_settings(self.folder, secrets=self._secrets, flags=self._flags)
        self._background.wake()
        return self._settings

    @property
    def _synonyms(self) -> LibrarySynonyms:
        return library_synonyms(self.folder / SYNONYM_FILE)

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model, loaded on first use; None when it is off."""
        return self._providers.embedder

    def check_model(self, settings: LlmSettings) -> Check:
        """Try a model endpoint with one small call; what is wrong is told in the check. Raises AccessError."""
        check_addresses(self._settings, [settings.api_base])
        return check_llm(settings)

    # --- documents ----------------------------------------------------------------------------------

    def add(
        self, sources: Iterable[Source], *, on_progress: OnProgress | None = None, cancelled: Cancelled | None = None
    ) -> list[AddResult]:
        """Add files one after the other; each is searchable by text when its result is there.

        ``on_progress`` gets (name, stage, share done). A file that fails stops no others. Raises CancelledError.
        """
        results = []
        for source in sources:
            report = stages_of(source.name, on_progress)
            results.append(self._ingest.add(source, report, cancelled, self._queue_if_ending))
            self._background.wake()
        return results

    def _queue_if_ending(self, received: Received) -> None:
        """Queue a stored file whose reading was cut short by closing, not by its user."""
        if self._ending:
            self._ingest.queue(received)

    def add_texts(self, rows: Iterable[tuple[str, str]], strategy: Strategy | None = None) -> list[AddResult]:
        """Add many small text documents, (name, text) each, in large commits."""
        results = list(self._ingest.add_texts(rows, strategy))
        self._background.wake()
        return results

    def read_pending(self, on_progress: OnProgress | None = None) -> list[AddResult]:
        """Read the queued scanned pages now; return the documents that have new text.

        ``on_progress`` gets (name, stage, share done). What cannot be read is told in the job "ocr".
        """
        results = self._worked_off(OCR_JOB, on_progress)
        self._ingest.rest()
        return results

    def enrich_pending(self, on_progress: OnProgress | None = None) -> list[AddResult]:
        """Ask the models that are set up about the queued documents now; return those that have become richer.

        ``on_progress`` gets (name, stage, share done). What failed is told in the job "enrich".
        """
        return self._worked_off(ENRICH_JOB, on_progress)

    def _worked_off(self, kind: str, on_progress: OnProgress | None) -> list[AddResult]:
        results = iter(lambda: self._background.do_next(kind, on_progress), None)
        return [result for result in results if result.status == "updated"]

    def embed_pending(self, on_progress: Callable[[int], None] | None = None) -> int:
        """Compute the missing vectors now; return how many nodes were embedded. Raises ProviderError."""
        embedder = self.embedder
        return embed_pending(self.storage, embedder, on_progress=on_progress) if embedder else 0

    def settle(self, on_progress: OnShare | None = None, stopped: Cancelled = lambda: False) -> None:
        """Do what comes after the vectors: tell topics, open long sheets, write the files of ``[export] on_ingest``."""
        self.topics.refresh(on_progress, stopped)
        self._answering.open_sheets()
        if self._settings.export.on_ingest and self.rights is None:
            write_new_indexes(self, self.folder / self._settings.export.folder, stopped)

    def enqueue(self, source: Source, owner: str = "") -> AddResult | str:
        """Store an original and queue it; return the job's id, or the result when nothing is to be done.

        Raises UnreadableFileError for a file that can be refused at once.
        """
        received = self._ingest.receive(source)
        if isinstance(received, AddResult):
            return received
        job_id = self._ingest.queue(received, owner)
        self._background.wake()
        return job_id

    def jobs(self, limit: int = 100) -> list[Job]:
        """Return the jobs, newest first; vectors and topics are the jobs "embed" and "topics" while they are made."""
        jobs = list(self.storage.jobs.list(limit=limit))
        if not self.runs_background:
            return jobs
        return [*jobs_of(self.status(), self._background, self.topics.progress, jobs), *jobs]

    def cancel_job(self, job_id: str) -> bool:
        """Cancel a queued or running job; False when it is over already."""
        return self.storage.jobs.cancel(job_id)

    def retry_job(self, job_id: str) -> bool:
        """Queue a failed or cancelled job again."""
        retried = self.storage.jobs.retry(job_id)
        self._background.wake()
        return retried

    def dismiss_job(self, job_id: str) -> bool:
        """Forget a job that is over; False when it is not, or unknown."""
        return self.storage.jobs.dismiss(job_id)

    def prune_jobs(self, older_than_seconds: float = KEPT_JOBS_SECONDS) -> int:
        """Forget work that ended well, or was cancelled, that long ago; return how much."""
        return self.storage.jobs.prune(time.time() - older_than_seconds)

    def documents(self) -> list[Document]:
        """Return all documents, the last changed first."""
        return self.storage.documents()

    def document(self, reference: str) -> Document:
        """Return a document by id or name. Raises NotFoundError."""
        return self.storage.document(reference)

    def versions(self, reference: str) -> list[Version]:
        """Return a document's versions, the newest first. Raises NotFoundError."""
        return self.storage.versions(self.document(reference).document_id)

    def version(self, reference: str, version: int | None = None) -> Version:
        """Return one version of a document (None: the current one). Raises NotFoundError."""
        for candidate in self.versions(reference):
            if candidate.version == version or (version is None and candidate.current):
                return candidate
        raise NotFoundError(f"{reference} has no version {version}. `dropqa versions` lists them.")

    def tree(self, reference: str, version: int | None = None) -> Tree:
        """Return the node tree of a version (None: the current one). Raises NotFoundError."""
        return self.storage.tree(self.document(reference).document_id, version)

    def node(self, node_id: str, version: int | None = None) -> StoredNode:
        """Return a node by its id. Raises NotFoundError."""
        return self.storage.find_node(node_id, version)

    def original(self, reference: str, version: int | None = None) -> Path:
        """Return the path of a version's original file. Raises NotFoundError."""
        return self.storage.files.path(self.version(reference, version).sha256)

    def page_image(self, reference: str, page: int, *, version: int | None = None, dpi: int = 110) -> bytes:
        """Return page ``page`` (1-based) of a PDF or picture as PNG. Raises NotFoundError, UnreadableFileError."""
        found = self.version(reference, version)
        return page_of(self.storage.files.path(found.sha256), found.media_type, reference, page, dpi)

    def image(self, node_id: str, version: int | None = None) -> bytes:
        """Return the picture of an image node as PNG or JPEG, at most 1,600 pixels a side.

        Raises NotFoundError where the document only names it, UnreadableFileError where it cannot be shown.
        """
        stored = self.node(node_id, version)
        found = self.version(stored.document_id, stored.version)
        return node_image(self.storage.files.path(found.sha256), found.media_type, stored.node)

    def remove(self, reference: str) -> Document:
        """Remove a document with all its versions, also one that is put away, and return what it was.

        Raises NotFoundError.
        """
        document = self.storage.document(reference, archived=True)
        originals = self._ingest.originals(document.document_id)
        with self.storage.unit_of_work() as unit:
            unit.delete(document.document_id)
            unit.commit()
            self._ingest.forget(document.document_id, originals)  # before another unit writes it again
        self._background.wake()
        return document

    def archived(self) -> list[Document]:
        """Return the documents that are put away because their files are gone, the last first."""
        return self.storage.archived()

    def bring_back(self, document_id: str) -> AddResult:
        """Take a document that is put away into use again. Raises NotFoundError."""
        result = self._ingest.reparse(self.storage.document(document_id, archived=True))
        self._background.wake()
        return result

    def follow(self, folders: Sequence[str]) -> FolderChanges:
        """Look at folders once and take in what has changed since the last look; see ``engine.folders.sync``.

        What was put away or removed by it is told in the result. Raises UsageError, StorageError.
        """
        found = self._folders.look(folders)
        if found.documents:
            self._background.wake()
        return found

    def reindex(self, reference: str | None = None, on_progress: OnProgress | None = None) -> list[AddResult]:
        """Parse the current originals again (None: of all documents) and replace their trees in place.

        A file that fails keeps its old tree; that is told in its result.
        """
        documents = [self.document(reference)] if reference else self.documents()
        results = [self._ingest.reparse(one, stages_of(one.name, on_progress)) for one in documents]
        self._background.wake()
        return results

    def parse_file(self, path: Path, on_progress: Callable[[str, float], None] | None = None) -> Tree:
        """Return the node tree of a file without storing anything. Raises UnreadableFileError."""
        return parse_file(path, self._settings, self._reader, on_progress)

    # --- questions ------------------------------------------------------------------------------------

    def export_indexes(self, reference: str, out: Path, version: int | None = None) -> dict[str, Any]:
        """Write a document's index artefacts below ``out``; see ``engine.export.indexes``.

        Raises NotFoundError, StorageError.
        """
        document_id = self.document(reference).document_id
        model, graph = self.embedder.name if self.embedder else None, self.topics.graph()
        return export_indexes(self.storage, document_id, version, model, self._settings, out, graph)

    @property
    def questions(self) -> SavedQuestions:
        """The users' own evaluation sets: save, list, delete, run, compare."""
        return SavedQuestions(self.storage, self.search, self.ask)

    @property
    def version_history(self) -> VersionHistory:
        """The versions of documents: compare, restore, delete."""
        return VersionHistory(self.storage)

    @property
    def summaries(self) -> Summarizer:
        """Summaries of documents, sections and chosen nodes."""
        return self._answering.summaries()

    def back_up(self, target: Path) -> Mapping[str, tuple[int, str]]:
        """Copy the library into an empty folder while it is used. Raises UsageError, StorageError."""
        return self.storage.back_up(target)

    def status(self) -> LibraryStatus:
        """Return what is in the library and what is missing; without an embedder, nothing counts as embedded."""
        documents = self.documents()
        embedder = self.embedder if documents else None
        snapshot, llm = self.storage.snapshot(), self._settings.llm
        embedded, retrievable = snapshot.coverage(embedder.name) if embedder else (0, 0)
        return LibraryStatus(
            documents=len(documents), nodes=sum(document.nodes for document in documents), embedded=embedded,
            retrievable=retrievable, embedder=embedder.name if embedder else None,
            llm=llm.model or "default" if llm.configured else None, generation=snapshot.generation,
            missing=[problem for problem in (self._background.embedding_failed, self._synonyms.problem) if problem],
        )  # fmt: skip

    def doctor(self, deep: bool = False) -> list[Check]:
        """Check storage (``deep``: all of it), weights, model endpoint, versions and disk."""
        return [check for step in steps(self, deep) for check in step()]
