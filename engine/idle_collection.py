"""Look through all objects for garbage when nothing is being done, not within an answer.

What answers keep for the next ones (trees, graphs, readings) makes a full collection of Python's garbage collector
take 0.1 to 0.2 s, and it comes with every fifteenth question or so. What it finds then are a few thousand objects,
so it can wait: for a second in which nothing was made, or until so much has been made that memory counts more.
"""

from __future__ import annotations

import gc
import threading

# So many collections of the middle generation make a full one worth while, and so many make it due.
WORTH, DUE = 10, 300
_LOOK_EVERY = 1.0
_NEVER = 1_000_000


class IdleCollector:
    """Makes the full collections in a thread of its own, between ``start`` and ``stop``."""

    def __init__(self, look_every: float = _LOOK_EVERY) -> None:
        self._look_every = look_every
        self._ended = threading.Event()
        self._thresholds = gc.get_threshold()

    def start(self) -> None:
        """Begin; what was set for the garbage collector before is kept for ``stop``."""
        self._thresholds = gc.get_threshold()
        gc.set_threshold(*self._thresholds[:2], _NEVER)
        threading.Thread(target=self._watch, name="idle-collection", daemon=True).start()

    def stop(self) -> None:
        """Set the garbage collector as it was."""
        self._ended.set()
        gc.set_threshold(*self._thresholds)

    def _watch(self) -> None:
        before = -1
        while not self._ended.wait(self._look_every):
            made = gc.get_count()[2]
            if made >= DUE or WORTH <= made == before:
                gc.collect()
            before = made
