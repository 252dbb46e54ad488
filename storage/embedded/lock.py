"""One process owns a library: an flock on ``LOCK``, held until the process ends however it ends."""

import contextlib
import fcntl
import os
import re
import socket
from pathlib import Path

from engine.errors import LibraryLockedError

FILE_NAME = "LOCK"


class FolderLock:
    """Holds ``LOCK`` in a folder; its content names the holder as ``<pid> <host>``."""

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raises LibraryLockedError, naming the holder, when another process has it."""
        try:
            self._file, how = os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX
        except OSError:
            if not (folder / FILE_NAME).exists():
                raise
            # Nobody can write here, so that many may read.
            self._file, how = os.open(folder / FILE_NAME, os.O_RDONLY), fcntl.LOCK_SH
        try:
            fcntl.flock(self._file, how | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = _holder(os.pread(self._file, 200, 0).decode("utf-8", "replace"))
            os.close(self._file)
            raise LibraryLockedError(
                f"The library {folder} is in use by {holder}. Stop that process or go through it."
            ) from error
        if how == fcntl.LOCK_EX:
            with contextlib.suppress(OSError):  # the name of the holder is a courtesy
                os.ftruncate(self._file, 0)
                os.pwrite(self._file, f"{os.getpid()} {socket.gethostname()}\n".encode(), 0)
        # A forked child would keep the lock alive after this process was killed.
        os.register_at_fork(after_in_child=self.release)

    def release(self) -> None:
        """Give the lock back; harmless when done already."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def is_held_or_left(path: Path) -> bool:
    """Tell whether a library has written its holder into this file."""
    return path.is_file() and path.stat().st_size > 0 and is_own(path)


def is_own(path: Path) -> bool:
    """Tell whether a file of this name was written by a library, as far as one can see."""
    with path.open("rb") as file:
        return re.fullmatch(rb"(\d+ \S+\n)?", file.read(300)) is not None


def _holder(content: str) -> str:
    pid, _, host = content.strip().partition(" ")
    return f"process {pid} on {host}" if pid and host else "another process"
