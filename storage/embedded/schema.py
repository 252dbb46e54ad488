"""The catalog's tables, and the numbered steps to them; ``PRAGMA user_version`` is the number of the last one done."""

import sqlite3

from engine.errors import StorageError
from storage.catalog.schema import tables

# How SQLite has what it does not call as the tables do: names for its own row number, and one collation by bytes.
_IN_SQLITE = {
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
    """Return the statements that make the tables of a new library."""
    made = tables(version_id="INTEGER PRIMARY KEY AUTOINCREMENT", of_version=_OF_VERSION, facet_value="")
    for theirs, ours in _IN_SQLITE.items():
        made = made.replace(theirs, ours)
    return made + _OWN


# Since when a document is put away (seconds since 1970), and the files of watched folders; times and device as told by
# the file system. A file that could not be read has an error, and perhaps no document.
_WATCHED = """
ALTER TABLE document ADD COLUMN archived REAL;
CREATE TABLE watched_file (
    path TEXT PRIMARY KEY, document_id TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    device INTEGER NOT NULL, error TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX watched_file_document ON watched_file (document_id);
"""

# Vectors are in a database of their own; those of before, in files, are computed again.
_OLD_VECTORS = """
INSERT OR REPLACE INTO garbage (path, staged, since) SELECT folder, 0, CAST(strftime('%s', 'now') AS REAL) FROM model;
DROP TABLE model;
DROP TABLE embedding;
DROP TABLE vector_sum;
"""

# Reports with what has been written of them, as JSON.
_REPORTS = """
CREATE TABLE report (
    report_id TEXT PRIMARY KEY, owner TEXT NOT NULL, created_at REAL NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX report_owner ON report (owner, created_at DESC);
"""

# Collections, with who may read and edit them as JSON lists of names, and the one that a document is in.
_COLLECTIONS = """
CREATE TABLE collection (
    collection_id TEXT PRIMARY KEY, name TEXT NOT NULL, readers TEXT NOT NULL, editors TEXT NOT NULL,
    created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE document_collection (document_id TEXT PRIMARY KEY, collection_id TEXT NOT NULL) WITHOUT ROWID;
"""

# The oldest shape that is brought to today's, and the steps from there.
OLDEST = 12
MIGRATIONS: tuple[str, ...] = (_WATCHED, _OLD_VECTORS, _REPORTS, _COLLECTIONS)
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
    steps = [] if done else [(NEWEST, _all_tables())]
    done = done or NEWEST
    for number, statements in [*steps, *enumerate(migrations[done - OLDEST :], done + 1)]:
        try:
            connection.executescript(f"BEGIN IMMEDIATE;{statements};PRAGMA user_version={number};COMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
