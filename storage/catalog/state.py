"""What one generation of the library looks like in memory; replaced as a whole at each commit."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from engine.model import Document, Filters
from storage.catalog.database import Catalog
from storage.catalog.liveness import Liveness
from storage.catalog.scope import KeyScope, scopes_of
from storage.catalog.sparse import SparseIndex
from storage.catalog.vectors import ModelVectors

# Generations of what only a part of the documents shows: no two are alike, and none is a library's.
_PARTS = count(1)


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class State:
    """One generation: its nodes, segments and vectors."""

    generation: int
    live: Liveness
    sparse: SparseIndex
    vectors: dict[str, ModelVectors]
    scopes: Callable[[Filters], KeyScope]
    listed: list[Document] = field(default_factory=list, init=False, repr=False)
    """The documents, once they were listed."""
    _names: dict[int, dict[str, str]] = field(default_factory=dict, init=False, repr=False)
    _parts: dict[tuple[frozenset[str], int], State] = field(default_factory=dict, init=False, repr=False)

    def within(self, catalog: Catalog, shown: Callable[[str], bool], key: tuple[frozenset[str], int]) -> State:
        """Return the same as if there were only the documents, by id, that are to be shown; its generation is its own.

        It is kept under ``key``, until one comes whose second part is another.
        """
        found = self._parts.get(key)
        if found is None:
            live = self.live.within(shown)
            sparse = self.sparse.seen_by(live.current)
            found = State(-next(_PARTS), live, sparse, self.vectors, scopes_of(live, catalog))
            for other in [one for one in self._parts if one[1] != key[1]]:
                self._parts.pop(other, None)
            found = self._parts.setdefault(key, found)
        return found

    def document_names(self, least_nodes: int) -> dict[str, str]:
        """Return the names, by id, of the documents whose current version has so many nodes or more."""
        if least_nodes not in self._names:
            nodes = np.bincount(self.live.version_of[self.live.current])
            nodes[:1] = 0  # of no version
            entries = [self.live.versions[number] for number in np.flatnonzero(nodes >= least_nodes).tolist()]
            self._names[least_nodes] = {entry.document_id: entry.name for entry in entries}
        return self._names[least_nodes]


class Generations:
    """The current state, and who may replace it: one thread at a time, under :attr:`lock`."""

    def __init__(self, first: State) -> None:
        self.lock = threading.RLock()
        self._current = first
        self._alive: weakref.WeakSet[State] = weakref.WeakSet([first])

    @property
    def current(self) -> State:
        """The newest state."""
        return self._current

    def publish(self, state: State) -> None:
        """Show a state to readers that come from now on; call it with the lock held."""
        self._alive.add(state)
        self._current = state

    def keep(self, state: State) -> State:
        """Have the rows of a part of a state kept as long as somebody reads it; return it."""
        self._alive.add(state)
        return state

    def in_use(self, version_id: int) -> bool:
        """Tell whether some reader still sees this version."""
        return any(
            version_id < len(state.live.exists_version) and state.live.exists_version[version_id]
            for state in list(self._alive)
        )
