"""The unit of work: staged in memory, made durable file by file, then visible in one transaction.

    1  note the paths that will be written as garbage       a crash from here on leaves nothing behind
    2  write the graphs       synced, renamed into place
    3  write one segment      synced, renamed into place
    4  one transaction        rows, manifest, current versions, generation; the paths are garbage no more
    5  publish the new state to readers

Vectors follow later; old rows and files go in upkeep.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import orjson

from engine.errors import NotFoundError, StorageError, UsageError
from storage.base import Tokens, VersionWrite
from storage.embedded import garbage, graphs, parts, rows, segments
from storage.embedded.catalog import Catalog
from storage.embedded.collections import take_out
from storage.embedded.graphs import GraphPlace, Graphs
from storage.embedded.journal import Journal
from storage.embedded.liveness import Liveness, VersionEntry
from storage.embedded.segments import Postings, Segment
from storage.embedded.state import Generations

SPARSE = "sparse"


@dataclass(slots=True)
class _Staged:
    """What a unit does to one document: forget all or some of its stored versions, write new ones."""

    delete: bool = False
    archive: bool = False
    dropped: set[int] = field(default_factory=set)  # version numbers
    writes: dict[int, VersionWrite] = field(default_factory=dict)  # by version number


@dataclass(slots=True)
class Plan:
    """A unit of work with every key, id and path decided; lists go along with ``entries`` where said."""

    next_id: int
    next_key: int
    next_part: int
    segment: str
    writes: list[VersionWrite] = field(default_factory=list)
    entries: list[VersionEntry] = field(default_factory=list)  # one a write
    roles: list[bytes] = field(default_factory=list)  # one a write
    places: list[GraphPlace] = field(default_factory=list)  # one a write
    graphs: list[bytes] = field(default_factory=list)  # one a write
    parts: list[tuple[int, str]] = field(default_factory=list)  # (key of its node, text), ids from next_part
    postings: Postings | None = None
    current: list[int] = field(default_factory=list)  # version ids that are current afterwards
    retired: list[int] = field(default_factory=list)  # version ids that stop being current
    deleted: list[int] = field(default_factory=list)  # version ids that go
    gone: list[str] = field(default_factory=list)  # documents that go
    revived: list[VersionEntry] = field(default_factory=list)  # stored versions that become current again
    hidden: list[str] = field(default_factory=list)  # documents that are put away
    archived: list[int] = field(default_factory=list)  # version ids that nobody finds any more
    returned: list[int] = field(default_factory=list)  # version ids that are found again
    dropped: list[tuple[int, str]] = field(
        default_factory=list
    )  # highest number dropped of a document that stays
    replaced: dict[int, int] = field(default_factory=dict)  # version id -> id of the one whose place it takes

    def add(self, write: VersionWrite, number: int) -> VersionEntry:
        """Give a version its id and its nodes their keys."""
        end = self.next_key + len(write.nodes)
        entry = VersionEntry(self.next_id, write.document_id, write.name, number, self.next_key, end)
        self.next_id, self.next_key = self.next_id + 1, end
        self.writes.append(write)
        self.entries.append(entry)
        return entry

    @property
    def paths(self) -> list[str]:
        """What is written before the commit, relative to the library folder."""
        paths = sorted({place.path for place in self.places})
        return paths if self.postings is None else [*paths, f"{SPARSE}/{self.segment}"]


@dataclass(eq=False)
class EmbeddedUnitOfWork:
    """Collects versions and deletions and commits them together.

    ``publish`` runs the last transaction and shows its result to readers, one caller at a time; ``must_be_editable``
    raises AccessError or NotFoundError for a document that may not be changed.
    """

    _folder: Path
    _aside: Path
    _catalog: Catalog
    _graphs: Graphs
    _generations: Generations
    _publish: Callable[[Callable[[], tuple[Plan, Segment | None]]], None]
    _clock: Callable[[], float]
    _journal: Journal
    _must_be_editable: Callable[[str], None]
    _staged: dict[str, _Staged] = field(default_factory=dict)
    _closed: bool = False

    def write(self, version: VersionWrite) -> int:
        """Stage a version (of a new or an existing document) and return its number.

        Raises UsageError without nodes or with ids that are not unique, NotFoundError when it replaces nothing.
        """
        self._must_be_open()
        self._must_be_editable(version.document_id)
        ids = {node.node_id for node in version.nodes}
        if not ids or len(ids) != len(version.nodes):
            raise UsageError(f"{version.name} has no nodes, or several with the same id.")
        if any(record.node_id not in ids for record in version.records):
            raise UsageError(f"{version.name} has index records of unknown nodes.")
        if any(record.parts and record.dense_text is None for record in version.records):
            raise UsageError(f"{version.name} has parts of nodes that have no dense text themselves.")
        staged = self._staged.get(version.document_id) or _Staged()
        stored = [] if staged.delete else self._stored(version.document_id)
        numbers = ({entry.number for entry in stored} - staged.dropped) | set(staged.writes)
        if version.replaces is not None and version.replaces not in numbers:
            raise NotFoundError(f"{version.name} has no version {version.replaces} to replace.")
        number = version.replaces
        if version.restored is not None and version.restored[0] not in numbers:
            number = version.restored[0]
        if number is None:
            given = numbers | staged.dropped | self._dropped_before(version.document_id, bool(stored))
            number = max(given, default=0) + 1
        staged.archive = False
        staged.writes[number] = version
        self._staged[version.document_id] = staged
        return number

    def delete(self, document_id: str) -> None:
        """Stage the removal of a document with all versions. Raises NotFoundError, AccessError."""
        self._must_be_open()
        self._must_be_editable(document_id)
        staged = self._staged.get(document_id)
        gone = staged is not None and staged.delete and not staged.writes
        if gone or (staged is None and not self._stored(document_id)):
            raise NotFoundError(f"There is no document {document_id} in the library.")
        self._staged[document_id] = _Staged(delete=True)

    def archive(self, document_id: str) -> None:
        """Stage that nobody finds a document until it is written again. Raises NotFoundError, AccessError."""
        self._must_be_open()
        self._must_be_editable(document_id)
        if document_id in self._staged or not self._live.versions_of(document_id):
            raise NotFoundError(f"There is no document {document_id} in the library.")
        self._staged[document_id] = _Staged(archive=True)

    def delete_version(self, document_id: str, version: int) -> None:
        """Stage the removal of one version; the newest that is left is current then. Its number is not given again.

        Raises NotFoundError for an unknown one, UsageError for the only one: that is deleting the document.
        """
        self._must_be_open()
        self._must_be_editable(document_id)
        staged = self._staged.get(document_id) or _Staged()
        stored = set() if staged.delete else {entry.number for entry in self._stored(document_id)}
        numbers = (stored - staged.dropped) | set(staged.writes)
        if version not in numbers:
            raise NotFoundError(f"The document {document_id} has no version {version}.")
        if numbers == {version}:
            raise UsageError(f"Version {version} is the only one. Remove the document instead.")
        staged.writes.pop(version, None)
        staged.dropped.add(version)
        self._staged[document_id] = staged

    def _dropped_before(self, document_id: str, stored: bool) -> set[int]:
        rows = self._catalog.read("SELECT last_number FROM document WHERE document_id = ?", (document_id,))
        return {rows[0][0]} if stored and rows else set()

    def commit(self) -> None:
        """Make everything staged visible in one step.

        Raises StorageError (disk full, no permission, damaged text); then nothing has changed.
        """
        self._must_be_open()
        self._closed = True
        if not self._staged:
            return
        paths: list[str] = []
        try:
            plan = self._plan()
            paths = plan.paths
            self._note(paths)
            self._graphs.write(plan.places, plan.graphs)
            if plan.postings is not None:
                segments.save(plan.postings, self._folder / SPARSE / plan.segment, self._aside)
            entries = {id_: self._live.versions[id_] for id_ in plan.deleted}
            self._publish(lambda: self._apply(plan))
            self._journal.append(
                [entry.id for entry in plan.entries],
                [(entry.document_id, entry.number) for entry in entries.values()],
            )
        except (OSError, UnicodeError, orjson.JSONEncodeError) as error:
            self._sweep(paths)
            raise StorageError(
                f"The documents could not be stored ({error}). Nothing was changed; "
                "free disk space or mend the permissions and try again."
            ) from error
        except StorageError:
            self._sweep(paths)
            raise

    def close(self) -> None:
        """End the unit; what was not committed is forgotten."""
        self._closed = True
        self._staged.clear()

    @property
    def _live(self) -> Liveness:
        return self._generations.current.live  # only writers change it, and they take turns

    def _must_be_open(self) -> None:
        if self._closed:
            raise UsageError("This unit of work is over. Open a new one.")

    def _stored(self, document_id: str) -> list[VersionEntry]:
        return [v for v in self._live.versions_of(document_id, archived=True) if v.document_id == document_id]

    def _plan(self) -> Plan:
        last = self._catalog.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'version'")
        plan = Plan(
            last[0][0] + 1,
            self._catalog.meta("next_key"),
            self._catalog.meta("next_part"),
            segments.new_name(),
        )
        for document_id, staged in self._staged.items():
            self._plan_document(plan, document_id, staged)
        pairs = list(zip(plan.writes, plan.entries, strict=True))
        plan.roles = [rows.role_bytes(write) for write in plan.writes]
        plan.graphs = [graphs.dump(write, entry.number, entry.first_key) for write, entry in pairs]
        plan.places = graphs.plan(
            [(entry.document_id, entry.number, entry.id) for entry in plan.entries],
            plan.graphs,
        )
        plan.parts = [part for write, entry in pairs for part in parts.of_version(write, entry.first_key)]
        plan.postings = segments.build(chain.from_iterable(sparse_records(*pair) for pair in pairs))
        return plan

    def _plan_document(self, plan: Plan, document_id: str, staged: _Staged) -> None:
        stored = {entry.number: entry for entry in self._stored(document_id)}
        if staged.archive:
            plan.hidden.append(document_id)
            plan.archived += [entry.id for entry in stored.values()]
            plan.retired += [entry.id for entry in stored.values() if self._live.current_version[entry.id]]
            return
        plan.returned += [entry.id for entry in stored.values() if not self._live.exists_version[entry.id]]
        left = {} if staged.delete else {n: v for n, v in stored.items() if n not in staged.dropped}
        for number, write in sorted(staged.writes.items()):
            entry = plan.add(write, number)
            if number in left:
                plan.replaced[entry.id] = left[number].id
            left[number] = entry
        plan.deleted += [entry.id for number, entry in stored.items() if left.get(number) is not entry]
        if not left:
            plan.gone.append(document_id)
            return
        newest = left[max(left)]
        plan.current.append(newest.id)
        known = self._live.current_version
        if staged.dropped:
            plan.dropped.append((max(staged.dropped), document_id))
        if newest.number not in staged.writes and not known[newest.id]:
            plan.revived.append(newest)
        plan.retired += [
            v.id for v in stored.values() if v is not newest and known[v.id] and left.get(v.number) is v
        ]

    def _note(self, paths: list[str]) -> None:
        with self._catalog.transaction(durable=False) as write:
            garbage.note(write, paths, self._clock(), staged=True)

    def _apply(self, plan: Plan) -> tuple[Plan, Segment | None]:
        segment = Segment(self._folder / SPARSE / plan.segment) if plan.postings is not None else None
        with self._catalog.transaction() as write:
            _record(write, plan, self._clock())
        return plan, segment

    def _sweep(self, paths: list[str]) -> None:
        for path in paths:
            try:
                garbage.remove(self._folder, path)
            except OSError:
                return  # noted as garbage: it goes later
        with self._catalog.transaction(durable=False) as write:
            garbage.keep(write, paths)


def sparse_records(write: VersionWrite, entry: VersionEntry) -> list[tuple[int, Tokens]]:
    """Return (key, tokens) of a version's records, in key order."""
    key_of = {node.node_id: key for key, node in enumerate(write.nodes, entry.first_key)}
    return sorted(
        ((key_of[r.node_id], r.tokens) for r in write.records if r.tokens), key=lambda pair: pair[0]
    )


