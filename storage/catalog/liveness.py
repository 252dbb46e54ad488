"""Which nodes there are, by key: role, version, and whether they exist and are current.

One :class:`Liveness` belongs to one generation and never changes. The next one is made from it, with copies of its
arrays: five bytes a node, and the bitmaps.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.model import ROLES

RETRIEVABLE = 128  # set in a role byte when the node has a text to embed
# Of a version ``v`` and its document ``d``: what a generation is told of it.
COLUMNS = (
    "v.id, v.document_id, v.name, v.number, v.first_key, v.nodes, v.roles, v.live, d.current = v.id,"
    " d.archived IS NOT NULL"
)
_IS_LIVE = 7
ROLE_CODES = {role: code for code, role in enumerate(ROLES)}


@dataclass(frozen=True, slots=True)
class VersionEntry:
    """A version and the keys of its nodes, ``first_key .. end_key - 1``."""

    id: int
    document_id: str
    name: str
    number: int
    first_key: int
    end_key: int


@dataclass(frozen=True, slots=True)
class Liveness:
    """The nodes of one generation; all arrays are indexed by node key, except where said."""

    roles: np.ndarray  # uint8: role code, + RETRIEVABLE
    version_of: np.ndarray  # int32: version id, 0 for none
    exists: np.ndarray  # bool: of a version that is not deleted
    current: np.ndarray  # bool: of a document's current version
    versions: dict[int, VersionEntry]  # by version id; shared between generations, may know newer ones
    documents: dict[str, list[int]]  # version ids by document id; shared, may know newer ones
    names: dict[str, str]  # document id by case-folded name; shared, may know newer ones
    exists_version: np.ndarray  # bool, by version id
    current_version: np.ndarray  # bool, by version id
    part_of: np.ndarray  # int64, by part id: the key of its node, -1 for none

    @classmethod
    def empty(cls) -> Liveness:
        """Return the liveness of a library without nodes."""
        none, keys = np.zeros(0, np.bool_), np.zeros(0, np.int64)
        return cls(np.zeros(0, np.uint8), np.zeros(0, np.int32), none, none, {}, {}, {}, none, none, keys)

    @property
    def size(self) -> int:
        """One more than the highest key there has been."""
        return len(self.current)

    def changed(self, rows: Iterable[Sequence[Any]], parts: np.ndarray, next_key: int) -> Liveness:
        """Return the next generation, given the rows of the versions that are not as they were, in key order.

        A row has :data:`COLUMNS`; ``parts`` are the node keys of the parts that come after those there are, and
        ``next_key`` is one more than the highest key there has been. Versions of documents that are put away keep
        their nodes, and no reader finds them.
        """
        told = [row for row in rows if row[_IS_LIVE] or row[0] in self.versions]
        size = max(self.size, next_key)
        roles, version_of = _extended(self.roles, size), _extended(self.version_of, size)
        exists, current = _extended(self.exists, size), _extended(self.current, size)
        versions = max([len(self.exists_version), *(row[0] + 1 for row in told)])
        exists_version = _extended(self.exists_version, versions)
        current_version = _extended(self.current_version, versions)
        for id_, document, name, number, first, nodes, role_bytes, is_live, is_current, is_archived in told:
            if id_ not in self.versions:
                self.versions[id_] = VersionEntry(id_, document, name, number, first, first + nodes)
                self.documents.setdefault(document, []).append(id_)
                self.names[name.casefold()] = document
            keys = slice(first, first + nodes)
            roles[keys], version_of[keys] = np.frombuffer(role_bytes, np.uint8), id_
            exists[keys], exists_version[id_] = is_live, is_live and not is_archived
            current[keys] = current_version[id_] = bool(is_live and is_current and not is_archived)
        return Liveness(
            roles, version_of, exists, current, self.versions, self.documents, self.names,
            exists_version, current_version, np.concatenate([self.part_of, parts]),
        )  # fmt: skip

    def within(self, shown: Callable[[str], bool]) -> Liveness:
        """Return the same without the documents, by id, that are not to be shown: as if they had never been."""
        hidden = np.zeros(len(self.exists_version), np.bool_)
        names = {name: document_id for name, document_id in list(self.names.items()) if shown(document_id)}
        for document_id, versions in list(self.documents.items()):
            known = [version for version in versions if version < len(hidden)]
            if not shown(document_id):
                hidden[known] = True
                continue
            for version in known:  # what is hidden may have the same name
                if self.exists_version[version]:
                    names.setdefault(self.versions[version].name.casefold(), document_id)
        shows = ~hidden[self.version_of] if len(hidden) else np.zeros(0, np.bool_)
        return replace(
            self, names=names, exists=self.exists & shows, current=self.current & shows,
            exists_version=self.exists_version & ~hidden, current_version=self.current_version & ~hidden,
        )  # fmt: skip

    def shows(self, key: int) -> bool:
        """Tell whether a node is of a version that readers find."""
        return bool(self.exists[key] and self.exists_version[self.version_of[key]])

    def versions_of(self, reference: str, archived: bool = False) -> list[VersionEntry]:
        """Return a document's existing versions in this generation, oldest first; ``reference``: id or name.

        With ``archived`` those of a document that is put away, too.
        """
        document_id = reference if reference in self.documents else self.names.get(reference.casefold(), "")
        known = [v for v in self.documents.get(document_id, ()) if v < len(self.exists_version)]
        return sorted(
            (
                entry
                for entry in map(self.versions.__getitem__, known)
                if self.exists_version[entry.id] or (archived and self.exists[entry.first_key])
            ),
            key=lambda entry: entry.number,
        )

    def called(self, name: str) -> str:
        """Return the id of the one document of this name but for folder and ending, "" for none or several."""
        wanted, alike = name.casefold(), set[str]()
        for full, one in list(self.names.items()):
            file = full.rpartition("/")[2]
            if wanted in (full.rpartition(".")[0], file, file.rpartition(".")[0]):
                alike.add(one)
        found = [one for one in alike if self.versions_of(one)]
        return found[0] if len(found) == 1 else ""


def _extended(array: np.ndarray, size: int) -> np.ndarray:
    longer = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer


log = logging.getLogger(__name__)


class Damage:
    """The versions that are to be written again, because something derived from them is not what was written."""

    def __init__(self) -> None:
        self._versions: set[int] = set()
        self._lock = threading.Lock()

    def note(self, version_id: int, what: str) -> None:
        """Note that something derived from a version is damaged."""
        with self._lock:
            if version_id not in self._versions:
                log.warning("%s of version %d is damaged and will be written again", what, version_id)
            self._versions.add(version_id)

    def versions(self, live: Liveness) -> list[tuple[str, int]]:
        """Return (document id, number) of the damaged versions that there still are."""
        with self._lock:
            known = [live.versions[id_] for id_ in sorted(self._versions) if id_ in live.versions]
            self._versions = {entry.id for entry in known if live.exists_version[entry.id]}
            return [(entry.document_id, entry.number) for entry in known if entry.id in self._versions]
