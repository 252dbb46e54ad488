"""The vectors in Chroma: one persistent collection a model, which large searches ask for the nearest nodes.

``chroma/<folder>`` can be opened with Chroma alone. An entry's id is the node's key, ``<key>.<part>`` for a part of
it; its metadata tell document, version, node, role and page. The collections follow the links of ``vectors.db``:
upkeep adds what is missing and deletes what is gone, so what was lost, or is damaged, is made again. They are never
filtered with ``where``, which takes a hundred times as long as the search itself: what is found is looked up in the
scope. A damaged folder can crash or hang the process that opens it, so after anything but a clean end a child process
tries it first.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from engine.errors import StorageError
from storage.base import StoredNode
from storage.catalog import garbage, rows
from storage.catalog.dense import GraphShape
from storage.catalog.snapshot import stored
from storage.catalog.state import Generations
from storage.catalog.vectors import ModelVectors, Names
from storage.embedded import modes, room
from storage.embedded.catalog import Catalog
from storage.embedded.vectors import VectorFile

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

FOLDER = "chroma"
_NOTE, _SEAL = "chroma", "chroma files"
_BATCH = 500  # entries added or deleted in one step
_LISTED = 100_000  # ids listed at a time; Chroma counts through all before them
_SYNC = 5000  # changes after which Chroma writes the graph
_PROBE_SECONDS = 120.0
_ROOM = 50_000_000  # bytes of free disk without which nothing is added

log = logging.getLogger(__name__)


class Neighbours:
    """The Chroma collections of a library."""

    def __init__(
        self, folder: Path, catalog: Catalog, file: VectorFile, generations: Generations, shape: GraphShape
    ) -> None:
        self._folder = folder
        self._catalog = catalog
        self._file = file
        self._generations = generations
        self._shape = shape
        self._client: Client | None = None
        self._open: dict[str, tuple[Collection, Names]] = {}  # by model, with what it holds
        self._failed = catalog.read_only  # Chroma writes when it opens
        self._begun_anew = False
        self._lock = threading.RLock()

    def held(self, model: ModelVectors) -> Names:
        """Return which of the model's nodes and parts can be found; opens the collections if need be."""
        self.load()
        opened = self._open.get(model.name)
        return opened[1] if opened else Names()

    def nearest(self, model: ModelVectors, query: np.ndarray, count: int) -> np.ndarray | None:
        """Return the names of about the nearest ``count`` entries, best first; None when Chroma fails."""
        opened = self._open.get(model.name)
        if opened is None:
            return None
        try:
            found = opened[0].query(query_embeddings=query[None, :], n_results=count, include=[])
        except _errors() as error:
            self._fail(error)
            return None
        return _names(found["ids"][0])

    def load(self) -> None:
        """Open the collections and list what they hold, unless that is done; takes a second for 100,000."""
        if self._client is not None or self._failed:
            return
        with self._lock:
            if self._client is not None or self._failed:
                return
            path = self._path()
            if path.is_dir() and not (self._file.note(_SEAL) == _looks(path) or self._sound(path)):
                path = self._new_path()
            try:
                self._connect(path)
            except _errors() as error:
                self._fail(error)

    def feed(self) -> bool:
        """Do one step of bringing the collections up to date with the links; False when they are."""
        with self._lock:
            if self._failed and not self._catalog.read_only and not self._begun_anew:
                self._begun_anew = True
                self.close()
                self._new_path()
                self._failed = False
            models = list(self._generations.current.vectors.values())
            if self._failed or not (models or self._path().is_dir()):
                return False
            for model in models:
                held = self.held(model)
                linked = model.linked.all()
                if len(missing := linked[~held.holds(linked)][:_BATCH]):
                    return self._change(model, held, missing, True)
                names = held.all()
                if len(gone := names[~model.linked.holds(names)][:_BATCH]):
                    return self._change(model, held, gone, False)
        return False

    def differing(self, model: ModelVectors) -> int:
        """Return how many entries are not the vectors that they should be; takes seconds for 100,000."""
        names = (held := self.held(model)).all()
        names = names[model.linked.holds(names)]
        if not len(names):
            return 0
        collection, wrong = self._open[model.name][0], 0
        for start in range(0, len(names), _BATCH):
            known, block = self._file.fetch(model, names[start : start + _BATCH])
            try:
                found = collection.get(ids=self._ids(known), include=["embeddings"])
            except _errors() as error:
                self._fail(error)
                return int(held.holds(names).sum())
            place = {name: row for row, name in enumerate(_names(found["ids"]).tolist())}
            stored = np.asarray(found["embeddings"], np.float32).reshape(-1, model.dimension)
            rows = [place.get(name, -1) for name in known.tolist()]
            same = [row >= 0 and np.allclose(stored[row], block[i], atol=1e-5) for i, row in enumerate(rows)]
            wrong += len(same) - sum(same)
        return wrong

    def rebuild(self) -> None:
        """Leave the collections as they are and make new ones, step by step in upkeep."""
        with self._lock:
            self._failed, self._begun_anew = True, False

    def close(self) -> None:
        """Close Chroma and note what its files look like, so that the next start can tell whether they changed."""
        with self._lock:
            self._open = {}
            if self._client is not None:
                self._client.close()
                self._client = None
                if not self._failed:
                    modes.close_below(self._path())
                    self._file.take_note(_SEAL, _looks(self._path()))

    def _fail(self, error: Exception) -> None:
        log.error("Chroma fails and its collections will be made again: %s", error)
        self._failed = True

    def _path(self) -> Path:
        name = self._file.note(_NOTE)
        return self._folder / name if name else self._new_path()

    def _new_path(self) -> Path:
        name = f"{FOLDER}/{uuid4().hex[:8]}"
        with self._catalog.transaction() as write:
            garbage.note(write, [f"{FOLDER}/{old.name}" for old in (self._folder / FOLDER).iterdir()], 0)
        self._file.take_note(_NOTE, name)
        self._file.take_note(_SEAL, "")
        return self._folder / name

    def _connect(self, path: Path) -> None:
        self._file.take_note(_SEAL, "")
        path.mkdir(modes.FOLDER, parents=True, exist_ok=True)
        client = connect(path)
        opened = {}
        for model in self._generations.current.vectors.values():
            collection = self._collection(client, model)
            opened[model.name] = collection, _held(collection)
        self._open, self._client = opened, client

    def _collection(self, client: Client, model: ModelVectors) -> Collection:
        slug = re.sub(r"[^a-z0-9]+", "-", model.name.lower()).strip("-")[:40] or "model"
        return client.get_or_create_collection(
            f"{slug}-{model.id}",
            embedding_function=None,
            metadata={"model": model.name},
            configuration=configuration(self._shape, sync_threshold=_SYNC),
        )

    def _change(self, model: ModelVectors, held: Names, names: np.ndarray, add: bool) -> bool:
        if self._client is None:
            return False
        if room.free(self._folder) < _ROOM:
            raise StorageError(f"There is no room for Chroma's collections in {self._folder}.")
        try:
            if model.name not in self._open:
                self._open[model.name] = self._collection(self._client, model), held
            collection = self._open[model.name][0]
            if add:
                known, block = self._file.fetch(model, names)
                collection.upsert(ids=self._ids(known), embeddings=block, metadatas=self._metadata(known))
            else:
                collection.delete(ids=self._ids(names))
        except _errors() as error:
            self._fail(error)
            return False
        self._open[model.name] = collection, held.changed(names, add)
        modes.close_below(self._path())
        return True

    def _ids(self, names: np.ndarray) -> list[str]:
        part_of = self._generations.current.live.part_of
        return [str(name) if name >= 0 else f"{part_of[-1 - name]}.{-1 - name}" for name in names.tolist()]

    def _metadata(self, names: np.ndarray) -> list[Mapping[str, Any]]:
        state = self._generations.current
        keys = [name if name >= 0 else int(state.live.part_of[-1 - name]) for name in names.tolist()]
        read = self._catalog.read_in(f"SELECT {rows.COLUMNS} FROM node WHERE key IN ({{}})", keys)
        known = {row[0]: _told(stored(row, state)) for row in read}
        return [known.get(key, {"node_id": ""}) for key in keys]

    def _sound(self, path: Path) -> bool:
        """Let a child process open the folder and look for vectors that it must hold."""
        command = [sys.executable, "-m", "storage.embedded.neighbours_probe", str(path)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        reading, writing = os.pipe()
        # The child ends when its input does: it must not outlive this process and its lock.
        try:
            child = subprocess.run(command, env=environment, stdin=reading, capture_output=True, timeout=_PROBE_SECONDS)
            code, why = child.returncode, child.stderr
        except subprocess.TimeoutExpired as error:
            code, why = -9, error.stderr or b""
        finally:
            os.close(reading)
            os.close(writing)
        if code:
            told = why.decode("utf-8", "replace").strip()[-500:]
            log.error("Chroma's collections are made again: exit code %d, %s", code, told)
        return code == 0


def connect(path: Path) -> Client:
    """Open a Chroma folder; nothing is told to anybody about its use."""
    import chromadb
    from chromadb.config import Settings

    client: Any = chromadb.PersistentClient(path, settings=Settings(anonymized_telemetry=False))
    return client


def configuration(shape: GraphShape, **more: int) -> Any:
    """Return that of a collection whose vectors are searched by inner product."""
    m, ef_construction, ef_search = shape
    graph = {"max_neighbors": m, "ef_construction": ef_construction, "ef_search": ef_search}
    return {"hnsw": {"space": "ip", **graph, **more}}


def _errors() -> tuple[type[Exception], ...]:
    from chromadb.errors import ChromaError

    return ChromaError, RuntimeError, ValueError, OSError


def _held(collection: Collection) -> Names:
    held, count = Names(), collection.count()
    for start in range(0, count, _LISTED):
        ids = collection.get(limit=_LISTED, offset=start, include=[])["ids"]
        held = held.changed(_names(ids), True)
    return held


def _names(ids: Sequence[str]) -> np.ndarray:
    """Return the names behind ids: ``key`` or ``key.part``."""
    pairs = (id_.partition(".") for id_ in ids)
    return np.fromiter((-1 - int(part) if part else int(key) for key, _, part in pairs), np.int64, len(ids))


def _told(one: StoredNode) -> Mapping[str, Any]:
    told = {
        "document_id": one.document_id, "document": one.document, "version": one.version,
        "node_id": one.node.node_id, "role": one.node.role, "page": one.node.page,
    }  # fmt: skip
    return {name: value for name, value in told.items() if value is not None}


def _looks(path: Path) -> str:
    """Return the sizes and times of a folder's files."""
    files = [(file.relative_to(path).as_posix(), file.stat()) for file in path.rglob("*") if file.is_file()]
    return json.dumps(sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in files))
