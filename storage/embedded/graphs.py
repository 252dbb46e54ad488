"""Document graphs: one immutable networkx node-link JSON a version, read when needed and cached.

A version committed alone has a file of its own, ``graphs/<document>/<version>-<id>.json``. Versions
committed together share one file, a document a line: thousands of small documents cost one sync.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson

from engine.errors import NotFoundError, StorageError
from storage.catalog.listing import graph_of
from storage.embedded import durable
from storage.embedded.catalog import Catalog

FOLDER = "graphs"
PLACE = "graph, graph_offset, graph_length, graph_sum"  # columns of a version
_KEPT = 200


@dataclass(frozen=True, slots=True)
class GraphPlace:
    """Where a graph lies: a file relative to the library folder and a range of bytes in it, with their CRC-32."""

    path: str
    offset: int
    length: int
    sum: int | None = None


def place_of(catalog: Catalog, version_id: int) -> GraphPlace:
    """Return where a version's graph lies. Raises NotFoundError when it was deleted meanwhile."""
    found = catalog.read(f"SELECT {PLACE} FROM version WHERE id = ?", (version_id,))
    if not found:
        raise NotFoundError("This version was deleted.")
    return GraphPlace(*found[0])


def plan(writes: Sequence[tuple[str, int, int]], graphs: Sequence[bytes]) -> list[GraphPlace]:
    """Return where the graphs of one commit go, given (document id, number, version id) of each."""
    if len(writes) == 1:
        document_id, number, version_id = writes[0]
        path = f"{FOLDER}/{document_id}/{number}-{version_id}.json"
    else:
        path = f"{FOLDER}/batch-{uuid4().hex[:16]}.jsonl"
    places, offset = [], 0
    for graph in graphs:
        places.append(GraphPlace(path, offset, len(graph), zlib.crc32(graph)))
        offset += len(graph) + 1
    return places


class Graphs:
    """Reads and writes the graphs of a library folder, and keeps the last used ones."""

    def __init__(self, folder: Path, aside: Path) -> None:
        self._folder, self._aside = folder, aside
        # Gives the graph at a place, its ``node`` values as :class:`Node`; not to be changed. Raises StorageError.
        self.graph = lru_cache(_KEPT)(lambda place: graph_of(self.read(place)))

    def write(self, places: Sequence[GraphPlace], graphs: Sequence[bytes]) -> None:
        """Write the graphs of one commit durably, where :func:`plan` put them. Raises OSError."""
        if places:
            durable.write(self._folder / places[0].path, [part for g in graphs for part in (g, b"\n")], self._aside)

    def read(self, place: GraphPlace) -> dict[str, Any]:
        """Return the stored node-link data as plain values. Raises StorageError."""
        try:
            with (self._folder / place.path).open("rb") as file:
                file.seek(place.offset)
                raw = file.read(place.length)
            if place.sum is not None and zlib.crc32(raw) != place.sum:
                raise ValueError("its checksum is another one")
            data: dict[str, Any] = orjson.loads(raw)
        except (OSError, ValueError) as error:
            raise StorageError(
                f"The graph {place.path} cannot be read ({error}). Reindex the document or restore a backup."
            ) from error
        return data
