"""What a library keeps of its collections: their names, who may see them, and which documents are in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.errors import NotFoundError

# Stands for "in no collection" wherever a collection's id could stand.
NONE = ""


@dataclass(frozen=True, slots=True)
class StoredCollection:
    """A collection as it is kept; who is named in neither ``readers`` nor ``editors`` is kept out, both empty: nobody.

    Whoever may edit may read, too.
    """

    collection_id: str
    name: str
    readers: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Rights:
    """The collections, by id, that somebody may read and edit; :data:`NONE` is among them for what is in none."""

    readable: frozenset[str]
    editable: frozenset[str]


class Collections(Protocol):
    """The collections of a library; a document is in at most one."""

    @property
    def home(self) -> str:
        """The id of the collection that a new document comes into where none is named. Raises AccessError."""
        ...

    @property
    def changes(self) -> int:
        """A number that becomes another whenever collections do, or what is in them."""
        ...

    def list(self) -> Sequence[StoredCollection]:
        """Return all collections by name."""
        ...

    def members(self) -> Mapping[str, str]:
        """Return the collection's id for each document that is in one, by its id."""
        ...

    def save(self, collection: StoredCollection) -> None:
        """Keep a collection in place of the one with its id. Raises StorageError."""
        ...

    def remove(self, collection_id: str) -> None:
        """Forget a collection; its documents are in none then. Raises StorageError."""
        ...

    def put(self, document_ids: Sequence[str], collection_id: str) -> None:
        """Put documents into a collection and out of the one they were in. Raises StorageError."""
        ...

    def must_be_editable(self, document_id: str) -> None:
        """Raise AccessError for a document that may only be read, NotFoundError for one that is hidden."""
        ...

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the ids of the documents in any of these (ids or names, without case). Raises NotFoundError."""
        ...


def named(references: Sequence[str], known: Sequence[StoredCollection]) -> list[StoredCollection]:
    """Return the collections that ids or names stand for. Raises NotFoundError."""
    by_id = {one.collection_id: one for one in known}
    by_name = {one.name.casefold(): one for one in known}
    found = [by_id.get(one) or by_name.get(one.strip().casefold()) for one in references]
    for one, reference in zip(found, references, strict=True):
        if one is None:
            raise NotFoundError(
                f"There is no collection {reference!r} in the library. `dropqa collections` lists them."
            )
    return [one for one in found if one is not None]


def place(collections: Collections, document_id: str, wanted: str | None, *, known: bool) -> None:
    """Put a document, which is new if it is not known, where it is to be: None where it is, empty in none.

    Raises NotFoundError for an unknown collection, AccessError.
    """
    is_in = collections.members().get(document_id, NONE)
    if known:
        collections.must_be_editable(document_id)
    if wanted:
        target = named([wanted], collections.list())[0].collection_id
    else:
        target = (is_in if known else collections.home) if wanted is None else NONE
    if target != is_in:
        collections.put([document_id], target)
