"""The tables of a library, as numbered steps; the table ``catalog_shape`` has the number of the last one done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import StorageError
from storage.catalog.schema import CHOICES, CORRECTIONS, tables

if TYPE_CHECKING:
    import psycopg

# Whatever changes a version notes in ``changed`` the generation that it belongs to, so that other processes read only
# what is new.
_OF_VERSION = """
    lengths BYTEA NOT NULL,            -- weighted tokens of each node, little-endian float32
    died DOUBLE PRECISION,             -- when it was deleted; its rows wait for upkeep
    changed BIGINT NOT NULL DEFAULT 0
"""
_OWN, _VIEWS, _WAITING = (
    Path(__file__).with_name(f"{name}.sql").read_text("utf-8") for name in ("tables", "views", "waiting")
)
_SHARED = tables(version_id="BIGINT PRIMARY KEY", of_version=_OF_VERSION, facet_value='TEXT COLLATE "C"')
_TABLES = f"CREATE EXTENSION IF NOT EXISTS vector;{_SHARED}{_OWN}"

# The second step made earlier views; with the fifth the rows of nodes have checksums.
MIGRATIONS: tuple[str, ...] = (_TABLES, "", _VIEWS, CORRECTIONS, "", _WAITING, CHOICES)


def migrate(connection: psycopg.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring a database to the newest shape, one transaction a step; several processes at once do it once.

    Raises StorageError for one that a newer DropQA wrote, and for one that holds other tables.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('dropqa shape' || current_schema(), 0))")
        if not connection.execute("SELECT to_regclass('catalog_shape') IS NOT NULL").fetchone()[0]:  # type: ignore[index]
            held = connection.execute(
                "SELECT string_agg(tablename, ', ') FROM pg_tables WHERE schemaname = current_schema()"
            ).fetchone()
            if held and held[0]:
                raise StorageError(
                    f"The database holds other tables ({held[0][:80]}) and no library. Give the library an empty one."
                )
            connection.execute("CREATE TABLE catalog_shape (number INTEGER NOT NULL)")
            connection.execute("INSERT INTO catalog_shape VALUES (0)")
        row = connection.execute("SELECT number FROM catalog_shape").fetchone()
        done = row[0] if row else 0
        if done > len(migrations):
            raise StorageError(
                f"This library was written by a newer DropQA (catalog {done}, known {len(migrations)}). Update DropQA."
            )
        for statements in migrations[done:]:
            connection.execute(statements)
        connection.execute("UPDATE catalog_shape SET number = %s", (len(migrations),))
