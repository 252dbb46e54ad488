"""``catalog.db``: the only place that decides what is visible."""

import logging
import sqlite3
from pathlib import Path

from engine.errors import CatalogLostError, StorageError
from storage.embedded import modes, room, schema
from storage.embedded.sqlite_file import SqliteFile, is_damage

FILE_NAME = "catalog.db"

log = logging.getLogger(__name__)


class Catalog(SqliteFile):
    """The database of a library folder."""

    def __init__(self, folder: Path) -> None:
        """Open or create the database and bring it to the newest shape.

        Where nothing can be written it is opened for reading. Raises CatalogLostError, StorageError.
        """
        super().__init__(folder / FILE_NAME)
        room.release(folder)
        try:
            self._open(read_only=False)
            self._keep_before_migrating()
            schema.migrate(self._writer)
        except (OSError, sqlite3.Error) as error:
            if is_damage(error) or not self._open_for_reading():
                advice = "Check the disk and permissions, or restore a backup."
                raise self._failure(error, "opened", advice) from error
            log.warning("The library %s is opened for reading only (%s)", folder, error)

    def _keep_before_migrating(self) -> None:
        """Copy a catalog of an older shape to ``snapshots/before-<shape>.db``; the copies of before go."""
        done = self._writer.execute("PRAGMA user_version").fetchone()[0]
        kept = self.path.parent / "snapshots"
        copy, written = kept / f"before-{done}.db", kept / "before-0.db"
        if not schema.OLDEST <= done < schema.NEWEST or copy.exists():
            return
        kept.mkdir(modes.FOLDER, exist_ok=True)
        for old in kept.glob("before-*.db"):
            old.unlink()
        written.touch(modes.FILE)
        self._writer.execute("VACUUM INTO ?", (str(written),))
        written.rename(copy)

    def _open_for_reading(self) -> bool:
        """Tell whether the database can be read as it is: whole, of today's shape, and with nothing left in its log."""
        journal = self.path.with_name(self.path.name + "-wal")
        if journal.exists() and journal.stat().st_size:
            return False
        try:
            self._open(read_only=True)
            return bool(self._writer.execute("PRAGMA user_version").fetchone()[0] == schema.NEWEST)
        except sqlite3.Error:
            return False

    def _failure(self, error: Exception, done: str, advice: str) -> StorageError:
        if not is_damage(error):
            return super()._failure(error, done, advice)
        return CatalogLostError(
            f"The catalog {self.path} is damaged ({error}). Close the app and run "
            f"`dropqa --library {self.path.parent} repair`, which makes a new one from the original files."
        )
