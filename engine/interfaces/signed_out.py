"""Sessions that were ended before they ran out: whoever still has the cookie does not come in with it any more.

Kept in the library folder, by hash, so that signing out outlasts a restart; a folder that cannot be written remembers
until the app stops.
"""

import asyncio
import hashlib
import json
import logging
import threading
from functools import lru_cache
from pathlib import Path

from engine.interfaces.login import expiry_of
from engine.settings_sources import write_private

FILE_NAME = "signed-out.json"
log = logging.getLogger(__name__)


class SignedOut:
    """The ended sessions of one library. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()
        self._ended = self._read()
        self._watching: dict[str, list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}

    def __contains__(self, token: object) -> bool:
        """Tell whether the session of a cookie value was ended."""
        return isinstance(token, str) and _digest(token) in self._ended

    def end(self, token: str, now: float) -> None:
        """End the session of a valid cookie value; ``now`` is in seconds since the epoch."""
        with self._lock:
            kept = {digest: until for digest, until in self._ended.items() if until > now}
            self._ended = kept | {_digest(token): expiry_of(token)}
            self._write()
            for loop, ended in self._watching.pop(_digest(token), []):
                loop.call_soon_threadsafe(ended.set)

    def watch(self, token: str) -> asyncio.Event:
        """Return what is set once the session is ended, for connections that stay open; :meth:`unwatch` it after."""
        ended = asyncio.Event()
        with self._lock:
            self._watching.setdefault(_digest(token), []).append((asyncio.get_running_loop(), ended))
        return ended

    def unwatch(self, token: str, ended: asyncio.Event) -> None:
        """Forget what :meth:`watch` returned."""
        with self._lock:
            kept = [pair for pair in self._watching.pop(_digest(token), []) if pair[1] is not ended]
            if kept:
                self._watching[_digest(token)] = kept

    def _read(self) -> dict[str, int]:
        try:
            return {str(digest): int(until) for digest, until in json.loads(self._path.read_text()).items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _write(self) -> None:
        try:
            write_private(self._path, json.dumps(self._ended))
        except OSError as error:
            log.warning("Who has signed out is forgotten when the app stops: %s", error)


# This process's one record of a library folder.
signed_out = lru_cache(maxsize=8)(SignedOut)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
