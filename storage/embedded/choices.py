"""What nobody can compute again, once a day in a file of its own: conversations and choices made by hand.

``snapshots/choices-<day>.db`` is a SQLite database with these tables of the catalog and the settings files. The last
seven days are kept.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from storage.embedded import catalog, durable, modes, sqlite_file

FOLDER = "snapshots"
KEPT_DAYS = 7
TABLES = (
    "conversation", "message", "choice", "question", "topic", "document_topic", "topic_profile", "collection",
    "document_collection", "correction",
)  # fmt: skip
SETTINGS_FILES = ("dropqa.toml", "synonyms.toml")


def due(folder: Path, now: float) -> bool:
    """Tell whether there is no snapshot of today yet."""
    return not _path(folder, now).exists()


def take(folder: Path, aside: Path, now: float) -> None:
    """Write the snapshot of today and remove those of more than a week ago. Raises OSError, sqlite3.Error."""
    written = durable.temporary(aside)
    try:
        written.touch(modes.FILE)
        with _opened(written, folder / catalog.FILE_NAME) as connection:
            _copy(connection, folder)
        durable.sync(written)
        (folder / FOLDER).mkdir(mode=0o700, exist_ok=True)
        durable.place(written, _path(folder, now))
    finally:
        written.unlink(missing_ok=True)
    for old in _taken(folder)[:-KEPT_DAYS]:
        old.unlink(missing_ok=True)


def restore(folder: Path) -> str:
    """Bring the newest readable snapshot into the folder's catalog; return its day, or an empty string.

    What can still be read of damaged catalogs is added. Settings files that are there stay as they are.
    """
    used = next((path for path in reversed(_taken(folder)) if _brought_in(folder, path)), None)
    for damaged in (folder / FOLDER).glob("damaged-*.db"):
        with contextlib.suppress(sqlite3.Error), _opened(folder / catalog.FILE_NAME, damaged) as connection:
            for table in TABLES:
                with contextlib.suppress(sqlite3.Error):
                    _fill(connection, table)
    return used.stem.removeprefix("choices-") if used else ""


def _brought_in(folder: Path, snapshot: Path) -> bool:
    """Bring a snapshot into the folder's catalog; False where it cannot be read."""
    try:
        with _opened(folder / catalog.FILE_NAME, snapshot) as connection:
            if connection.execute("PRAGMA c.quick_check(1)").fetchone() != ("ok",):
                return False
            connection.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                _fill(connection, table)
            connection.execute("COMMIT")
            for name, content in connection.execute("SELECT name, content FROM c.settings_file"):
                if name in SETTINGS_FILES and not (folder / name).exists():
                    (folder / name).touch(0o600)
                    (folder / name).write_bytes(content)
    except sqlite3.Error:
        return False
    return True


@contextlib.contextmanager
def _opened(path: Path, beside: Path) -> Iterator[sqlite3.Connection]:
    """Open a database, with another one in it as ``c``, for reading. Raises sqlite3.Error."""
    uri = sqlite_file.address(path)
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        connection.execute("ATTACH ? AS c", (sqlite_file.address(beside, sqlite_file.READ_ONLY),))
        yield connection


def _copy(connection: sqlite3.Connection, folder: Path) -> None:
    connection.execute("BEGIN")
    for table in TABLES:
        connection.execute(f"CREATE TABLE {table} AS SELECT * FROM c.{table}")
    connection.execute("CREATE TABLE settings_file (name TEXT, content BLOB)")
    for name in SETTINGS_FILES:
        if (folder / name).is_file():
            connection.execute("INSERT INTO settings_file VALUES (?, ?)", (name, (folder / name).read_bytes()))
    connection.execute("COMMIT")


def _fill(connection: sqlite3.Connection, table: str) -> None:
    """Copy a table's rows, as far as the columns go by the same names."""
    columns = [
        {row[1] for row in connection.execute(f"PRAGMA {schema}.table_info({table})")} for schema in ("main", "c")
    ]
    names = ", ".join(sorted(columns[0] & columns[1]))
    if names:
        connection.execute(f"INSERT OR IGNORE INTO main.{table} ({names}) SELECT {names} FROM c.{table}")


def _path(folder: Path, now: float) -> Path:
    return folder / FOLDER / f"choices-{time.strftime('%Y-%m-%d', time.localtime(now))}.db"


def _taken(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("choices-????-??-??.db"))
