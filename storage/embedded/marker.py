"""How a library folder is known: by its marker file, or by the catalog of a library that has none yet.

Nothing is written into a folder before it is known to be a library's, or empty. What lies in a folder and has no
name that a library gives is never looked into, changed or deleted.
"""

import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

from engine.errors import CatalogLostError, NotALibraryError, StorageError
from storage.embedded import catalog, durable, lock, room, sqlite_file

FILE_NAME = "dropqa-library.json"
SCHEMA_VERSION = 1
"""The layout of the folder; the catalog counts its own shape in ``PRAGMA user_version``."""

State = Literal["new", "marked", "unmarked"]
FOLDERS = ("tmp", "sparse", "chroma", "graphs", "files")
_DERIVED_FOLDERS = (*FOLDERS, "vectors", "ocr", "snapshots")
# What may lie in a folder before it is a library: settings, and what file systems put there by themselves.
_KEPT = ("signed-out", "api-keys", "shared-links", "labels", "evaluation-runs")
_APP_FILES = ("server.json", *(f"{name}.{suffix}" for name in _KEPT for suffix in ("json", "tmp")))
_FILES = frozenset({FILE_NAME, "dropqa.toml", "dropqa.tmp", "synonyms.toml", *_APP_FILES, room.FILE_NAME})
_HARMLESS = _FILES | {"lost+found", ".DS_Store"}
_UPLOAD = re.compile(r"upload-[a-z0-9_]{8}\.tmp")
_TABLES = frozenset({"meta", "document", "version", "node", "segment", "garbage"})
_HEADER = b"SQLite format 3\x00"
COLLECTION = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Names below the folder that only a library gives.
OWN_NAMES = re.compile(
    r"files/([0-9a-f]{2})/\1[0-9a-f]{62}"
    r"|graphs/(?:[0-9A-Za-z_-]+/\d+-\d+\.json|batch-[0-9a-f]{16}\.jsonl)"
    r"|sparse/seg-[0-9a-f]{16}|vectors/[a-z0-9-]+-[0-9a-f]{8}|chroma/[0-9a-f]{8}"
)
_KEPT_BESIDE = re.compile(
    r"ocr/[0-9a-f]{64}/.+|files/journal(-\d+)?\.jsonl"
    r"|snapshots/(choices-\d{4}-\d\d-\d\d\.db|before-\d+\.db|damaged-\d{8}-\d{6}\.db(-wal|-shm)?)"
)


def recognise(folder: Path) -> State:
    """Tell what a folder is, reading only.

    "new": a library may be made there. Raises NotALibraryError when it holds other things, CatalogLostError when it
    is a library without a (whole) catalog, StorageError when a newer DropQA made it.
    """
    if not folder.exists():
        return "new"
    if not folder.is_dir():
        raise NotALibraryError(f"{folder} is not a folder. Choose a folder for the library.")
    marked = _is_marked(folder)
    tables = _tables_or_refusal(folder, marked)
    if tables >= _TABLES:
        return "marked" if marked else "unmarked"
    if marked:
        raise lost(folder, "missing or empty")
    strangers = [*_strangers(folder), *([catalog.FILE_NAME] if tables else [])]
    if strangers:
        raise _refused(folder, strangers)
    if next(_own(folder), None) is not None:
        raise lost(folder, "missing or empty")
    return "new"


def _tables_or_refusal(folder: Path, marked: bool) -> set[str]:
    """Return the names of the catalog's tables; of a damaged one tell whether it is a library's."""
    try:
        return _tables_of(folder)
    except sqlite3.Error as error:
        strangers = _strangers(folder)
        if marked or (not strangers and next(_own(folder), None) is not None):
            raise lost(folder, f"damaged ({error})") from error
        raise _refused(folder, [*strangers, catalog.FILE_NAME]) from error


def refuse_others(folder: Path) -> None:
    """Raise NotALibraryError for a folder that holds other things; a library that is in use is left to its owner.

    Raises CatalogLostError, StorageError as :func:`recognise`.
    """
    if not lock.is_held_or_left(folder / lock.FILE_NAME):
        recognise(folder)


