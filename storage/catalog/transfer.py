"""Copying a library from one backend into another: versions are written anew there, as they were written here.

Versions go in rounds, the first of every document, then the second ones: each is current for a while, and takes over
its vectors then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

import numpy as np

from engine.errors import UsageError
from engine.model import Edge
from storage import collections, conversations, questions, replies, reports, topics, watched
from storage.base import Facets, IndexRecord, VersionWrite
from storage.catalog import rows
from storage.catalog.database import insert
from storage.catalog.liveness import VersionEntry
from storage.catalog.store import CatalogStorage
from storage.catalog.vectors import text_hash

# What is beside the documents, with the columns that every backend has.
BESIDE = {
    "conversation": conversations.CONVERSATION,
    "message": conversations.MESSAGE,
    "question": questions.COLUMNS,
    "report": reports.COLUMNS,
    "reply": replies.COLUMNS,
    "topic": topics.TOPIC,
    "document_topic": topics.LINK,
    "topic_profile": topics.PROFILE,
    "collection": collections.COLUMNS,
    "document_collection": collections.MEMBERS,
    "watched_file": watched.COLUMNS,
}
_IN_ORDER = {"message": " ORDER BY sequence"}
_BATCH_NODES = 5000
_FACETS = "SELECT name, value, first_key, last_key FROM facet WHERE version_id = ?"
_VERSION = (
    "SELECT sha256, size, media_type, pages, page_sizes, warnings, seconds, created_at, strategy"
    " FROM version WHERE id = ?"
)
OnProgress = Callable[[int, int], None]


def transfer(
    source: CatalogStorage, target: CatalogStorage, on_progress: OnProgress | None = None
) -> dict[str, int]:
    """Copy everything but the settings into a library that holds nothing; return how much of what.

    ``on_progress`` gets how many versions are copied, of how many. Raises UsageError for a target that holds something,
    StorageError; what was interrupted is to be begun again with an empty target.
    """
    _refuse_filled(target)
    state = source.state
    entries = [
        entry for id_, entry in sorted(state.live.versions.items()) if state.live.exists[entry.first_key]
    ]
    done = 0
    for batch in _batches(entries):
        with target.unit_of_work() as unit:
            target.files.put_many([source.files.verified(sha256) for sha256 in _originals(source, batch)])
            for entry in batch:
                unit.write(_written(source, entry))
            unit.commit()
        _copy_vectors(source, target)
        done += len(batch)
        if on_progress:
            on_progress(done, len(entries))
    for document in source.archived():
        with target.unit_of_work() as unit:
            unit.archive(document.document_id)
            unit.commit()
    counts = {"documents": len(target.documents()) + len(target.archived()), "versions": len(entries)}
    return counts | _copy_beside(source, target)


def _refuse_filled(target: CatalogStorage) -> None:
    held = [table for table in ("version", *BESIDE) if target.tables.read(f"SELECT 1 FROM {table} LIMIT 1")]
    if held:
        raise UsageError(
            "The library to copy into holds something already. Name a new folder, or an empty database."
        )


def _batches(entries: Sequence[VersionEntry]) -> Iterator[list[VersionEntry]]:
    by_document: dict[str, list[VersionEntry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry.number):
        by_document[entry.document_id].append(entry)
    for versions in zip_longest(*by_document.values()):
        batch: list[VersionEntry] = []
        for entry in sorted(filter(None, versions), key=lambda entry: entry.first_key):
            batch.append(entry)
            if sum(one.end_key - one.first_key for one in batch) >= _BATCH_NODES:
                yield batch
                batch = []
        if batch:
            yield batch


def _originals(source: CatalogStorage, batch: Sequence[VersionEntry]) -> list[str]:
    found = source.tables.read_in(
        "SELECT DISTINCT sha256 FROM version WHERE id IN ({})", [one.id for one in batch]
    )
    return sorted({sha256 for (sha256,) in found})


def _written(source: CatalogStorage, entry: VersionEntry) -> VersionWrite:
    """Return a version as it was handed to the unit of work that wrote it."""
    read, keys = source.tables.read, (entry.first_key, entry.end_key)
    (facts,) = read(_VERSION, (entry.id,))
    sha256, size, media_type, pages, page_sizes, warnings, seconds, created_at, strategy = facts
    found = read(f"SELECT {rows.COLUMNS} FROM node WHERE key >= ? AND key < ? ORDER BY key", keys)
    nodes = [rows.node_of(row) for row in found]
    texts = dict(read("SELECT key, text FROM dense WHERE key >= ? AND key < ?", keys))
    parts: dict[int, list[str]] = defaultdict(list)
    for key, text in read("SELECT key, text FROM part WHERE key >= ? AND key < ? ORDER BY id", keys):
        parts[key].append(text)
    tokens = source.tokens(entry)
    return VersionWrite(
        entry.document_id, entry.name, media_type, sha256, size, pages, rows.sizes_of(page_sizes), nodes,
        _edges(source, entry),
        [
            IndexRecord(node.node_id, tokens.get(key, []), texts.get(key), tuple(parts.get(key, ())))
            for key, node in enumerate(nodes, entry.first_key)
            if key in tokens or key in texts
        ],
        rows.loaded(warnings), seconds, None,
        {nodes[key - entry.first_key].node_id: facets for key, facets in _facets(read(_FACETS, (entry.id,))).items()},
        strategy, (entry.number, created_at),
    )  # fmt: skip


def _edges(source: CatalogStorage, entry: VersionEntry) -> list[Edge]:
    told = {"kinds", "kind", "label"}
    return [
        Edge(start, end, kind, facts.get("label"), {name: facts[name] for name in facts.keys() - told})
        for start, end, facts in source.version_graph(entry).edges(data=True)
        for kind in facts["kinds"]
    ]


def _facets(runs: Sequence[tuple[str, str | int, int, int]]) -> dict[int, Facets]:
    values: dict[int, dict[str, list[str | int]]] = defaultdict(lambda: defaultdict(list))
    for name, value, first, last in runs:
        for key in range(first, last + 1):
            values[key][name].append(value)
    return {
        key: Facets(
            tuple(sorted(map(int, has["page"]))), int(has["level"][0]) if has["level"] else None,
            bool(has["numbers"]), tuple(map(str, has["unit"])), str(has["chart"][0]) if has["chart"] else None,
            tuple(map(str, has["column"])),
        )
        for key, has in values.items()
    }  # fmt: skip


def _copy_vectors(source: CatalogStorage, target: CatalogStorage) -> None:
    """Give nodes of the target the vectors that the source has for their texts."""
    for model in source.state.vectors:
        while wanted := target.nodes_without_vector(model, 10 * _BATCH_NODES):
            vectors = source.vectors_of_texts(model, [text_hash(text) for _, text in wanted])
            found = [(key, text) for key, text in wanted if text_hash(text) in vectors]
            if not found:
                break
            block = np.stack([vectors[text_hash(text)] for _, text in found])
            target.add_vectors(model, [key for key, _ in found], [text for _, text in found], block)


def _copy_beside(source: CatalogStorage, target: CatalogStorage) -> dict[str, int]:
    counts = {}
    with target.tables.transaction() as write:
        for table, columns in BESIDE.items():
            found = source.tables.read(f"SELECT {columns} FROM {table}{_IN_ORDER.get(table, '')}")
            if table == "topic":  # a truth value is a number in one database and none in another
                place = columns.split(", ").index("by_hand")
                found = [(*row[:place], bool(row[place]), *row[place + 1 :]) for row in found]
            write.executemany(insert(table, columns), found)
            counts[table] = len(found)
        numbers = source.tables.read("SELECT last_number, document_id FROM document WHERE last_number > 0")
        write.executemany("UPDATE document SET last_number = ? WHERE document_id = ?", numbers)
    target.note_reading(source.reading())
    return {
        "conversations": counts["conversation"], "questions": counts["question"], "reports": counts["report"],
        "topics": counts["topic"], "collections": counts["collection"],
    }  # fmt: skip
