"""``dropqa migrate FROM TO``: a library copied from a folder into a database, or the other way."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.backends import open_database, open_folder
from engine.config import Settings
from engine.errors import UsageError
from engine.settings_sources import library_folder, load_settings

if TYPE_CHECKING:
    from storage.catalog.store import CatalogStorage

Result = dict[str, Any]


def migrate(options: argparse.Namespace) -> tuple[Result, bool]:
    """Copy a library into one that holds nothing; both are closed to others meanwhile where they are folders."""
    from storage.catalog.transfer import transfer

    folder = library_folder(options.library)
    settings = load_settings(folder)
    originals = Path(options.originals or settings.database.originals or folder).expanduser().resolve()
    if options.source == options.target:
        raise UsageError("A library is not copied onto itself. Name another folder or database.")
    with (
        contextlib.closing(_opened(options.source, originals, settings, there=True)) as source,
        contextlib.closing(_opened(options.target, originals, settings, there=False)) as target,
    ):
        counts = transfer(source, target, _progress)
    return {"copied": counts, "from": _told(options.source), "to": _told(options.target)}, False


def _opened(place: str, originals: Path, settings: Settings, *, there: bool) -> CatalogStorage:
    from storage.catalog.store import CatalogStorage
    from storage.embedded.marker import recognise

    if "://" in place:
        opened = open_database(place, originals, settings.ann)
    else:
        folder = Path(place).expanduser().resolve()
        if there and recognise(folder) == "new":
            raise UsageError(
                f"There is no library in {folder}. Name the folder of one, or the address of a database."
            )
        opened = open_folder(folder, settings.ann)
    assert isinstance(opened, CatalogStorage)
    return opened


def _told(place: str) -> str:
    from storage.postgres.address import where

    return where(place) if "://" in place else str(Path(place).expanduser().resolve())


def _progress(done: int, versions: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {versions} versions", end="" if done < versions else "\n", file=sys.stderr)
