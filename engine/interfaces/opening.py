"""A command's way to a library: its own, or the one of the app that has the folder open."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from engine.errors import LibraryLockedError
from engine.interfaces import stopping
from engine.interfaces.api import LocalApi
from engine.interfaces.client import RemoteApi, connect
from engine.settings_sources import library_folder

Api = LocalApi | RemoteApi


@contextlib.contextmanager
def opened(options: argparse.Namespace, background: bool = False) -> Iterator[Api]:
    """Open the library, with its background work or without, or reach the app that has it open."""
    from engine.library import Library

    with contextlib.ExitStack() as stack:
        try:
            with stopping.held():
                library = stack.enter_context(Library.open(options.library, background=background))
        except LibraryLockedError as locked:
            yield connect(library_folder(options.library), locked)
            return
        stack.enter_context(stopping.limited(library.end_work, library.storage.close))
        if background:
            stopping.watch()
        yield LocalApi(library, outlives_call=background)
