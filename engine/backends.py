"""Which backend keeps a library: a folder, or a database that several processes share."""

from pathlib import Path

from engine.config import AnnSettings, Settings
from engine.errors import StorageError
from storage.base import Storage


def open_storage(folder: Path, settings: Settings) -> Storage:
    """Open what keeps the library of a folder, as its settings say.

    Raises StorageError, UsageError for an address of a database that is not understood, and for a folder
    LibraryLockedError, NotALibraryError, CatalogLostError.
    """
    database = settings.database
    if database.url:
        try:
            folder.mkdir(0o700, parents=True, exist_ok=True)  # of settings, and of uploads on their way
        except OSError as error:
            raise StorageError(f"The folder {folder} cannot be used ({error}). Check the path.") from error
        originals = Path(database.originals).expanduser() if database.originals else folder
        return open_database(database.url, originals, settings.ann)
    return open_folder(folder, settings.ann)


def graph_shape(ann: AnnSettings) -> tuple[int, int, int]:
    """Return the shape of an HNSW graph over vectors: m, ef_construction, ef_search."""
    return ann.m, ann.ef_construction, ann.ef_search


def open_folder(folder: Path, ann: AnnSettings) -> Storage:
    """Open the library in a folder. Raises LibraryLockedError, NotALibraryError, CatalogLostError, StorageError."""
    from storage import embedded

    return embedded.open_storage(folder, exact_limit=ann.exact_limit, shape=graph_shape(ann))


def open_database(url: str, originals: Path, ann: AnnSettings) -> Storage:
    """Open the library in a database, whose originals are in a folder. Raises UsageError, StorageError."""
    from storage import postgres

    return postgres.open_storage(url, originals, exact_limit=ann.exact_limit, shape=graph_shape(ann))
