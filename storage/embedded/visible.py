"""A library as somebody sees it who may not read all of its documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from storage.embedded.reading import EmbeddedReading, PinnedStorage
from storage.visible import (
    Sight,
    VisibleCollections,
    VisibleConversations,
    VisibleJobs,
    VisibleQuestions,
    VisibleTopics,
    VisibleUnit,
)

if TYPE_CHECKING:
    from storage.base import Storage, UnitOfWork
    from storage.embedded.state import Generations, State


class VisibleStorage(PinnedStorage):
    """Reads the newest state without what is hidden; changes go to the library itself, as far as rights allow."""

    def __init__(
        self, owner: EmbeddedReading, changing: Storage, generations: Generations, sight: Sight
    ) -> None:
        super().__init__(owner, changing, generations.current)
        self._generations = generations
        self._sight = sight
        self.collections = VisibleCollections(owner.collections, sight)
        self.topics = VisibleTopics(owner.topics, sight)
        self.jobs = VisibleJobs(owner.jobs, sight)
        self.conversations = VisibleConversations(owner.conversations, sight)
        self.questions = VisibleQuestions(owner.questions, sight)

    def _state(self) -> State:
        sight = self._sight
        key = sight.rights.readable, sight.collections.changes
        return self._generations.keep(self._generations.current.within(sight.shows, key))

    def is_free(self, document_id: str) -> bool:
        """Tell whether no document has this id, be it one that is put away, hidden, or being read."""
        held = self._sight.collections.members().get(document_id)
        return self._changing.is_free(document_id) and (held is None or held in self._sight.rights.readable)

    def pinned(self) -> Storage:
        """Return what is seen as it is now, for reading as long as the returned object is kept."""
        return PinnedStorage(self, self, self._state())

    @contextmanager
    def unit_of_work(self) -> Iterator[UnitOfWork]:
        """Open a unit of work on the library. What may not be edited raises AccessError."""
        with self._changing.unit_of_work() as unit:
            yield VisibleUnit(unit, self._sight)
