"""Who asks: a browser by its cookie; where people are named, whom a provider (OIDC) or a proxy before the app names.

The cookie is random and lasts over reloads, new tabs and restarts. An owner's id is a hash, so that reading the library
folder hands out neither a cookie nor a name. Without a browser there is one local owner.

What headers say is believed of ``[server] trusted_proxies`` alone. The server has told those apart before: it gives a
connection that one of them forwards the address of whom it is for, and no port, which no other connection can have.
"""

import hashlib
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from starlette.requests import HTTPConnection

from engine.config import AccessSettings

# Whose conversations and reports those are that come from no browser.
LOCAL_OWNER = "local"
OWNER_COOKIE = "dropqa_owner"
OWNER_SECONDS = 400 * 24 * 3600
_TOKEN = re.compile(r"[0-9a-f]{32}")
# Set once a gate stands before the pages; without one nobody has looked at their headers.
GATE = threading.Event()
# Whom a proxy has named for the request that is answered; None where nobody was.
USER: ContextVar[Mapping[str, Any] | None] = ContextVar("user", default=None)


def forwarded_user(connection: HTTPConnection, access: AccessSettings) -> dict[str, Any] | None:
    """Return the user whom a trusted proxy names; None for others, and for who may not come in."""
    if connection.client is None or connection.client.port != 0:
        return None
    named = {name: connection.headers.getlist(name) for name in (access.proxy_user, access.proxy_groups) if name}
    if any(len(values) > 1 for values in named.values()):  # one may be of whoever asks
        return None
    user = user_of({name: ",".join(values) for name, values in named.items()}, access)
    return user if user["sub"] and may_enter(user, access.allowed_users) else None


def user_of(headers: Mapping[str, str], access: AccessSettings) -> dict[str, Any]:
    """Return whom headers name, as a provider would; they must have been looked at before."""
    name = headers.get(access.proxy_user, "").strip()
    groups = [one.strip() for one in (headers.get(access.proxy_groups) or "").split(",")]
    return {"iss": "proxy", "sub": name.casefold(), "email": name, "groups": [one for one in (name, *groups) if one]}


def may_enter(user: Mapping[str, Any], allowed: Sequence[str]) -> bool:
    """Tell whether a user is among those that are allowed: addresses, or their endings ("@x.org")."""
    if not allowed:
        return True
    address = str(user.get("email") or "").casefold()
    if not address or user.get("email_verified") is False:
        return False
    wanted = [one.casefold() for one in allowed]
    return any(address.endswith(one) if one.startswith("@") else address == one for one in wanted)


def owner_of_user(issuer: str, subject: str) -> str:
    """Return the owner id of a user who was named."""
    return "o" + hashlib.sha256(f"{issuer}\0{subject}".encode()).hexdigest()[:20]


def new_token() -> str:
    """Return a cookie value for a new visitor."""
    return secrets.token_hex(16)


def valid_token(token: object) -> bool:
    """Tell whether a cookie value is one that :func:`new_token` could have made."""
    return isinstance(token, str) and _TOKEN.fullmatch(token) is not None


def owner_of(token: object) -> str:
    """Return the owner id of a cookie value; without a valid one, the local owner."""
    if not isinstance(token, str) or not valid_token(token):
        return LOCAL_OWNER
    return "u" + hashlib.sha256(token.encode()).hexdigest()[:20]
