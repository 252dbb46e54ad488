"""Relations in DuckDB: in memory, without access to files or networks, within limits of time and memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import duckdb

from engine.answer.tables.relation import Relation
from engine.errors import DropQAError

SECONDS = 5.0
_KEPT = 16
_SETTINGS = (
    "SET enable_external_access=false",
    "SET memory_limit='512MB'",
    "SET threads=1",
    "SET lock_configuration=true",
)


class QueryFailedError(DropQAError):
    """A query that could not be run over a table; says why."""


class RelationStore:
    """The relations that were asked last, each in a database of its own. Thread-safe."""

    def __init__(self, kept: int = _KEPT, seconds: float = SECONDS) -> None:
        """``kept`` is how many relations stay open, ``seconds`` how long a query may take."""
        self._kept, self._seconds = kept, seconds
        self._opened: OrderedDict[int, tuple[Relation, duckdb.DuckDBPyConnection]] = OrderedDict()
        self._lock = threading.Lock()

    def rows(self, relation: Relation, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement over a relation, whose table is ``t``, and return its rows.

        Columns are ``r`` (the row's number), ``total``, ``label`` (a list), and for each column ``t0`` (its text),
        ``v0`` (its number, scale multiplied in) or ``d0`` (its date). Raises QueryFailedError.
        """
        with self._lock:
            connection = self._connection(relation)
            watch = threading.Timer(self._seconds, connection.interrupt)
            watch.start()
            try:
                return connection.execute(sql, list(values)).fetchall()
            except duckdb.Error as error:
                raise QueryFailedError(
                    f"The table could not be asked: {str(error).splitlines()[0]}"
                ) from error
            finally:
                watch.cancel()

    def _connection(self, relation: Relation) -> duckdb.DuckDBPyConnection:
        found = self._opened.get(id(relation))
        if found is None or found[0] is not relation:
            found = relation, _loaded(relation)
            self._opened[id(relation)] = found
            while len(self._opened) > self._kept:
                self._opened.popitem(last=False)[1][1].close()
        self._opened.move_to_end(id(relation))
        return found[1]


def warm_tables() -> None:
    """Load what the first table would wait for: DuckDB takes pandas with it where that is installed, for seconds."""
    import pyarrow as pa

    with duckdb.connect(":memory:") as connection:
        connection.register("loaded", pa.table({"r": [0]}))
        connection.execute("SELECT * FROM loaded").fetchall()


def _loaded(relation: Relation) -> duckdb.DuckDBPyConnection:
    import pyarrow as pa  # heavy: no page waits for it

    rows = range(len(relation.rows))
    columns: dict[str, Any] = {
        "r": pa.array(rows, pa.int32()),
        "total": pa.array([row.total for row in relation.rows], pa.bool_()),
        "label": pa.array([list(row.label) for row in relation.rows], pa.list_(pa.string())),
    }
    for column in relation.columns:
        i = column.index
        columns[f"t{i}"] = pa.array(relation.texts(i), pa.string())
        if column.numeric:
            amounts = [None if one is None else float(one.amount) for one in relation.quantities(i)]
            columns[f"v{i}"] = pa.array(amounts, pa.float64())
        elif column.dtype == "date":
            columns[f"d{i}"] = pa.array(relation.dates(i), pa.string())
    connection = duckdb.connect(":memory:")
    connection.register("loaded", pa.table(columns))
    connection.execute("CREATE TABLE t AS SELECT * FROM loaded")
    connection.unregister("loaded")
    for setting in _SETTINGS:
        connection.execute(setting)
    return connection


STORE = RelationStore()
