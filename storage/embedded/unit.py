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

import orjson

from engine.errors import NotFoundError, StorageError, UsageError
from storage.base import Tokens, VersionWrite
from storage.embedded import durable, graphs, rows, segments
from storage.embedded.catalog import Catalog
from storage.embedded.graphs import GraphPlace, Graphs
from storage.embedded.liveness import Liveness, VersionEntry
from storage.embedded.segments import Postings, Segment
from storage.embedded.state import Generations

SPARSE = "sparse"


@dataclass(slots=True)
class _Staged:
    """What a unit does to one document: forget its stored versions, write new ones."""

    delete: bool = False
    writes: list[tuple[int, VersionWrite]] = field(default_factory=list)  # (number, version)


@dataclass(frozen=True, slots=True)
class Plan:
    """A unit of work with every key, id and path decided."""

    writes: list[tuple[int, VersionWrite]]
    entries: list[VersionEntry]
    roles: list[bytes]
    current: list[int]  # version ids that become current
    retired: list[int]  # version ids that stop being current
    deleted: list[int]  # version ids that go
    gone: list[str]  # documents that go
    places: list[GraphPlace]
    graphs: list[bytes]
    postings: Postings | None
    segment: str

    @property
    def paths(self) -> list[str]:
        """What is written before the commit, relative to the library folder."""
        paths = sorted({place.path for place in self.places})
        return paths if self.postings is None else [*paths, f"{SPARSE}/{self.segment}"]


class EmbeddedUnitOfWork:
    """Collects versions and deletions and commits them together."""

    def __init__(
        self,
        folder: Path,
        aside: Path,
        catalog: Catalog,
        graph_store: Graphs,
        generations: Generations,
        publish: Callable[[Callable[[], tuple[Plan, Segment | None]]], None],
        clock: Callable[[], float],
    ) -> None:
        """``publish`` runs the last transaction and shows its result to readers, one caller at a time."""
        self._folder = folder
        self._aside = aside
        self._catalog = catalog
        self._graphs = graph_store
        self._generations = generations
        self._publish = publish
        self._clock = clock
        self._staged: dict[str, _Staged] = {}
        self._closed = False

    def write(self, version: VersionWrite) -> int:
        """Stage a version (of a new or an existing document) and return its number.

        Raises UsageError when it has no nodes or its node ids are not unique.
        """
        self._must_be_open()
        ids = {node.node_id for node in version.nodes}
        if not ids or len(ids) != len(version.nodes):
            raise UsageError(f"{version.name} has no nodes, or several with the same id.")
        if any(record.node_id not in ids for record in version.records):
            raise UsageError(f"{version.name} has index records of unknown nodes.")
        staged = self._staged.setdefault(version.document_id, _Staged())
        known = [] if staged.delete else self._live.versions_of(version.document_id)
        number = staged.writes[-1][0] + 1 if staged.writes else known[-1].number + 1 if known else 1
        staged.writes.append((number, version))
        return number

    def delete(self, document_id: str) -> None:
        """Stage the removal of a document with all versions. Raises NotFoundError."""
        self._must_be_open()
        staged = self._staged.get(document_id)
        gone = staged is not None and staged.delete and not staged.writes
        if gone or (staged is None and not self._stored(document_id)):
            raise NotFoundError(f"There is no document {document_id} in the library.")
        self._staged[document_id] = _Staged(delete=True)

    def commit(self) -> None:
        """Make everything staged visible in one step.

        Raises StorageError (disk full, no permission, damaged text); then nothing has changed.
        """
        self._must_be_open()
        self._closed = True
        if not any(staged.delete or staged.writes for staged in self._staged.values()):
            return
        paths: list[str] = []
        try:
            plan = self._plan()
            paths = plan.paths
            self._note(paths)
            self._graphs.write(plan.places, plan.graphs)
            if plan.postings is not None:
                segments.save(plan.postings, self._folder / SPARSE / plan.segment, self._aside)
            self._publish(lambda: self._apply(plan))
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
        return [v for v in self._live.versions_of(document_id) if v.document_id == document_id]

    def _plan(self) -> Plan:
        writes, current, retired, deleted, gone = [], [], [], [], []
        next_id = self._catalog.read(
            "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'version'"
        )
        version_id, key = next_id[0][0], self._catalog.meta("next_key")
        entries = []
        for document_id, staged in self._staged.items():
            stored = self._stored(document_id)
            if staged.delete:
                deleted += [entry.id for entry in stored]
                if not staged.writes:
                    gone.append(document_id)
            elif staged.writes:
                retired += [entry.id for entry in stored if self._live.current_version[entry.id]]
            for number, write in staged.writes:
                end = key + len(write.nodes)
                entries.append(VersionEntry(version_id, document_id, write.name, number, key, end))
                writes.append((number, write))
                version_id, key = version_id + 1, end
            if staged.writes:
                current.append(entries[-1].id)
        dumped = [graphs.dump(w, number, e.first_key) for (number, w), e in zip(writes, entries, strict=True)]
        places = graphs.plan(
            [(e.document_id, e.number, e.id) for e in entries], [len(graph) for graph in dumped]
        )
        records = chain.from_iterable(
            sparse_records(write, entry) for (_, write), entry in zip(writes, entries, strict=True)
        )
        return Plan(
            writes, entries, [rows.role_bytes(write) for _, write in writes], current, retired, deleted, gone,
            places if entries else [], dumped, segments.build(records), segments.new_name(),
        )  # fmt: skip

    def _note(self, paths: list[str]) -> None:
        with self._catalog.transaction(durable=False) as write:
            write.executemany("INSERT INTO garbage (path, staged) VALUES (?, 1)", [(path,) for path in paths])

    def _apply(self, plan: Plan) -> tuple[Plan, Segment | None]:
        segment = Segment(self._folder / SPARSE / plan.segment) if plan.postings is not None else None
        with self._catalog.transaction() as write:
            _record(write, plan, self._clock())
        return plan, segment

    def _sweep(self, paths: list[str]) -> None:
        for path in paths:
            try:
                durable.remove(self._folder / path)
            except OSError:
                return  # noted as garbage: the next start removes it
        with self._catalog.transaction(durable=False) as write:
            write.executemany("DELETE FROM garbage WHERE path = ?", [(path,) for path in paths])


