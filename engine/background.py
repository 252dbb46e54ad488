"""Work that goes on while pages answer: queued files, reports, vectors, upkeep.

Six threads: one takes files from the job queue, one the scanned pages of files that are in, one asks models
about them where any are set up, one writes reports, one follows folders, and one computes the missing vectors, tells
topics and does the upkeep. All yield to the threads that serve users, and all pick up where a killed process left
off, because what is left to do is read from storage.
"""

import contextlib
import itertools
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

from engine.enrich.asking import OnShare
from engine.enrichment import Enrichment
from engine.errors import CancelledError, DropQAError
from engine.ingest import ENRICH_JOB, OCR_JOB, Ingest, OnProgress, OnStage, Received
from engine.model import AddResult, Job
from engine.pace import Pace
from engine.providers.cancelling import Cancelled
from engine.providers.embedding import Embedder
from engine.retrieve.notes import READING
from storage.base import Storage

log = logging.getLogger(__name__)
Work = Callable[[Job, OnStage, Cancelled], AddResult | None]
REPORT_JOB = "report"
EMBED_BATCH = 64
# Files go on being added while a long embedding runs: their small segments want merging meanwhile.
BATCHES_BETWEEN_UPKEEP = 10
IDLE_SECONDS = 5.0
STOP_SECONDS = 4.0
# How long a thread that computes keeps the interpreter from those that wait for it. With Python's own 5 ms a thread
# that asks the system two thousand times (of files, rows of the catalog) waits ten seconds beside one that counts.
SWITCH_SECONDS = 0.0005
# How far work has come is noted after so long, or such a share.
TOLD_SECONDS, TOLD_STEP = 0.2, 0.1
# Shares of a file's progress bar by stage: (start, width).
STAGES = {
    "parse": (0.05, 0.8), "ocr": (0.0, 0.85), "index": (0.85, 0.1), "commit": (0.95, 0.05), "enrich": (0.0, 1.0),
    "outline": (0.0, 0.05), "write": (0.05, 0.87), "summary": (0.92, 0.08),
}  # fmt: skip


def embed_pending(
    storage: Storage, embedder: Embedder, *, on_progress: Callable[[int], None] | None = None,
    stopped: Cancelled = lambda: False,
) -> int:  # fmt: skip
    """Compute and store the vectors that are missing; return how many nodes were embedded."""
    done = 0
    for batch in itertools.count(1):
        if stopped():
            break
        if batch % BATCHES_BETWEEN_UPKEEP == 0:
            storage.maintain()
        pending = storage.nodes_without_vector(embedder.name, EMBED_BATCH)
        if not pending:
            break
        texts = [text for _, text in pending]
        storage.add_vectors(embedder.name, [key for key, _ in pending], texts, embedder.passages(texts))
        done += len(pending)
        if on_progress:
            on_progress(done)
    return done


class Background:
    """The threads. :meth:`wake` tells them that there may be something to do."""

    def __init__(
        self, storage: Storage, ingest: Ingest, enrichment: Enrichment,
        embedder: Callable[[], Embedder | None],
        sort_into_topics: Callable[[OnShare, Cancelled], object],
        follow_folders: Callable[[threading.Event], bool],
        write_report: Callable[[Job, OnStage, Cancelled], None], elsewhere: bool = False,
    ) -> None:  # fmt: skip
        """``sort_into_topics`` tells the topics of new documents; it is called when all vectors are there.

        It is given what is told the share done, and what tells whether to stop. ``follow_folders`` goes on until the
        event that it is given is set, or returns False when there are none. ``write_report`` does a job "report". What
        is queued and is no report is done ``elsewhere``, if so.
        """
        self._storage, self._ingest, self._embedder = storage, ingest, embedder
        self._sort_into_topics = sort_into_topics
        self._sorted: tuple[int, ...] = ()
        self._stop = threading.Event()
        self.embedding_failed: str | None = None
        self.embedding, self.sorting = Pace(), Pace()
        self._warm = False
        self._works: dict[str, Work] = {
            "ingest": _of_file(ingest.process), OCR_JOB: _of_file(ingest.read),
            ENRICH_JOB: _of_file(enrichment.enrich), REPORT_JOB: write_report,
        }  # fmt: skip
        steps: dict[str, Callable[[], bool]] = {kind: partial(self._did_next, kind) for kind in self._works} | {
            "folders": lambda: follow_folders(self._stop),
            "embed": self._tend,
        }
        self._wanted = {name: threading.Event() for name in steps}
        self._threads = [
            threading.Thread(target=self._run, args=(step, name), name=name, daemon=True)
            for name, step in steps.items()
            if name == REPORT_JOB or not elsewhere
        ]

    def start(self) -> None:
        """Start the threads. From here on all threads of the process take turns more often."""
        sys.setswitchinterval(SWITCH_SECONDS)
        for thread in self._threads:
            thread.start()

    @property
    def alive(self) -> bool:
        """True while every kind of work has its thread."""
        return all(thread.is_alive() for thread in self._threads)

    def begin_to_stop(self) -> None:
        """Take no further step."""
        self._stop.set()
        self.wake()

    def stop(self) -> None:
        """Stop the threads after the step they are in; a file being parsed is taken up again later.

        A step that takes longer than ``STOP_SECONDS`` is left to fail when the library closes under it.
        """
        self.begin_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, deadline - time.monotonic()))

    def wake(self) -> None:
        """Look for work now instead of at the next tick."""
        for wanted in self._wanted.values():
            wanted.set()

    def _run(self, step: Callable[[], bool], name: str) -> None:
        if name != "folders":  # a change in a folder is waited for, as an upload over REST is
            _yield_to_others()
        wanted = self._wanted[name]
        while not self._stop.is_set():
            wanted.clear()
            try:
                busy = step()
            except Exception:
                log.exception("Background work failed; it is tried again shortly")
                busy = False
            if not busy:
                wanted.wait(IDLE_SECONDS)

    def _did_next(self, kind: str) -> bool:
        done = self.do_next(kind) is not None
        if kind == OCR_JOB and not done:
            self._ingest.rest()
        return done

    def do_next(self, kind: str, on_stage: OnProgress | None = None) -> AddResult | None:
        """Do the next job of a kind ("ocr", "enrich", "report"), if there is one; return what became of it.

        ``on_stage`` gets the name of the file, a stage and the share of the whole job done.
        """
        job = self._storage.jobs.lease([kind])
        if job is None:
            return None
        return self._do(job, on_stage) or AddResult(None, job.name, None, "failed")

    def _do(self, job: Job, on_stage: OnProgress | None = None) -> AddResult | None:
        """Do a job and note its end in the queue; return what became of its file, None when it failed or has none."""
        try:
            result = self._work(job, on_stage)
        except CancelledError:
            pass  # by the user: the row says so; by closing: the row stays "running" and is taken up again
        except DropQAError as error:
            self._storage.jobs.fail(job.job_id, str(error))
        except Exception:
            log.exception("Job %s failed", job.job_id)
            self._storage.jobs.fail(job.job_id, "An unexpected error stopped this; the log has the details.")
        else:
            self._storage.jobs.finish(job.job_id, result.to_dict() if result else None)
            for name in (OCR_JOB, ENRICH_JOB, "embed"):
                self._wanted[name].set()
            return result
        return None

    def _work(self, job: Job, on_stage: OnProgress | None) -> AddResult | None:
        cancelled = threading.Event()
        told = (0.0, 0.0)  # when, and which share

        def report(stage: str, done: float) -> None:
            nonlocal told
            if 0 < done < told[1] + TOLD_STEP and time.monotonic() - told[0] < TOLD_SECONDS:
                return
            told = time.monotonic(), done
            start, width = STAGES[stage]
            if on_stage:
                on_stage(job.name, stage, start + width * done)
            if not self._storage.jobs.report(job.job_id, stage, start + width * done):
                cancelled.set()

        def stopped() -> bool:
            if not cancelled.is_set() and self._storage.jobs.get(job.job_id).state == "cancelled":
                cancelled.set()
            return cancelled.is_set() or self._stop.is_set()

        return self._works[job.kind](job, report, stopped)

    def _tend(self) -> bool:
        if not self._warm:
            self._storage.warm()
            self._warm = True
        self._mend()
        embedder = self._embedder()
        if embedder is not None:
            self.embedding.begin()
            try:
                embed_pending(self._storage, embedder, on_progress=self.embedding.advance, stopped=self._stop.is_set)
                self.embedding_failed = None
                if not self._waiting(*READING):
                    self.embedding.end()
            except DropQAError as error:
                self.embedding_failed = str(error)
                log.warning("Embedding stopped: %s", error)
        self._sort()
        return not self._stop.is_set() and self._storage.maintain()

    def _mend(self) -> None:
        """Write again what was found damaged; what cannot be is tried again shortly."""
        for document_id, number in self._storage.damaged():
            if self._stop.is_set():
                return
            try:
                self._ingest.mend(document_id, number)
            except DropQAError as error:
                log.warning("Version %d of %s could not be mended: %s", number, document_id, error)

    def _sort(self) -> None:
        """Tell topics once all files are in: those that come together are best looked at together."""
        storage = self._storage
        state = storage.snapshot().generation, storage.topics.changes, storage.collections.changes
        if self._stop.is_set() or state == self._sorted or self._waiting("ingest"):
            return
        self.sorting.begin()
        try:
            with self._storage.alone("topics") as alone:
                if alone:
                    self._sort_into_topics(lambda share: self.sorting.advance(round(1000 * share)), self._stop.is_set)
        except DropQAError as error:
            log.warning("Topics could not be told: %s", error)
        self._sorted = state

    def _waiting(self, *kinds: str) -> bool:
        """Tell whether work of these kinds waits or is being done."""
        return any(job.kind in kinds for job in self._storage.jobs.list(("queued", "running"), limit=100))


def _of_file(work: Callable[[Received, OnStage, Cancelled], AddResult]) -> Work:
    return lambda job, report, stopped: work(Received(**job.payload["received"]), report, stopped)


def _yield_to_others() -> None:
    """Lower the calling thread's priority; Linux keeps one per thread, elsewhere nothing happens."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
