"""Collections and what is in them: rows in the catalog, all of them in memory, for every reader asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import orjson

from storage.catalog.database import Catalog, Write, put
from storage.collections import NONE, StoredCollection, named


class CatalogCollections:
    """The collections of one library (see :class:`storage.collections.Collections`)."""

    def __init__(self, catalog: Catalog, changed: Callable[[], None]) -> None:
        """``changed`` is called when documents may be in others."""
        self._catalog = catalog
        self._changed = changed
        self._known: tuple[tuple[StoredCollection, ...], Mapping[str, str]] | None = None
        self._changes = 0

    home = NONE

    @property
    def changes(self) -> int:
        """A number that becomes another whenever collections do, or what is in them."""
        return self._changes

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
            write.execute(put("collection", "collection_id", "name, readers, editors, created_at"), row)
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
                "INSERT INTO document_collection (document_id, collection_id) VALUES (?, ?)",
                [(one, collection_id) for one in document_ids if collection_id != NONE],
            )
        self.forget()

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the ids of the documents in any of these. Raises NotFoundError."""
        wanted = {one.collection_id for one in named(references, self.list())}
        return sorted(one for one, collection_id in self.members().items() if collection_id in wanted)

    def must_be_editable(self, document_id: str) -> None:
        """Do nothing: of the library itself everything may be changed."""

    def forget(self) -> None:
        """Read anew what others have written."""
        self._known = None
        self._changes += 1
        self._changed()

    def _read(self) -> tuple[tuple[StoredCollection, ...], Mapping[str, str]]:
        known, at = self._known, self._changes
        if known is None:
            rows = self._catalog.read(
                "SELECT collection_id, name, readers, editors, created_at FROM collection"
            )
            found = [
                StoredCollection(one, name, tuple(orjson.loads(readers)), tuple(orjson.loads(editors)), made)
                for one, name, readers, editors, made in rows
            ]
            members = dict(self._catalog.read("SELECT document_id, collection_id FROM document_collection"))
            known = tuple(sorted(found, key=lambda one: one.name.casefold())), members
            if at == self._changes:
                self._known = known
        return known


def take_out(write: Write, document_ids: Sequence[str]) -> None:
    """Take documents out of the collection they are in."""
    write.executemany(
        "DELETE FROM document_collection WHERE document_id = ?", [(one,) for one in document_ids]
    )
