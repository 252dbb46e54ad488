"""Folders that are followed: the system tells that something has changed, and now and then all is looked at anyway."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from threading import Event

from engine.errors import CancelledError, DropQAError
from engine.folders.sync import FolderChanges

TICK_SECONDS = 0.25
# A look that takes nothing in is followed by a rest of so many times what it took; a shorter one while files are still
# being written, which are waited for.
RESTING, RESTING_SHORTLY = 10.0, 2.0
log = logging.getLogger(__name__)


class FolderWatcher:
    """Looks at folders whenever something in them may have changed.

    ``found`` is what the last look came to; ``problem`` is why it ended early.
    """

    def __init__(
        self, folders: Callable[[], Sequence[str]], poll_seconds: Callable[[], float],
        look: Callable[[Sequence[str]], FolderChanges],
    ) -> None:  # fmt: skip
        """``look`` takes in what has changed; ``folders`` and ``poll_seconds`` may change while it goes on."""
        self._folders, self._poll_seconds, self._look = folders, poll_seconds, look
        self.found, self.problem = FolderChanges(), ""

    def follow(self, stop: Event) -> bool:
        """Follow the folders until some others are to be followed or ``stop`` is set; False when there are none."""
        followed = tuple(self._folders())
        self.found, self.problem = FolderChanges(), ""
        # On the monotonic clock: since when something is waiting, not before, at last.
        again, earliest, latest = inf, 0.0, 0.0
        while followed and not stop.is_set():
            there = self._there(followed)
            for changed in _changes(there, stop):
                now = time.monotonic()
                if changed:
                    again = min(again, now)
                if now >= min(max(again, earliest), latest):
                    idle = self._look_once(followed)
                    ended, poll = time.monotonic(), self._poll_seconds()
                    again, rest = (now, RESTING_SHORTLY) if self.found.waiting else (inf, RESTING)
                    earliest = ended + (min(rest * (ended - now), poll) if idle else 0.0)
                    latest = ended + poll
                if tuple(self._folders()) != followed:
                    return True
                if self._there(followed) != there:
                    break
        return bool(followed)

    @staticmethod
    def _there(folders: Sequence[str]) -> list[Path]:
        return [path for path in (Path(one).expanduser() for one in folders) if path.is_dir()]

    def _look_once(self, folders: Sequence[str]) -> bool:
        """Look at the folders; return whether nothing had changed."""
        try:
            self.found, self.problem = self._look(folders), ""
        except CancelledError:
            return True  # the library is being closed
        except DropQAError as error:
            if str(error) != self.problem:
                log.warning("The folders could not be followed: %s", error)
            self.found, self.problem = FolderChanges(), str(error)
            return True
        return not self.found.documents


def _changes(folders: Sequence[Path], stop: Event) -> Iterator[bool]:
    """Yield at every tick whether something may have changed, until stopped.

    Where the system cannot tell (too many folders, no such service), only the regular looks are left.
    """
    from watchfiles import watch

    try:
        if folders:
            for found in watch(
                *folders, watch_filter=None, debounce=int(1000 * TICK_SECONDS), step=50, stop_event=stop,
                rust_timeout=int(1000 * TICK_SECONDS), yield_on_timeout=True, ignore_permission_denied=True,
            ):  # fmt: skip
                yield bool(found)
            return
    except (OSError, RuntimeError) as error:
        log.warning("The system does not tell of changes in folders (%s); they are looked at regularly", error)
    while not stop.wait(TICK_SECONDS):
        yield False
