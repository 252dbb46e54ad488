"""Who may read a library: its owner alone. Folders have the mode 0700, files 0600."""

import os
from contextlib import suppress
from pathlib import Path

FOLDER, FILE = 0o700, 0o600


def private(path: str | Path, flags: int) -> int:
    """Open a file that only its owner may read; an ``opener`` for :func:`open`."""
    return os.open(path, flags, FILE)


def close_to_others(folder: Path) -> None:
    """Take the library folder from everybody but its owner: so what older files lie in it cannot be reached either.

    A folder of another user, or on a file system without modes, stays as it is.
    """
    if folder.stat().st_mode & 0o777 != FOLDER:
        with suppress(PermissionError):
            folder.chmod(FOLDER)


def close_below(folder: Path) -> None:
    """Take what others have written below a folder of the library from everybody but its owner."""
    for path in folder.rglob("*"):
        with suppress(OSError):  # it is gone already
            path.chmod(FOLDER if path.is_dir() else FILE)
