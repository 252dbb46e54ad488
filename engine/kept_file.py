"""A small JSON file in the library folder that several threads change."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import StorageError
from engine.settings_sources import write_private


class KeptFile:
    """An object of lists and objects by name, in one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def read(self, part: str) -> dict[str, Any]:
        """Return a part of what is kept, empty where there is none. Raises StorageError for a damaged file."""
        return dict(self._all().get(part, {}))

    @contextmanager
    def changing(self, part: str) -> Iterator[dict[str, Any]]:
        """Give a part to be changed in place; it is kept at the end. Raises StorageError."""
        with self._lock:
            kept = self._all()
            yield kept.setdefault(part, {})
            try:
                write_private(self._path, json.dumps(kept, ensure_ascii=False))
            except OSError as error:
                raise StorageError(
                    f"The file {self._path.name} cannot be written: {error.strerror}."
                ) from error

    def _all(self) -> dict[str, dict[str, Any]]:
        try:
            kept = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            kept = None
        if not isinstance(kept, dict) or not all(isinstance(part, dict) for part in kept.values()):
            raise StorageError(f"The file {self._path} is damaged. Restore or delete it.")
        return kept
