"""Room on the disk: a little is kept back, so that a full one still lets a library open, answer and delete.

The reserve is a file of its own. It goes when the disk is full, and comes back when there is room again.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from storage.embedded import modes

FILE_NAME = "reserve.bin"
RESERVE_BYTES = 8 << 20
FULL_BYTES = 4 << 20  # free; below, the reserve goes
PLENTY_BYTES = 4 * RESERVE_BYTES  # free; above, it is made


def free(folder: Path) -> int:
    """Return how many bytes are free on the folder's disk."""
    return shutil.disk_usage(folder).free


def release(folder: Path) -> None:
    """Give the reserve up where the disk is full."""
    with suppress(OSError):
        if free(folder) < FULL_BYTES:
            (folder / FILE_NAME).unlink(missing_ok=True)


def keep_back(folder: Path) -> None:
    """Make the reserve where there is room for it. Raises OSError."""
    path = folder / FILE_NAME
    if path.exists() or free(folder) < PLENTY_BYTES:
        return
    handle = modes.private(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.posix_fallocate(handle, 0, RESERVE_BYTES)
    finally:
        os.close(handle)
