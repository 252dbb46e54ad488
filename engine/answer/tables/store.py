"""Relations in DuckDB: in memory, without access to files or networks, within limits of time and memory."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import duckdb

from engine.answer.tables.relation import Relation
from engine.errors import DropQAError

SECONDS = 5.0
# The databases of the relations that were asked last are kept.
_KEPT = 16
_SETTINGS = (
    "SET enable_external_access=false", "SET memory_limit='512MB'",
    "SET threads=1", "SET lock_configuration=true",
)  # fmt: skip


class QueryFailedError(DropQAError):
    """A query that could not be run over a table; says why."""


# A connection runs one query at a time.
_LOCK = threading.Lock()


def query_rows(
    relation: Relation, sql: str, values: Sequence[Any] = (), seconds: float = SECONDS
) -> list[tuple[Any, ...]]:
    """Run one statement over a relation, whose table is ``t``, and return its rows; it may take so many ``seconds``.

    Columns are ``r`` (the row's number), ``total``, ``label`` (a list), and for each column ``t0`` (its text),
    ``v0`` (its number, scale multiplied in) or ``d0`` (its date). Raises QueryFailedError. Thread-safe.
    """
    with _LOCK:
        connection = _loaded(relation)
        watch = threading.Timer(seconds, connection.interrupt)
        watch.start()
        try:
            return connection.execute(sql, list(values)).fetchall()
        except duckdb.Error as error:
            raise QueryFailedError(f"The table could not be asked: {str(error).splitlines()[0]}") from error
        finally:
            watch.cancel()


def warm_tables() -> None:
    """Load what the first table would wait for: DuckDB takes pandas with it where that is installed, for seconds."""
    import pyarrow as pa

    with duckdb.connect(":memory:") as connection:
        connection.register("loaded", pa.table({"r": [0]}))
        connection.execute("SELECT * FROM loaded").fetchall()


@lru_cache(maxsize=_KEPT)
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
            columns[f"v{i}"] = pa.array(relation.amounts(i), pa.float64())
        elif column.dtype == "date":
            columns[f"d{i}"] = pa.array(relation.dates(i), pa.string())
    connection = duckdb.connect(":memory:")
    connection.register("loaded", pa.table(columns))
    connection.execute("CREATE TABLE t AS SELECT * FROM loaded")
    connection.unregister("loaded")
    for setting in _SETTINGS:
        connection.execute(setting)
    return connection
