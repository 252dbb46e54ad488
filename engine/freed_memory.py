"""What a process has freed goes back to the system at once, where its C library is glibc.

glibc gives each thread an arena of its own, and raises the size from which a block is mapped alone: with a dozen
threads that answer in turn, a quarter of a gigabyte that nobody uses stays with the process.
"""

import ctypes
import sys

# <malloc.h>: mallopt's parameters.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_TRIMMED_ABOVE, _MAPPED_ABOVE = 128 * 1024, 1024 * 1024


def give_freed_memory_back() -> None:
    """Have one arena for all threads, its free end trimmed, and blocks of a megabyte or more mapped alone.

    It costs 1 to 3 % of a question's processor time. Elsewhere than with glibc nothing is changed.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for parameter, value in ((_ARENA_MAX, 1), (_TRIM_THRESHOLD, _TRIMMED_ABOVE), (_MMAP_THRESHOLD, _MAPPED_ABOVE)):
            mallopt(parameter, value)
