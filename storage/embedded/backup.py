"""A copy of a library that is made while it is used, and a library that is made from such a copy.

A copy is a library folder with ``backup.json``, which is written last and has each file's size and SHA-256. The
catalog is copied as it is at one moment, by SQLite, and the vectors after it; the files that it names never change, and
only upkeep, which waits meanwhile, would take one away. Chroma's collections are made anew from the vectors. What
is not finished has ``unfinished.json`` in it and is no library.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

from engine.errors import DamagedOriginalError, StorageError, UsageError
from storage.catalog import garbage
from storage.embedded import catalog, durable, marker, modes, sqlite_file, vectors

MANIFEST, UNFINISHED = "backup.json", "unfinished.json"
_BESIDE = ("dropqa.toml", "synonyms.toml", "api-keys.json", "labels.json", "evaluation-runs.json")
_SYNCED = 500  # files at once
Sums = dict[str, tuple[int, str]]


def back_up(folder: Path, target: Path, read_only: bool = False) -> Sums:
    """Copy a library, whose upkeep must be paused, into an empty folder; return size and SHA-256 by path.

    Nothing is written beside the databases of one that is ``read_only``.
    Raises UsageError for a folder that holds something, DamagedOriginalError, StorageError.
    """
    target = target.resolve()
    if folder == target or folder in target.parents or target in folder.parents:
        raise UsageError(f"{target} is not apart from the library {folder}. Choose another folder.")
    try:
        _begin(target)
        databases = [name for name in (catalog.FILE_NAME, vectors.FILE_NAME) if (folder / name).is_file()]
        for name in databases:
            how = sqlite_file.AS_IT_IS if read_only else sqlite_file.READ_ONLY
            _copy_database(folder / name, target / name, how)
        sums = {name: _sum(target / name) for name in databases} | _copy_files(folder, target)
        _sync(target, sums)
        durable.write(target / MANIFEST, [json.dumps({"files": sums}).encode()], target)
        _finish(target)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(f"The backup in {target} is not finished ({error}). Begin it again.") from error
    return sums


def _copy_files(folder: Path, target: Path) -> Sums:
    """Copy the files beside the databases. Raises DamagedOriginalError, OSError."""
    sums = {}
    for path in (*_named(folder, target), *_others(folder)):
        try:
            sums[path] = _copy(folder / path, target / path)
        except FileNotFoundError:
            if path.startswith(marker.FOLDERS):
                raise
            continue  # such as what was read of a document that has just been removed
        if path.startswith("files/") and sums[path][1] != path[-64:]:
            raise DamagedOriginalError(
                f"The stored original {path[-64:][:12]} is damaged, so nothing was backed up. `dropqa doctor "
                "--deep` tells which document it is of: add its file again."
            )
    return sums


def restore(source: Path, target: Path) -> Sums:
    """Make a library in an empty folder from a copy, comparing every file's SHA-256; return them.

    What was interrupted goes on when it is called again. Raises UsageError, StorageError.
    """
    try:
        sums: Sums = {path: (size, sum_) for path, (size, sum_) in _manifest(source).items()}
        _begin(target)
        last = catalog.FILE_NAME, marker.FILE_NAME
        for path in sorted(sums, key=lambda path: (path in last, path)):
            if path == marker.FILE_NAME:
                _sync(target, sums.keys() - {path})
                _finish(target)  # what follows makes it a library
            if (target / path).is_file() and _sum(target / path) == sums[path]:
                continue
            if _copy(source / path, target / path) != sums[path]:
                (target / path).unlink()
                raise StorageError(f"{path} in the backup {source} is not what was backed up. Take another backup.")
        _sync(target, [marker.FILE_NAME])
    except OSError as error:
        raise StorageError(f"The library {target} is not restored ({error}). Begin it again.") from error
    return sums


def _begin(target: Path) -> None:
    """Make the folder, or take it up where it was left. Raises UsageError when it holds other things."""
    target.mkdir(modes.FOLDER, parents=True, exist_ok=True)
    held = {path.name for path in target.iterdir()} - {"lost+found", ".DS_Store"}
    if held and UNFINISHED not in held:
        raise UsageError(f"{target} is not empty. Choose an empty or a new folder.")
    if not held:
        durable.write(target / UNFINISHED, [b"{}"], target)


def _finish(target: Path) -> None:
    (target / UNFINISHED).unlink(missing_ok=True)
    durable.sync(target)


def _copy_database(source: Path, target: Path, how: str) -> None:
    target.unlink(missing_ok=True)
    target.touch(modes.FILE)
    with closing(_opened(source, how)) as original, closing(sqlite3.connect(target)) as copy:
        original.backup(copy)  # all pages in one step: writers go on, and are not seen
        copy.execute("PRAGMA journal_mode=DELETE")


def _opened(path: Path, how: str = sqlite_file.READ_ONLY) -> sqlite3.Connection:
    return sqlite3.connect(sqlite_file.address(path, how), uri=True)


def _named(folder: Path, target: Path) -> Iterator[str]:
    """Yield the files that the copied catalog names; of folders, all that lie in them."""
    with closing(_opened(target / catalog.FILE_NAME)) as connection:
        for (sha256,) in connection.execute(
            "SELECT sha256 FROM version WHERE live UNION SELECT json_extract(payload, '$.sha256') FROM job"
            " WHERE state IN ('queued', 'running', 'failed') AND json_extract(payload, '$.sha256') IS NOT NULL"
        ):
            yield garbage.original(sha256)
        yield from (path for (path,) in connection.execute("SELECT DISTINCT graph FROM version WHERE live"))
        for (path,) in connection.execute("SELECT 'sparse/' || name FROM segment"):
            yield from (f"{path}/{file.name}" for file in sorted((folder / path).iterdir()))


def _others(folder: Path) -> Iterator[str]:
    """Yield what the catalog does not name: what was read of scans, snapshots, settings, and the mark of a library."""
    for name in ("ocr", "snapshots"):
        for path in sorted((folder / name).rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(folder).as_posix()
    yield from (name for name in (*_BESIDE, marker.FILE_NAME) if (folder / name).is_file())


def _manifest(source: Path) -> dict[str, tuple[int, str]]:
    try:
        files: dict[str, tuple[int, str]] = json.loads((source / MANIFEST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{source} holds no whole backup. Name a folder that `dropqa backup` has made.") from error
    for path in files:
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise UsageError(f"The backup {source} names a file outside itself, so nothing was restored.")
    return files


def _copy(source: Path, target: Path) -> tuple[int, str]:
    target.parent.mkdir(modes.FOLDER, parents=True, exist_ok=True)
    return durable.write_private(target, durable.chunks_of(source))


def _sum(path: Path) -> tuple[int, str]:
    return path.stat().st_size, durable.sha256_of(path)


def _sync(target: Path, paths: Iterable[str]) -> None:
    """Force the files, and the folders that they lie in, onto the disk."""
    files = [target / path for path in paths]
    whole = [*files, *{parent for file in files for parent in file.parents if target in (parent, *parent.parents)}]
    for start in range(0, len(whole), _SYNCED):
        durable.sync_all(whole[start : start + _SYNCED])
