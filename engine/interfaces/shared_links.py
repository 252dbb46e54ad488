"""Links under which a conversation can be read by who has them, until they are taken back.

Kept in the library folder: each link's secret with the conversation and its owner. Whoever may open the library can
open a link; it lets nobody past a password or sign-in.
"""

import secrets
from functools import lru_cache
from pathlib import Path

from engine.errors import StorageError
from engine.kept_file import KeptFile

FILE_NAME = "shared-links.json"
_SECRET_BYTES = 18


class SharedLinks:
    """The links of one library. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._file = KeptFile(folder / FILE_NAME)

    def find(self, secret: str) -> tuple[str, str] | None:
        """Return the owner and the id of the conversation that a link opens, None for no such link."""
        return self._links().get(secret)

    def of(self, owner: str, conversation_id: str) -> str | None:
        """Return the secret of a conversation's link, None while it has none."""
        wanted = (owner, conversation_id)
        return next((secret for secret, opened in self._links().items() if opened == wanted), None)

    def begin(self, owner: str, conversation_id: str) -> str:
        """Make a link to a conversation, or return the one there is. Raises StorageError."""
        if (found := self.of(owner, conversation_id)) is None:
            found = secrets.token_urlsafe(_SECRET_BYTES)
            with self._file.changing() as links:
                links[found] = (owner, conversation_id)
        return found

    def end(self, owner: str, conversation_id: str) -> None:
        """Take a conversation's link back; one that is not there is no error. Raises StorageError."""
        if (found := self.of(owner, conversation_id)) is not None:
            with self._file.changing() as links:
                links.pop(found, None)

    def _links(self) -> dict[str, tuple[str, str]]:
        try:
            kept = self._file.read()
            return {str(secret): (str(owner), str(opened)) for secret, (owner, opened) in kept.items()}
        except (StorageError, ValueError, TypeError):
            return {}  # damaged: then no link opens anything


# The links of a library folder, the same object each time.
shared_links = lru_cache(maxsize=4)(SharedLinks)
