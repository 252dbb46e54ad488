"""Everything that lasts: one folder, one owning process, every thread welcome."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import CatalogLostError, StorageError
from engine.model import Check, Tree
from storage.base import Original
from storage.catalog import listing, rows
from storage.catalog.checks import originals
from storage.catalog.dense import EXACT_LIMIT, DenseSearch, GraphShape
from storage.catalog.liveness import COLUMNS, Liveness, VersionEntry
from storage.catalog.scope import scopes_of
from storage.catalog.sparse import SparseIndex
from storage.catalog.state import Generations, State
from storage.catalog.store import CatalogStorage
from storage.catalog.vectors import ModelVectors
from storage.embedded import backup, checks, lock, marker, modes, recovery
from storage.embedded.catalog import Catalog
from storage.embedded.checks import not_indexed
from storage.embedded.files import EmbeddedFiles
from storage.embedded.graphs import Graphs, place_of
from storage.embedded.journal import Journal
from storage.embedded.neighbours import Neighbours
from storage.embedded.repair import begin_anew, set_damaged_aside, strays
from storage.embedded.segments import stored
from storage.embedded.unit import SPARSE, Changed, EmbeddedUnitOfWork, Plan
from storage.embedded.upkeep import Upkeep
from storage.embedded.vectors import EmbeddedEmbeddings, VectorFile
from storage.jobs import Jobs

if TYPE_CHECKING:
    import networkx

CLOSE_SECONDS = 2.0
log = logging.getLogger(__name__)
_CROWDED = 64  # segments; a busy writer merges them itself before searches suffer


class EmbeddedStorage(CatalogStorage):
    """Everything that lasts, in one folder, which one instance owns (see :class:`storage.base.Storage`)."""

    _catalog: Catalog

    def __init__(
        self, folder: Path, *, exact_limit: int = EXACT_LIMIT, shape: GraphShape = (32, 100, 100),
        clock: Callable[[], float] = time.time, repair: bool = False,
    ) -> None:  # fmt: skip
        """Open or create the library in a folder, after taking up what a killed process left.

        Scopes of up to ``exact_limit`` vectors are searched exactly, larger ones through Chroma's graphs, which are
        made in the given shape. With ``repair`` a library without its catalog gets a new one, which does not know the
        originals yet. Raises LibraryLockedError, naming the holder's pid, NotALibraryError for a folder with other
        things in it, CatalogLostError for a library without its catalog, and StorageError.
        """
        self.folder = folder
        self._clock = clock
        self._exact_limit, self._shape = exact_limit, shape
        try:
            with suppress(*(CatalogLostError,) if repair else ()):
                marker.refuse_others(folder)  # before the first byte is written
            folder.mkdir(modes.FOLDER, parents=True, exist_ok=True)
            self._lock = lock.FolderLock(folder)
            with ExitStack() as failed:
                failed.callback(self._lock.release)
                if repair and set_damaged_aside(folder):
                    begin_anew(folder, clock())
                self._open()
                failed.pop_all()
        except OSError as error:
            advice = "Check the path, its permissions and the disk."
            raise StorageError(f"The library {folder} cannot be used ({error}). {advice}") from error

    def _open(self) -> None:
        folder, aside = self.folder, self.folder / recovery.TEMPORARY
        known = marker.recognise(folder)
        with suppress(*(OSError,) if known != "new" else ()):  # a known library opens for reading at least
            recovery.prepare(folder)
        catalog = Catalog(folder)
        self._tables(catalog, self._clock)
        with suppress(*(OSError,) if known == "unmarked" else ()):
            if known != "marked":
                marker.write(folder)
        if not self.read_only:
            recovery.sweep(catalog)
        self._journal = Journal(folder, aside, catalog)
        if not self.read_only:
            self._journal.sync()
        self.files = self._files = EmbeddedFiles(folder, aside, catalog, self._clock)
        self.jobs = Jobs(catalog, self._clock)
        self._graphs = Graphs(folder, aside)
        segments = recovery.open_segments(folder, catalog)
        found = catalog.read(
            f"SELECT {COLUMNS} FROM version v JOIN document d USING (document_id) WHERE v.live ORDER BY v.first_key"
        )
        live = Liveness.empty().changed(found, rows.read_parts(catalog.read), catalog.meta("next_key"))
        sparse = SparseIndex.of(segments, live.current)
        self._vectors = VectorFile(folder, self.read_only)
        models = _linked(self._vectors, live, self.read_only)
        self._generations = Generations(
            State(catalog.meta("generation"), live, sparse, models, scopes_of(live, catalog))
        )
        embeddings = EmbeddedEmbeddings(catalog, self._vectors, self._generations)
        self._embeddings = embeddings
        self._neighbours = Neighbours(folder, catalog, self._vectors, self._generations, self._shape)
        self._dense = DenseSearch(self._vectors, self._neighbours, self._exact_limit)
        self._upkeep = Upkeep(
            folder, aside, catalog, self._generations, self._files, self._vectors, self._neighbours, self._clock,
            embeddings, self._graphs, self._damage, self._collections,
        )  # fmt: skip
        for version_id in not_indexed(catalog, live, sparse):
            self._damage.note(version_id, "The full-text index")

    @contextmanager
    def _new_unit(self) -> Iterator[EmbeddedUnitOfWork]:
        yield EmbeddedUnitOfWork(
            self._catalog, self._generations, self._clock, self.collections.must_be_editable, self.folder,
            self.folder / recovery.TEMPORARY, self._graphs, self._publish, self._journal,
        )  # fmt: skip
        if len(self._generations.current.sparse.views) > _CROWDED:
            with suppress(StorageError):  # it is upkeep's to try again; what was committed is
                self._upkeep.merge()

    def _publish(self, plan: Plan, apply: Callable[[], Changed]) -> None:
        with self._generations.lock:
            changed, segment = apply()
            if plan.gone:
                self._collections.forget()
            state = self._generations.current
            parts = np.array([key for key, _ in plan.parts], np.int64)
            live = state.live.changed(changed, parts, plan.next_key)
            kept = stored(state.sparse)
            sparse = SparseIndex.of([*kept, segment] if segment else kept, live.current)
            self._generations.publish(
                State(state.generation + 1, live, sparse, state.vectors, scopes_of(live, self._catalog))
            )

    def tree(self, document_id: str, version: int | None = None) -> Tree:
        """Return the node tree of a version (None: the current one). Raises NotFoundError."""
        entry = listing.version_entry(self.state.live, document_id, version)
        graph = self._whole_graph(entry)
        if graph is None:
            return listing.tree(self._catalog, entry)
        facts = graph.graph
        return Tree(
            entry.document_id, entry.name, facts["media_type"], entry.number, facts["pages"],
            [node for _, node in graph.nodes(data="node") if node is not None],
            [(w, h) for w, h in facts["page_sizes"]], list(facts["warnings"]),
        )  # fmt: skip

    def version_graph(self, entry: VersionEntry) -> networkx.DiGraph:
        """Return the graph of a version, also of a document that is put away."""
        graph = self._whole_graph(entry)
        return listing.graph(self._catalog, entry) if graph is None else graph

    def _whole_graph(self, entry: VersionEntry) -> networkx.DiGraph | None:
        """Return the stored graph of a version; None, which is noted, where it is damaged."""
        try:
            return self._graphs.graph(place_of(self._catalog, entry.id))
        except StorageError:
            self._damage.note(entry.id, "The graph")
            return None

    def warm(self) -> None:
        """Load what makes searches of a large library fast; takes seconds, meant for a background thread."""
        models = self._generations.current.vectors.values()
        if any(model.linked.size > self._exact_limit for model in models):
            self._neighbours.load()

    def alone(self, work: str) -> AbstractContextManager[bool]:
        """Tell that this is the only process at a kind of work: it owns the folder."""
        return nullcontext(True)

    def maintain(self) -> bool:
        """Do one bounded piece of upkeep; False when there is nothing left to do."""
        return not self.read_only and self._upkeep.step()

    def strays(self) -> list[Original]:
        """Return the originals that the catalog does not know, the oldest first, those without a name last."""
        return strays(self.folder, self._catalog, self._files)

    def back_up(self, target: Path) -> backup.Sums:
        """Copy the library into an empty folder while it is used; see :func:`storage.backup.back_up`."""
        with self._upkeep.lock:
            return backup.back_up(self.folder, target, self.read_only)

    def check(self, deep: bool = False) -> list[Check]:
        """Verify that what is stored is whole: database, files, graphs, segments, vectors; ``deep`` reads it all."""
        with self._upkeep.lock:
            lines = [
                checks.database(self._catalog, deep),
                originals(self._catalog, self._files, len(self.strays()), deep),
                checks.graphs(self._catalog, self._graphs, deep),
            ]
            with self._generations.lock:  # the catalog and the state in memory must be of one generation
                state = self._generations.current
                return [
                    *lines,
                    checks.sparse(self.folder / SPARSE, self._catalog, state),
                    *checks.vectors(self._vectors, self._neighbours, state, deep),
                ]

    def close(self) -> None:
        """Release the library; nothing else may be called afterwards. A view does nothing: it is not its to close."""
        if self._whole is not None:
            return
        # A writer that does not end in time is left to fail: the process is about to.
        locks = [one for one in (self._writer, self._generations.lock) if one.acquire(timeout=CLOSE_SECONDS)]
        try:
            with suppress(StorageError):  # the disk is full, or may only be read: the next start does it
                recovery.take_up(self._catalog)
            with suppress(StorageError):  # for the next start to mend
                self._neighbours.close()
            self._vectors.close()
            self._catalog.close()
            self._lock.release()
        finally:
            for taken in locks:
                taken.release()


def _linked(file: VectorFile, live: Liveness, read_only: bool) -> dict[str, ModelVectors]:
    """Return the models' vectors, after links of nodes that are gone, or that a lost catalog had, were removed."""
    try:
        models = file.models()
    except StorageError:
        if not file.damaged or read_only:
            raise
        log.error("%s is damaged, everything will be embedded again", file.path)
        file.begin_anew()
        models = {}
    ends = live.size, len(live.part_of)
    if any(ends[0] < len(one.linked.nodes) or ends[1] < len(one.linked.parts) for one in models.values()):
        if read_only:
            return {}
        log.warning("The catalog is older than the vectors, which are linked anew")
        file.unlink_all()
        models = file.models()
    return models
