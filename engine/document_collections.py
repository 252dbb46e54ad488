"""The collections of one library: a document is in at most one. Made, renamed and emptied by hand alone."""

import re
import secrets
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from engine.config import AccessSettings
from engine.errors import UsageError
from engine.model import Collection
from storage.base import Storage
from storage.collections import NONE, StoredCollection, named

LONGEST_NAME = 100
# A joiner makes one sign of several ("family"); other characters that nobody sees could pass one name for another.
_JOINER = "\u200d"
_SLASH = re.compile(r"[/\\]")


@dataclass(eq=False)
class DocumentCollections:
    """Safe to call from any thread."""

    _storage: Storage
    _access: Callable[[], AccessSettings]

    def all(self) -> list[Collection]:
        """Return the collections by name, each with the number of its documents."""
        held = self._storage.collections.members()
        counts = Counter(held.get(one.document_id, NONE) for one in self._storage.documents())
        return [
            Collection(one.collection_id, one.name, counts[one.collection_id], one.readers, one.editors)
            for one in self._storage.collections.list()
        ]

    def get(self, reference: str) -> Collection:
        """Return a collection by id or name. Raises NotFoundError."""
        wanted = self._stored(reference).collection_id
        return next(one for one in self.all() if one.collection_id == wanted)

    def create(self, name: str) -> Collection:
        """Make an empty collection. Raises UsageError for a name that cannot be one, or that another has."""
        made = StoredCollection(f"c{secrets.token_hex(6)}", self._checked(name), created_at=time.time())
        self._storage.collections.save(made)
        return self.get(made.collection_id)

    def rename(self, reference: str, name: str) -> Collection:
        """Give a collection another name. Raises NotFoundError, UsageError."""
        stored = self._stored(reference)
        self._storage.collections.save(replace(stored, name=self._checked(name, stored)))
        return self.get(stored.collection_id)

    def delete(self, reference: str) -> Collection:
        """Forget a collection, and return what it was; its documents stay, in none. Raises NotFoundError."""
        was = self.get(reference)
        self._storage.collections.remove(was.collection_id)
        return was

    def move(self, documents: Iterable[str], reference: str | None) -> int:
        """Put documents (ids or names) into a collection, None: into none; return how many. Raises NotFoundError."""
        target = self._stored(reference).collection_id if reference else NONE
        ids = list(dict.fromkeys(self._storage.document(one).document_id for one in documents))
        self._storage.collections.put(ids, target)
        return len(ids)

    def share(self, reference: str, readers: Sequence[str], editors: Sequence[str]) -> Collection:
        """Say who may read and edit a collection: addresses, their endings ("@example.org"), or groups; none: everyone.

        Whoever may edit may read. Raises NotFoundError, UsageError where the library has no owner yet.
        """
        stored, access = self._stored(reference), self._access()
        if access.named and not access.owners:
            raise UsageError(
                "Name the owners of the library first (setting access.owners): others see only what they are given."
            )
        who = [tuple(dict.fromkeys(filter(None, map(str.strip, names)))) for names in (readers, editors)]
        self._storage.collections.save(replace(stored, readers=who[0], editors=who[1]))
        return self.get(stored.collection_id)

    def _stored(self, reference: str) -> StoredCollection:
        return named([reference], self._storage.collections.list())[0]

    def _checked(self, name: str, of: StoredCollection | None = None) -> str:
        name = unicodedata.normalize("NFC", " ".join(name.split()))
        shown = all(one.isprintable() or one == _JOINER for one in name)
        if not 0 < len(name) <= LONGEST_NAME or _SLASH.search(name) or not shown:
            raise UsageError(
                f"A collection's name has 1 to {LONGEST_NAME} characters, all of which can be seen, and no slash."
            )
        for other in self._storage.collections.list():
            if other != of and name.casefold() in (other.name.casefold(), other.collection_id):
                raise UsageError(f"There is a collection {other.name!r} already. Choose another name.")
        return name
