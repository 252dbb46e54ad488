"""Which nodes there are, by key: role, version, and whether they exist and are current.

One :class:`Liveness` belongs to one generation and never changes. The next one is made from it, with copies of its
arrays: five bytes a node, and the bitmaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.model import ROLES

RETRIEVABLE = 128  # set in a role byte when the node has a text to embed
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

    def after(
        self,
        added: Sequence[tuple[VersionEntry, bytes]],
        current: Sequence[int],
        retired: Sequence[int],
        deleted: Sequence[int],
        parts: np.ndarray | None = None,
        archived: Sequence[int] = (),
        returned: Sequence[int] = (),
    ) -> Liveness:
        """Return the next generation.

        ``added`` are new versions in key order with a role byte for each node; of these and the known ones,
        the version ids in ``current`` become current, in ``retired`` stop being so, in ``deleted`` are gone.
        ``parts`` are the node keys of the parts that come after those there are. The versions of documents that are
        put away (``archived``) keep their nodes, and no reader finds them until they are ``returned``.
        """
        roles, version_of = self.roles, self.version_of
        if added:
            end = max(len(roles), added[-1][0].end_key)
            roles, version_of = _extended(roles, end), _extended(version_of, end)
            for entry, role_bytes in added:
                version_of[entry.first_key : entry.end_key] = entry.id
                roles[entry.first_key : entry.end_key] = np.frombuffer(role_bytes, np.uint8)
                self.versions[entry.id] = entry
                self.documents.setdefault(entry.document_id, []).append(entry.id)
                self.names[entry.name.casefold()] = entry.document_id
        versions = max([len(self.exists_version), *(entry.id + 1 for entry, _ in added)])
        exists_version = _extended(self.exists_version, versions)
        current_version = _extended(self.current_version, versions)
        exists, is_current = _extended(self.exists, len(roles)), _extended(self.current, len(roles))
        exists_version[list(returned)] = True
        for group, bitmaps, value in (
            ([entry.id for entry, _ in added], ((exists_version, exists),), True),
            (current, ((current_version, is_current),), True),
            (retired, ((current_version, is_current),), False),
            (deleted, ((current_version, is_current), (exists_version, exists)), False),
        ):
            for version in group:
                entry = self.versions[version]
                for by_version, by_key in bitmaps:
                    by_version[version] = value
                    by_key[entry.first_key : entry.end_key] = value
        exists_version[list(archived)] = False
        part_of = self.part_of if parts is None else np.concatenate([self.part_of, parts])
        return Liveness(
            roles, version_of, exists, is_current, self.versions, self.documents, self.names,
            exists_version, current_version, part_of,
        )  # fmt: skip

    def changed(self, rows: Iterable[Sequence[Any]], parts: np.ndarray) -> Liveness:
        """Return the next generation, given the rows of the versions that are not as they were, in key order.

        A row has id, document id, name, number, first key, number of nodes and role bytes, and whether the version is
        live, current, and of a document that is put away. ``parts`` are as in :meth:`after`.
        """
        added: list[tuple[VersionEntry, bytes]] = []
        current: list[int] = []
        retired: list[int] = []
        deleted: list[int] = []
        archived: list[int] = []
        returned: list[int] = []
        for id_, document, name, number, first, nodes, roles, is_live, is_current, is_archived in rows:
            known = id_ in self.versions and id_ < len(self.exists_version)
            if not is_live:
                if known:
                    deleted.append(id_)
                continue
            if not known:
                added.append((VersionEntry(id_, document, name, number, first, first + nodes), roles))
            elif not is_archived:
                returned.append(id_)
            if is_archived:
                archived.append(id_)
            (current if is_current and not is_archived else retired).append(id_)
        return self.after(added, current, retired, deleted, parts, archived, returned)

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

    def padded(self, size: int) -> Liveness:
        """Return the same nodes with arrays of at least ``size``: keys that were once given are not given again."""
        size = max(size, self.size)
        return replace(
            self, roles=_extended(self.roles, size), version_of=_extended(self.version_of, size),
            exists=_extended(self.exists, size), current=_extended(self.current, size),
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


def _extended(array: np.ndarray, size: int) -> np.ndarray:
    longer = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer
