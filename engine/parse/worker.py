"""Parsing in a child process, so that a broken or hostile file takes nothing down.

The parent watches time, memory and the user's wish to stop, and kills the child when one runs out; only
the file at hand fails. The child is used for many files and replaced when it died or has grown. The thread that
starts it lives as long as it does: Linux tells a child that its parent died when that thread ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import orjson

import engine
from engine import errors
from engine.config import EndpointSettings, OcrSettings, ParsingSettings, SummarySettings
from engine.errors import CancelledError, LimitExceededError, UnreadableFileError
from engine.model import Correction, Tree
from engine.parse.legacy import end_with_children, family_of

OnProgress = Callable[[str, float], None]
Cancelled = Callable[[], bool]
TextJob = tuple[str, bytes, str, str, int]
TICK_SECONDS = 0.05
# To look for the programs that a child has started takes 8 ms.
TICKS_TO_PROGRAMS = 10
START_SECONDS = 60
RECYCLE_AFTER_JOBS = 300
RECYCLE_ABOVE_MB = 500
# A child that has loaded text recognition is worth keeping for the next scan.
RECYCLE_READING_ABOVE_MB = 1500
SECRETS = ("API_KEY", "PASSWORD_HASH", "SECRET", "TOKEN")  # how names of variables with secrets end
_MB = 1024 * 1024


class _Died(Exception):
    """The child ended without an answer."""


class ParseWorker:
    """One child process and one lock, started by the first file or :meth:`warm`; calls wait for each other."""

    def __init__(
        self, settings: ParsingSettings, synonym_file: Path | None = None, summary: SummarySettings | None = None
    ) -> None:
        """``synonym_file`` is the library's own, whether it exists or not; ``summary`` how long summaries are."""
        self._settings = settings
        self._for_every_job = {
            "settings": settings.model_dump(),
            "synonyms": str(synonym_file.resolve()) if synonym_file is not None else None,
            "summary": (summary or SummarySettings()).model_dump(exclude=set(EndpointSettings.model_fields)),
        }
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    def parse(
        self, path: Path, *, name: str, sha256: str, document_id: str, version: int,
        on_progress: OnProgress | None = None, cancelled: Cancelled | None = None, ocr: OcrSettings | None = None,
        read_scans: bool = False, cache_dir: Path | None = None, corrections: Sequence[Correction] = (),
    ) -> Tree:  # fmt: skip
        """Return the node tree of the file.

        Pages that are pictures of text are named in ``unread_pages`` where ``ocr`` allows to read them, or are read at
        once (``read_scans``), what was read being kept in ``cache_dir``; with it, pictures inside the document count,
        too (``unread_pictures``). Reading is the stage "ocr", its time limit counts from page to page. Raises as
        ``parse_file``; LimitExceededError when time or memory ran out, UnreadableFileError when the child crashed,
        CancelledError when ``cancelled()`` turned true, also while waiting for its turn.
        """
        job = {
            "path": str(path.resolve()), "name": name,
            "facts": {"name": name, "sha256": sha256, "document_id": document_id, "version": version},
            "corrections": {document_id: corrections},
            "ocr": ocr.model_dump() if ocr is not None and ocr.enabled else None, "read_scans": read_scans,
            "cache_dir": str(cache_dir.resolve()) if cache_dir is not None else None,
        }  # fmt: skip
        return Tree.from_dict(self._result(job, on_progress, cancelled))

    def parse_many(
        self, texts: Sequence[TextJob], corrections_of: Callable[[str], Sequence[Correction]] = lambda _: ()
    ) -> list[Tree | UnreadableFileError]:
        """Parse many small text or Markdown documents in one round trip.

        Each is (name, bytes, sha256, document_id, version); ``corrections_of`` gets a document_id. The list answers
        in the same order, with the error in place of the tree where one failed. When the whole batch fails, each is
        tried by itself.
        """
        if not texts:
            return []
        fields = ("name", "content", "sha256", "document_id", "version")
        # JSON has no bytes: each becomes the character of its number.
        facts = [dict(zip(fields, (text[0], text[1].decode("latin-1"), *text[2:]), strict=True)) for text in texts]
        try:
            corrections = {text[3]: corrections_of(text[3]) for text in texts}
            found = self._result({"name": texts[0][0], "texts": facts, "corrections": corrections})
        except UnreadableFileError as error:
            if len(texts) == 1:
                return [error]
            return [answer for text in texts for answer in self.parse_many([text], corrections_of)]
        return [_error(item) if "error" in item else Tree.from_dict(item) for item in found]

    def warm(self) -> None:
        """Start the child ahead of the first file, unless one is at work already."""
        with self._if_idle() as idle:
            if idle:
                self._ready_child()

    def rest(self) -> None:
        """End an idle child to free its memory; the next file starts another."""
        with self._if_idle() as idle:
            if idle and self._child is not None:
                self._drop(self._child)

    def close(self) -> None:
        """Leave the child to the process's next worker, or end it and what it parses; nothing can be parsed then."""
        self._closed = True
        with self._if_idle() as idle:
            if (child := self._child) is None:
                return
            self._child = None if idle else child
            if idle and len(_spares) < _MOST_SPARES and child.alive() and child.memory_mb() < _SPARE_MB:
                _spares.append(child)
            else:
                child.kill()

    @contextmanager
    def _if_idle(self) -> Iterator[bool]:
        """Take the turn where nobody has it, and tell whether that was so."""
        idle = self._lock.acquire(blocking=False)
        try:
            yield idle
        finally:
            if idle:
                self._lock.release()

    def _result(
        self, job: dict[str, Any], on_progress: OnProgress | None = None, cancelled: Cancelled | None = None
    ) -> Any:
        """Wait for the turn, let the child do a job and return what it made. Raises as :meth:`parse`."""
        while not self._lock.acquire(timeout=TICK_SECONDS * 2):
            _stop_if(cancelled, job["name"])
        try:
            _stop_if(cancelled, job["name"])
            with tempfile.TemporaryDirectory(prefix="dropqa-") as folder:
                answer = self._answer(job | self._for_every_job | {"folder": folder}, on_progress, cancelled)
        finally:
            self._lock.release()
        if "error" in answer:
            raise _error(answer)
        return answer["done"]

    def _answer(
        self, job: dict[str, Any], on_progress: OnProgress | None, cancelled: Cancelled | None, again: bool = True
    ) -> dict[str, Any]:
        child = self._ready_child()
        try:
            answer = self._exchange(child, job, on_progress, cancelled)
        except BaseException as error:
            self._drop(child)
            if not isinstance(error, _Died):
                raise
            if self._closed:
                raise CancelledError(f"{job['name']} was not read: DropQA is closing.") from error
            if not child.started and again:
                # It was dead before the file reached it, so the file is not to blame.
                return self._answer(job, on_progress, cancelled, again=False)
            raise UnreadableFileError(
                f"Reading {job['name']} crashed the parser (exit code {error}). The file may be damaged; "
                "save it again in the program that made it. Other files are not affected."
            ) from error
        child.jobs += 1
        most = RECYCLE_READING_ABOVE_MB if job.get("read_scans") else RECYCLE_ABOVE_MB
        if child.jobs >= RECYCLE_AFTER_JOBS or child.memory_mb() > most:
            self._drop(child)
        return answer

    def _exchange(
        self, child: _Child, job: dict[str, Any], on_progress: OnProgress | None, cancelled: Cancelled | None
    ) -> dict[str, Any]:
        child.send(job)
        limits, name = self._settings, job["name"]
        # The child's own start does not count, unless it never ends.
        deadline = time.monotonic() + limits.timeout_seconds + START_SECONDS
        tick = 0
        while True:
            tick += 1
            answer = child.answer(TICK_SECONDS)
            _stop_if(cancelled, name)
            if "done" in answer or "error" in answer:
                return answer
            if "started" in answer or answer.get("progress", [""])[0] == "ocr":
                deadline = time.monotonic() + limits.timeout_seconds
            if on_progress and "progress" in answer:
                on_progress(*answer["progress"])
            if time.monotonic() > deadline:
                raise LimitExceededError(
                    f"{name} took longer than {limits.timeout_seconds:g} seconds to read "
                    "(setting parsing.timeout_seconds). Split it, or raise the limit."
                )
            if child.memory_mb(programs=tick % TICKS_TO_PROGRAMS == 0) > limits.memory_mb:
                raise LimitExceededError(
                    f"{name} needed more than {limits.memory_mb} MB of memory to read "
                    "(setting parsing.memory_mb). Split it, or raise the limit."
                )

    def _ready_child(self) -> _Child:
        if self._closed:
            raise CancelledError("DropQA is closing.")
        if self._child is None or not self._child.alive():
            self._child = _from_spares() or _Child()
        return self._child

    def _drop(self, child: _Child) -> None:
        child.kill()
        self._child = None


