"""The library's database on a server: connections that threads share, and the SQL of this project on it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from engine.errors import StorageError
from storage.catalog import database
from storage.postgres import address, schema

if TYPE_CHECKING:
    import psycopg

MOST_CONNECTIONS = 16
_WAIT_SECONDS = 30.0
_COPIED = 8  # rows from which on inserting them is copying them
_PLAIN_INSERT = re.compile(r"INSERT INTO (\w+) \(([\w, ]+)\) VALUES \([?, ]+\)")
_SETTINGS = (
    "SET standard_conforming_strings = on",
    "SET hnsw.iterative_scan = relaxed_order",  # goes on until LIMIT is reached
)


class PostgresWrite:
    """A transaction (see :class:`storage.catalog.database.Write`)."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> psycopg.Cursor:
        """Run a statement."""
        return self.connection.execute(spelled(statement), _clean(values))

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values; many rows that are but inserted are copied."""
        rows = list(rows)
        plain = _PLAIN_INSERT.fullmatch(statement) if len(rows) >= _COPIED else None
        with self.connection.cursor() as cursor:
            if plain is None:
                if rows:
                    cursor.executemany(spelled(statement), [_clean(row) for row in rows])
                return
            with cursor.copy(f"COPY {plain[1]} ({plain[2]}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(_clean(row))


class PostgresCatalog(database.Catalog):
    """The database of a library (see :class:`storage.catalog.database.Catalog`)."""

    read_only = False

    def __init__(self, url: str, ef_search: int = 128) -> None:
        """Connect, and bring the database to the newest shape. Raises UsageError, StorageError."""
        self.place = address.where(url)
        self.holder = uuid4().hex
        """Stands for this process in rows of what it is working on."""
        self._url = url
        with address.connect(url) as connection, self._telling():
            schema.migrate(connection)
            self.version = connection.info.server_version // 10000

        def configure(connection: psycopg.Connection) -> None:
            for statement in (*_SETTINGS, f"SET hnsw.ef_search = {min(1000, max(400, ef_search))}"):
                connection.execute(statement)
            connection.execute("SELECT set_config('dropqa.holder', %s, false)", (self.holder,))

        from psycopg_pool import ConnectionPool

        self._pool = ConnectionPool(
            url, min_size=1, max_size=MOST_CONNECTIONS, timeout=_WAIT_SECONDS, configure=configure, open=True,
            kwargs={"autocommit": True, "connect_timeout": address.CONNECT_SECONDS, "application_name": "dropqa"},
        )  # fmt: skip
        self._local = threading.local()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Raise StorageError for what the database or its driver raises."""
        import psycopg
        from psycopg_pool import PoolClosed, PoolTimeout

        try:
            yield
        except PoolClosed as error:
            raise StorageError(f"The library {self.place} is closed.") from error
        except (psycopg.Error, PoolTimeout, UnicodeEncodeError) as error:
            reason = address.without_password(self._url, error)
            raise StorageError(
                f"The database {self.place} failed ({reason}). Nothing was lost; check the server and try again."
            ) from None

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        """Lend a connection."""
        with self._telling(), self._pool.connection() as connection:
            yield connection

    @contextmanager
    def transaction(self, durable: bool = True) -> Iterator[PostgresWrite]:
        """Run statements that take effect together; nested calls of a thread join the outer one."""
        open_one: PostgresWrite | None = getattr(self._local, "write", None)
        if open_one is not None:
            yield open_one
            return
        with self.connection() as connection, connection.transaction():
            if not durable:
                connection.execute("SET LOCAL synchronous_commit = off")
            self._local.write = PostgresWrite(connection)
            try:
                yield self._local.write
            finally:
                self._local.write = None

    @contextmanager
    def one_moment(self) -> Iterator[Callable[..., list[tuple[Any, ...]]]]:
        """Give what reads, like :meth:`read`, as often as one likes from one and the same state."""
        with self.connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")

            def read(statement: str, values: Sequence[Any] = (), binary: bool = False) -> list[tuple[Any, ...]]:
                return connection.execute(spelled(statement), values, binary=binary).fetchall()

            yield read

    def read(self, statement: str, values: Sequence[Any] = (), binary: bool = False) -> list[tuple[Any, ...]]:
        """Return all rows of a query; once more where the server had closed the connection."""
        import psycopg

        text, clean = spelled(statement), _clean(values)
        for last in (False, True):
            with self.connection() as connection:
                try:
                    return connection.execute(text, clean, binary=binary).fetchall()
                except psycopg.OperationalError:
                    if last or not connection.broken:
                        raise
            self._pool.check()
        raise AssertionError("never reached")

    def read_in(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query whose ``IN ({})`` stands for a list of any number of values."""
        return self.read(statement.replace("IN ({})", "= ANY(?)"), (list(values),)) if len(values) else []

    @staticmethod
    def facet_value(value: str | int) -> str:
        """Return a facet's value as text; numbers come in their order."""
        return f"{value:010d}" if isinstance(value, int) else value

    @contextmanager
    def alone(self, what: str, wait: bool = True) -> Iterator[bool]:
        """Let no other process, of those that ask for the same, go on meanwhile; False where one does.

        With ``wait`` it is waited for. A process that is killed holds nothing any more.
        """
        with self.connection() as connection:
            name = "hashtextextended('dropqa ' || current_schema() || %s, 0)"
            if wait:
                connection.execute(f"SELECT pg_advisory_lock({name})", (what,))
                held = True
            else:
                row = connection.execute(f"SELECT pg_try_advisory_lock({name})", (what,)).fetchone()
                held = bool(row and row[0])
            try:
                yield held
            finally:
                if held and not connection.closed:
                    connection.execute(f"SELECT pg_advisory_unlock({name})", (what,))

    def make_index(self, name: str, table: str, using: str, memory: int) -> bool:
        """Make an index while others read and write, in so many bytes of the server's memory or what it grants.

        Return False where the server is still making it, be it for a process that is gone.
        """
        import psycopg

        with self._telling(), address.connect(self._url) as connection:
            alone = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
            if connection.execute(alone, (name,)).fetchone() != (True,):
                return False
            connection.execute(
                "SELECT set_config(name, greatest(setting::bigint, %s)::text, FALSE) FROM pg_settings"
                " WHERE name = 'maintenance_work_mem'",
                (memory // 1024,),
            )
            drop = f"DROP INDEX CONCURRENTLY IF EXISTS {name}"  # what was left of one whose server was stopped
            make = f"CREATE INDEX CONCURRENTLY {name} ON {table} USING {using}"
            connection.execute(drop)
            try:
                connection.execute(make)
            except psycopg.errors.DiskFull:  # what workers share may be more than a container grants
                connection.execute(drop)
                connection.execute("SET max_parallel_maintenance_workers = 0")
                connection.execute(make)
            connection.execute(f"ANALYZE {table}")
            return True

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()


@lru_cache(1000)
def spelled(statement: str) -> str:
    """Return a statement with its placeholders as psycopg has them."""
    return statement.replace("%", "%%").replace("?", "%s")


def _clean(values: Sequence[Any]) -> Sequence[Any]:
    """Return values without the character NUL, which no text of PostgreSQL holds."""
    if any(isinstance(value, str) and "\0" in value for value in values):
        return [value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in values]
    return values
