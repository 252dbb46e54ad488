"""The ANN index: Chroma over a prefix of a model's vector rows, an accelerator that can be thrown away.

It exists only for models with more rows than are searched exactly, is fed by upkeep, never filtered with
``where`` and never updated in place (both measured too slow). Its ids are row numbers; the catalog says up
to which row it is complete. A damaged Chroma folder can crash or hang the process that opens it, so a
child process tries it first; what fails is dropped and built again while searches go on exactly.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from storage.embedded.catalog import Catalog
from storage.embedded.state import Generations
from storage.embedded.vectors import ROWS, ModelVectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

FOLDER = "chroma"
COLLECTION = "rows"
_BATCH = 500  # rows added in one step
_TAIL = 2000  # rows that may wait, searched exactly
_PROBE_SECONDS = 120

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnnShape:
    """The HNSW graph: links a node, and the breadth of the search when building and when asked."""

    m: int
    ef_construction: int
    ef_search: int


class AnnIndex:
    """The Chroma collections of a library, one a model that needs it."""

    def __init__(
        self, folder: Path, catalog: Catalog, generations: Generations, shape: AnnShape, exact_limit: int
    ) -> None:
        self._folder = folder
        self._catalog = catalog
        self._generations = generations
        self._shape = shape
        self._exact_limit = exact_limit
        self._tail = max(1, min(_TAIL, exact_limit // 4))
        self._open: dict[str, tuple[Client, Collection]] = {}  # by folder
        self._failed: set[str] = set()
        self._lock = threading.Lock()

    def query(self, model: ModelVectors, vector: np.ndarray, count: int) -> np.ndarray | None:
        """Return the rows of about the nearest ``count`` vectors, or None when it cannot serve this model."""
        opened = self._open.get(model.ann_folder)
        if opened is None:
            return None
        from chromadb.errors import ChromaError

        try:
            found = opened[1].query(query_embeddings=vector[None, :], n_results=count, include=[])
        except (ChromaError, RuntimeError, ValueError, OSError) as error:
            log.error("the ANN index %s fails and will be rebuilt: %s", model.ann_folder, error)
            self._failed.add(model.ann_folder)
            self._open.pop(model.ann_folder, None)
            return None
        return np.array(found["ids"][0], np.int64)

    def load(self) -> bool:
        """Try and open what exists, drop what fails; False when there was nothing to do. Takes seconds."""
        with self._lock:
            for model in list(self._generations.current.vectors.values()):
                if not model.ann_folder or model.ann_folder in self._open:
                    continue
                if model.ann_folder in self._failed or not self._sound(model):
                    self._drop(model)
                else:
                    self._open[model.ann_folder] = self._connect(model.ann_folder)
                return True
            return False

    def feed(self) -> bool:
        """Add the next rows of a model that has too many for an exact search; False when none waits."""
        if self.load():
            return True
        with self._lock:
            for model in list(self._generations.current.vectors.values()):
                if model.rows > self._exact_limit and model.rows - model.ann_rows > self._tail:
                    self._add(model)
                    return True
            return False

    def forget(self, folder: str) -> None:
        """Stop using an index whose model has been rewritten."""
        opened = self._open.pop(folder, None)
        if opened is not None:
            opened[0].close()

    def close(self) -> None:
        """Close every collection."""
        for folder in list(self._open):
            self.forget(folder)

    def _add(self, model: ModelVectors) -> None:
        from chromadb.errors import ChromaError

        folder = model.ann_folder or f"{FOLDER}/{uuid4().hex[:16]}"
        end = min(model.rows, model.ann_rows + _BATCH)
        try:
            if folder not in self._open:
                self._open[folder] = self._connect(folder)
            # Rows that a killed process added without telling the catalog are left as they are by Chroma.
            self._open[folder][1].add(
                ids=[str(row) for row in range(model.ann_rows, end)],
                embeddings=model.block[model.ann_rows : end],
            )
        except (ChromaError, RuntimeError, ValueError, OSError) as error:
            log.error("the ANN index %s cannot be extended and will be rebuilt: %s", folder, error)
            self.forget(folder)
            self._note(model.name, "", 0, garbage=folder)
            return
        self._note(model.name, folder, end)

    def _sound(self, model: ModelVectors) -> bool:
        """Let a child process open the index and look for known vectors."""
        command = [
            sys.executable, "-m", "storage.embedded.ann_probe", str(self._folder / model.ann_folder),
            str(self._folder / model.folder / ROWS), str(model.dimension), str(model.ann_rows),
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with tempfile.TemporaryFile() as errors:
            # The child ends when its input does: it must not outlive this process and its lock.
            child = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors
            )
            try:
                code = child.wait(_PROBE_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                code = child.wait()
            errors.seek(0)
            why = errors.read().decode("utf-8", "replace").strip()[-500:]
        if child.stdin:
            child.stdin.close()
        if code:
            log.error("the ANN index %s is rebuilt: exit code %d, %s", model.ann_folder, code, why)
        return code == 0

    def _drop(self, model: ModelVectors) -> None:
        self._failed.discard(model.ann_folder)
        self._note(model.name, "", 0, garbage=model.ann_folder)

    def _note(self, name: str, folder: str, rows: int, garbage: str = "") -> None:
        with self._generations.lock:
            with self._catalog.transaction() as write:
                write.execute(
                    "UPDATE model SET ann_folder = ?, ann_rows = ? WHERE name = ?", (folder, rows, name)
                )
                if garbage:
                    write.execute("INSERT OR REPLACE INTO garbage (path, staged) VALUES (?, 0)", (garbage,))
            state = self._generations.current
            changed = replace(state.vectors[name], ann_folder=folder, ann_rows=rows)
            self._generations.publish(replace(state, vectors={**state.vectors, name: changed}))

    def _connect(self, folder: str) -> tuple[Client, Collection]:
        client = connect(self._folder / folder)
        return client, client.get_or_create_collection(
            COLLECTION,
            embedding_function=None,
            configuration={
                "hnsw": {
                    "space": "ip",
                    "max_neighbors": self._shape.m,
                    "ef_construction": self._shape.ef_construction,
                    "ef_search": self._shape.ef_search,
                }
            },
        )


def connect(path: Path) -> Client:
    """Open a Chroma folder without telemetry."""
    import chromadb
    from chromadb.config import Settings

    client: Any = chromadb.PersistentClient(path, settings=Settings(anonymized_telemetry=False))
    return client
