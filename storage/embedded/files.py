"""The original files, named by their SHA-256: ``files/<first two digits>/<sha256>``.

A file counts as present only when its bytes still have that SHA-256. One that is damaged is never handed out, and
is replaced as soon as its content is stored again.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from engine.errors import DamagedOriginalError, NotFoundError, StorageError, UsageError
from storage.catalog import garbage
from storage.catalog.database import Catalog
from storage.embedded import durable, modes
from storage.embedded.marker import OWN_NAMES

FOLDER = "files"
_Stamp = tuple[int, int, int]


class EmbeddedFiles:
    """The store of originals in a library folder."""

    def __init__(self, folder: Path, aside: Path, catalog: Catalog, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / FOLDER
        self._aside = aside
        self._catalog = catalog
        self._clock = clock
        self._seen: dict[str, _Stamp] = {}
        self._lock = threading.Lock()

    def alone(self) -> AbstractContextManager[Any]:
        """Let nobody else put originals in place or delete them, so that none is taken as present and then deleted."""
        return self._lock

    def put(self, data: bytes | Path) -> str:
        """Store bytes or a copy of a file durably and return the SHA-256 in hex.

        It is garbage until a version or a job refers to it. Raises UsageError when the file cannot be read,
        StorageError when the library cannot be written.
        """
        return self.put_many([data])[0]

    def put_many(self, data: Sequence[bytes | Path]) -> list[str]:
        """Store many, much faster than one by one; return each one's SHA-256. Raises like :meth:`put`."""
        written: list[tuple[Path, Path]] = []
        names = []
        try:
            for item in data:
                temporary = durable.temporary(self._aside)
                written.append((temporary, temporary))
                target = self._target(durable.write_private(temporary, _chunks(item))[1])
                written[-1] = temporary, target
                names.append(target.name)
            with self.alone():
                with self._catalog.transaction(durable=False) as write:
                    garbage.note(write, [garbage.original(name) for name in names], self._clock())
                self._place(written)
        except OSError as error:
            raise StorageError(
                f"A file cannot be stored in {self._folder} ({error}). Free disk space or mend the permissions."
            ) from error
        finally:
            with contextlib.suppress(OSError):  # the next start removes it
                for temporary, _ in written:
                    temporary.unlink(missing_ok=True)
        return names

    def _place(self, written: Sequence[tuple[Path, Path]]) -> None:
        new = [pair for pair in written if not pair[1].is_file() or durable.sha256_of(pair[1]) != pair[1].name]
        durable.sync_all([temporary for temporary, _ in new])
        for temporary, target in new:
            target.parent.mkdir(modes.FOLDER, parents=True, exist_ok=True)
            temporary.replace(target)
        if new:
            durable.sync_all({self._folder, *(target.parent for _, target in new)})

    def path(self, sha256: str) -> Path:
        """Return the path of a stored file, which is read once, and again when it has changed since.

        Raises NotFoundError, DamagedOriginalError when its bytes are not those that were stored.
        """
        path = self._existing(sha256)
        if self._seen.get(sha256) != _stamp(path):
            self.verified(sha256)
        return path

    def verified(self, sha256: str) -> Path:
        """Return the path of a stored file after reading it all. Raises as :meth:`path`."""
        path = self._existing(sha256)
        stamp = _stamp(path)
        try:
            found = durable.sha256_of(path)
        except OSError as error:
            raise StorageError(
                f"The original {path} cannot be read ({error}). Check the disk and permissions."
            ) from error
        if found != sha256:
            self._seen.pop(sha256, None)
            raise DamagedOriginalError(
                f"The stored original {sha256[:12]} is damaged, so it was not used. "
                "Add the file again, or restore it from a backup."
            )
        self._seen[sha256] = stamp
        return path

    def size(self, sha256: str) -> int:
        """Return how many bytes a stored file has. Raises NotFoundError."""
        return self._existing(sha256).stat().st_size

    def stored(self) -> Iterator[Path]:
        """Yield the path of every file that has the name of an original."""
        for path in self._folder.glob("??/*"):
            if path.is_file() and OWN_NAMES.fullmatch(garbage.original(path.name)):
                yield path

    def _existing(self, sha256: str) -> Path:
        path = self._target(sha256)
        if not sha256.isalnum() or not path.is_file():
            raise NotFoundError(f"The original file {sha256[:12]} is not in the library.")
        return path

    def _target(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256


def _stamp(path: Path) -> _Stamp:
    facts = path.stat()
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _chunks(data: bytes | Path) -> Iterator[bytes]:
    if isinstance(data, bytes):
        yield data
        return
    try:
        yield from durable.chunks_of(data)
    except OSError as error:
        raise UsageError(f"{data} cannot be read ({error.strerror}).") from error
