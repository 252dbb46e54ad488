"""API keys: what programs show instead of a password, each with a name and a scope, and revoked one by one.

``api-keys.json`` in the library folder has the SHA-256 of each: a key is 256 random bits, which nobody finds by trying.
Commands and the app read and write the same file, so that a key counts, or no longer does, at once.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from engine.errors import NotFoundError, UsageError
from engine.kept_file import KeptFile

FILE_NAME = "api-keys.json"
LONGEST_NAME = 100
Scope = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is kept; ``hash`` is its SHA-256 in hex, ``created_at`` in seconds since 1970.

    ``collections`` are the ids of those that it is bound to, none: it may read, or change, everything.
    """

    key_id: str
    name: str
    scope: Scope
    hash: str
    created_at: float
    collections: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what may be told of it."""
        return {name: value for name, value in asdict(self).items() if name != "hash"}


class ApiKeys:
    """The keys of one library folder. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._file = KeptFile(folder / FILE_NAME, list)

    def all(self) -> tuple[ApiKey, ...]:
        """Return the keys, the oldest first. Raises StorageError when the file cannot be read."""
        return tuple(ApiKey(**one | {"collections": tuple(one.get("collections", ()))}) for one in self._file.read())

    def create(self, name: str, scope: Scope, collections: Sequence[str] = ()) -> tuple[ApiKey, str]:
        """Make a key, bound to collections by their ids; return it and its text, which is kept nowhere.

        Raises UsageError, StorageError.
        """
        name = name.strip()
        if not 0 < len(name) <= LONGEST_NAME or any(name == key.name for key in self.all()):
            raise UsageError(f"A key has a name of its own of 1 to {LONGEST_NAME} characters.")
        text = f"dropqa_{secrets.token_urlsafe(32)}"
        key = ApiKey(f"k{secrets.token_hex(4)}", name, scope, _hash(text), time.time(), tuple(collections))
        with self._file.changing() as keys:
            keys.append(asdict(key))
        return key, text

    def revoke(self, reference: str) -> ApiKey:
        """Forget a key, by name or id. Raises NotFoundError, StorageError."""
        for key in self.all():
            if reference in (key.name, key.key_id):
                with self._file.changing() as keys:
                    keys[:] = [one for one in keys if one["key_id"] != key.key_id]
                return key
        raise NotFoundError(f"There is no key {reference!r}. `dropqa keys` lists them.")

    def match(self, text: str) -> ApiKey | None:
        """Return the key with this text, if there is one. Raises StorageError."""
        found = _hash(text)
        return next((key for key in self.all() if hmac.compare_digest(key.hash, found)), None)


KEY: ContextVar[ApiKey | None] = ContextVar("key", default=None)
"""The key that the request in hand was let in with; None: it came in without one."""


# This process's one record of a library folder.
api_keys = lru_cache(maxsize=8)(ApiKeys)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
