"""Which files nothing refers to any more: rows that say so, until the files are deleted or wanted again.

An original becomes garbage when it is stored, until a version takes it in; when the last version made from it is
purged; and when the job that waited for it is forgotten.
"""

from collections.abc import Iterable

from storage.catalog.database import Catalog, Write, put

KEPT_SECONDS = 24 * 3600.0


def original(sha256: str) -> str:
    """Return where an original lies, relative to the library folder."""
    return f"files/{sha256[:2]}/{sha256}"


def note(write: Write, paths: Iterable[str], now: float, *, staged: bool = False) -> None:
    """Call paths garbage from now on; ``staged`` ones are being written and wait for their commit."""
    write.executemany(put("garbage", "path, staged, since"), [(path, staged, now) for path in paths])


def stage(catalog: Catalog, paths: Iterable[str], now: float) -> None:
    """Note what is going to be written: a crash before the commit that takes it in leaves nothing behind."""
    with catalog.transaction(durable=False) as write:
        note(write, paths, now, staged=True)


def unstage(catalog: Catalog, paths: Iterable[str]) -> None:
    """Call paths garbage that were staged, and that no commit has taken in."""
    with catalog.transaction(durable=False) as write:
        write.executemany("UPDATE garbage SET staged = ? WHERE path = ?", [(False, path) for path in paths])


def keep(write: Write, paths: Iterable[str]) -> None:
    """Take paths from the garbage: something refers to them."""
    write.executemany("DELETE FROM garbage WHERE path = ?", [(path,) for path in paths])


def due(catalog: Catalog, now: float, limit: int, *, derived_at_once: bool = False) -> list[str]:
    """Return paths that have been garbage for a day; with ``derived_at_once`` only originals wait so long."""
    rows = catalog.read(
        "SELECT path FROM garbage WHERE NOT staged AND (since <= ? OR (? AND path NOT LIKE 'files/%')) LIMIT ?",
        (now - KEPT_SECONDS, derived_at_once, limit),
    )
    return [path for (path,) in rows]


def original_wanted(catalog: Catalog, path: str) -> bool:
    """Tell whether a version, also one that waits to be purged, or a job refers to the original at a path."""
    sha256 = path.rpartition("/")[2]
    return bool(
        catalog.read("SELECT 1 FROM version WHERE sha256 = ? LIMIT 1", (sha256,))
        or catalog.read("SELECT 1 FROM job WHERE payload LIKE ? LIMIT 1", (f'%"sha256":"{sha256}"%',))
    )
