"""Files that are either whole or not there: written aside, synced, then renamed into place."""

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

from storage.embedded import modes

_CHUNK = 1 << 20
_TEMPORARY = re.compile(r"write-[0-9a-f]{32}\.part")


def temporary(aside: Path) -> Path:
    """Return a fresh path in the folder for what is being written; its name tells what a killed process left."""
    return aside / f"write-{uuid4().hex}.part"


def is_temporary(name: str) -> bool:
    """Tell whether :func:`temporary` gave this name."""
    return _TEMPORARY.fullmatch(name) is not None


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


def chunks_of(path: Path) -> Iterator[bytes]:
    """Yield what a file holds, a piece at a time. Raises OSError."""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def write_private(target: Path, chunks: Iterable[bytes]) -> tuple[int, str]:
    """Write a file that only its owner may read, not synced; return its size and SHA-256. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with open(target, "wb", opener=modes.private) as file:
        for chunk in chunks:
            digest.update(chunk)
            size += file.write(chunk)
    return size, digest.hexdigest()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(target: Path, chunks: Iterable[bytes], aside: Path) -> None:
    """Write a file so that ``target`` appears complete or not at all; ``aside`` is on the same disk."""
    written = temporary(aside)
    try:
        write_private(written, chunks)
        sync(written)
        place(written, target)
    finally:
        written.unlink(missing_ok=True)


def place(written: Path, target: Path) -> None:
    """Rename a synced file or folder to its final name and make the name durable."""
    if not target.parent.is_dir():
        target.parent.mkdir(modes.FOLDER, parents=True)
        sync(target.parent.parent)
    written.rename(target)
    sync(target.parent)