def write(folder: Path) -> None:
    """Mark a folder as a library, durably. Raises OSError."""
    content = json.dumps({"library": "dropqa", "schema": SCHEMA_VERSION}) + "\n"
    durable.write(folder / FILE_NAME, [content.encode()], folder / "tmp")


def lost(folder: Path, how: str) -> CatalogLostError:
    """Return the error of a library whose catalog is ``how`` ("missing or empty")."""
    return CatalogLostError(
        f"The catalog of the library {folder} is {how}, so nothing in it was touched. Put {catalog.FILE_NAME} back "
        f"from a backup, or run `dropqa --library {folder} repair`, which makes a new one from the original files."
    )


def is_upload(path: Path) -> bool:
    """Tell whether a file of the folder itself is what a killed process left of an upload."""
    return bool(_UPLOAD.fullmatch(path.name)) and path.is_file() and not path.is_symlink()


def _is_marked(folder: Path) -> bool:
    try:
        facts = json.loads((folder / FILE_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(facts, dict) or facts.get("library") != "dropqa":
        return False
    found = facts.get("schema")
    if not isinstance(found, int) or found > SCHEMA_VERSION:
        raise StorageError(
            f"The library {folder} was made by a newer DropQA (layout {found}, known {SCHEMA_VERSION}). Update DropQA."
        )
    return True


def _tables_of(folder: Path) -> set[str]:
    """Return the names of the catalog's tables without touching it. Raises sqlite3.Error when it is damaged."""
    path = folder / catalog.FILE_NAME
    if not path.is_file() or not path.stat().st_size:
        return set()
    with path.open("rb") as file:
        if file.read(len(_HEADER)) != _HEADER:
            raise sqlite3.DatabaseError("it is not a database")
    found = _read_tables(sqlite_file.address(path, sqlite_file.AS_IT_IS))
    log = path.with_name(path.name + "-wal")
    if found >= _TABLES or not log.is_file() or not log.stat().st_size:
        return found
    # A process that was killed in its first minute has everything in the log, which only a writer may fold in.
    with tempfile.TemporaryDirectory(prefix="dropqa-") as aside:
        for source in (path, log):
            shutil.copyfile(source, Path(aside, source.name))
        return _read_tables(sqlite_file.address(Path(aside, path.name)))


def _read_tables(uri: str) -> set[str]:
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _strangers(folder: Path) -> list[str]:
    """Return what no library puts there, relative to the folder."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry.name in _DERIVED_FOLDERS:
            if entry.is_symlink() or not entry.is_dir():
                found.append(entry.name)
            else:
                found += [name for name in _below(folder, entry) if not _is_own(name)]
        elif not _is_expected(entry):
            found.append(entry.name)
    return found


def _is_expected(entry: Path) -> bool:
    """Tell whether an entry of the folder itself is a library's, or harmless."""
    return (
        entry.name in _HARMLESS
        or entry.name.startswith(catalog.FILE_NAME)
        or (entry.name == lock.FILE_NAME and lock.is_own(entry))
        or is_upload(entry)
    )


def _own(folder: Path) -> Iterator[str]:
    """Yield the names of stored files, relative to the folder."""
    for name in _DERIVED_FOLDERS:
        if (folder / name).is_dir():
            yield from filter(_is_own, _below(folder, folder / name))


def _below(folder: Path, entry: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in entry.rglob("*") if not path.is_dir())


def _is_own(name: str) -> bool:
    parts = name.split("/")
    return bool(
        OWN_NAMES.fullmatch(name)
        or (len(parts) == 3 and OWN_NAMES.fullmatch("/".join(parts[:2])))
        or (len(parts) == 4 and parts[0] == "chroma" and COLLECTION.fullmatch(parts[2]))
        or (parts[0] == "tmp" and durable.is_temporary(parts[1]))
        or _KEPT_BESIDE.fullmatch(name)
    )


def _refused(folder: Path, strangers: list[str]) -> NotALibraryError:
    named = ", ".join(strangers[:3]) + (f" and {len(strangers) - 3} more" if len(strangers) > 3 else "")
    return NotALibraryError(
        f"{folder} is not a library: it holds other things ({named}). Nothing was changed. "
        "Choose an empty or a new folder for the library."
    )
