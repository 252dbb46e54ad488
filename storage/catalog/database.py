"""The database under a library: what the SQL of this package is given to run on.

Statements are written once, in SQL that SQLite and PostgreSQL both take, with ``?`` for values.
"""

import time
from collections.abc import Callable, Iterable, Sequence, Sized
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, Protocol

from engine.errors import NotFoundError


class Cursor(Protocol):
    """What a statement has given."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all rows."""


class Write(Protocol):
    """A transaction: its statements take effect together."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Cursor:
        """Run a statement."""

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement once for each row of values."""


class Catalog(Protocol):
    """A library's database; all methods may be called from any thread, and raise StorageError when it fails."""

    read_only: bool

    def read(self, statement: str, values: Sequence[Any] = (), /) -> list[tuple[Any, ...]]:
        """Return all rows of a query, as of the last commit."""

    def read_in(self, statement: str, values: Sequence[Any], /) -> list[tuple[Any, ...]]:
        """Return the rows, in no order, of a query whose ``IN ({})`` stands for a list of any number of values."""

    def transaction(self, durable: bool = True) -> AbstractContextManager[Write]:
        """Run statements that take effect together; an exception undoes them all. Nested calls join the outer one.

        ``durable`` False skips the wait for the disk: a power failure may lose this transaction, no earlier one.
        """

    def facet_value(self, value: str | int, /) -> str | int:
        """Return a facet's value as it is kept: numbers, and texts, are in their order there."""

    def meta(self, name: str) -> int:
        """Return a counter such as ``generation``."""
        return int(self.read("SELECT value FROM meta WHERE name = ?", (name,))[0][0])


class Kept:
    """What a library keeps beside its documents, in tables of its own."""

    def __init__(self, catalog: Catalog, clock: Callable[[], float] = time.time) -> None:
        self._catalog = catalog
        self._clock = clock


@lru_cache
def put(table: str, columns: str) -> str:
    """Return the statement that inserts a row of these columns, in place of the one with the same first value."""
    key, *others = columns.split(", ")
    changes = ", ".join(f"{name} = excluded.{name}" for name in others)
    return f"{insert(table, columns)} ON CONFLICT ({key}) DO UPDATE SET {changes}"


def change(catalog: Catalog, statement: str, values: Sequence[Any], missing: str) -> None:
    """Run a statement that changes what is there. Raises NotFoundError, saying what is missing, where nothing is."""
    with catalog.transaction() as write:
        if not write.execute(statement, values).rowcount:
            raise NotFoundError(missing)


def insert(table: str, columns: str) -> str:
    """Return the statement that inserts a row of these columns."""
    return f"INSERT INTO {table} ({columns}) VALUES ({marks(columns.split(','))})"


def marks(values: Sized) -> str:
    """Return a placeholder for each of these values, with commas between them."""
    return ", ".join("?" * len(values))
