"""What people note beside the documents: tags on them, and filters of the list of documents under a name of their own.

Kept in the library folder. A tag is free words, a document may have several; whoever sees a document sees its tags.
"""

from __future__ import annotations

import json
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.errors import StorageError, UsageError
from engine.settings_sources import write_private

FILE_NAME = "labels.json"
LONGEST = 60
Filter = Mapping[str, str]


class Labels:
    """The tags and named filters of one library. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()

    def tags(self) -> dict[str, list[str]]:
        """Return the tags of each document that has any, by its id."""
        return self._read()["tags"]

    def tag(self, document_ids: Iterable[str], add: Sequence[str], drop: Sequence[str] = ()) -> None:
        """Put tags on documents and take others off. Raises UsageError, StorageError."""
        named = [_name(one) for one in add]
        with self._lock:
            kept = self._read()
            for document_id in document_ids:
                now = [one for one in kept["tags"].pop(document_id, []) if one not in drop]
                if now := sorted({*now, *named}, key=str.casefold):
                    kept["tags"][document_id] = now
            self._write(kept)

    def filters(self, owner: str) -> dict[str, Filter]:
        """Return what somebody has kept, by name."""
        return dict(sorted(self._read()["filters"].get(owner, {}).items()))

    def keep_filter(self, owner: str, name: str, chosen: Filter | None) -> None:
        """Keep a filter under a name, None: forget what has it. Raises UsageError, StorageError."""
        with self._lock:
            kept = self._read()
            mine = kept["filters"].setdefault(owner, {})
            mine.pop(name, None)
            if chosen is not None:
                mine[_name(name)] = dict(chosen)
            self._write(kept)

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            stored = json.loads(self._path.read_text("utf-8"))
            return {"tags": dict(stored["tags"]), "filters": dict(stored["filters"])}
        except FileNotFoundError:
            return {"tags": {}, "filters": {}}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(
                f"The tags cannot be read: {self._path} is damaged. Restore or delete it."
            ) from error

    def _write(self, kept: Mapping[str, Any]) -> None:
        try:
            write_private(self._path, json.dumps(kept, ensure_ascii=False))
        except OSError as error:
            raise StorageError(f"The tags cannot be kept: {error.strerror}.") from error


def _name(given: str) -> str:
    name = unicodedata.normalize("NFC", " ".join(given.split()))
    if not 0 < len(name) <= LONGEST or not name.isprintable():
        raise UsageError(f"A name has 1 to {LONGEST} characters, all of which can be seen.")
    return name


@lru_cache(maxsize=4)
def labels(folder: Path) -> Labels:
    """Return the tags and filters of a library folder, the same object each time."""
    return Labels(folder)
