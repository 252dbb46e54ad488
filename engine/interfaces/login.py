"""Who may come in when a library is shared by password: hashes, sessions, and how often one may try."""

import base64
import binascii
import hashlib
import hmac
import ipaddress
import secrets
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
PAUSE_SECONDS = 2.0
MOST_TRIES = 10_000
HOUSEHOLD_BITS = 64
WINDOW_SECONDS = 300.0


def hash_password(password: str) -> str:
    """Return the text to keep instead of a password, with a salt of its own: ``scrypt$n$r$p$salt$hash``."""
    salt = secrets.token_bytes(16)
    kept = (base64.b64encode(part).decode() for part in (salt, _scrypt(password, salt, _N, _R, _P)))
    return "$".join(("scrypt", str(_N), str(_R), str(_P), *kept))


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


def expiry_of(token: str) -> int:
    """Return when a cookie value of :func:`new_session` runs out, in seconds since the epoch."""
    return int(token.partition(".")[0])


class Attempts:
    """Counts wrong passwords by where they come from; too many in five minutes, and no more of those are looked at.

    Whoever guesses from many places is slowed, and nobody is locked out by it: with many failures altogether every
    try is held up for a moment before it is looked at. For one event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: deque[tuple[float, str]] = deque(maxlen=MOST_TRIES)  # when, and who, the oldest first

    def wait(self, source: str) -> float:
        """Return how many seconds this source has to wait; 0 when it may try."""
        own = self._of(source)
        return own[-TRIES] + WINDOW_SECONDS - self._clock() if len(own) >= TRIES else 0.0

    def pause(self) -> float:
        """Return the seconds that a try is to be held up for, whoever makes it."""
        return PAUSE_SECONDS if len(self._recent()) >= ALL_TRIES else 0.0

    def begin(self, source: str) -> int:
        """Note a try before it is looked at, so that many at once do not slip through; return how many there were."""
        self._tries.append((self._clock(), _network(source)))
        return len(self._of(source))

    def succeeded(self, source: str) -> None:
        """Forget the tries of a source that gave the right password."""
        others = [one for one in self._tries if one[1] != _network(source)]
        self._tries = deque(others, self._tries.maxlen)

    def _of(self, source: str) -> list[float]:
        name = _network(source)
        return [when for when, who in self._recent() if who == name]

    def _recent(self) -> deque[tuple[float, str]]:
        while self._tries and self._tries[0][0] <= self._clock() - WINDOW_SECONDS:
            self._tries.popleft()
        return self._tries


def _network(source: str) -> str:
    """Return what counts as one source: an address, and of IPv6 the network of a household."""
    try:
        address = ipaddress.ip_address(source.partition("%")[0])
    except ValueError:
        return source
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, HOUSEHOLD_BITS), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=32)


def _signature(told: str, kept: str) -> str:
    return hmac.new(b"dropqa session " + kept.encode(), told.encode(), hashlib.sha256).hexdigest()