def _record(write: sqlite3.Connection, plan: Plan, now: float) -> None:
    write.executemany(
        "UPDATE version SET live = 0 WHERE id = ?", [(version_id,) for version_id in plan.deleted]
    )
    write.executemany(
        "DELETE FROM document WHERE document_id = ?", [(document_id,) for document_id in plan.gone]
    )
    take_out(write, plan.gone)
    current = set(plan.current)
    keys = np.zeros(0, np.int64) if plan.postings is None else plan.postings.keys
    for i, (version, entry) in enumerate(zip(plan.writes, plan.entries, strict=True)):
        created_at = version.restored[1] if version.restored else now
        if (old := plan.replaced.get(entry.id)) is not None:
            created_at = write.execute("SELECT created_at FROM version WHERE id = ?", (old,)).fetchone()[0]
        indexed = int(np.diff(np.searchsorted(keys, [entry.first_key, entry.end_key]))[0])
        _insert_version(write, version, entry, (created_at, indexed, plan.roles[i]), plan.places[i])
        rows.insert(write, version, entry.id, entry.first_key)
        if entry.id in current:
            write.execute(
                "INSERT INTO document (document_id, name, current, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (document_id) DO UPDATE SET name = excluded.name, current = excluded.current,"
                " archived = NULL,"
                " updated_at = CASE WHEN ? THEN updated_at ELSE excluded.updated_at END",
                (entry.document_id, entry.name, entry.id, created_at, created_at, old is not None),
            )
    write.executemany(
        "UPDATE document SET current = ?, name = ?, updated_at = ? WHERE document_id = ?",
        [(entry.id, entry.name, now, entry.document_id) for entry in plan.revived],
    )
    write.executemany(
        "UPDATE document SET last_number = max(last_number, ?) WHERE document_id = ?", plan.dropped
    )
    write.executemany(
        "UPDATE document SET archived = ? WHERE document_id = ?", [(now, one) for one in plan.hidden]
    )
    parts.insert(write, plan.next_part, plan.parts)
    write.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (plan.next_key,))
    if plan.postings is not None:
        write.execute("INSERT INTO segment (name, nodes) VALUES (?, ?)", (plan.segment, len(keys)))
    garbage.keep(write, [*plan.paths, *(garbage.original(version.sha256) for version in plan.writes)])
    write.execute("UPDATE meta SET value = value + 1 WHERE name IN ('generation', 'commits')")


def _insert_version(
    write: sqlite3.Connection,
    version: VersionWrite,
    entry: VersionEntry,
    facts: tuple[float, int, bytes],
    place: GraphPlace,
) -> None:
    created_at, indexed, roles = facts
    write.execute(
        "INSERT INTO version (id, document_id, name, number, sha256, size, media_type, pages, page_sizes,"
        " warnings, seconds, created_at, first_key, nodes, sparse_nodes, roles, graph, graph_offset,"
        " graph_length, strategy, graph_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.id, entry.document_id, entry.name, entry.number, version.sha256, version.size,
            version.media_type, version.pages, orjson.dumps(version.page_sizes).decode(),
            orjson.dumps(version.warnings).decode(), version.seconds, created_at, entry.first_key,
            len(version.nodes), indexed, roles, place.path, place.offset, place.length, version.strategy,
            place.sum,
        ),
    )  # fmt: skip
