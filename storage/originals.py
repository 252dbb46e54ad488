"""The original files of a library: what storage keeps them by, and what it knows of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Original:
    """A stored original and what it was: a version of a document. Without a name, that is not known."""

    document_id: str
    name: str
    number: int
    sha256: str
    size: int
    created_at: float = 0.0
    strategy: str = "recursive"


class Files(Protocol):
    """The original files, by content."""

    def put(self, data: bytes | Path) -> str:
        """Store bytes or a copy of a file durably and return the SHA-256 in hex."""

    def put_many(self, data: Sequence[bytes | Path]) -> list[str]:
        """Store many, much faster than one by one; return each one's SHA-256."""

    def path(self, sha256: str) -> Path:
        """Return the path of a stored file. Raises NotFoundError, DamagedOriginalError."""

    def verified(self, sha256: str) -> Path:
        """Return the path of a stored file after reading it all. Raises NotFoundError, DamagedOriginalError."""

    def size(self, sha256: str) -> int:
        """Return how many bytes a stored file has. Raises NotFoundError."""
