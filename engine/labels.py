"""What people note beside the documents: tags on them, and filters of the list of documents under a name of their own.

Kept in the library folder. A tag is free words, a document may have several; whoever sees a document sees its tags.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from engine.errors import UsageError
from engine.kept_file import KeptFile

FILE_NAME = "labels.json"
LONGEST = 60
Filter = Mapping[str, str]


class Labels:
    """The tags and named filters of one library. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._file = KeptFile(folder / FILE_NAME)

    def tags(self) -> dict[str, list[str]]:
        """Return the tags of each document that has any, by its id. Raises StorageError."""
        return self._file.read("tags")

    def tag(self, document_ids: Iterable[str], add: Sequence[str], drop: Sequence[str] = ()) -> None:
        """Put tags on documents and take others off. Raises UsageError, StorageError."""
        named = [_name(one) for one in add]
        with self._file.changing("tags") as tags:
            for document_id in document_ids:
                now = {one for one in tags.pop(document_id, []) if one not in drop} | {*named}
                if now:
                    tags[document_id] = sorted(now, key=str.casefold)

    def filters(self, owner: str) -> dict[str, Filter]:
        """Return what somebody has kept, by name. Raises StorageError."""
        return dict(sorted(self._file.read("filters").get(owner, {}).items()))

    def keep_filter(self, owner: str, name: str, chosen: Filter | None) -> None:
        """Keep a filter under a name, None: forget what has it. Raises UsageError, StorageError."""
        name = name if chosen is None else _name(name)
        with self._file.changing("filters") as filters:
            mine = filters.setdefault(owner, {})
            mine.pop(name, None)
            if chosen is not None:
                mine[name] = dict(chosen)


def _name(given: str) -> str:
    name = unicodedata.normalize("NFC", " ".join(given.split()))
    if not 0 < len(name) <= LONGEST or not name.isprintable():
        raise UsageError(f"A name has 1 to {LONGEST} characters, all of which can be seen.")
    return name


# The tags and filters of a library folder, the same object each time.
labels = lru_cache(maxsize=4)(Labels)
