"""``catalog.db``: SQLite in WAL mode, the only place that decides what is visible.

One connection writes, under a lock; every thread reads through its own connection and never waits.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.errors import CatalogLostError, StorageError
from storage.catalog import database
from storage.embedded import modes, room, schema

FILE_NAME = "catalog.db"
READ_ONLY = "?mode=ro"
AS_IT_IS = f"{READ_ONLY}&immutable=1"  # nobody writes: without locks, and what is only in the log is not seen
BATCH = 500  # placeholders in one statement
# Readers map so much of the file: each thread has a connection of its own, whose cache begins empty, and a page read
# through it costs a system call. Random nodes are read ten times as fast.
MAPPED_BYTES = 2**30
SYNCHRONOUS = "FULL"  # a commit waits until it is on the disk
# So many seconds a query that was interrupted may take to end.
_LONGEST_WAIT = 2.0

log = logging.getLogger(__name__)


class _Connection(sqlite3.Connection):
    """A connection that can be referred to weakly: it goes with the thread that used it."""


class Catalog(database.Catalog):
    """The database of a library folder."""

    def __init__(self, folder: Path) -> None:
        """Open or create the database and bring it to the newest shape.

        Where nothing can be written it is opened for reading. Raises CatalogLostError, StorageError.
        """
        self.read_only = False
        self._path = folder / FILE_NAME
        self._lock = threading.RLock()
        self._closed = False
        self._local = threading.local()
        # Of threads that still run, with what is held while they read.
        self._readers: weakref.WeakKeyDictionary[sqlite3.Connection, threading.Lock] = (
            weakref.WeakKeyDictionary()
        )
        room.release(folder)
        try:
            self._path.touch(modes.FILE)  # SQLite gives its log the mode of the database
            self._writer = self._connect()
            self._writer.execute("PRAGMA journal_mode=WAL")
            self._keep_before_migrating()
            schema.migrate(self._writer)
        except (OSError, sqlite3.Error) as error:
            _raise_if_damaged(self._path, error)
            if not self._open_for_reading():
                raise StorageError(
                    f"{self._path} cannot be opened ({error}). Check the disk and permissions, or restore a backup."
                ) from error
            log.warning("The library %s is opened for reading only (%s)", folder, error)

    def _keep_before_migrating(self) -> None:
        """Copy a catalog of an older shape to ``snapshots/before-<shape>.db``; the copies of before go."""
        done = self._writer.execute("PRAGMA user_version").fetchone()[0]
        kept = self._path.parent / "snapshots"
        copy, written = kept / f"before-{done}.db", kept / "before-0.db"
        if not 0 < done < len(schema.MIGRATIONS) or copy.exists():
            return
        kept.mkdir(modes.FOLDER, exist_ok=True)
        for old in kept.glob("before-*.db"):
            old.unlink()
        written.touch(modes.FILE)
        self._writer.execute("VACUUM INTO ?", (str(written),))
        written.rename(copy)

    def _open_for_reading(self) -> bool:
        """Tell whether the database can be read as it is: whole, of today's shape, and with nothing left in its log."""
        journal = self._path.with_name(self._path.name + "-wal")
        if journal.exists() and journal.stat().st_size:
            return False
        self.read_only = True
        try:
            self._writer = self._connect()
            return bool(self._writer.execute("PRAGMA user_version").fetchone()[0] == len(schema.MIGRATIONS))
        except sqlite3.Error:
            return False

    def _connect(self) -> sqlite3.Connection:
        how = AS_IT_IS if self.read_only else ""
        connection = sqlite3.connect(
            address(self._path, how), timeout=30, isolation_level=None, check_same_thread=False,
            factory=_Connection, uri=True,
        )  # fmt: skip
        connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        connection.execute("PRAGMA cache_size=-16384")
        return connection

    @contextmanager
    def transaction(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Run statements that take effect together; an exception undoes them all.

        ``durable`` False skips the wait for the disk: a killed process still loses nothing, a power
        failure may lose this transaction, never an earlier one. Nested calls join the outer one.
        Raises StorageError when the database cannot be written.
        """
        with self._lock:
            if self._closed:
                raise StorageError(f"The library {self._path.parent} is closed.")
            if self.read_only:
                raise StorageError(
                    f"The library {self._path.parent} can only be read: its folder or disk takes nothing. "
                    "Mend the permissions or make room, then open it again."
                )
            if self._writer.in_transaction:
                yield self._writer
                return
            room.release(self._path.parent)
            try:
                if not durable:
                    self._writer.execute("PRAGMA synchronous=NORMAL")
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                _raise_if_damaged(self._path, error)
                raise StorageError(
                    f"{self._path} cannot be written ({error}). Nothing was lost; "
                    "free disk space or mend the permissions and try again."
                ) from error
            finally:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                if not durable:
                    self._writer.execute(f"PRAGMA synchronous={SYNCHRONOUS}")

    def read(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query on this thread's connection. Raises StorageError."""
        try:
            connection = getattr(self._local, "connection", None)
            if connection is None:
                self._local.busy = threading.Lock()
                connection = self._local.connection = self._connect()
                connection.execute("PRAGMA query_only=1")
                connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
                with self._lock:
                    self._readers[connection] = self._local.busy
            with self._local.busy:  # closing a connection that another thread reads from ends the process
                return connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            _raise_if_damaged(self._path, error)
            raise StorageError(f"{self._path} cannot be read ({error}). Run `dropqa doctor`.") from error

    def read_in(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query whose ``{}`` stands for a list of any number of values."""
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(values), BATCH):
            part = values[start : start + BATCH]
            # A fixed number of placeholders lets SQLite reuse the prepared statement; NULL matches nothing.
            padded = [*part, *[None] * (BATCH - len(part))] if len(part) > 16 else list(part)
            rows += self.read(statement.format(database.marks(padded)), padded)
        return rows

    @staticmethod
    def facet_value(value: str | int) -> str | int:
        """Return a facet's value: a column of SQLite holds numbers and texts, each in their order."""
        return value

    def close(self) -> None:
        """Close every connection; the write-ahead log is folded into the database."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for connection, busy in list(self._readers.items()):
                connection.interrupt()  # a reader in the middle of a query would keep the log open
                ended = busy.acquire(timeout=_LONGEST_WAIT)
                connection.close()
                if ended:
                    busy.release()
            self._readers.clear()
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._writer.close()


def address(path: Path, how: str = "") -> str:
    """Return the URI of a SQLite file, with options such as :data:`READ_ONLY`."""
    return f"file:{quote(str(path.resolve()))}{how}"


def is_damage(error: Exception) -> bool:
    """Tell whether SQLite found a damaged database, or none at all."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _raise_if_damaged(path: Path, error: Exception) -> None:
    if is_damage(error):
        raise CatalogLostError(
            f"The catalog {path} is damaged ({error}). Close the app and run "
            f"`dropqa --library {path.parent} repair`, which makes a new one from the original files."
        ) from error
