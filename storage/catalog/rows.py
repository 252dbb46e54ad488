"""Node rows: what a search result is made of, written in bulk and read by key."""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import orjson

from engine.errors import StorageError
from engine.model import Node, own_path
from storage.base import VersionWrite
from storage.catalog import database, facets
from storage.catalog.database import Write
from storage.catalog.liveness import RETRIEVABLE, ROLE_CODES, VersionEntry
from storage.catalog.vectors import text_hash

COLUMNS = "key, version_id, node_id, title, text, rest, path"


def role_bytes(write: VersionWrite) -> bytes:
    """Return a byte a node: its role's code, plus RETRIEVABLE when it has a text to embed."""
    dense = {record.node_id for record in write.records if record.dense_text is not None}
    return bytes(
        ROLE_CODES[node.role] + (RETRIEVABLE if node.node_id in dense else 0) for node in write.nodes
    )  # fmt: skip


def insert(
    write: Write, versions: Sequence[tuple[VersionWrite, VersionEntry]],
    facet_value: Callable[[facets.Value], facets.Value],
) -> None:  # fmt: skip
    """Insert the nodes, section runs, facets and texts to embed of versions; ``facet_value`` is the catalog's."""
    nodes, sections, values, texts = [], [], [], []
    for version, entry in versions:
        first = entry.first_key
        paths, runs = _paths(version.nodes)
        nodes += [
            _summed(key, entry.id, node.node_id, node.title, node.text, _rest(node), path)
            for key, (node, path) in enumerate(zip(version.nodes, paths, strict=True), first)
        ]
        sections += [(first + start, first + end, entry.id, title) for start, end, title in runs]
        values += [
            (name, facet_value(value), first + start, first + end, entry.id)
            for name, value, start, end in facets.runs(version)
        ]
        key_of = {node.node_id: key for key, node in enumerate(version.nodes, first)}
        texts += [
            (key_of[record.node_id], text_hash(record.dense_text), record.dense_text)
            for record in version.records
            if record.dense_text is not None
        ]
    write.executemany(database.insert("node", COLUMNS), nodes)
    write.executemany(database.insert("section", "first_key, last_key, version_id, title"), sections)
    write.executemany(database.insert("facet", "name, value, first_key, last_key, version_id"), values)
    write.executemany(database.insert("dense", "key, hash, text"), texts)


def parts_of(write: VersionWrite, first_key: int) -> list[tuple[int, str]]:
    """Return (key of its node, text) of each part of a version whose keys count up from ``first_key``.

    A part is a further text of a node that is embedded beside its own, such as a child or a question. It is no node: it
    has an id of its own, which leads to its node's key, so that nothing but a vector ever stands for it.
    """
    with_parts = {record.node_id: record.parts for record in write.records if record.parts}
    return [(key, text) for key, node in enumerate(write.nodes, first_key) for text in with_parts.get(node.node_id, ())]


def insert_parts(write: Write, first_id: int, parts: Sequence[tuple[int, str]]) -> None:
    """Insert parts, (key, text) each, with ids that count up from ``first_id``."""
    write.executemany(
        database.insert("part", "id, key, hash, text"),
        [(id_, key, text_hash(text), text) for id_, (key, text) in enumerate(parts, first_id)],
    )
    write.execute("UPDATE meta SET value = ? WHERE name = 'next_part'", (first_id + len(parts),))


def read_parts(read: Callable[..., list[tuple[Any, ...]]], known: int = 0) -> np.ndarray:
    """Return the node key of each part by its id, those from ``known`` on; -1 where the part is gone."""
    end = int(read("SELECT value FROM meta WHERE name = 'next_part'")[0][0])
    keys = np.full(max(0, end - known), -1, np.int64)
    found = np.array(read("SELECT id, key FROM part WHERE id >= ?", (known,)), np.int64).reshape(-1, 2)
    keys[found[:, 0] - known] = found[:, 1]
    return keys


def delete(write: Write, version_id: int, first_key: int, end_key: int) -> None:
    """Delete a version's rows."""
    for table in ("node", "dense", "part"):
        write.execute(f"DELETE FROM {table} WHERE key >= ? AND key < ?", (first_key, end_key))
    for table in ("section", "facet"):
        write.execute(f"DELETE FROM {table} WHERE version_id = ?", (version_id,))
    write.execute("DELETE FROM version WHERE id = ?", (version_id,))


def node_of(row: Sequence[Any]) -> Node:
    """Build a node from a row of :data:`COLUMNS`. Raises StorageError where it is not what was written."""
    values = loaded(row[5])
    # The rows of an older DropQA have no checksum, and end with the metadata.
    if not isinstance(values[-1], dict) and _sum_of(*row[:5], row[5].rpartition(",")[0], row[6]) != values[-1]:
        raise _damaged("its checksum is another one")
    parent_id, role, summary, depth, position, page, bbox, cell, level, metadata = values[:10]
    return Node(
        row[2], parent_id, role, row[3], row[4], summary, depth, position, page,
        tuple(bbox) if bbox is not None else None, cell, level, metadata,
    )  # fmt: skip


def loaded(text: str) -> Any:
    """Return what a column of JSON holds. Raises StorageError where it is not what was written."""
    try:
        return orjson.loads(text)
    except ValueError as error:
        raise _damaged(str(error)) from error


def _damaged(why: str) -> StorageError:
    return StorageError(
        f"Something in the catalog is damaged ({why}). It is read anew from its file in the background; run "
        "`dropqa doctor --deep` to see what it belongs to."
    )


def _summed(*row: Any) -> tuple[Any, ...]:
    """Return a row of :data:`COLUMNS` with its checksum as the last of its other fields."""
    rest = row[5][:-1]
    return (*row[:5], f"{rest},{_sum_of(*row[:5], rest, row[6])}]", row[6])


def _sum_of(*row: Any) -> int:
    return zlib.crc32("\0".join(map(str, row)).encode("utf-8", "surrogatepass"))


def _rest(node: Node) -> str:
    return orjson.dumps(
        [
            node.parent_id, node.role, node.summary, node.depth, node.position, node.page, node.bbox, node.cell,
            node.level, node.metadata,
        ]
    ).decode()  # fmt: skip


def _paths(nodes: Sequence[Node]) -> tuple[list[str], Iterable[tuple[int, int, str]]]:
    """Return each node's path as JSON, and (first, last, folded title) for each run under a section.

    Nodes come in reading order, behind what holds them, so a section's nodes are nearly always one run.
    """
    leads: dict[str | None, tuple[tuple[str, ...], tuple[str, ...], str]] = {}  # section ids, titles, path as JSON
    for node in nodes:
        sections, titles, path = leads.get(node.parent_id, ((), (), "[]"))
        if node.role == "section":
            sections, titles = (*sections, node.node_id), (*titles, *own_path(node))
            path = orjson.dumps(titles).decode()
        leads[node.node_id] = sections, titles, path
    folded = {node.node_id: node.title.casefold() for node in nodes if node.role == "section"}
    runs = facets.runs_of(sections for sections, _, _ in leads.values())
    return [path for *_, path in leads.values()], [(first, last, folded[one]) for one, first, last in runs]
