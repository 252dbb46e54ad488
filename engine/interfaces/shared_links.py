"""Links under which a conversation can be read by who has them, until they are taken back.

Kept in the library folder: each link's secret with the conversation and its owner. Whoever may open the library can
open a link; it lets nobody past a password or sign-in.
"""

from __future__ import annotations

import json
import secrets
import threading
from functools import lru_cache
from pathlib import Path

from engine.errors import StorageError
from engine.settings_sources import write_private

FILE_NAME = "shared-links.json"
_SECRET_BYTES = 18


class SharedLinks:
    """The links of one library. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()

    def find(self, secret: str) -> tuple[str, str] | None:
        """Return the owner and the id of the conversation that a link opens, None for no such link."""
        return self._read().get(secret)

    def of(self, owner: str, conversation_id: str) -> str | None:
        """Return the secret of a conversation's link, None while it has none."""
        wanted = (owner, conversation_id)
        return next((secret for secret, opened in self._read().items() if opened == wanted), None)

    def begin(self, owner: str, conversation_id: str) -> str:
        """Make a link to a conversation, or return the one there is. Raises StorageError."""
        with self._lock:
            if (found := self.of(owner, conversation_id)) is not None:
                return found
            secret = secrets.token_urlsafe(_SECRET_BYTES)
            self._write(self._read() | {secret: (owner, conversation_id)})
            return secret

    def end(self, owner: str, conversation_id: str) -> None:
        """Take a conversation's link back; one that is not there is no error. Raises StorageError."""
        with self._lock:
            links = self._read()
            kept = {secret: opened for secret, opened in links.items() if opened != (owner, conversation_id)}
            if kept != links:
                self._write(kept)

    def _read(self) -> dict[str, tuple[str, str]]:
        try:
            stored = json.loads(self._path.read_text("utf-8"))
            return {str(secret): (str(owner), str(opened)) for secret, (owner, opened) in stored.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}  # none yet, or damaged: then no link opens anything

    def _write(self, links: dict[str, tuple[str, str]]) -> None:
        try:
            write_private(self._path, json.dumps(links))
        except OSError as error:
            raise StorageError(f"The link cannot be kept: {error.strerror}.") from error


# The links of a library folder, the same object each time.
shared_links = lru_cache(maxsize=4)(SharedLinks)
