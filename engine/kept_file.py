"""A small JSON file in the library folder that several threads change."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import StorageError
from engine.settings_sources import write_private


def write_kept(path: Path, text: str) -> None:
    """Write a file of the library folder that nobody else can open, at once. Raises StorageError."""
    try:
        path.parent.mkdir(exist_ok=True)
        write_private(path, text)
    except OSError as error:
        raise StorageError(f"The file {path.name} cannot be written: {error.strerror}.") from error


class KeptFile:
    """An object, or another kind of value such as a list, in one file; an object may be made of parts by name."""

    def __init__(self, path: Path, kind: type = dict) -> None:
        self._path, self._kind = path, kind
        self._lock = threading.Lock()

    def read(self, part: str = "") -> Any:
        """Return what is kept, or a part of it; empty where there is none. Raises StorageError for a damaged file."""
        return self._part(self._all(), part)

    @contextmanager
    def changing(self, part: str = "") -> Iterator[Any]:
        """Give what is kept, or a part of it, to be changed in place; it is kept at the end. Raises StorageError."""
        with self._lock:
            kept = self._all()
            yield self._part(kept, part)
            write_kept(self._path, json.dumps(kept, ensure_ascii=False))

    def _part(self, kept: Any, name: str) -> Any:
        return self._checked(kept.setdefault(name, {}), dict) if name else kept

    def _all(self) -> Any:
        try:
            return self._checked(json.loads(self._path.read_text("utf-8")), self._kind)
        except FileNotFoundError:
            return self._kind()
        except (OSError, ValueError):
            return self._checked(None, self._kind)

    def _checked(self, found: Any, kind: type) -> Any:
        if not isinstance(found, kind):
            raise StorageError(f"The file {self._path} is damaged. Restore or delete it.")
        return found
