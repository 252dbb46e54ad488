"""Immutable segments of the sparse index: what they hold, how they are built, merged, stored and read.

A segment is a bm25s index folder (compressed columns: postings grouped by term), which the stock library loads and
ranks by: ``bm25s.BM25.load(folder)``. Its scores are those of its own nodes alone; those of the library are computed
when a query runs, with idf and length norm of all segments, from ``frequencies.npy`` (the weighted term frequencies),
``lens.npy`` (weighted lengths) and ``ids.npy`` (node keys, ascending). The terms are also there sorted as bytes,
``terms.bin`` with ``terms.offsets.npy``, so that opening one parses no vocabulary. A term's column is its rank.
"""

import bisect
import contextlib
import mmap
import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import numpy as np
import orjson

from storage.catalog.postings import NO_COLUMN, Column, Postings, postings_of
from storage.catalog.sparse import K1, B, SparseIndex, scores_alone
from storage.embedded import durable, modes

_DATA = "data.csc.index.npy"
_INDICES = "indices.csc.index.npy"
_INDPTR = "indptr.csc.index.npy"
_VOCABULARY = "vocab.index.json"
_PARAMETERS = "params.index.json"
_FREQUENCIES, _LENGTHS, _KEYS = "frequencies.npy", "lens.npy", "ids.npy"
_TERMS, _OFFSETS = "terms.bin", "terms.offsets.npy"
_SUMMED = (_DATA, _INDICES, _INDPTR, _FREQUENCIES, _LENGTHS, _KEYS, _TERMS, _OFFSETS)
_READ_BYTES = 1 << 22
_SUMS = "sums.json"  # CRC-32 of each file; a segment of an older DropQA has none
FILE_NAMES = (*_SUMMED, _VOCABULARY, _PARAMETERS, _SUMS)


class Segment:
    """A stored segment, memory-mapped. Its files may be unlinked while it is in use."""

    def __init__(self, folder: Path) -> None:
        """Open a folder written by :func:`save`. Raises OSError or ValueError when it is damaged."""
        self.name = folder.name
        if wrong := changed(folder):
            raise ValueError(f"{wrong} is not what was written")
        # An older segment has them where bm25s keeps its scores.
        own = (folder / _FREQUENCIES).exists()
        self.frequencies = _mapped(folder / (_FREQUENCIES if own else _DATA))
        self.rows = _mapped(folder / _INDICES)
        self.lengths = _mapped(folder / _LENGTHS)
        self.keys = _mapped(folder / _KEYS)
        self.size = len(self.keys)  # nodes, live or not
        self._starts = _mapped(folder / _INDPTR).data
        self._offsets = _mapped(folder / _OFFSETS).data
        with (folder / _TERMS).open("rb") as file:
            self._terms = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def column(self, term: str) -> Column:
        """Return a term's postings; none when it has none."""
        offsets, terms, wanted = self._offsets, self._terms, term.encode("utf-8", "surrogatepass")
        last = len(offsets) - 1
        rank = bisect.bisect_left(range(last), wanted, key=lambda i: terms[offsets[i] : offsets[i + 1]])
        if rank == last or terms[offsets[rank] : offsets[rank + 1]] != wanted:
            return NO_COLUMN
        part = slice(self._starts[rank], self._starts[rank + 1])
        return Column(self.rows[part], self.frequencies[part])

    def postings(self) -> Postings:
        """Return the whole segment, with its terms read into memory."""
        raw, offsets = self._terms[:], self._offsets.tolist()
        terms = [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(offsets)]
        starts = np.asarray(self._starts)
        return Postings(terms, self.frequencies, self.rows, starts, self.lengths, self.keys)


def stored(index: SparseIndex) -> list[Segment]:
    """Return the segments of one generation."""
    return [view.segment for view in index.views if isinstance(view.segment, Segment)]


