"""Which nodes a search may return, as a bitmap over node keys."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

import numpy as np

from engine.errors import NO_DOCUMENT, NotFoundError, UsageError
from engine.model import ROLES, Filters
from storage.catalog import facets
from storage.catalog.database import Catalog
from storage.catalog.liveness import RETRIEVABLE, ROLE_CODES, Liveness, VersionEntry
from storage.catalog.postings import Segment
from storage.catalog.sparse import SegmentView
from storage.catalog.vectors import ModelVectors, marked

_SCOPES = 32


@dataclass(eq=False)
class KeyScope:
    """A set of node keys to search in; ``everything`` says that it is just the current nodes."""

    bitmap: np.ndarray
    everything: bool
    part_of: np.ndarray  # as in Liveness
    _masks: dict[str, np.ndarray] = field(default_factory=dict)
    _located: tuple[ModelVectors, np.ndarray, int] | None = None

    @cached_property
    def size(self) -> int:
        """How many nodes it holds."""
        return int(np.count_nonzero(self.bitmap))

    @cached_property
    def keys(self) -> np.ndarray:
        """Its keys as int64, ascending: within a document in reading order."""
        return np.flatnonzero(self.bitmap)

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return a bool array: which of these int64 keys belong to the scope."""
        return marked(self.bitmap, np.asarray(keys, np.int64))

    def retrievable(self, live: Liveness) -> int:
        """Return how many of its nodes have a text to embed."""
        return int(np.count_nonzero(self.bitmap & (live.roles[: len(self.bitmap)] >= RETRIEVABLE)))

    def mask(self, view: SegmentView) -> np.ndarray | None:
        """Return which rows of a segment belong to the scope (None: all)."""
        if self.everything:
            return view.current
        segment: Segment = view.segment
        if not segment.name:
            return self.contains(segment.keys)
        mask = self._masks.get(segment.name)
        if mask is None:
            mask = self._masks[segment.name] = self.contains(segment.keys)
        return mask

    def nodes(self, names: np.ndarray) -> np.ndarray:
        """Return the keys of nodes and of the nodes of parts."""
        keys, parts = names.copy(), names < 0
        keys[parts] = self.part_of[-1 - names[parts]]
        return keys

    def located(self, model: ModelVectors) -> tuple[np.ndarray, int]:
        """Return the names of its nodes and parts that have a vector, and how many one node has at most.

        The last model's are kept.
        """
        known = self._located
        if known is None or known[0] is not model:
            parts = np.flatnonzero(self.contains(self.part_of))
            names = np.concatenate([self.keys, -1 - parts])
            repeats = 1 + int(np.bincount(self.part_of[parts], minlength=1).max()) if len(parts) else 1
            known = self._located = model, names[model.linked.holds(names)], repeats
        return known[1], known[2]

    def embedded(self, model: ModelVectors) -> int:
        """Return how many of its nodes have a vector for each of their texts."""
        return int(np.count_nonzero(model.complete(self.keys, self.part_of)))


def scopes_of(live: Liveness, catalog: Catalog) -> Callable[[Filters], KeyScope]:
    """Return what gives the scopes of one generation (see :func:`_resolved`); it keeps the last used ones."""
    return lru_cache(_SCOPES)(partial(_resolved, live, catalog))


def _resolved(live: Liveness, catalog: Catalog, filters: Filters) -> KeyScope:
    """Return the nodes that pass the filters, whose topics stand for nothing here (see the snapshot).

    Raises NotFoundError for an unknown document, UsageError for an unknown role.
    """
    if filters.empty:
        return KeyScope(live.current, True, live.part_of)
    bitmap = live.current
    if filters.version is not None or filters.documents:
        bitmap = np.zeros(live.size, np.bool_)
        for entry in _versions(filters, live):
            bitmap[entry.first_key : entry.end_key] = True
    if filters.roles:
        bitmap = bitmap & _with_roles(filters.roles)[live.roles]
    if filters.section is not None and filters.section.strip():
        under = np.zeros(live.size, np.bool_)
        for first, last in catalog.read(
            "SELECT first_key, last_key FROM section WHERE first_key < ? AND replace(title, ?, '') != title",
            (live.size, filters.section.strip().casefold()),
        ):
            under[first : last + 1] = True
        bitmap = bitmap & under
    passing = facets.passing(filters, live.size, catalog)
    return KeyScope(bitmap if passing is None else bitmap & passing, False, live.part_of)


def named_versions(documents: Sequence[str], live: Liveness) -> list[VersionEntry]:
    """Return all versions of documents, given by id or name. Raises NotFoundError."""
    known = []
    for reference in documents:
        versions = live.versions_of(reference) or live.versions_of(live.called(reference))
        if not versions:
            raise NotFoundError(NO_DOCUMENT.format(repr(reference)))
        known += versions
    return known


def _versions(filters: Filters, live: Liveness) -> list[VersionEntry]:
    if filters.documents:
        known = named_versions(filters.documents, live)
    else:
        known = [live.versions[v] for v in np.flatnonzero(live.exists_version).tolist()]
    if filters.version is None:
        return [entry for entry in known if live.current_version[entry.id]]
    return [entry for entry in known if entry.number == filters.version]


def _with_roles(roles: tuple[str, ...]) -> np.ndarray:
    table = np.zeros(256, np.bool_)
    for role in roles:
        if role not in ROLE_CODES:
            raise UsageError(f"{role!r} is not a role of a node. Roles are {', '.join(ROLES)}.")
        table[ROLE_CODES[role]] = table[ROLE_CODES[role] + RETRIEVABLE] = True
    return table