# Idle children of closed workers: starting one costs a second, and it knows nothing of whom it worked for.
_spares: list[_Child] = []
_MOST_SPARES, _SPARE_MB = 2, 250


def end_idle_children() -> None:
    """End the children that no worker has."""
    while (child := _from_spares()) is not None:
        child.kill()


def _from_spares() -> _Child | None:
    while _spares:
        with suppress(IndexError):  # another thread was faster
            child = _spares.pop()
            if child.alive():
                return child
    return None


class _Child:
    """The process and the thread that starts it and reads its answers; ``started`` tells whether a job has begun."""

    def __init__(self) -> None:
        self.jobs = 0
        self.started = False
        self._answers: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        process: Future[subprocess.Popen[bytes]] = Future()
        threading.Thread(target=self._live, args=(process,), name="parse-worker", daemon=True).start()
        try:
            self._process = process.result()
        except OSError as error:
            raise UnreadableFileError(
                "The parsing process could not be started. Is the machine out of memory?"
            ) from error

    def _live(self, process: Future[subprocess.Popen[bytes]]) -> None:
        try:
            started = subprocess.Popen(
                [sys.executable, "-m", "engine.parse.worker_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(engine.__file__).parent.parent,
                # A file that takes the parser over finds no key there.
                env={name: value for name, value in os.environ.items() if not name.endswith(SECRETS)},
            )
        except OSError as error:
            process.set_exception(error)
            return
        process.set_result(started)
        with suppress(ValueError):  # a line that breaks off where the child was killed
            for line in started.stdout or ():
                self._answers.put(orjson.loads(line))
        started.wait()
        self._answers.put(None)

    def send(self, job: dict[str, Any]) -> None:
        """Hand over a job. Raises _Died."""
        assert self._process.stdin is not None
        self.started = False
        try:
            self._process.stdin.write(orjson.dumps(job) + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise _Died(self._process.poll()) from error

    def answer(self, seconds: float) -> dict[str, Any]:
        """Return the next message from the child, an empty one when none came in time. Raises _Died."""
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            return {}
        if answer is None:
            raise _Died(self._process.returncode)
        self.started = True
        return answer

    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.poll() is None

    def memory_mb(self, programs: bool = False) -> float:
        """Return the resident memory in MB, 0 when the process is gone; with that of ``programs`` it has started."""
        import psutil

        total = 0.0
        for member in family_of(self._process.pid, programs):
            with suppress(psutil.Error):
                total += member.memory_info().rss / _MB
        return total

    def kill(self) -> None:
        """End the process at once, with the programs that it has started."""
        end_with_children(self._process.pid)
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()


def _stop_if(cancelled: Cancelled | None, name: str) -> None:
    if cancelled is not None and cancelled():
        raise CancelledError(f"{name} was cancelled.")


def _error(answer: dict[str, Any]) -> UnreadableFileError:
    kind = getattr(errors, answer["error"], UnreadableFileError)
    return kind(answer["message"])
