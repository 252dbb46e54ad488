"""The parsing child process: takes jobs as JSON lines, answers with JSON lines, leaves trees in files.

Runs as ``python -m engine.parse.worker_child``. Nothing that a library prints reaches the pipe: the pipe's
ends are moved away from descriptors 0 and 1 before anything else is loaded.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from engine.config import OcrSettings
    from engine.model import Tree
    from engine.parse.reading import Reading
    from engine.providers.ocr import Ocr

NICENESS = 5
PROGRESS_SECONDS = 0.2
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9


def main() -> None:
    """Serve jobs until the parent closes the pipe."""
    jobs, answers = _private_pipe()
    _die_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    _load_what_every_job_needs()
    for job in _jobs(jobs):
        _say(answers, {"started": True})
        answer = _answer(job, lambda message: _say(answers, message))
        _say(answers, answer)


def _load_what_every_job_needs() -> None:
    """Import it before the clock of the first job starts."""
    import orjson  # noqa: F401

    import engine.config
    import engine.parse.dispatch
    import engine.structure.tree  # noqa: F401


def _private_pipe() -> tuple[TextIO, TextIO]:
    jobs = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    return jobs, answers


def _die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def _jobs(lines: TextIO) -> Iterator[dict[str, Any]]:
    """Yield jobs; end the process at once when the pipe closes, even in the middle of a job."""
    queue: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in lines:
            queue.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield json.loads(queue.get())


def _say(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def _answer(job: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Do one job. This is the boundary at which whatever a parser raises becomes a message."""
    try:
        if job["kind"] == "many":
            _parse_many(job)
        else:
            _parse_one(job, say)
        return {"done": True}
    except Exception as error:  # noqa: BLE001
        return _failure(error, job.get("name", "The file"))


def _failure(error: Exception, name: str) -> dict[str, Any]:
    from engine.errors import UnreadableFileError

    if isinstance(error, UnreadableFileError):
        return {"error": type(error).__name__, "message": str(error)}
    if isinstance(error, MemoryError | RecursionError):
        what = "needs more memory than there is" if isinstance(error, MemoryError) else "is nested too deeply"
        return {"error": "LimitExceededError", "message": f"{name} {what}. Split it or simplify it."}
    message = f"{name} is damaged or made in an unusual way and could not be read ({type(error).__name__})."
    return {"error": "UnreadableFileError", "message": message}


def _parse_one(job: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> None:
    from engine.config import ParsingSettings
    from engine.parse.dispatch import parse_file
    from engine.parse.picture_texts import with_picture_texts
    from engine.structure.tree import build_tree

    spoken = 0.0

    def on_progress(stage: str, share: float) -> None:
        nonlocal spoken
        if (now := time.monotonic()) - spoken >= PROGRESS_SECONDS:
            spoken = now
            say({"progress": [stage, share]})

    # The parent clears this folder away, whatever becomes of this process.
    tempfile.tempdir = str(Path(job["result"]).parent)
    settings = ParsingSettings.model_validate(job["settings"])
    path, reading = Path(job["path"]), _reading(job)
    parsed = parse_file(path, job["name"], settings, on_progress, reading)
    say({"progress": ["structure", 0.9]})
    facts = {key: job[key] for key in ("document_id", "name", "sha256", "version")}
    tree = build_tree(parsed, settings=settings, **facts)
    del parsed  # what is only needed for the structure makes room for what comes
    tree = with_picture_texts(tree, path, reading, on_progress)
    _write(Path(job["result"]), _enriched(tree, job))


def _reading(job: dict[str, Any]) -> Reading | None:
    if job["ocr"] is None:
        return None
    from engine.config import OcrSettings
    from engine.parse.reading import Reading

    cache_dir = Path(job["cache_dir"]) if job["cache_dir"] else None
    pictures = cache_dir is not None
    if not job["read_scans"]:
        return Reading(pictures=pictures)
    return Reading(_recogniser(OcrSettings.model_validate(job["ocr"])), cache_dir, pictures)


@lru_cache(maxsize=1)
def _recogniser(settings: OcrSettings) -> Ocr | None:
    """Return the recogniser, which stays loaded for the next file."""
    from engine.providers.ocr import open_ocr

    return open_ocr(settings)


def _parse_many(job: dict[str, Any]) -> None:
    from engine.config import ParsingSettings
    from engine.parse.dispatch import parse_bytes
    from engine.structure.tree import build_tree

    settings = ParsingSettings.model_validate(job["settings"])
    data = memoryview(Path(job["path"]).read_bytes())
    results: list[Any] = []
    for start, end, facts in job["texts"]:
        try:
            parsed = parse_bytes(bytes(data[start:end]), facts["name"])
            results.append(_enriched(build_tree(parsed, settings=settings, **facts), job))
        except Exception as error:  # noqa: BLE001
            results.append(_failure(error, facts["name"]))
    _write(Path(job["result"]), results)


def _enriched(tree: Tree, job: dict[str, Any]) -> Tree:
    from dataclasses import replace

    from engine.config import SummarySettings
    from engine.enrich.enrich import enrich
    from engine.enrich.synonyms import library_synonyms
    from engine.enrich.units import use_synonyms

    summary = SummarySettings.model_validate(job["summary"])
    if job["synonyms"] is None:
        return enrich(tree, summary=summary)[0]
    synonyms = library_synonyms(Path(job["synonyms"]))
    use_synonyms(synonyms.in_force)
    tree = enrich(tree, synonyms.in_force, summary)[0]
    return replace(tree, warnings=[*tree.warnings, synonyms.problem]) if synonyms.problem else tree


def _write(path: Path, result: Any) -> None:
    import orjson

    path.write_bytes(orjson.dumps(result))


if __name__ == "__main__":
    main()
