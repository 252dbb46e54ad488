"""Files that are either whole or not there: written aside, synced, then renamed into place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4


def sync(path: Path) -> None:
    """Force a file's bytes, or a folder's entries, onto the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_all(paths: Collection[Path]) -> None:
    """Force many files or folders onto the disk: together, as one journal commit serves several."""
    with ThreadPoolExecutor(min(16, max(1, len(paths)))) as pool:
        list(pool.map(sync, paths))


def write(target: Path, chunks: Iterable[bytes], aside: Path) -> None:
    """Write a file so that ``target`` appears complete or not at all; ``aside`` is on the same disk."""
    temporary = aside / uuid4().hex
    try:
        with temporary.open("wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        place(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def place(temporary: Path, target: Path) -> None:
    """Rename a synced file or folder to its final name and make the name durable."""
    if not target.parent.is_dir():
        target.parent.mkdir(parents=True)
        sync(target.parent.parent)
    temporary.rename(target)
    sync(target.parent)


def remove(path: Path) -> None:
    """Delete a file, or a folder with all it holds; harmless when it is gone already."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
