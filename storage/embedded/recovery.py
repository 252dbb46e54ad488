"""What happens before a library is used: interrupted work is taken up again, damage is noticed.

Whatever the last process was writing is either named in the catalog, then it is whole, or it is garbage.
"""

import logging
import time
from pathlib import Path

from engine.errors import CatalogLostError, StorageError
from storage.catalog import garbage
from storage.embedded import marker, modes
from storage.embedded.catalog import Catalog
from storage.embedded.garbage import sweep_temporary
from storage.embedded.segments import Segment
from storage.embedded.unit import SPARSE

TEMPORARY = "tmp"

log = logging.getLogger(__name__)


def prepare(folder: Path) -> None:
    """Make the library's folders and delete what a killed process was writing. Raises OSError."""
    for name in marker.FOLDERS:
        (folder / name).mkdir(modes.FOLDER, exist_ok=True)
    modes.close_to_others(folder)
    sweep_temporary(folder / TEMPORARY)
    for path in folder.glob("upload-*.tmp"):
        if marker.is_upload(path):
            path.unlink(missing_ok=True)


def sweep(catalog: Catalog) -> None:
    """Take up interrupted work again; what was being written when the process ended is garbage from then on."""
    try:
        with catalog.transaction() as write:
            write.execute("UPDATE garbage SET staged = 0 WHERE staged")
            take_up(catalog)
    except CatalogLostError:
        raise
    except StorageError as error:  # a full disk: the library can still be read
        log.warning("%s", error)


def take_up(catalog: Catalog) -> None:
    """Queue the jobs that were running, and call the answers that were being written stopped. Raises StorageError."""
    with catalog.transaction() as write:
        write.execute("UPDATE job SET state = 'queued', stage = '', progress = 0 WHERE state = 'running'")
        write.execute("UPDATE message SET state = 'stopped' WHERE state = 'running'")


def open_segments(folder: Path, catalog: Catalog) -> list[Segment]:
    """Return the segments of the manifest; a damaged one leaves it, so that its documents are indexed again.

    Raises OSError when one is there but cannot be read.
    """
    opened = []
    for (name,) in catalog.read("SELECT name FROM segment ORDER BY name"):
        try:
            opened.append(Segment(folder / SPARSE / name))
        except (FileNotFoundError, ValueError, EOFError) as error:
            log.error("segment %s is damaged, its documents will be indexed again: %s", name, error)
            if catalog.read_only:
                continue
            with catalog.transaction() as write:
                write.execute("DELETE FROM segment WHERE name = ?", (name,))
                garbage.note(write, [f"{SPARSE}/{name}"], time.time())
    return opened
