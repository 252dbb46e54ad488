"""The files of watched folders, as they were when the library last took them in."""

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from pathlib import Path

from storage.catalog.database import Catalog, put

COLUMNS = "path, document_id, size, modified, device, error"


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


class WatchedFiles:
    """What is known of the files of watched folders."""

    def __init__(self, catalog: Catalog, changed: Callable[[], None]) -> None:
        """``changed`` is called when documents may have other paths."""
        self._catalog = catalog
        self._changed = changed

    def below(self, folder: Path) -> dict[str, WatchedFile]:
        """Return the files below a folder, by path."""
        first = f"{folder}/".replace("//", "/")
        found = self._catalog.read(
            f"SELECT {COLUMNS} FROM watched_file WHERE path >= ? AND path < ?",
            (first, first[:-1] + "0"),  # the character behind the slash
        )
        return {row[0]: WatchedFile(*row) for row in found}

    def put(self, files: Iterable[WatchedFile] = (), gone: Iterable[str] = ()) -> None:
        """Note files, in place of what was known of their paths, and forget paths. Raises StorageError."""
        with self._catalog.transaction(durable=False) as write:
            write.executemany("DELETE FROM watched_file WHERE path = ?", [(path,) for path in gone])
            write.executemany(put("watched_file", COLUMNS), [astuple(file) for file in files])
        self._changed()
