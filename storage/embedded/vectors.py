"""Vectors by (model, text): the truth that everything about embeddings can be rebuilt from.

Each model has a folder with two append-only files: ``rows.f32``, one float32 vector a row, and
``links.i64``, pairs (node key, or a part's negative name, row). Equal texts share a row, so an unchanged
paragraph of a new version is linked, not embedded again. The catalog says how many rows and links count; what
lies behind them was never committed and is written over.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import numpy as np

from engine.errors import UsageError
from storage.embedded import durable, modes
from storage.embedded.catalog import Catalog

FOLDER = "vectors"
FILE_NAMES = ROWS, LINKS = "rows.f32", "links.i64"
LINK_BYTES = 16
_CHUNK = 8192


def text_hash(text: str) -> bytes:
    """Return the 16 bytes by which a text's vector is remembered."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class ModelVectors:
    """The vectors of one model in one generation."""

    id: int
    name: str
    dimension: int
    folder: str
    block: np.ndarray  # float32 (rows, dimension), memory-mapped
    row_of: np.ndarray  # int32 by node key, -1 for none; may be shorter than the library
    row_of_part: np.ndarray  # int32 by part id, likewise
    links: int

    @property
    def rows(self) -> int:
        """How many distinct texts have a vector."""
        return len(self.block)

    def locate(self, keys: np.ndarray) -> np.ndarray:
        """Return the row of each key, -1 where it has no vector."""
        return _located(self.row_of, keys)

    def locate_parts(self, ids: np.ndarray) -> np.ndarray:
        """Return the row of each part, -1 where it has no vector."""
        return _located(self.row_of_part, ids)

    def awaited(self, part_of: np.ndarray) -> np.ndarray:
        """Return the keys of nodes that have a part without a vector; ``part_of`` leads from part to node."""
        ids = np.flatnonzero(part_of >= 0)
        return np.unique(part_of[ids[self.locate_parts(ids) < 0]])


class VectorFiles:
    """Opens, extends and rewrites the vector files of a library folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, catalog: Catalog, name: str) -> ModelVectors:
        """Return a model's vectors; what lies behind the committed ones does not count and is written over.

        Raises OSError when a file cannot be read, ValueError when it is too short.
        """
        id_, dimension, folder, rows, links = catalog.read(
            "SELECT id, dimension, folder, rows, links FROM model WHERE name = ?", (name,)
        )[0]
        path = self._folder / folder
        _must_hold(path / ROWS, rows * dimension * 4)
        _must_hold(path / LINKS, links * LINK_BYTES)
        pairs = np.fromfile(path / LINKS, np.int64, links * 2).reshape(links, 2)
        if not _links_are_whole(catalog, id_, pairs):
            raise ValueError(f"{LINKS} is not what was written")
        return ModelVectors(
            id_, name, dimension, folder, self._mapped(folder, rows, dimension),
            *_links(pairs), links,
        )  # fmt: skip

    def create(self, catalog: Catalog, name: str, dimension: int) -> ModelVectors:
        """Start a model's files and note them in the catalog. Raises OSError, StorageError."""
        folder = self._new_folder(name)
        with catalog.transaction() as write:
            row = write.execute(
                "INSERT INTO model (name, dimension, folder) VALUES (?, ?, ?) RETURNING id",
                (name, dimension, folder),
            ).fetchone()
        block, none = self._mapped(folder, 0, dimension), np.zeros(0, np.int32)
        return ModelVectors(row[0], name, dimension, folder, block, none, none, 0)

    def copy(self, model: ModelVectors, rows: np.ndarray, pairs: np.ndarray) -> ModelVectors:
        """Write some rows, renumbered from 0, and new (key, row) links to a new folder, durably.

        The catalog must still be told; until then a restart removes the folder. Raises OSError.
        """
        folder = self._new_folder(model.name)
        path = self._folder / folder
        for start in range(0, len(rows), _CHUNK):
            part = model.block[rows[start : start + _CHUNK]]
            _write_at(path / ROWS, start * model.dimension * 4, part.tobytes())
        _write_at(path / LINKS, 0, pairs.astype("<i8").tobytes())
        block = self._mapped(folder, len(rows), model.dimension)
        return ModelVectors(model.id, model.name, model.dimension, folder, block, *_links(pairs), len(pairs))

    def _new_folder(self, name: str) -> str:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "model"
        folder = f"{FOLDER}/{slug}-{uuid4().hex[:8]}"
        path = self._folder / folder
        path.mkdir(modes.FOLDER, parents=True)
        for file in (path / ROWS, path / LINKS):
            file.touch(modes.FILE)
            durable.sync(file)
        durable.sync(path)
        durable.sync(path.parent)
        return folder

    def append(self, model: ModelVectors, vectors: np.ndarray, pairs: np.ndarray) -> ModelVectors:
        """Write new rows and (key, row) links durably and return the model with them.

        The catalog must still be told; until then a restart forgets them. Raises OSError.
        """
        path = self._folder / model.folder
        if len(vectors):
            _write_at(path / ROWS, model.rows * model.dimension * 4, vectors.astype("<f4").tobytes())
        if len(pairs):
            _write_at(path / LINKS, model.links * LINK_BYTES, pairs.astype("<i8").tobytes())
        rows = model.rows + len(vectors)
        row_of, row_of_part = _links(pairs, model)
        return replace(
            model,
            block=self._mapped(model.folder, rows, model.dimension) if len(vectors) else model.block,
            row_of=row_of,
            row_of_part=row_of_part,
            links=model.links + len(pairs),
        )

    def _mapped(self, folder: str, rows: int, dimension: int) -> np.ndarray:
        if not rows:
            return np.zeros((0, dimension), np.float32)
        shape = (rows, dimension)
        return np.memmap(self._folder / folder / ROWS, np.float32, "r", shape=shape).view(np.ndarray)


