"""API keys: what programs show instead of a password, each with a name and a scope, and revoked one by one.

``api-keys.json`` in the library folder has the SHA-256 of each: a key is 256 random bits, which nobody finds by trying.
Commands and the app read and write the same file, so that a key counts, or no longer does, at once.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from engine.errors import NotFoundError, StorageError, UsageError
from engine.settings_sources import write_private

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
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._keys: tuple[ApiKey, ...] = ()

    def all(self) -> tuple[ApiKey, ...]:
        """Return the keys, the oldest first. Raises StorageError when the file cannot be read."""
        with self._lock:
            try:
                facts = self._path.stat()
                if self._stamp != (facts.st_mtime_ns, facts.st_ino):
                    self._keys = tuple(
                        ApiKey(**one | {"collections": tuple(one.get("collections", ()))})
                        for one in json.loads(self._path.read_text("utf-8"))
                    )
                    self._stamp = facts.st_mtime_ns, facts.st_ino
            except FileNotFoundError:
                self._keys, self._stamp = (), None
            except (OSError, ValueError, TypeError) as error:
                raise StorageError(f"{self._path} cannot be read ({error}). Mend or remove it.") from error
            return self._keys

    def create(self, name: str, scope: Scope, collections: Sequence[str] = ()) -> tuple[ApiKey, str]:
        """Make a key, bound to collections by their ids; return it and its text, which is kept nowhere.

        Raises UsageError, StorageError.
        """
        name = name.strip()
        if not 0 < len(name) <= LONGEST_NAME or any(name == key.name for key in self.all()):
            raise UsageError(f"A key has a name of its own of 1 to {LONGEST_NAME} characters.")
        text = f"dropqa_{secrets.token_urlsafe(32)}"
        key = ApiKey(f"k{secrets.token_hex(4)}", name, scope, _hash(text), time.time(), tuple(collections))
        self._write([*self.all(), key])
        return key, text

    def revoke(self, reference: str) -> ApiKey:
        """Forget a key, by name or id. Raises NotFoundError, StorageError."""
        for key in self.all():
            if reference in (key.name, key.key_id):
                self._write([one for one in self.all() if one is not key])
                return key
        raise NotFoundError(f"There is no key {reference!r}. `dropqa keys` lists them.")

    def match(self, text: str) -> ApiKey | None:
        """Return the key with this text, if there is one. Raises StorageError."""
        found = _hash(text)
        return next((key for key in self.all() if hmac.compare_digest(key.hash, found)), None)

    def _write(self, keys: Sequence[ApiKey]) -> None:
        try:
            write_private(self._path, json.dumps([asdict(key) for key in keys]))
        except OSError as error:
            raise StorageError(f"{self._path} cannot be written ({error}). Mend the permissions.") from error


KEY: ContextVar[ApiKey | None] = ContextVar("key", default=None)
"""The key that the request in hand was let in with; None: it came in without one."""


# This process's one record of a library folder.
api_keys = lru_cache(maxsize=8)(ApiKeys)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
