"""What a library may delete: files whose names it gave itself, a day after its catalog called them garbage.

Whether something still refers to one is asked again before it is deleted.
"""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from storage.catalog.database import Catalog
from storage.catalog.garbage import keep, original_wanted
from storage.embedded import durable, segments
from storage.embedded.marker import COLLECTION, OWN_NAMES

_CHROMA = (
    *(f"chroma.sqlite3{suffix}" for suffix in ("", "-wal", "-shm", "-journal")), "header.bin", "data_level0.bin",
    "link_lists.bin", "length.bin", "index_metadata.pickle",
)  # fmt: skip
_FILES_OF = {"sparse": segments.FILE_NAMES, "vectors": ("rows.f32", "links.i64"), "chroma": _CHROMA}


def collect(folder: Path, catalog: Catalog, paths: Sequence[str], is_wanted: Callable[[Catalog, str], bool]) -> None:
    """Delete those of some garbage paths that nothing refers to, then forget them all. Raises OSError.

    Nobody may put originals in place between looking the paths up and this (see :meth:`.files.EmbeddedFiles.alone`).
    """
    for path in paths:
        if not is_wanted(catalog, path):
            remove(folder, path)
    if paths:
        with catalog.transaction(durable=False) as write:
            keep(write, paths)


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


def is_referred_to(catalog: Catalog, path: str) -> bool:
    """Tell whether something in the catalog of a library folder refers to a path."""
    return (
        original_wanted(catalog, path)
        or bool(catalog.read("SELECT 1 FROM version WHERE graph = ? LIMIT 1", (path,)))
        or bool(catalog.read("SELECT 1 FROM segment WHERE name = ? LIMIT 1", (path.rpartition("/")[2],)))
    )


def _leads_away(folder: Path, target: Path) -> bool:
    """Tell whether a link on the way makes the path another place than its name says."""
    return target.is_symlink() or target.parent.resolve() != folder.resolve() / target.parent.relative_to(folder)
