"""Further texts of nodes that are embedded beside their own: children, questions.

A part is no node: it has an id of its own, which leads to its node's key, so that nothing but a vector ever
stands for it. Where vectors are linked, a part goes by the negative number ``-1 - id``, a node by its key.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from storage.catalog import database
from storage.catalog.database import Catalog, Write
from storage.catalog.vectors import text_hash
from storage.records import VersionWrite


def of_version(write: VersionWrite, first_key: int) -> list[tuple[int, str]]:
    """Return (key of its node, text) of each part of a version whose keys count up from ``first_key``."""
    with_parts = {record.node_id: record.parts for record in write.records if record.parts}
    if not with_parts:
        return []
    return [
        (key, text)
        for key, node in enumerate(write.nodes, first_key)
        for text in with_parts.get(node.node_id, ())
    ]


def insert(write: Write, first_id: int, parts: Sequence[tuple[int, str]]) -> None:
    """Insert parts, (key, text) each, with ids that count up from ``first_id``."""
    write.executemany(
        database.insert("part", "id, key, hash, text"),
        [(id_, key, text_hash(text), text) for id_, (key, text) in enumerate(parts, first_id)],
    )
    write.execute("UPDATE meta SET value = ? WHERE name = 'next_part'", (first_id + len(parts),))


def read(catalog: Catalog) -> np.ndarray:
    """Return the node key of each part by its id, -1 where the part is gone."""
    known = np.full(catalog.meta("next_part"), -1, np.int64)
    rows = np.array(catalog.read("SELECT id, key FROM part"), np.int64).reshape(-1, 2)
    known[rows[:, 0]] = rows[:, 1]
    return known
