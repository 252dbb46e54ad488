"""Who may come in when a library is shared by password: hashes, sessions, and how often one may try."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable

# About 0.1 s of one processor and 32 MB a try (RFC 7914; OWASP's advice for scrypt).
_N, _R, _P = 1 << 15, 8, 1
_MEMORY = 96 * 1024 * 1024
SESSION_SECONDS = 30 * 24 * 3600
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 1024
TRIES = 5
ALL_TRIES = 100
WINDOW_SECONDS = 300.0


def hash_password(password: str) -> str:
    """Return the text to keep instead of a password, with a salt of its own: ``scrypt$n$r$p$salt$hash``."""
    salt = secrets.token_bytes(16)
    return "$".join(
        ("scrypt", str(_N), str(_R), str(_P), _text(salt), _text(_scrypt(password, salt, _N, _R, _P)))
    )


def password_matches(password: str, kept: str) -> bool:
    """Tell whether a password is the one that was hashed, in the same time whether it is nearly right or not."""
    try:
        kind, n, r, p, salt, wanted = kept.split("$")
        found = _scrypt(password[:LONGEST_PASSWORD], base64.b64decode(salt), int(n), int(r), int(p))
        return kind == "scrypt" and hmac.compare_digest(found, base64.b64decode(wanted))
    except (ValueError, binascii.Error):
        return False


def new_session(kept: str, now: float) -> str:
    """Return a cookie value that proves for 30 days that the password behind ``kept`` was given.

    It is signed with the kept hash: a new password ends all sessions, and nothing has to be stored.
    """
    told = f"{int(now) + SESSION_SECONDS}.{secrets.token_hex(8)}"
    return f"{told}.{_signature(told, kept)}"


def session_valid(token: str | None, kept: str, now: float) -> bool:
    """Tell whether a cookie value was made by :func:`new_session` with this hash and has not run out."""
    told, _, signature = (token or "").rpartition(".")
    if not kept or not hmac.compare_digest(signature.encode(), _signature(told, kept).encode()):
        return False
    return int(told.partition(".")[0]) > now


class Attempts:
    """Counts wrong passwords by where they come from; too many in five minutes, and no more are looked at."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failed: deque[tuple[float, str]] = deque(maxlen=ALL_TRIES)

    def wait(self, source: str) -> float:
        """Return how many seconds this source has to wait; 0 when it may try."""
        with self._lock:
            now = self._clock()
            while self._failed and self._failed[0][0] <= now - WINDOW_SECONDS:
                self._failed.popleft()
            own = [moment for moment, where in self._failed if where == source]
            if len(own) >= TRIES:
                return own[-TRIES] + WINDOW_SECONDS - now
            if len(self._failed) >= ALL_TRIES:
                return self._failed[0][0] + WINDOW_SECONDS - now
            return 0.0

    def begin(self, source: str) -> None:
        """Note a try before it is looked at, so that many at once do not slip through."""
        with self._lock:
            self._failed.append((self._clock(), source))

    def succeeded(self, source: str) -> None:
        """Forget the tries of a source that gave the right password."""
        with self._lock:
            kept = [(moment, where) for moment, where in self._failed if where != source]
            self._failed.clear()
            self._failed.extend(kept)


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=32)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _signature(told: str, kept: str) -> str:
    return hmac.new(b"dropqa session " + kept.encode(), told.encode(), hashlib.sha256).hexdigest()
