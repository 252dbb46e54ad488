"""What lies in folders that can become documents."""

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from engine.errors import UnreadableFileError
from engine.ingest import Source


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file system tells of a file: bytes, nanoseconds since 1970, number of the file system."""

    size: int
    modified: int
    device: int


def files_in(folder: Path, ignored: Callable[[str], bool]) -> tuple[dict[str, FileFacts], list[str]]:
    """Return the files below a folder by path, and the folders that could not be looked into.

    ``ignored`` is asked for every path below the folder, with ``/`` between its parts and behind a folder. Links are
    not followed: they may lead anywhere. Raises OSError when the folder itself cannot be looked into.
    """
    found: dict[str, FileFacts] = {}
    closed: list[str] = []
    waiting = [(str(folder), "")]
    while waiting:
        path, below = waiting.pop()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    name = f"{below}{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        if not ignored(f"{name}/"):
                            waiting.append((entry.path, f"{name}/"))
                    elif entry.is_file(follow_symlinks=False) and _is_text(name) and not ignored(name):
                        facts = entry.stat(follow_symlinks=False)
                        found[entry.path] = FileFacts(facts.st_size, facts.st_mtime_ns, facts.st_dev)
        except OSError:
            if not below:
                raise
            closed.append(path)
    return found, closed


def _is_text(name: str) -> bool:
    """Tell whether a file's name is one that a catalog can hold."""
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def ignoring(patterns: Sequence[str], suffixes: Collection[str]) -> Callable[[str], bool]:
    """Return what tells whether a path below a folder is left out.

    Hidden files and folders are, what has none of the suffixes, and what a pattern (``*``, ``?``, ``[…]``) matches:
    the whole path, or one of its parts.
    """

    def ignored(path: str) -> bool:
        name = path.rstrip("/").rpartition("/")[2]
        if name.startswith(".") or (not path.endswith("/") and Path(name).suffix.lower() not in suffixes):
            return True
        return any(fnmatchcase(one, pattern) for pattern in patterns for one in (path.rstrip("/"), name))

    return ignored


def sources_in(paths: Iterable[Path], recursive: bool, suffixes: Collection[str]) -> list[Source]:
    """Return the sources behind command-line paths.

    A file is named by its base name. A folder gives the files in it that have one of the ``suffixes``
    (below it, too, when recursive), named relative to the folder, so that equal names in subfolders stay apart.
    Hidden files and folders are left out. Raises UnreadableFileError for a path that does not exist.
    """
    sources: list[Source] = []
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*") if recursive else path.glob("*")):
                name = file.relative_to(path)
                hidden = any(part.startswith(".") for part in name.parts)
                if file.is_file() and not hidden and file.suffix.lower() in suffixes:
                    sources.append(Source(name.as_posix(), file))
        elif path.exists():
            sources.append(Source(path.name, path))
        else:
            raise UnreadableFileError(f"{path} does not exist. Check the path.")
    return sources
