"""Addresses of model endpoints: how they are shown, without secrets, and whether they are of a private network."""

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from engine.config import Settings
from engine.errors import READING_ONLY, AccessError


def shown_address(base: str) -> str:
    """Return host and port of an endpoint for messages, without a user name or password that stands in it."""
    return urlsplit(base).netloc.rpartition("@")[2] or base.rpartition("@")[2]


def without_secret(text: str, secret: str) -> str:
    """Return a text with dots where a secret stands: endpoints repeat in their errors what they were sent."""
    return text.replace(secret, "…") if len(secret) > 3 else text


def is_private(base: str) -> bool:
    """Tell whether an endpoint's host is, or has an address, of this machine or a network that is not public.

    A name that is not known anywhere is not private: it reaches nothing.
    """
    try:
        host = (urlsplit(base).hostname or "").rstrip(".")
        return bool(host) and not all(map(public, numbers_of(host)))
    except (OSError, ValueError):
        return False  # no address at all, which is told elsewhere


def numbers_of(host: str) -> list[str]:
    """Return the numbers that a host has in the network. Raises OSError, ValueError."""
    entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(entry[4][0]).partition("%")[0] for entry in entries]


def check_addresses(settings: Settings, addresses: Iterable[str]) -> None:
    """Raise AccessError for endpoints that may not be asked by who uses a library with these settings.

    Those that are set up always may. Beside them a library for reading lets none be asked, and one that is shared
    none of a private network: only whoever runs it has its machine ask others there.
    """
    known = {getattr(section, "api_base", "") for section in vars(settings).values()}
    for address in set(addresses) - known:
        if settings.access.read_only:
            raise AccessError(READING_ONLY)
        if settings.access.shared and is_private(address):
            raise AccessError(
                f"{shown_address(address)} is in the network of the machine that this library runs on. Only whoever "
                "runs it can set such a model up, in dropqa.toml."
            )


def public(address: str) -> bool:
    """Tell whether a number of the network is one that the whole internet reaches."""
    parsed = ipaddress.ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    return (mapped or parsed).is_global and not (mapped or parsed).is_multicast
