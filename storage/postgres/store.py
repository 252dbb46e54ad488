"""A library in a PostgreSQL database, and its original files in a folder; any number of processes share it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from engine.errors import NotFoundError, StorageError, UsageError
from engine.model import Check, Tree
from storage.base import Original
from storage.catalog import listing
from storage.catalog.dense import EXACT_LIMIT, GraphShape
from storage.catalog.listing import graph_of
from storage.catalog.liveness import VersionEntry
from storage.catalog.store import CatalogStorage
from storage.embedded import modes
from storage.embedded.files import FOLDER, EmbeddedFiles
from storage.jobs import Jobs
from storage.postgres import checks
from storage.postgres.catalog import PostgresCatalog
from storage.postgres.generations import PostgresGenerations
from storage.postgres.presence import LOST_SECONDS, Presence
from storage.postgres.unit import PostgresUnitOfWork
from storage.postgres.upkeep import Upkeep
from storage.postgres.vectors import PostgresDense, PostgresEmbeddings, PostgresVectors

if TYPE_CHECKING:
    import networkx


class PostgresJobs(Jobs):
    """A queue that several processes work off: none does a job that another one has, and none is lost with one."""

    _locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, catalog: PostgresCatalog, alive: str, clock: Callable[[], float] = time.time) -> None:
        """``alive`` is the SQL that selects the holders that are alive."""
        super().__init__(catalog, clock)
        self._free = f"(state = 'queued' OR (state = 'running' AND holder NOT IN ({alive})))"
        self._own = f" AND (holder IS NULL OR holder = '{catalog.holder}')"
        self._leased = f"{Jobs._leased}, holder = '{catalog.holder}'"


_KEPT_GRAPHS = 200
_BACKUP = (
    "A library on PostgreSQL is backed up with the database's own tools (pg_dump) and a copy of the folder of its "
    "originals, {folder}; or copied into a folder with `dropqa migrate`."
)


class SharedFiles(EmbeddedFiles):
    """The originals in a folder that several processes share; of the threads of one, a single one waits for others."""

    _catalog: PostgresCatalog

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else, in any process, put originals in place or delete them."""
        with super().alone(), self._catalog.alone("originals"):
            yield


class PostgresStorage(CatalogStorage):
    """Everything that lasts, in a database (see :class:`storage.base.Storage`)."""

    _catalog: PostgresCatalog

    def __init__(
        self, url: str, folder: Path, *, exact_limit: int = EXACT_LIMIT, shape: GraphShape = (32, 100, 128),
        clock: Callable[[], float] = time.time, lost_seconds: float = LOST_SECONDS,
    ) -> None:  # fmt: skip
        """Open or create the library at an address, whose originals lie in ``folder/files``.

        ``shape`` is that of the graphs of vectors. What a process held that was not
        seen for ``lost_seconds`` is free again. Raises UsageError for an address that is not understood, StorageError.
        """
        self.folder, self._clock = folder, clock
        try:
            for name in ("", FOLDER, "tmp"):
                (folder / name).mkdir(modes.FOLDER, parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"The folder {folder} cannot be used ({error}). Check the path, its permissions and the disk."
            ) from error
        catalog = PostgresCatalog(url, ef_search=shape[2])
        self._tables(catalog, clock)
        self._presence = Presence(catalog, lost_seconds)
        self._presence.take_up()
        self.files = self._files = SharedFiles(folder, folder / "tmp", catalog, clock)
        self.jobs = PostgresJobs(catalog, self._presence.alive, clock)
        generations = PostgresGenerations(catalog, self._changed_beside)
        self._generations = generations
        vectors = PostgresVectors(catalog, shape[0], shape[1])
        self._embeddings = PostgresEmbeddings(catalog, vectors, generations, self._presence.alive)
        self._dense = PostgresDense(vectors, vectors, exact_limit)
        self._graphs = lru_cache(_KEPT_GRAPHS)(self._graph)
        self._upkeep = Upkeep(folder, catalog, generations, self._files, self._presence, vectors, clock)

    def _changed_beside(self, what: str) -> None:
        if what == "collection":
            self._collections.forget()
        elif what == "topic":
            self._all_topics.changes += 1
        else:
            self._listed_anew()

    @contextmanager
    def _new_unit(self) -> Iterator[PostgresUnitOfWork]:
        with self._catalog.alone("write"):  # among all processes
            yield PostgresUnitOfWork(
                self._catalog, self._generations, self._clock, self.collections.must_be_editable,
                self._catalog.meta("commits"),
            )  # fmt: skip

    def alone(self, work: str) -> AbstractContextManager[bool]:
        """Tell whether this is the only process at a kind of work; it is until the context is left."""
        return self._catalog.alone(work, wait=False)

    def tree(self, document_id: str, version: int | None = None) -> Tree:
        """Return the node tree of a version (None: the current one). Raises NotFoundError."""
        return listing.tree(self._catalog, listing.version_entry(self.state.live, document_id, version))

    def version_graph(self, entry: VersionEntry) -> networkx.DiGraph:
        """Return the graph of a version, also of a document that is put away."""
        return self._graphs(entry.id)

    def _graph(self, version_id: int) -> networkx.DiGraph:
        found = self._catalog.read("SELECT content FROM graph WHERE version_id = ?", (version_id,))
        if not found:
            raise NotFoundError("This version was deleted.")
        return graph_of(orjson.loads(found[0][0]))

    def warm(self) -> None:
        """Read the state, which the first question would wait for."""
        self.snapshot()

    def maintain(self) -> bool:
        """Do one bounded piece of upkeep; False when there is nothing left to do, or another process does it."""
        return self._upkeep.step()

    def strays(self) -> list[Original]:
        """Return nothing: the catalog is as safe as its server makes it."""
        return []

    def back_up(self, target: Path) -> Mapping[str, tuple[int, str]]:
        """Raise UsageError: the database's own tools do it."""
        raise UsageError(_BACKUP.format(folder=self.folder / FOLDER))

    def check(self, deep: bool = False) -> list[Check]:
        """Verify that what is stored is whole: database, files, graphs, full text, vectors; ``deep`` reads it all."""
        return checks.checks(self._catalog, self._files, self._generations.current, deep)

    def close(self) -> None:
        """Free what this process held and close the connections. A view does nothing: it is not its to close."""
        if self._whole is None:
            self._presence.close()
            self._catalog.close()
