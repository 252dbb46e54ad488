"""A reader's view: one generation in memory, and the catalog's rows of its nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import StorageError
from engine.model import Filters
from storage.base import QueryTerms, Scope, Scored, StoredNode
from storage.catalog import rows
from storage.catalog.database import Catalog
from storage.catalog.dense import DenseSearch
from storage.catalog.scope import KeyScope, named_versions
from storage.catalog.state import State

_KEYWORD_BATCH = 2000
Groups = Callable[[Filters], set[str] | None]
"""The ids of the documents in the topics and collections of filters; None where they name none."""


@dataclass(eq=False)
class CatalogSnapshot:
    """The library as it was at one commit. Rows it may need are kept until it is gone."""

    _state: State
    _catalog: Catalog
    _groups: Groups
    _dense: DenseSearch
    _note: Callable[[int], None]
    """Notes that a row of a version is damaged."""

    @property
    def generation(self) -> int:
        """The number of the commit it shows."""
        return self._state.generation

    def scope(self, filters: Filters) -> KeyScope:
        """Return the nodes that pass the filters.

        Raises NotFoundError for an unknown document, topic or collection, UsageError for an unknown role.
        """
        if (grouped := self._groups(filters)) is not None:
            # Groups change without a new generation: what is kept is the scope of their documents.
            filters = self._of_documents(filters, grouped)
        return self._state.scopes(filters)

    def sparse_search(self, terms: QueryTerms, k: int, scope: Scope) -> list[Scored]:
        """Return the k best nodes by BM25 over weighted terms, best first."""
        return self._state.sparse.search(terms, k, _own(scope).mask) if k > 0 else []

    def matched_share(self, terms: QueryTerms, keys: Sequence[int]) -> list[float]:
        """Return for each node the share, 0 to 1, of the terms' weighted idf whose term it holds."""
        return self._state.sparse.matched_share(terms, keys)

    def document_names(self, least_nodes: int = 1) -> dict[str, str]:
        """Return the names, by id, of all documents whose current version has so many nodes or more."""
        return self._state.document_names(least_nodes)

    def document_frequency(self, term: str) -> int:
        """Return how many current nodes hold a term."""
        return self._state.sparse.document_frequency(term)

    def dense_search(self, vector: np.ndarray, k: int, scope: Scope, model: str) -> list[Scored]:
        """Return the k nodes whose unit vectors have the highest inner product, best first.

        Raises UsageError when the vector's length is not the model's.
        """
        vectors = self._state.vectors.get(model)
        if vectors is None:
            return []
        return self._dense.search(vectors, vector, k, _own(scope))

    def vectors(self, keys: Sequence[int], model: str) -> dict[int, np.ndarray]:
        """Return the vectors that exist for these keys."""
        vectors = self._state.vectors.get(model)
        if vectors is None or not len(keys):
            return {}
        names = np.asarray(keys, np.int64)
        known, block = self._dense.file.fetch(vectors, names[vectors.linked.holds(names) & (names >= 0)])
        found = dict(zip(known.tolist(), block, strict=True))
        return {key: found[key] for key in keys if key in found}

    def keyword_search(self, matches: Callable[[str], bool], k: int, scope: Scope) -> list[int]:
        """Return the keys of the first k nodes, in library order, whose title or text matches."""
        found: list[int] = []
        keys = scope.keys
        for start in range(0, len(keys), _KEYWORD_BATCH):
            part = keys[start : start + _KEYWORD_BATCH].tolist()
            rows = self._catalog.read_in("SELECT key, title, text FROM node WHERE key IN ({})", part)
            for key, title, text in sorted(rows):
                if len(found) >= k:
                    return found
                if (title and matches(title)) or (text and matches(text)):
                    found.append(key)
        return found[:k]

    def nodes(self, keys: Sequence[int]) -> list[StoredNode]:
        """Return the nodes with these keys, in that order; unknown and damaged ones are left out."""
        exists = self._state.live.exists
        array = np.asarray(keys, np.int64).reshape(-1)
        array = array[(array >= 0) & (array < len(exists))]
        wanted: list[int] = array[exists[array]].tolist()
        read = self._catalog.read_in(f"SELECT {rows.COLUMNS} FROM node WHERE key IN ({{}})", list(set(wanted)))
        found = {}
        for row in read:
            try:
                found[row[0]] = stored(row, self._state)
            except StorageError:
                self._note(int(self._state.live.version_of[row[0]]))
        return [found[key] for key in wanted if key in found]

    def coverage(self, model: str, scope: Scope | None = None) -> tuple[int, int]:
        """Return (nodes all of whose texts have a vector of this model, nodes that should have one)."""
        own = self.scope(Filters()) if scope is None else _own(scope)
        vectors = self._state.vectors.get(model)
        have = 0 if vectors is None else own.embedded(vectors)
        return have, own.retrievable(self._state.live)

    def _of_documents(self, filters: Filters, grouped: set[str]) -> Filters:
        """Return filters that name the documents of the groups instead."""
        live = self._state.live
        found = {one for one in grouped if live.versions_of(one)}
        if filters.documents:
            found &= {entry.document_id for entry in named_versions(filters.documents, live)}
        if not found:
            return Filters(version=0)  # versions count from 1: nothing passes
        return replace(filters, topics=(), collections=(), documents=tuple(sorted(found)))


def stored(row: Sequence, state: State) -> StoredNode:
    """Build a stored node from a row of :data:`rows.COLUMNS`."""
    node, path = rows.node_of(row), rows.loaded(row[6])
    entry = state.live.versions[row[1]]
    current = bool(state.live.current_version[entry.id])
    return StoredNode(row[0], node, entry.document_id, entry.name, entry.number, current, path)


def _own(scope: Scope) -> KeyScope:
    if not isinstance(scope, KeyScope):
        raise TypeError("a scope must come from this snapshot")
    return scope
