"""Libraries that outlive a call, or do not: one per folder for a whole process, and a temporary one."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.config import Settings, library_folder
from engine.library import Library

_shared: dict[Path, Library] = {}
_shared_lock = threading.Lock()


def shared_library(
    folder: str | Path | None = None,
    *,
    secrets: Mapping[str, Any] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Library:
    """Return this process's one Library of a folder, opening it the first time.

    ``secrets`` and ``flags`` are settings beside the library's own, as ``load_settings`` takes them.
    """
    path = library_folder(folder)
    with _shared_lock:
        if path not in _shared:
            _shared[path] = Library.open(path, secrets=secrets, flags=flags)
        return _shared[path]


def close_shared_libraries() -> None:
    """Close what :func:`shared_library` opened."""
    with _shared_lock:
        while _shared:
            _shared.popitem()[1].close()


@contextlib.contextmanager
def temporary_library(settings: Settings | None = None) -> Iterator[Library]:
    """Open a library in a temporary folder that is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="dropqa-"))
    try:
        with Library.open(folder, settings=settings, background=False) as library:
            yield library
    finally:
        shutil.rmtree(folder, ignore_errors=True)
