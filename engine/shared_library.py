"""Libraries that outlive a call, or do not: one per folder for a whole process, and a temporary one."""

import contextlib
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from engine.config import DatabaseSettings
from engine.errors import READING_ONLY, AccessError
from engine.library import Library
from engine.settings_sources import library_folder, load_settings

# What may be asked of a library that is shared for reading only; whatever is not named here is refused.
READING = frozenset(
    """
    rights close end_work works warm settings embedder jobs prune_jobs documents document
    versions version tree node original page_image image search ask export_indexes questions conversations summaries
    settle status doctor check_model
    """.split()
)
# The same for what hangs on it by a name of its own.
READING_OF = {
    "collections": frozenset({"all", "get"}),
    "labels": frozenset({"tags", "filters", "keep_filter"}),
    "corrections": frozenset({"of", "waiting"}),
    "version_history": frozenset({"difference", "source", "answer"}),
    # "refresh" and "progress" are the background's, which goes on with what was begun.
    "topics": frozenset(
        """
        all state known described get of_document related graph marked identify summary pending problem progress
        refresh names said_of alike
        """.split()
    ),
}


class ReadOnlyLibrary(Library):
    """A library that is shared for reading only: work that was begun goes on, but nobody can change anything.

    Conversations and saved questions belong to their owners and stay theirs to change.
    """

    _may = READING
    _may_of: Mapping[str, frozenset[str]] = READING_OF
    _told = READING_ONLY

    def __getattribute__(self, name: str) -> Any:
        """Return what one may use; everything else that is public raises AccessError when it is called."""
        found = super().__getattribute__(name)
        if name.startswith("_"):
            return found
        if name in self._may_of:
            return _Limited(found, self._may_of[name], self._told)
        return found if name in self._may or name not in vars(Library) else _refusing(self._told)


def reading_only(library: Library) -> Library:
    """Return the same library, for somebody who may only read it."""
    view = object.__new__(ReadOnlyLibrary)
    may = getattr(library, "_may", READING)
    view.__dict__ = library.__dict__ if may == READING else library.__dict__ | {"_may": READING & may}
    return view


class _Limited:
    """An object of which only some methods can be called."""

    def __init__(self, whole: object, names: frozenset[str], told: str) -> None:
        self._whole, self._names, self._told = whole, names, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name) if name in self._names else _refusing(self._told)


def _refusing(told: str) -> Callable[..., NoReturn]:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AccessError(told)

    return refuse


_shared: dict[Path, Library] = {}
_shared_lock = threading.Lock()


def shared_library(
    folder: str | Path | None = None, *, secrets: Mapping[str, Any] | None = None, flags: Mapping[str, Any] | None =
    None,
) -> Library:  # fmt: skip
    """Return this process's one Library of a folder, opening it the first time.

    ``secrets`` and ``flags`` are settings beside the library's own, as ``load_settings`` takes them. With the
    setting ``access.read_only`` it refuses to be changed.
    """
    path = library_folder(folder)
    with _shared_lock:
        if path not in _shared:
            settings = load_settings(path, secrets=secrets, flags=flags)
            kind = ReadOnlyLibrary if settings.access.read_only else Library
            _shared[path] = kind.open(path, secrets=secrets, flags=flags)
        return _shared[path]


def end_work() -> None:
    """End the work of the shared libraries, so that whoever waits for it goes on; they can still be read."""
    for library in list(_shared.values()):
        library.end_work()


def close_shared_libraries() -> None:
    """Close what :func:`shared_library` opened."""
    with _shared_lock:
        while _shared:
            _shared.popitem()[1].close()


@contextlib.contextmanager
def temporary_library() -> Iterator[Library]:
    """Open a library in a temporary folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="dropqa-", ignore_cleanup_errors=True) as folder:
        # Not in a database that the environment names.
        own = load_settings(Path(folder)).model_copy(update={"database": DatabaseSettings()})
        with Library.open(folder, settings=own, flags={"database.url": ""}, background=False) as library:
            yield library
