"""Whose conversations these are: a random cookie that lasts over reloads, new tabs and restarts, or a signed-in user.

The id is a hash, so that reading the library folder hands out neither a cookie nor a name. Without a browser
there is one local owner.
"""

import hashlib
import re
import secrets

from engine.interfaces.identity import LOCAL_OWNER

COOKIE = "dropqa_owner"
MAX_AGE_SECONDS = 400 * 24 * 3600

_TOKEN = re.compile(r"[0-9a-f]{32}")


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
