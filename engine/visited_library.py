"""A library for whoever asks: what they may read of it is all there is, whichever way they come in.

This is the one place that says which documents somebody may read; pages, REST, chat completions and MCP take their
library from here, and storage keeps to it (``storage.collections.Rights``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.library import Library
from engine.shared_library import READING, READING_OF, ReadOnlyLibrary
from storage.collections import NONE, Rights, StoredCollection, named
from storage.visible import OWNERS_ONLY

# What a visitor may call beside what reading takes; storage says which documents may be changed.
EDITING = frozenset(
    """
    add add_texts enqueue cancel_job retry_job dismiss_job remove archived bring_back reindex version_history
    """.split()
)
# What tells of the whole library or of places on its machine, or ends it.
_OF_OWNERS = frozenset("close end_work works warm prune_jobs doctor check_model".split())
_MOST_VIEWS = 32


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is no owner by the way they came in: a person by their names, or a key that is bound.

    ``names`` are an address, its ending ("@example.org") and groups, case-folded; ``bound`` are the collections, by
    id, of a key.
    """

    names: frozenset[str] = frozenset()
    bound: frozenset[str] | None = None

    @classmethod
    def of(cls, user: Mapping[str, Any]) -> Visitor:
        """Return a provider's user; an address that the provider has not verified is none."""
        address = str(user.get("email") or "").casefold()
        if user.get("email_verified") is False or "@" not in address:
            address = ""
        groups = user.get("groups")
        told = [address, address[address.find("@") :], *(groups if isinstance(groups, list | tuple) else [groups])]
        return cls(frozenset(str(one).casefold() for one in told if one))


class VisitedLibrary(ReadOnlyLibrary):
    """A library of which only some documents are there; owned by the one it was made from."""

    _may = (READING - _OF_OWNERS) | EDITING
    _may_of: Mapping[str, frozenset[str]] = {
        "topics": READING_OF["topics"],
        "labels": READING_OF["labels"] | {"tag"},
        "corrections": READING_OF["corrections"] | {"make", "take_back"},
        "reports": frozenset({"list"}),  # they are written from everything
    }
    _told = OWNERS_ONLY

    def __init__(self, whole: Library, rights: Rights) -> None:
        self.__dict__.update(whole.__dict__)
        self.__dict__.pop("_views", None)
        if isinstance(whole, ReadOnlyLibrary):
            self._may, self._may_of, self._told = self._may & whole._may, whole._may_of, whole._told
        self.rights = rights
        self._work_on(whole.storage.visible(rights))


def rights_of(visitor: Visitor, collections: Sequence[StoredCollection], owners: Iterable[str]) -> Rights | None:
    """Return what a visitor may read and edit; None: everything, as an owner."""
    if visitor.bound is not None:
        bound = visitor.bound & {one.collection_id for one in collections}
        return Rights(bound, bound)
    owning = set(map(str.casefold, owners))
    if visitor.names & owning or (not owning and all(map(_is_open, collections))):
        return None
    editable = {NONE} | {one.collection_id for one in collections if _named_in(visitor, one, one.editors)}
    readable = {one.collection_id for one in collections if _named_in(visitor, one, one.readers)}
    return Rights(frozenset(editable | readable), frozenset(editable))


def seen_by(library: Library, visitor: Visitor | None) -> Library:
    """Return the library as a visitor sees it; None is an owner."""
    if visitor is None:
        return library
    rights = rights_of(visitor, library.storage.collections.list(), library.settings.access.owners)
    return library if rights is None else _view(library, rights)


def within(library: Library, collections: Sequence[str]) -> Library:
    """Return what is in collections, by id or name, as if there were nothing else. Raises NotFoundError."""
    if not collections:
        return library
    ids = frozenset(one.collection_id for one in named(collections, library.storage.collections.list()))
    editable = library.rights.editable & ids if library.rights else ids
    return _view(library, Rights(ids, editable))


def _is_open(collection: StoredCollection) -> bool:
    return not (collection.readers or collection.editors)


def _named_in(visitor: Visitor, collection: StoredCollection, names: Sequence[str]) -> bool:
    return _is_open(collection) or any(one.casefold() in visitor.names for one in names)


def _view(library: Library, rights: Rights) -> Library:
    views: dict[Any, VisitedLibrary] = library.__dict__.setdefault("_views", {})
    key = rights, getattr(library, "_may", None)
    views[key] = view = views.pop(key, None) or VisitedLibrary(library, rights)
    for old in list(views)[:-_MOST_VIEWS]:
        views.pop(old, None)
    view._settings, view._ending = library._settings, library._ending
    return view