def changed(folder: Path) -> str:
    """Return the name of a segment's file that is not what was written, or an empty string. Raises OSError."""
    if not (folder / _SUMS).exists():
        return ""
    try:
        sums = orjson.loads((folder / _SUMS).read_bytes())
        names = (name for name in _SUMMED if name in sums or name != _FREQUENCIES)
        return next((name for name in names if sums.get(name) != _sum_of(folder / name)), "")
    except (ValueError, FileNotFoundError) as error:
        return str(error)


def _sum_of(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while chunk := file.read(_READ_BYTES):
            value = zlib.crc32(chunk, value)
    return value


def _mapped(path: Path) -> np.ndarray:
    return np.load(path, mmap_mode="r").view(np.ndarray)


def merge(segments: Sequence[Segment], exists: Callable[[np.ndarray], np.ndarray]) -> Postings | None:
    """Join segments into one without the nodes for which ``exists`` (keys -> bool) is false.

    Terms that lose their last posting go too. Returns None when no node is left.
    """
    parts = [segment.postings() for segment in segments]
    keys = np.concatenate([part.keys for part in parts])
    kept = exists(keys)
    order = np.argsort(keys, kind="stable")
    order = order[kept[order]]
    if not len(order):
        return None
    new_row = np.full(len(keys), -1, np.int64)
    new_row[order] = np.arange(len(order))
    terms = sorted(set().union(*(part.terms for part in parts)))
    rank = dict(zip(terms, range(len(terms)), strict=True))
    columns, rows, frequencies = [], [], []
    first = 0
    for part in parts:
        ranks = np.fromiter(map(rank.__getitem__, part.terms), np.int64, len(part.terms))
        row = new_row[first + part.rows.astype(np.int64)]
        alive = row >= 0
        columns.append(np.repeat(ranks, np.diff(part.starts))[alive])
        rows.append(row[alive])
        frequencies.append(part.frequencies[alive])
        first += len(part.keys)
    cells = np.concatenate(columns), np.concatenate(rows), np.concatenate(frequencies)
    return postings_of(terms, cells, np.concatenate([part.lengths for part in parts])[order], keys[order])


def new_name() -> str:
    """Return a fresh folder name for a segment."""
    return f"seg-{uuid4().hex[:16]}"


def save(postings: Postings, target: Path, aside: Path) -> None:
    """Write a segment's folder durably; it appears whole or not at all. Raises OSError."""
    folder = durable.temporary(aside)
    folder.mkdir(modes.FOLDER)
    try:
        _write(postings, folder)
        for path in folder.iterdir():
            path.chmod(modes.FILE)
        durable.sync_all([*folder.iterdir(), folder])
        durable.place(folder, target)
    except OSError:
        with contextlib.suppress(OSError):
            for name in FILE_NAMES:
                (folder / name).unlink(missing_ok=True)
            folder.rmdir()
        raise


def _write(postings: Postings, folder: Path) -> None:
    np.save(folder / _DATA, scores_alone(postings))
    np.save(folder / _FREQUENCIES, postings.frequencies)
    np.save(folder / _INDICES, postings.rows)
    np.save(folder / _INDPTR, postings.starts)
    np.save(folder / _LENGTHS, postings.lengths)
    np.save(folder / _KEYS, postings.keys)
    encoded = [term.encode("utf-8", "surrogatepass") for term in postings.terms]
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    np.save(folder / _OFFSETS, np.r_[0, np.cumsum(sizes)].astype(np.int64))
    (folder / _TERMS).write_bytes(b"".join([*encoded, b"\n"]))  # an empty file cannot be mapped
    vocabulary = dict(zip(postings.terms, range(len(postings.terms)), strict=True))
    (folder / _VOCABULARY).write_bytes(orjson.dumps(vocabulary))
    (folder / _PARAMETERS).write_bytes(orjson.dumps(_parameters(len(postings.keys))))
    (folder / _SUMS).write_bytes(orjson.dumps({name: _sum_of(folder / name) for name in _SUMMED}))


def _parameters(nodes: int) -> dict[str, object]:
    return {
        "k1": K1, "b": B, "delta": 0.5, "method": "lucene", "idf_method": "lucene", "dtype": "float32",
        "int_dtype": "int32", "num_docs": nodes, "backend": "numpy",
    }  # fmt: skip