def checked(vectors: np.ndarray, count: int, name: str, dimension: int | None) -> np.ndarray:
    """Return vectors as float32 (count, dimension). Raises UsageError when they do not fit the model."""
    array = np.asarray(vectors, np.float32)
    if array.ndim != 2 or len(array) != count or (dimension is not None and array.shape[1] != dimension):
        raise UsageError(
            f"Vectors of shape {array.shape} do not fit {count} texts of model {name} (dimension {dimension})."
        )
    if not np.isfinite(array).all():
        raise UsageError(f"Model {name} gave vectors with values that are not numbers.")
    return array


def distinct(texts: Sequence[str]) -> tuple[list[bytes], dict[bytes, int]]:
    """Return each text's hash, and for each distinct hash where it stands first."""
    hashes = [text_hash(text) for text in texts]
    first: dict[bytes, int] = {}
    for position, digest in enumerate(hashes):
        first.setdefault(digest, position)
    return hashes, first


def _located(row_of: np.ndarray, places: np.ndarray) -> np.ndarray:
    rows = np.full(len(places), -1, np.int32)
    known = (places >= 0) & (places < len(row_of))
    rows[known] = row_of[places[known]]
    return rows


def _links(pairs: np.ndarray, before: ModelVectors | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows by node key and by part id after (key or name of a part, row) pairs were linked."""
    none = np.zeros(0, np.int32)
    named = pairs[:, 0] < 0
    of_parts = pairs[named] * (-1, 1) - (1, 0)
    return (
        _linked(before.row_of if before else none, pairs[~named]),
        _linked(before.row_of_part if before else none, of_parts),
    )


def _linked(row_of: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    if not len(pairs):
        return row_of
    extended = np.full(max(len(row_of), int(pairs[:, 0].max()) + 1), -1, np.int32)
    extended[: len(row_of)] = row_of
    extended[pairs[:, 0]] = pairs[:, 1]
    return extended


def note_sums(write: sqlite3.Connection, model: ModelVectors, vectors: np.ndarray, pairs: np.ndarray) -> None:
    """Note the checksums of what was appended to a model: ``vectors`` behind its rows, ``pairs`` behind its links."""
    for links, first, data in ((0, model.rows, vectors.astype("<f4")), (1, model.links, pairs.astype("<i8"))):
        if len(data):
            write.execute(
                "INSERT OR REPLACE INTO vector_sum (model_id, links, first, count, sum) VALUES (?, ?, ?, ?, ?)",
                (model.id, links, first, len(data), zlib.crc32(data.tobytes())),
            )


def changed_rows(
    catalog: Catalog, model: ModelVectors, after: int, limit: int
) -> tuple[list[tuple[int, int]], int]:
    """Return the ranges (first row, count) that are not what was written, and the first row of the last one looked at.

    Looks at ``limit`` ranges that begin behind the row ``after``; the second value is -1 when there are none left.
    """
    ranges = catalog.read(
        "SELECT first, count, sum FROM vector_sum WHERE model_id = ? AND NOT links AND first > ?"
        " ORDER BY first LIMIT ?",
        (model.id, after, limit),
    )
    changed = [
        (first, count)
        for first, count, expected in ranges
        if zlib.crc32(np.ascontiguousarray(model.block[first : first + count], "<f4").tobytes()) != expected
    ]
    return changed, ranges[-1][0] if ranges else -1


def _links_are_whole(catalog: Catalog, model_id: int, pairs: np.ndarray) -> bool:
    data = memoryview(pairs.astype("<i8").tobytes())
    return all(
        zlib.crc32(data[first * LINK_BYTES : (first + count) * LINK_BYTES]) == expected
        for first, count, expected in catalog.read(
            "SELECT first, count, sum FROM vector_sum WHERE model_id = ? AND links", (model_id,)
        )
    )


def _must_hold(path: Path, size: int) -> None:
    if (actual := path.stat().st_size) < size:
        raise ValueError(f"{path.name} has {actual} bytes, not {size}")


def _write_at(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
