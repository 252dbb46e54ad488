"""Beside the originals: which document and version each of them is, so that a lost catalog can be made again.

``files/journal.jsonl`` has a line a commit: a checksum, then the versions that it added and those that went, as JSON.
It is appended to after the commit without waiting for the disk: ``meta.commits`` in the catalog tells whether lines
are missing, and then the journal is written anew from the catalog. When the journal knows later commits than the
catalog, the catalog is an old one: the journal is set aside for ``dropqa repair``.
"""

import logging
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from storage.base import Original
from storage.embedded import durable, modes
from storage.embedded.catalog import Catalog

FILE_NAME = "files/journal.jsonl"
_ASIDE = "files/journal-{}.jsonl"
_COLUMNS = "document_id, name, number, sha256, size, created_at, strategy"
_TAIL = 1 << 20
_LINES_TO_SPARE = 1000

log = logging.getLogger(__name__)
Entry = tuple[str, int]  # document id, number of the version


@dataclass(frozen=True, slots=True)
class Known:
    """What the journals of a folder tell: the versions that are there, and the SHA-256 of those that went."""

    originals: dict[Entry, Original]
    gone: set[str]


class Journal:
    """The journal of one library folder."""

    def __init__(self, folder: Path, aside: Path, catalog: Catalog) -> None:
        self._folder = folder
        self._path = folder / FILE_NAME
        self._aside = aside
        self._catalog = catalog

    def sync(self) -> None:
        """Make the journal and the catalog agree, or set the journal of a newer catalog aside."""
        last, commits = _last_commit(self._path), self._catalog.meta("commits")
        if last is not None and last > commits:
            log.warning("The catalog is older than the originals; `dropqa repair` adds what it does not know")
            self._path.rename(self._free_name())
        elif last == commits:
            return
        try:
            self.rewrite()
        except OSError as error:
            log.warning("%s could not be written (%s); it is at the next start", self._path, error)

    def append(self, version_ids: Sequence[int], gone: Iterable[Entry]) -> None:
        """Note what the last commit added and took away; where that fails, the next start does it."""
        try:
            line = _line(self._catalog.meta("commits"), self._versions(version_ids), gone)
            with open(self._path, "ab", opener=modes.private) as file:
                file.write(line)
        except OSError as error:
            log.warning("%s could not be written (%s); it is written anew at the next start", self._path, error)

    def rewrite(self) -> None:
        """Write the journal anew from the catalog. Raises OSError."""
        ids = [row[0] for row in self._catalog.read("SELECT id FROM version WHERE live ORDER BY id")]
        commits, step = self._catalog.meta("commits"), _LINES_TO_SPARE
        lines = [
            _line(commits, self._versions(ids[start : start + step]), ()) for start in range(0, max(len(ids), 1), step)
        ]
        durable.write(self._path, lines, self._aside)

    def _versions(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        rows = self._catalog.read_in(f"SELECT {_COLUMNS} FROM version WHERE id IN ({{}})", list(ids))
        return [dict(zip(_COLUMNS.split(", "), row, strict=True)) for row in rows]

    def _free_name(self) -> Path:
        number = 1
        while (path := self._folder / _ASIDE.format(number)).exists():
            number += 1
        return path


def read(folder: Path) -> Known:
    """Return what the journals of a folder tell, the later lines over the earlier ones; damaged lines are left out."""
    known = Known({}, set())
    paths = sorted((folder / "files").glob("journal-*.jsonl"), key=lambda path: (len(path.name), path.name))
    for path in [*paths, folder / FILE_NAME]:
        for line in _lines(path):
            for entry in line["gone"]:
                went = known.originals.pop((entry[0], entry[1]), None)
                if went is not None:
                    known.gone.add(went.sha256)
            for version in line["versions"]:
                original = Original(**version)
                known.originals[original.document_id, original.number] = original
    known.gone.difference_update(one.sha256 for one in known.originals.values())
    return known


def _line(commit: int, versions: list[dict[str, Any]], gone: Iterable[Entry]) -> bytes:
    data = orjson.dumps({"commit": commit, "versions": versions, "gone": list(gone)})
    return b"%08x %s\n" % (zlib.crc32(data), data)


def _parsed(line: bytes) -> dict[str, Any] | None:
    sum_, _, data = line.rstrip(b"\n").partition(b" ")
    if sum_ != b"%08x" % zlib.crc32(data):
        return None
    parsed: dict[str, Any] = orjson.loads(data)
    return parsed


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as file:
            for line in file:
                if (parsed := _parsed(line)) is not None:
                    yield parsed
    except OSError as error:
        if path.exists():
            log.warning("%s cannot be read: %s", path, error)


def _last_commit(path: Path) -> int | None:
    """Return the number of the last commit in the journal; None when it is missing or its end is damaged."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL))
            lines = file.read().splitlines()
    except OSError:
        return None
    parsed = _parsed(lines[-1]) if lines else None
    return None if parsed is None else int(parsed["commit"])
