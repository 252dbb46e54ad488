"""What happens before a library is used: the traces of a process that was killed are swept away.

Whatever the last process was writing is either named in the catalog, then it is whole, or it goes.
"""

from __future__ import annotations

import logging
from pathlib import Path

from storage.embedded import durable, graphs
from storage.embedded.catalog import Catalog
from storage.embedded.segments import Segment
from storage.embedded.unit import SPARSE
from storage.embedded.vectors import FOLDER as VECTORS
from storage.embedded.vectors import ModelVectors, VectorFiles

TEMPORARY = "tmp"
FOLDERS = (TEMPORARY, SPARSE, VECTORS, graphs.FOLDER, "files")

log = logging.getLogger(__name__)


def prepare(folder: Path) -> None:
    """Make the library's folders and empty the temporary one. Raises OSError."""
    for name in FOLDERS:
        (folder / name).mkdir(exist_ok=True)
    for path in (folder / TEMPORARY).iterdir():
        durable.remove(path)


def sweep(folder: Path, catalog: Catalog) -> None:
    """Remove what no commit ever took in, and take up interrupted work again. Raises OSError."""
    garbage = catalog.read("SELECT path FROM garbage")
    for (path,) in garbage:
        durable.remove(folder / path)
    # After a power failure a file may outlive the note that it is garbage.
    kept = {f"{SPARSE}/{name}" for (name,) in catalog.read("SELECT name FROM segment")}
    kept |= {vectors for (vectors,) in catalog.read("SELECT folder FROM model")}
    for parent in (SPARSE, VECTORS):
        for path in (folder / parent).glob("*"):
            if f"{parent}/{path.name}" not in kept:
                durable.remove(path)
    with catalog.transaction() as write:
        write.executemany("DELETE FROM garbage WHERE path = ?", garbage)
        write.execute("UPDATE job SET state = 'queued', stage = '', progress = 0 WHERE state = 'running'")
        write.execute("UPDATE message SET state = 'stopped' WHERE state = 'running'")


def open_segments(folder: Path, catalog: Catalog) -> list[Segment]:
    """Return the segments of the manifest; a damaged one leaves it, so that reindexing can replace it.

    Raises OSError when one is there but cannot be read.
    """
    opened = []
    for (name,) in catalog.read("SELECT name FROM segment ORDER BY name"):
        try:
            opened.append(Segment(folder / SPARSE / name))
        except (FileNotFoundError, ValueError, EOFError) as error:
            log.error("segment %s is damaged, its documents must be reindexed: %s", name, error)
            with catalog.transaction() as write:
                write.execute("DELETE FROM segment WHERE name = ?", (name,))
                write.execute("INSERT INTO garbage (path, staged) VALUES (?, 0)", (f"{SPARSE}/{name}",))
    return opened


def open_vectors(folder: Path, catalog: Catalog) -> dict[str, ModelVectors]:
    """Return the models' vectors; a model whose files are damaged is forgotten, to be embedded again."""
    models, files = {}, VectorFiles(folder)
    for name, path in catalog.read("SELECT name, folder FROM model ORDER BY id"):
        try:
            models[name] = files.open(catalog, name)
        except (FileNotFoundError, ValueError) as error:
            log.error("the vectors of %s are damaged and will be embedded again: %s", name, error)
            with catalog.transaction() as write:
                write.execute(
                    "DELETE FROM embedding WHERE model_id = (SELECT id FROM model WHERE name = ?)", (name,)
                )
                write.execute("DELETE FROM model WHERE name = ?", (name,))
                write.execute("INSERT OR REPLACE INTO garbage (path, staged) VALUES (?, 0)", (path,))
    return models
