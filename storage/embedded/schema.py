"""The catalog's tables, and the numbered steps to them; ``PRAGMA user_version`` is the number of the last one done."""

import sqlite3

from engine.errors import StorageError
from storage.catalog.schema import CHOICES, CORRECTIONS, tables

# How SQLite has it, where an older library may have some of it: it numbers rows itself, and compares texts by bytes.
_IN_SQLITE = {
    "CREATE TABLE": "CREATE TABLE IF NOT EXISTS",
    "CREATE INDEX": "CREATE INDEX IF NOT EXISTS",
    "INSERT INTO": "INSERT OR IGNORE INTO",
    ' COLLATE "C"': "",
    "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "BIGINT PRIMARY KEY": "INTEGER PRIMARY KEY",
}
_OF_VERSION = """
    sparse_nodes INTEGER NOT NULL,
    graph TEXT NOT NULL, graph_offset INTEGER NOT NULL, graph_length INTEGER NOT NULL,
    graph_sum INTEGER                       -- CRC-32
"""
_OWN = """
CREATE INDEX version_graph ON version (graph);
CREATE INDEX version_dead ON version (id) WHERE NOT live;
CREATE TABLE segment (name TEXT PRIMARY KEY, nodes INTEGER NOT NULL) WITHOUT ROWID;
"""


def _all_tables() -> str:
    """Return the statements that make the tables, those that are not there yet."""
    shared = tables(version_id="INTEGER PRIMARY KEY AUTOINCREMENT", of_version=_OF_VERSION, facet_value="")
    made = shared + CORRECTIONS + CHOICES + _OWN
    for theirs, ours in _IN_SQLITE.items():
        made = made.replace(theirs, ours)
    return made


# Since when a document is put away (seconds since 1970).
_ARCHIVED = "ALTER TABLE document ADD COLUMN archived REAL;"

# Vectors are in a database of their own; those of before, in files, are computed again.
_OLD_VECTORS = """
INSERT OR REPLACE INTO garbage (path, staged, since) SELECT folder, 0, CAST(strftime('%s', 'now') AS REAL) FROM model;
DROP TABLE model;
DROP TABLE embedding;
DROP TABLE vector_sum;
"""

# The oldest shape that is brought to today's, and the steps from there: of tables that came, and of other changes.
OLDEST = 12
MIGRATIONS: tuple[str, ...] = (_ARCHIVED, _OLD_VECTORS, *[_all_tables()] * 5)
NEWEST = OLDEST + len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the catalog to the newest shape, one transaction a step.

    Raises StorageError when a newer DropQA wrote it, or one of the first days of its development.
    """
    done = connection.execute("PRAGMA user_version").fetchone()[0]
    known = OLDEST + len(migrations)
    if done > known:
        raise StorageError(
            f"This library was written by a newer DropQA (catalog {done}, known {known}). Update DropQA."
        )
    if 0 < done < OLDEST:
        raise StorageError(
            f"This library was written by a DropQA that is too old (catalog {done}). Add its files to a new library."
        )
    for number, statements in enumerate(migrations, OLDEST + 1):
        if number <= done or (not done and number < NEWEST):
            continue
        try:
            connection.executescript(f"BEGIN IMMEDIATE;{statements};PRAGMA user_version={number};COMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
