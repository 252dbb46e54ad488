"""Links under which a conversation, or one answer of it, can be read by who has them, until they are taken back.

Kept in the library folder: each link's secret with what it ``opened``: the ids of the owner and the conversation, and
of the message where it is one answer alone. Whoever may open the library can open a link; it lets nobody past a
password or sign-in.
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

    def find(self, secret: str) -> tuple[str, ...] | None:
        """Return the two or three ids of what a link opens, None for no such link."""
        return self._links().get(secret)

    def of(self, *opened: str) -> str | None:
        """Return the secret of the link to a conversation or an answer, None while it has none."""
        return next((secret for secret, one in self._links().items() if one == opened), None)

    def begin(self, *opened: str) -> str:
        """Make a link to a conversation or an answer, or return the one there is. Raises StorageError."""
        if (found := self.of(*opened)) is None:
            found = secrets.token_urlsafe(_SECRET_BYTES)
            with self._file.changing() as links:
                links[found] = opened
        return found

    def end(self, *opened: str) -> None:
        """Take a link back; one that is not there is no error. Raises StorageError."""
        if (found := self.of(*opened)) is not None:
            with self._file.changing() as links:
                links.pop(found, None)

    def _links(self) -> dict[str, tuple[str, ...]]:
        try:
            kept = self._file.read()
            return {secret: tuple(map(str, opened)) for secret, opened in kept.items() if len(opened) in (2, 3)}
        except (StorageError, TypeError):
            return {}  # damaged: then no link opens anything


# The links of a library folder, the same object each time.
shared_links = lru_cache(maxsize=4)(SharedLinks)
