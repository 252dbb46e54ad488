"""What a process has freed goes back to the system, where its C library is glibc.

glibc gives each thread an arena of its own, and raises the size from which a block is mapped alone: with a dozen
threads that answer in turn, a quarter of a gigabyte that nobody uses stays with the process.
"""

import ctypes
import sys

# <malloc.h>: mallopt's parameters. Smaller blocks than these mapped alone cost more time than they give back.
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
_MAPPED_ABOVE = 8 * 1024 * 1024


def give_freed_memory_back() -> None:
    """Have one arena for all threads, and large blocks mapped alone. Elsewhere than with glibc nothing is changed."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
        mallopt(_MMAP_THRESHOLD, _MAPPED_ABOVE)
