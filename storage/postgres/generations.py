"""One generation of the library in memory, brought up to date with what any process has committed.

A reader asks for the counters, in one short query, and reads what has changed since: versions, parts and links by the
generation that they carry. What it reads then is of one moment.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from storage.catalog import rows
from storage.catalog.liveness import COLUMNS, Liveness
from storage.catalog.scope import scopes_of
from storage.catalog.state import Generations, State
from storage.catalog.vectors import ModelVectors, Names
from storage.postgres.catalog import PostgresCatalog
from storage.postgres.sparse import FetchedIndex

_VERSIONS = (
    f"SELECT {COLUMNS}, v.lengths FROM version v LEFT JOIN document d USING (document_id)"
    " WHERE v.changed > ? ORDER BY v.first_key"
)
Read = Callable[..., list[tuple[Any, ...]]]


class PostgresGenerations(Generations):
    """The newest state of a library that several processes change."""

    def __init__(self, catalog: PostgresCatalog, changed_beside: Callable[[str], None]) -> None:
        """``changed_beside`` is told when the counter of what is beside the documents, as "topic", is another one."""
        self._catalog = catalog
        self._changed_beside = changed_beside
        self._counters: dict[str, int] = {}
        self._reading = threading.Lock()
        super().__init__(self._nothing())

    def _nothing(self) -> State:
        live = Liveness.empty()
        return State(-1, live, FetchedIndex.empty(self._catalog), {}, scopes_of(live, self._catalog))

    @property
    def current(self) -> State:
        """The newest state."""
        counters = {name: int(value) for name, value in self._catalog.read("SELECT name, value FROM meta")}
        if counters == self._counters:
            return self._current
        with self.lock:
            if counters["generation"] > self._current.generation:
                self._refresh()
            if self._reading.acquire(blocking=False):  # whoever is told may ask for the state
                try:
                    before, self._counters = self._counters, counters
                    for name in ("collection", "topic", "watched"):
                        if before.get(name) != counters[name]:
                            self._changed_beside(name)
                finally:
                    self._reading.release()
            return self._current

    def _refresh(self) -> None:
        with self._catalog.one_moment() as read:
            meta = {name: int(value) for name, value in read("SELECT name, value FROM meta")}
            state = self._current if self._current.generation >= meta["purged"] else self._nothing()
            found = read(_VERSIONS, (state.generation,), binary=True)
            parts = rows.read_parts(read, len(state.live.part_of))
            live = state.live.changed((row[:-1] for row in found), parts, meta["next_key"])
            models = _models(read, state)
        sparse = state.sparse
        if found and isinstance(sparse, FetchedIndex):
            sparse = sparse.grown(live.current, [(row[4], row[-1]) for row in found])
        self.publish(
            State(meta["generation"], live, sparse, models, scopes_of(live, self._catalog) if found else state.scopes)
        )


def _models(read: Read, state: State) -> dict[str, ModelVectors]:
    found = {}
    for id_, name, dimension in read("SELECT id, name, dimension FROM model ORDER BY id"):
        model = state.vectors.get(name) or ModelVectors(id_, name, dimension, Names())
        raw = read(
            "SELECT string_agg(int8send(name), '') FROM link WHERE generation > ? AND model_id = ?",
            (state.generation, id_),
            binary=True,
        )[0][0]
        if raw:
            model = replace(model, linked=model.linked.changed(np.frombuffer(raw, ">i8").astype(np.int64), True))
        found[name] = model
    return found
