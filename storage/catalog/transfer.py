"""Copying a library from one backend into another: versions are written anew there, from the nodes that are here.

Versions go in rounds, the first of every document, then the second ones: each is current for a while, and takes over
its vectors then.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from engine.errors import UsageError
from engine.model import Tree, Version
from storage import collections, conversations, corrections, questions, replies, reports, topics, watched
from storage.base import VersionWrite
from storage.catalog import listing
from storage.catalog.database import insert
from storage.catalog.liveness import VersionEntry
from storage.catalog.store import CatalogStorage
from storage.catalog.vectors import text_hash

# What is beside the documents, with the columns that every backend has.
BESIDE = {
    "conversation": conversations.CONVERSATION,
    "message": conversations.MESSAGE,
    "choice": conversations.CHOICES,
    "question": questions.COLUMNS,
    "report": reports.COLUMNS,
    "reply": replies.COLUMNS,
    "topic": topics.TOPIC,
    "document_topic": topics.LINK,
    "topic_profile": topics.PROFILE,
    "collection": collections.COLUMNS,
    "document_collection": collections.MEMBERS,
    "watched_file": watched.COLUMNS,
    "correction": corrections.COLUMNS,
}
_IN_ORDER = {"message": " ORDER BY sequence"}
_BATCH_NODES = 5000
OnProgress = Callable[[int, int], None]
WriteOf = Callable[[Tree, Version], VersionWrite]


def transfer(
    source: CatalogStorage, target: CatalogStorage, write_of: WriteOf, on_progress: OnProgress | None = None
) -> dict[str, int]:
    """Copy everything but the settings into a library that holds nothing; return how much of what.

    ``write_of`` makes what is handed to a unit of work from a tree and what is known of its version, whose number and
    time are to stay. ``on_progress`` gets how many versions are copied, of how many. Raises UsageError for a target
    that holds something, StorageError; what was interrupted is to be begun again with an empty target.
    """
    if any(target.tables.read(f"SELECT 1 FROM {table} LIMIT 1") for table in ("version", *BESIDE)):
        raise UsageError("The library to copy into holds something already. Name a new folder, or an empty database.")
    state = source.state
    entries = [entry for id_, entry in sorted(state.live.versions.items()) if state.live.exists[entry.first_key]]
    done = 0
    for batch in _batches(entries):
        _copy_batch(source, target, batch, write_of)
        _copy_vectors(source, target)
        done += len(batch)
        if on_progress:
            on_progress(done, len(entries))
    for document in source.archived():
        with target.unit_of_work() as unit:
            unit.archive(document.document_id)
            unit.commit()
    while target.maintain():  # an index is made of all vectors at once
        pass
    counts = {"documents": len(target.documents()) + len(target.archived()), "versions": len(entries)}
    return counts | _copy_beside(source, target)


def _batches(entries: Sequence[VersionEntry]) -> Iterator[list[VersionEntry]]:
    """Yield the versions of one number after those of another, no document twice in a batch."""
    ordered = sorted(entries, key=lambda entry: (entry.number, entry.first_key))
    for _, same in groupby(ordered, key=lambda entry: entry.number):
        batch: list[VersionEntry] = []
        for entry in same:
            batch.append(entry)
            if sum(one.end_key - one.first_key for one in batch) >= _BATCH_NODES:
                yield batch
                batch = []
        if batch:
            yield batch


def _copy_batch(
    source: CatalogStorage, target: CatalogStorage, batch: Sequence[VersionEntry], write_of: WriteOf
) -> None:
    with target.unit_of_work() as unit:
        writes = [_written(source, entry, write_of) for entry in batch]
        originals = sorted({write.sha256 for write in writes})
        target.files.put_many([source.files.verified(sha256) for sha256 in originals])
        for write in writes:
            unit.write(write)
        unit.commit()


def _written(source: CatalogStorage, entry: VersionEntry, write_of: WriteOf) -> VersionWrite:
    known = source.versions(entry.document_id, archived=True)
    version = next(one for one in known if one.version == entry.number)
    return write_of(listing.tree(source.tables, entry), version)


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
