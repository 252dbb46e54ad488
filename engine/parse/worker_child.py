"""The parsing child process: takes jobs and answers, each a line of JSON.

Runs as ``python -m engine.parse.worker_child``. Nothing that a library prints reaches the pipe: the pipe's
ends are moved away from descriptors 0 and 1 before any parser is loaded.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import orjson

from engine.freed_memory import give_freed_memory_back

if TYPE_CHECKING:
    import numpy as np

    from engine.config import OcrSettings
    from engine.model import ParsedFile, Tree
    from engine.parse.reading import Reading
    from engine.providers.ocr import Ocr

T = TypeVar("T")
NICENESS = 5
PROGRESS_SECONDS = 0.2
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9


def main() -> None:
    """Serve jobs until the parent closes the pipe."""
    jobs, answers = _private_pipe()
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    give_freed_memory_back()
    # What every job needs is loaded before the clock of the first one starts.
    import engine.config
    import engine.parse.dispatch
    import engine.structure.tree  # noqa: F401

    def say(message: bytes) -> None:
        answers.write(message + b"\n")
        answers.flush()

    for job in _jobs(jobs):
        say(b'{"started": true}')
        say(_answer(job, lambda stage, share: say(orjson.dumps({"progress": [stage, share]}))))


def _private_pipe() -> tuple[BinaryIO, BinaryIO]:
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    return jobs, answers


def _jobs(lines: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield jobs; end the process at once when the pipe closes, even in the middle of a job."""
    queue: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        for line in lines:
            queue.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield orjson.loads(queue.get())


def _answer(job: dict[str, Any], on_progress: Callable[[str, float], None]) -> bytes:
    """Do one job and return its answer as JSON."""
    # The parent clears this folder away, whatever becomes of this process.
    tempfile.tempdir = job["folder"]

    def done() -> bytes:
        return orjson.dumps({"done": _of_texts(job) if "texts" in job else _of_file(job, on_progress)})

    made = _guarded(done, job["name"])
    return made if isinstance(made, bytes) else orjson.dumps(made)


def _guarded(make: Callable[[], T], name: str) -> T | dict[str, Any]:
    """Return what is made, else the failure: the boundary at which whatever a parser raises becomes a message."""
    from engine.errors import UnreadableFileError

    kind = "LimitExceededError"
    try:
        return make()
    except UnreadableFileError as error:
        kind, message = type(error).__name__, str(error)
    except MemoryError:
        message = f"{name} needs more memory than there is. Split it or simplify it."
    except RecursionError:
        message = f"{name} is nested too deeply. Split it or simplify it."
    except Exception as error:  # noqa: BLE001
        kind = "UnreadableFileError"
        message = f"{name} is damaged or made in an unusual way and could not be read ({type(error).__name__})."
    return {"error": kind, "message": message}


def _of_file(job: dict[str, Any], on_progress: Callable[[str, float], None]) -> Tree:
    from engine.config import ParsingSettings
    from engine.parse.dispatch import parse_file
    from engine.parse.reading import with_picture_texts

    spoken = 0.0

    def now_and_then(stage: str, share: float) -> None:
        nonlocal spoken
        if (now := time.monotonic()) - spoken >= PROGRESS_SECONDS:
            spoken = now
            on_progress(stage, share)

    settings = ParsingSettings.model_validate(job["settings"])
    path, reading = Path(job["path"]), _reading(job)
    parsed = parse_file(path, job["name"], settings, now_and_then, reading)
    on_progress("structure", 0.9)
    tree = _tree(parsed, job["facts"], job)
    del parsed  # what is only needed for the structure makes room for what comes
    return _enriched(with_picture_texts(tree, path, reading, now_and_then), job)


def _tree(parsed: ParsedFile, facts: dict[str, Any], job: dict[str, Any]) -> Tree:
    from engine.config import ParsingSettings
    from engine.model import Correction
    from engine.structure.tree import build_tree

    settings = ParsingSettings.model_validate(job["settings"])
    corrections = list(map(Correction.from_dict, job["corrections"][facts["document_id"]]))
    return build_tree(parsed, settings=settings, embed=_vectors, corrections=corrections, **facts)


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


def _vectors(texts: Sequence[str]) -> np.ndarray | None:
    """Return the vectors of texts by the model that ships, None where it is missing: the doctor tells that."""
    from engine.errors import ProviderError
    from engine.providers.embedding import shipped_model

    try:
        return shipped_model().passages(texts)
    except ProviderError:
        return None


def _of_texts(job: dict[str, Any]) -> list[Tree | dict[str, Any]]:
    from engine.parse.dispatch import parse_bytes

    def tree_of(facts: dict[str, Any]) -> Tree:
        parsed = parse_bytes(facts.pop("content").encode("latin-1"), facts["name"])
        return _enriched(_tree(parsed, facts, job), job)

    return [_guarded(partial(tree_of, facts), facts["name"]) for facts in job["texts"]]


def _enriched(tree: Tree, job: dict[str, Any]) -> Tree:
    from engine.config import SummarySettings
    from engine.enrich.aliases import library_synonyms
    from engine.enrich.enrich import enrich
    from engine.enrich.units import use_synonyms

    summary = SummarySettings.model_validate(job["summary"])
    if job["synonyms"] is None:
        return enrich(tree, summary=summary)[0]
    synonyms = library_synonyms(Path(job["synonyms"]))
    use_synonyms(synonyms.in_force)
    tree = enrich(tree, synonyms.in_force, summary)[0]
    return replace(tree, warnings=[*tree.warnings, synonyms.problem]) if synonyms.problem else tree


if __name__ == "__main__":
    main()
