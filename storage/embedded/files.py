"""The original files, named by their SHA-256: ``files/<first two digits>/<sha256>``."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

from engine.errors import NotFoundError, StorageError, UsageError
from storage.embedded import durable

FOLDER = "files"
_CHUNK = 1 << 20


class EmbeddedFiles:
    """The store of originals in a library folder."""

    def __init__(self, folder: Path, aside: Path) -> None:
        self._folder = folder / FOLDER
        self._aside = aside

    def put(self, data: bytes | Path) -> str:
        """Store bytes or a copy of a file durably and return the SHA-256 in hex.

        Raises UsageError when the file cannot be read, StorageError when the library cannot be written.
        """
        return self.put_many([data])[0]

    def put_many(self, data: Sequence[bytes | Path]) -> list[str]:
        """Store many, much faster than one by one; return each one's SHA-256. Raises like :meth:`put`."""
        written: list[tuple[Path, Path]] = []
        names = []
        try:
            for item in data:
                temporary = self._aside / uuid4().hex
                written.append((temporary, temporary))
                target = self._target(_copy(item, temporary))
                written[-1] = temporary, target
                names.append(target.name)
            self._place(written)
        except OSError as error:
            raise StorageError(
                f"A file cannot be stored in {self._folder} ({error}). Free disk space or mend the permissions."
            ) from error
        finally:
            for temporary, _ in written:
                temporary.unlink(missing_ok=True)
        return names

    def _place(self, written: Sequence[tuple[Path, Path]]) -> None:
        new = []
        for temporary, target in written:
            if target.exists() and target.stat().st_size == temporary.stat().st_size:
                os.utime(target)  # counts as new again, so that upkeep does not collect it
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                new.append((temporary, target))
        durable.sync_all([temporary for temporary, _ in new])
        for temporary, target in new:
            temporary.rename(target)
        if new:
            durable.sync_all({self._folder, *(target.parent for _, target in new)})

    def path(self, sha256: str) -> Path:
        """Return the path of a stored file. Raises NotFoundError."""
        path = self._target(sha256)
        if not sha256.isalnum() or not path.is_file():
            raise NotFoundError(f"The original file {sha256[:12]} is not in the library.")
        return path

    def stored(self) -> Iterator[Path]:
        """Yield the path of every stored file."""
        yield from self._folder.glob("??/*")

    def _target(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256


def _copy(data: bytes | Path, target: Path) -> str:
    digest = hashlib.sha256()
    with target.open("xb") as file:
        for chunk in _chunks(data):
            digest.update(chunk)
            file.write(chunk)
    return digest.hexdigest()


def _chunks(data: bytes | Path) -> Iterator[bytes]:
    if isinstance(data, bytes):
        yield data
        return
    try:
        with data.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except OSError as error:
        raise UsageError(f"{data} cannot be read ({error.strerror}).") from error
