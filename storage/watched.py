"""The files of watched folders, as they were when the library last took them in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """A file and the document that was made from it; ``error`` tells why none could be.

    ``modified`` is in nanoseconds since 1970; ``device`` is the number of the file system that it lay on.
    """

    path: str
    document_id: str
    size: int
    modified: int
    device: int
    error: str = ""


class WatchedFiles(Protocol):
    """What is known of the files of watched folders."""

    def below(self, folder: Path) -> dict[str, WatchedFile]:
        """Return the files below a folder, by path."""
        ...

    def put(self, files: Iterable[WatchedFile] = (), gone: Iterable[str] = ()) -> None:
        """Note files, in place of what was known of their paths, and forget paths. Raises StorageError."""
        ...
