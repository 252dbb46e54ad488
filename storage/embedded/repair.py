"""A library without its catalog gets a new one: what the journal and the snapshots tell, and nothing is deleted."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from engine.errors import CatalogLostError
from storage.base import Original
from storage.catalog import garbage
from storage.embedded import choices, journal, marker
from storage.embedded.catalog import FILE_NAME, Catalog
from storage.embedded.files import EmbeddedFiles
from storage.embedded.sqlite_file import is_damage
from storage.embedded.vectors import VectorFile

_DERIVED = ("sparse/*", "vectors/*", "chroma/*", "graphs/*.jsonl", "graphs/*/*.json")


def set_damaged_aside(folder: Path) -> bool:
    """Move a missing, empty or damaged catalog to ``snapshots``; False when the catalog is a whole one.

    Raises NotALibraryError, OSError.
    """
    try:
        lost = marker.recognise(folder) != "new" and not _is_whole(folder / FILE_NAME)
    except CatalogLostError:
        lost = True
    if lost:
        kept = folder / choices.FOLDER
        kept.mkdir(mode=0o700, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for suffix in ("", "-wal", "-shm"):
            path = folder / (FILE_NAME + suffix)
            if path.exists():
                path.rename(kept / f"damaged-{stamp}.db{suffix}")
    return lost


def _is_whole(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error as error:  # what cannot be opened, because the disk is full, may be whole
        return not is_damage(error)


def begin_anew(folder: Path, now: float) -> None:
    """Fill a new catalog: conversations and choices from a snapshot; old index files become garbage."""
    catalog = Catalog(folder)
    try:
        with catalog.transaction() as write:
            names = (path.relative_to(folder).as_posix() for part in _DERIVED for path in folder.glob(part))
            garbage.note(write, [name for name in names if marker.OWN_NAMES.fullmatch(name)], now)
        vectors = VectorFile(folder, catalog.read_only)
        vectors.unlink_all()  # the new catalog gives the same keys to other nodes
        vectors.close()
    finally:
        catalog.close()
    choices.restore(folder)


def strays(folder: Path, catalog: Catalog, files: EmbeddedFiles) -> list[Original]:
    """Return the originals that the catalog does not know, by document and version.

    Those that were removed on purpose are left out; what no journal knows comes last, without a document.
    """
    known = journal.read(folder)
    stored = {path.name: path.stat().st_size for path in files.stored()}
    # Of dead versions, too.
    used = {
        row[0]
        for row in catalog.read("SELECT sha256 FROM version UNION SELECT json_extract(payload, '$.sha256') FROM job")
    }
    there = {(row[0], row[1]) for row in catalog.read("SELECT document_id, number FROM version WHERE live")}
    removed = known.gone | {row[0][-64:] for row in catalog.read("SELECT path FROM garbage")}
    found = sorted(
        (one for entry, one in known.originals.items() if entry not in there and one.sha256 in stored),
        key=lambda one: (one.created_at, one.document_id, one.number),
    )
    named = {one.sha256 for one in known.originals.values()}
    return [
        *found,
        *(Original("", "", 0, name, stored[name]) for name in sorted(stored.keys() - named - used - removed)),
    ]
