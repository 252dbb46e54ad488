"""Libraries of before: each model's vectors in a folder of two files, ``rows.f32`` and ``links.i64``.

What is in them moves to ``vectors.db`` when such a library is opened; the folders are garbage then. A process that is
killed meanwhile begins again at the next start.
"""

from __future__ import annotations

import logging
import time
from pathlib import Path

import numpy as np

from storage.embedded import garbage
from storage.embedded.catalog import Catalog
from storage.embedded.vectors import VectorFile

_ROWS, _LINKS = "rows.f32", "links.i64"
_STEP = 5000  # vectors moved in one transaction

log = logging.getLogger(__name__)


def move(folder: Path, catalog: Catalog, file: VectorFile) -> None:
    """Move the vectors, if there are any; of a damaged file what is whole. Raises StorageError."""
    if catalog.read_only or not catalog.read("SELECT 1 FROM sqlite_master WHERE name = 'old_model'"):
        return
    for id_, name, dimension, path, rows, links in catalog.read(
        "SELECT id, name, dimension, folder, rows, links FROM old_model ORDER BY id"
    ):
        log.warning("The vectors of %s are moved to %s", name, file.path)
        _move(catalog, file, (id_, name, dimension), (folder / path, rows, links))
    with catalog.transaction() as write:
        garbage.note(write, [row[0] for row in catalog.read("SELECT folder FROM old_model")], time.time())
        write.execute("DROP TABLE old_model")
        write.execute("DROP TABLE old_embedding")


def _move(
    catalog: Catalog, file: VectorFile, model: tuple[int, str, int], files: tuple[Path, int, int]
) -> None:
    (id_, name, dimension), (folder, rows, links) = model, files
    try:
        block = np.fromfile(folder / _ROWS, "<f4", rows * dimension)
        pairs = np.fromfile(folder / _LINKS, "<i8", links * 2).reshape(-1, 2)
    except (OSError, ValueError) as error:
        log.error("the vectors of %s cannot be read and will be computed again: %s", name, error)
        return
    block = block[: len(block) // dimension * dimension].reshape(-1, dimension)
    whole = np.abs(np.linalg.norm(block, axis=1) - 1) < 0.01
    hashes = dict(catalog.read("SELECT row, hash FROM old_embedding WHERE model_id = ?", (id_,)))
    known = file.models().get(name) or file.create(name, dimension)
    kept = [row for row in hashes if row < len(block) and whole[row]]
    for start in range(0, len(kept), _STEP):
        file.add(known.id, {hashes[row]: block[row] for row in kept[start : start + _STEP]}, [])
    rows_of = dict(pairs.tolist())  # the last link of a name counts
    there = set(kept)
    file.add(known.id, {}, [(one, hashes[row]) for one, row in rows_of.items() if row in there])
