"""What a library keeps of its collections: their names, who may see them, and which documents are in them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import orjson

from engine.errors import NotFoundError
from storage.catalog.database import Catalog, Write, insert, put

# Stands for "in no collection" wherever a collection's id could stand.
NONE = ""
COLUMNS, MEMBERS = "collection_id, name, readers, editors, created_at", "document_id, collection_id"


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


class Collections:
    """The collections of a library; a document is in at most one. All are kept in memory, for every reader asks."""

    def __init__(self, catalog: Catalog, changed: Callable[[], None]) -> None:
        """``changed`` is called when documents may be in others."""
        self._catalog = catalog
        self._changed = changed
        self._known: tuple[tuple[StoredCollection, ...], Mapping[str, str]] | None = None
        self.changes = 0
        """A number that becomes another whenever collections do, or what is in them."""
        # What was read before a change is not kept after it.
        self._keeping = threading.Lock()

    home = NONE
    """The id of the collection that a new document comes into where none is named."""

    def list(self) -> Sequence[StoredCollection]:
        """Return all collections by name."""
        return self._read()[0]

    def members(self) -> Mapping[str, str]:
        """Return the collection's id for each document that is in one, by its id."""
        return self._read()[1]

    def save(self, collection: StoredCollection) -> None:
        """Keep a collection in place of the one with its id."""
        row = (
            collection.collection_id, collection.name, orjson.dumps(collection.readers).decode(),
            orjson.dumps(collection.editors).decode(), collection.created_at,
        )  # fmt: skip
        with self._catalog.transaction() as write:
            write.execute(put("collection", COLUMNS), row)
        self.forget()

    def remove(self, collection_id: str) -> None:
        """Forget a collection; its documents are in none then."""
        with self._catalog.transaction() as write:
            for table in ("collection", "document_collection"):
                write.execute(f"DELETE FROM {table} WHERE collection_id = ?", (collection_id,))
        self.forget()

    def put(self, document_ids: Sequence[str], collection_id: str) -> None:
        """Put documents into a collection and out of the one they were in."""
        with self._catalog.transaction() as write:
            take_out(write, document_ids)
            write.executemany(
                insert("document_collection", MEMBERS),
                [(one, collection_id) for one in document_ids if collection_id != NONE],
            )
        self.forget()

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the ids of the documents in any of these (ids or names, without case). Raises NotFoundError."""
        wanted = {one.collection_id for one in named(references, self.list())}
        return sorted(one for one, collection_id in self.members().items() if collection_id in wanted)

    def must_be_editable(self, document_id: str) -> None:
        """Raise AccessError where a document may only be read: of the library itself everything may be changed."""

    def forget(self) -> None:
        """Read anew what others have written."""
        with self._keeping:
            self._known = None
            self.changes += 1
        self._changed()

    def _read(self) -> tuple[tuple[StoredCollection, ...], Mapping[str, str]]:
        with self._keeping:
            known, at = self._known, self.changes
        if known is None:
            rows = self._catalog.read(f"SELECT {COLUMNS} FROM collection")
            found = [
                StoredCollection(one, name, tuple(orjson.loads(readers)), tuple(orjson.loads(editors)), made)
                for one, name, readers, editors, made in rows
            ]
            members = dict(self._catalog.read(f"SELECT {MEMBERS} FROM document_collection"))
            known = tuple(sorted(found, key=lambda one: one.name.casefold())), members
            with self._keeping:
                if at == self.changes:
                    self._known = known
        return known


def take_out(write: Write, document_ids: Sequence[str]) -> None:
    """Take documents out of the collection they are in."""
    write.executemany("DELETE FROM document_collection WHERE document_id = ?", [(one,) for one in document_ids])


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
