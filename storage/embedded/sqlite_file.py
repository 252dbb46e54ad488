"""A SQLite file of a library folder, in WAL mode.

One connection writes, under a lock; every thread reads through its own connection and never waits.
"""

import contextlib
import sqlite3
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.errors import StorageError
from storage.catalog import database
from storage.embedded import modes, room

READ_ONLY = "?mode=ro"
AS_IT_IS = f"{READ_ONLY}&immutable=1"  # nobody writes: without locks, and what is only in the log is not seen
BATCH = 500  # placeholders in one statement
# Readers map so much of the file: each thread has a connection of its own, whose cache begins empty, and a page read
# through it costs a system call. Random nodes are read ten times as fast.
MAPPED_BYTES = 2**30
SYNCHRONOUS = "FULL"  # a commit waits until it is on the disk
# So many seconds a query that was interrupted may take to end.
_LONGEST_WAIT = 2.0


class _Connection(sqlite3.Connection):
    """A connection that can be referred to weakly: it goes with the thread that used it."""


class SqliteFile(database.Catalog):
    """A database file; whoever derives from it opens it, and says how its failures are told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.read_only = False
        self._lock = threading.RLock()
        self._closed = True

    def _open(self, read_only: bool, uri: str = "", page_size: int = 4096) -> None:
        """Connect, creating the file if need be; for reading only to a whole one, or to what a URI names.

        Raises OSError, sqlite3.Error.
        """
        self.read_only = read_only
        self._uri = uri or address(self.path, AS_IT_IS if read_only else "")
        self._local = threading.local()
        # Of threads that still run, with what is held while they read.
        self._readers: weakref.WeakKeyDictionary[sqlite3.Connection, threading.Lock] = weakref.WeakKeyDictionary()
        if not read_only:
            self.path.touch(modes.FILE)  # SQLite gives its log the mode of the database
        self._writer = self._connect()
        self._closed = False
        if not read_only:
            self._writer.execute(f"PRAGMA page_size={page_size}")
            self._writer.execute("PRAGMA journal_mode=WAL")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._uri, timeout=30, isolation_level=None, check_same_thread=False, factory=_Connection,
            uri=True,
        )  # fmt: skip
        connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        connection.execute("PRAGMA cache_size=-16384")
        return connection

    def _failure(self, error: Exception, done: str, advice: str) -> StorageError:
        """Return the error that tells of what could not be ``done`` ("read", "written")."""
        return StorageError(f"{self.path} cannot be {done} ({error}). {advice}")

    @contextmanager
    def transaction(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Run statements that take effect together; an exception undoes them all.

        ``durable`` False skips the wait for the disk: a killed process still loses nothing, a power
        failure may lose this transaction, never an earlier one. Nested calls join the outer one.
        Raises StorageError when the database cannot be written.
        """
        with self._lock:
            if self._closed:
                raise StorageError(f"The library {self.path.parent} is closed.")
            if self.read_only:
                raise StorageError(
                    f"The library {self.path.parent} can only be read: its folder or disk takes nothing. "
                    "Mend the permissions or make room, then open it again."
                )
            if self._writer.in_transaction:
                yield self._writer
                return
            room.release(self.path.parent)
            try:
                if not durable:
                    self._writer.execute("PRAGMA synchronous=NORMAL")
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                advice = "Nothing was lost; free disk space or mend the permissions and try again."
                raise self._failure(error, "written", advice) from error
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
                # A text with a flipped bit is still read: its row's checksum tells.
                connection.text_factory = lambda text: text.decode("utf-8", "replace")
                connection.execute("PRAGMA query_only=1")
                connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
                with self._lock:
                    self._readers[connection] = self._local.busy
            with self._local.busy:  # closing a connection that another thread reads from ends the process
                return connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error, "read", "Run `dropqa doctor`.") from error

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
