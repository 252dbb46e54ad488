"""The unit of work: what is to change is staged in memory, planned, and written by the backend in one step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from engine.errors import NO_DOCUMENT, NotFoundError, UsageError
from storage.base import Tokens, VersionWrite
from storage.catalog import garbage, rows
from storage.catalog.database import Catalog, Write, insert
from storage.catalog.liveness import Liveness, VersionEntry
from storage.catalog.state import Generations
from storage.collections import take_out


@dataclass(slots=True)
class _Staged:
    """What a unit does to one document: forget all or some of its stored versions, write new ones."""

    delete: bool = False
    archive: bool = False
    dropped: set[int] = field(default_factory=set)  # version numbers
    writes: dict[int, VersionWrite] = field(default_factory=dict)  # by version number


@dataclass(slots=True)
class Plan:
    """A unit of work with every key and id decided."""

    next_id: int
    next_key: int
    next_part: int
    pairs: list[tuple[VersionWrite, VersionEntry]] = field(default_factory=list)  # what is written, and becomes
    parts: list[tuple[int, str]] = field(default_factory=list)  # (key of its node, text), ids from next_part
    current: list[int] = field(default_factory=list)  # version ids that are current afterwards
    deleted: list[int] = field(default_factory=list)  # version ids that go
    gone: list[str] = field(default_factory=list)  # documents that go
    revived: list[VersionEntry] = field(default_factory=list)  # stored versions that become current again
    hidden: list[str] = field(default_factory=list)  # documents that are put away
    dropped: list[tuple[int, str]] = field(default_factory=list)  # highest number dropped of one that stays
    replaced: dict[int, int] = field(default_factory=dict)  # version id -> id of the one whose place it takes

    def add(self, write: VersionWrite, number: int) -> VersionEntry:
        """Give a version its id and its nodes their keys."""
        end = self.next_key + len(write.nodes)
        entry = VersionEntry(self.next_id, write.document_id, write.name, number, self.next_key, end)
        self.next_id, self.next_key = self.next_id + 1, end
        self.pairs.append((write, entry))
        return entry


@dataclass(eq=False)
class StagedUnitOfWork:
    """Collects versions and deletions; a backend commits them together.

    ``must_be_editable`` raises AccessError or NotFoundError for a document that may not be changed.
    """

    _catalog: Catalog
    _generations: Generations
    _clock: Callable[[], float]
    _must_be_editable: Callable[[str], None]
    _staged: dict[str, _Staged] = field(default_factory=dict, init=False)
    _closed: bool = field(default=False, init=False)

    def write(self, version: VersionWrite) -> int:
        """Stage a version (of a new or an existing document) and return its number.

        Raises UsageError without nodes or with ids that are not unique, NotFoundError when it replaces nothing.
        """
        self._may_change(version.document_id)
        _check(version)
        staged = self._staged.get(version.document_id) or _Staged()
        numbers = self._numbers(version.document_id, staged)
        if version.replaces is not None and version.replaces not in numbers:
            raise NotFoundError(f"{version.name} has no version {version.replaces} to replace.")
        number = version.replaces
        if version.restored is not None and version.restored[0] not in numbers:
            number = version.restored[0]
        if number is None:
            number = self._next_number(version.document_id, staged)
        staged.archive = False
        staged.writes[number] = version
        self._staged[version.document_id] = staged
        return number

    def delete(self, document_id: str) -> None:
        """Stage the removal of a document with all versions. Raises NotFoundError, AccessError."""
        self._may_change(document_id)
        staged = self._staged.get(document_id)
        gone = staged is not None and staged.delete and not staged.writes
        if gone or (staged is None and not self._stored(document_id)):
            raise NotFoundError(NO_DOCUMENT.format(document_id))
        self._staged[document_id] = _Staged(delete=True)

    def archive(self, document_id: str) -> None:
        """Stage that nobody finds a document until it is written again. Raises NotFoundError, AccessError."""
        self._may_change(document_id)
        if document_id in self._staged or not self._live.versions_of(document_id):
            raise NotFoundError(NO_DOCUMENT.format(document_id))
        self._staged[document_id] = _Staged(archive=True)

    def delete_version(self, document_id: str, version: int) -> None:
        """Stage the removal of one version; the newest that is left is current then. Its number is not given again.

        Raises NotFoundError for an unknown one, UsageError for the only one: that is deleting the document.
        """
        self._may_change(document_id)
        staged = self._staged.get(document_id) or _Staged()
        numbers = self._numbers(document_id, staged)
        if version not in numbers:
            raise NotFoundError(f"The document {document_id} has no version {version}.")
        if numbers == {version}:
            raise UsageError(f"Version {version} is the only one. Remove the document instead.")
        staged.writes.pop(version, None)
        staged.dropped.add(version)
        self._staged[document_id] = staged

    def _numbers(self, document_id: str, staged: _Staged) -> set[int]:
        """Return the numbers of a document's versions, as far as it is staged."""
        return self._kept(document_id, staged).keys() | staged.writes.keys()

    def _kept(self, document_id: str, staged: _Staged) -> dict[int, VersionEntry]:
        """Return the stored versions, by number, that a document keeps."""
        stored = [] if staged.delete else self._stored(document_id)
        return {entry.number: entry for entry in stored if entry.number not in staged.dropped}

    def _next_number(self, document_id: str, staged: _Staged) -> int:
        """Return the first number that no version of a document has had."""
        given = {0} | self._numbers(document_id, staged) | staged.dropped
        if not staged.delete and self._stored(document_id):
            last = "SELECT last_number FROM document WHERE document_id = ?"
            given.update(row[0] for row in self._catalog.read(last, (document_id,)))
        return max(given) + 1

    def commit(self) -> None:
        """Make everything staged visible in one step.

        Raises StorageError (disk full, no permission, damaged text); then nothing has changed.
        """
        self._must_be_open()
        self._closed = True
        if self._staged:
            self._commit()

    def _commit(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """End the unit; what was not committed is forgotten."""
        self._closed = True
        self._staged.clear()

    @property
    def _live(self) -> Liveness:
        return self._generations.current.live  # only writers change it, and they take turns

    def _may_change(self, document_id: str) -> None:
        self._must_be_open()
        self._must_be_editable(document_id)

    def _must_be_open(self) -> None:
        if self._closed:
            raise UsageError("This unit of work is over. Open a new one.")

    def _stored(self, document_id: str) -> list[VersionEntry]:
        return [v for v in self._live.versions_of(document_id, archived=True) if v.document_id == document_id]

    def _fill(self, plan: Plan) -> None:
        """Decide what a plan does."""
        for document_id, staged in self._staged.items():
            self._plan_document(plan, document_id, staged)
        plan.parts = [part for write, entry in plan.pairs for part in rows.parts_of(write, entry.first_key)]

    def _plan_document(self, plan: Plan, document_id: str, staged: _Staged) -> None:
        if staged.archive:
            plan.hidden.append(document_id)
            return
        left = self._kept(document_id, staged)
        for number, write in sorted(staged.writes.items()):
            entry = plan.add(write, number)
            if number in left:
                plan.replaced[entry.id] = left[number].id
            left[number] = entry
        stored = self._stored(document_id)
        plan.deleted += [entry.id for entry in stored if left.get(entry.number) is not entry]
        if not left:
            plan.gone.append(document_id)
            return
        if staged.dropped:
            plan.dropped.append((max(staged.dropped), document_id))
        newest = left[max(left)]
        plan.current.append(newest.id)
        if newest.number not in staged.writes and not self._live.current_version[newest.id]:
            plan.revived.append(newest)


def _check(version: VersionWrite) -> None:
    """Raise UsageError for a version without nodes, or with ids that do not tell them apart."""
    ids = {node.node_id for node in version.nodes}
    if not ids or len(ids) != len(version.nodes):
        raise UsageError(f"{version.name} has no nodes, or several with the same id.")
    if any(record.node_id not in ids for record in version.records):
        raise UsageError(f"{version.name} has index records of unknown nodes.")
    if any(record.parts and record.dense_text is None for record in version.records):
        raise UsageError(f"{version.name} has parts of nodes that have no dense text themselves.")


def sparse_records(write: VersionWrite, entry: VersionEntry) -> list[tuple[int, Tokens]]:
    """Return (key, tokens) of a version's records, in key order."""
    key_of = {node.node_id: key for key, node in enumerate(write.nodes, entry.first_key)}
    return sorted(((key_of[r.node_id], r.tokens) for r in write.records if r.tokens), key=lambda pair: pair[0])


_VERSION_COLUMNS = (
    "id, document_id, name, number, sha256, size, media_type, pages, page_sizes, warnings, seconds, created_at,"
    " first_key, nodes, roles, strategy"
)


def _version_rows(plan: Plan, created: Sequence[float]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of :data:`_VERSION_COLUMNS` for each of a plan's versions, given when they were made."""
    for (version, entry), created_at in zip(plan.pairs, created, strict=True):
        yield (
            entry.id, entry.document_id, entry.name, entry.number, version.sha256, version.size,
            version.media_type, version.pages, orjson.dumps(version.page_sizes).decode(),
            orjson.dumps(version.warnings).decode(), version.seconds, created_at, entry.first_key,
            len(version.nodes), rows.role_bytes(version), version.strategy,
        )  # fmt: skip


def _created(catalog: Catalog, plan: Plan, now: float) -> list[float]:
    """Return when each of a plan's versions was made: one that takes another's place then."""
    replaced = list(plan.replaced.values())
    made = dict(catalog.read_in("SELECT id, created_at FROM version WHERE id IN ({})", replaced))
    return [
        made[plan.replaced[entry.id]]
        if entry.id in plan.replaced
        else (version.restored[1] if version.restored else now)
        for version, entry in plan.pairs
    ]


def record(
    write: Write, catalog: Catalog, plan: Plan, now: float, own_columns: str, own: Sequence[tuple[Any, ...]]
) -> None:
    """Write the rows of a plan; ``own_columns`` are what only this backend has of a version, ``own`` their values."""
    write.executemany("UPDATE version SET live = ? WHERE id = ?", [(False, one) for one in plan.deleted])
    for table in ("document", "correction"):
        write.executemany(f"DELETE FROM {table} WHERE document_id = ?", [(one,) for one in plan.gone])
    take_out(write, plan.gone)
    created = _created(catalog, plan, now)
    write.executemany(
        insert("version", f"{_VERSION_COLUMNS}, {own_columns}"),
        [(*row, *more) for row, more in zip(_version_rows(plan, created), own, strict=True)],
    )
    rows.insert(write, plan.pairs, catalog.facet_value)
    _record_documents(write, plan, created, now)
    rows.insert_parts(write, plan.next_part, plan.parts)
    write.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (plan.next_key,))
    garbage.keep(write, [garbage.original(version.sha256) for version, _ in plan.pairs])
    write.execute("UPDATE meta SET value = value + 1 WHERE name IN ('generation', 'commits')")


def _record_documents(write: Write, plan: Plan, created: Sequence[float], now: float) -> None:
    """Write which version of each document is current, and which documents are put away."""
    current = set(plan.current)
    write.executemany(
        "INSERT INTO document (document_id, name, current, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (document_id) DO UPDATE SET name = excluded.name, current = excluded.current,"
        " archived = NULL,"
        " updated_at = CASE WHEN ? THEN document.updated_at ELSE excluded.updated_at END",
        [
            (entry.document_id, entry.name, entry.id, made_at, made_at, entry.id in plan.replaced)
            for (_, entry), made_at in zip(plan.pairs, created, strict=True)
            if entry.id in current
        ],
    )
    write.executemany(
        "UPDATE document SET current = ?, name = ?, updated_at = ? WHERE document_id = ?",
        [(entry.id, entry.name, now, entry.document_id) for entry in plan.revived],
    )
    write.executemany(
        "UPDATE document SET last_number = ? WHERE last_number < ? AND document_id = ?",
        [(number, number, document_id) for number, document_id in plan.dropped],
    )
    write.executemany("UPDATE document SET archived = ? WHERE document_id = ?", [(now, one) for one in plan.hidden])