def sparse_records(write: VersionWrite, entry: VersionEntry) -> list[tuple[int, Tokens]]:
    """Return (key, tokens) of a version's records, in key order."""
    key_of = {node.node_id: key for key, node in enumerate(write.nodes, entry.first_key)}
    return sorted(
        ((key_of[r.node_id], r.tokens) for r in write.records if r.tokens), key=lambda pair: pair[0]
    )


def _record(write: sqlite3.Connection, plan: Plan, now: float) -> None:
    for version_id in plan.deleted:
        write.execute("UPDATE version SET live = 0 WHERE id = ?", (version_id,))
    for document_id in plan.gone:
        write.execute("DELETE FROM document WHERE document_id = ?", (document_id,))
    kept = set() if plan.postings is None else set(plan.postings.keys.tolist())
    for (number, version), entry, roles, place in zip(
        plan.writes, plan.entries, plan.roles, plan.places, strict=True
    ):
        sparse_nodes = sum(key in kept for key in range(entry.first_key, entry.end_key))
        write.execute(
            "INSERT INTO version (id, document_id, name, number, sha256, size, media_type, pages, page_sizes,"
            " warnings, seconds, created_at, first_key, nodes, sparse_nodes, roles, graph, graph_offset,"
            " graph_length) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                entry.id, entry.document_id, entry.name, number, version.sha256, version.size, version.media_type,
                version.pages, orjson.dumps(version.page_sizes).decode(), orjson.dumps(version.warnings).decode(),
                version.seconds, now, entry.first_key, len(version.nodes), sparse_nodes, roles,
                place.path, place.offset, place.length,
            ),
        )  # fmt: skip
        rows.insert(write, version, entry.id, entry.first_key)
        write.execute(
            "INSERT INTO document (document_id, name, current, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (document_id) DO UPDATE SET name = excluded.name, current = excluded.current,"
            " updated_at = excluded.updated_at",
            (entry.document_id, entry.name, entry.id, now, now),
        )
    if plan.entries:
        write.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (plan.entries[-1].end_key,))
    if plan.postings is not None:
        write.execute(
            "INSERT INTO segment (name, nodes) VALUES (?, ?)", (plan.segment, len(plan.postings.keys))
        )
    write.executemany("DELETE FROM garbage WHERE path = ?", [(path,) for path in plan.paths])
    write.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
