"""What a library may delete: files whose names it gave itself, a day after its catalog called them garbage.

An original becomes garbage when it is stored, until a version takes it in; when the last version made from it is
purged; and when the job that waited for it is forgotten. Whether something still refers to it is asked again before
it is deleted.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from storage.embedded import durable, segments
from storage.embedded.catalog import Catalog
from storage.embedded.marker import COLLECTION, OWN_NAMES

KEPT_SECONDS = 24 * 3600.0
_CHROMA = (
    *(f"chroma.sqlite3{suffix}" for suffix in ("", "-wal", "-shm", "-journal")), "header.bin", "data_level0.bin",
    "link_lists.bin", "length.bin", "index_metadata.pickle",
)  # fmt: skip
_FILES_OF = {"sparse": segments.FILE_NAMES, "vectors": ("rows.f32", "links.i64"), "chroma": _CHROMA}
_ORIGINALS = "files/"
_REFERENCES = (
    "SELECT 1 FROM version WHERE sha256 = :name LIMIT 1",
    "SELECT 1 FROM job WHERE json_extract(payload, '$.sha256') = :name"
    " OR json_extract(payload, '$.received.sha256') = :name LIMIT 1",
    "SELECT 1 FROM version WHERE graph = :path LIMIT 1",
    "SELECT 1 FROM segment WHERE name = :name LIMIT 1",
)


def original(sha256: str) -> str:
    """Return where an original lies, relative to the library folder."""
    return f"{_ORIGINALS}{sha256[:2]}/{sha256}"


def note(write: sqlite3.Connection, paths: Iterable[str], now: float, *, staged: bool = False) -> None:
    """Call paths garbage from now on; ``staged`` ones are being written and wait for their commit."""
    write.executemany(
        "INSERT OR REPLACE INTO garbage (path, staged, since) VALUES (?, ?, ?)",
        [(path, staged, now) for path in paths],
    )


def keep(write: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Take paths from the garbage: something refers to them."""
    write.executemany("DELETE FROM garbage WHERE path = ?", [(path,) for path in paths])


def due(catalog: Catalog, now: float, limit: int, *, derived_at_once: bool = False) -> list[str]:
    """Return paths that have been garbage for a day; with ``derived_at_once`` only originals wait so long."""
    rows = catalog.read(
        "SELECT path FROM garbage WHERE NOT staged AND (since <= ? OR (? AND path NOT LIKE 'files/%')) LIMIT ?",
        (now - KEPT_SECONDS, derived_at_once, limit),
    )
    return [path for (path,) in rows]


def collect(folder: Path, catalog: Catalog, paths: Iterable[str], now: float, at_once: bool = False) -> None:
    """Delete paths that are still garbage and that nothing refers to, then forget them. Raises OSError."""
    done = []
    for path in paths:
        rows = catalog.read("SELECT since FROM garbage WHERE path = ? AND NOT staged", (path,))
        young = bool(rows) and rows[0][0] > now - KEPT_SECONDS
        if not rows or (young and (not at_once or path.startswith(_ORIGINALS))):
            continue  # taken in, or stored anew, since it was looked up
        if not _referred_to(catalog, path):
            remove(folder, path)
        done.append(path)
    if done:
        with catalog.transaction(durable=False) as write:
            keep(write, done)


def remove(folder: Path, path: str) -> None:
    """Delete one file, or one folder of the index, by its name in the catalog; what has another name stays.

    Raises OSError.
    """
    target = folder / path
    if not OWN_NAMES.fullmatch(path) or _leads_away(folder, target):
        return
    if not target.is_dir():
        target.unlink(missing_ok=True)
        return
    for inner in [*filter(_is_collection, target.iterdir()), target]:
        for name in _FILES_OF.get(target.parent.name, ()):
            (inner / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # something else lies in it
            inner.rmdir()


def sweep_temporary(aside: Path) -> None:
    """Delete what a killed process was writing in the temporary folder. Raises OSError."""
    for path in aside.iterdir():
        if not durable.is_temporary(path.name) or path.is_symlink():
            continue
        if path.is_file():
            path.unlink()
        elif path.is_dir():
            for name in segments.FILE_NAMES:
                (path / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                path.rmdir()


def _is_collection(path: Path) -> bool:
    """Tell whether a folder has a name that Chroma gives to one."""
    return COLLECTION.fullmatch(path.name) is not None and path.is_dir() and not path.is_symlink()


def _referred_to(catalog: Catalog, path: str) -> bool:
    values = {"path": path, "name": path.rpartition("/")[2]}
    return any(catalog.read(statement, values) for statement in _REFERENCES)


def _leads_away(folder: Path, target: Path) -> bool:
    """Tell whether a link on the way makes the path another place than its name says."""
    return target.is_symlink() or target.parent.resolve() != folder.resolve() / target.parent.relative_to(
        folder
    )
