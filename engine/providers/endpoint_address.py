"""Addresses of model endpoints: how they are shown, without secrets, and whether they are of a private network."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from engine.errors import AccessError


def shown_address(base: str) -> str:
    """Return host and port of an endpoint for messages, without a user name or password that stands in it."""
    return urlsplit(base).netloc.rpartition("@")[2] or base.rpartition("@")[2]


def without_secrets(text: str, secrets: Sequence[str]) -> str:
    """Return a text with dots where one of the secrets stands: endpoints repeat in their errors what they were sent."""
    for secret in secrets:
        if len(secret) > 3:
            text = text.replace(secret, "…")
    return text


def is_private(base: str) -> bool:
    """Tell whether an endpoint's host is, or has an address, of this machine or a network that is not public.

    A name that is not known anywhere is not private: it reaches nothing.
    """
    host = (urlsplit(base).hostname or "").rstrip(".")
    if not host:
        return False
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return False
    return any(not _public(address.partition("%")[0]) for address in found)


def refuse_private(base: str) -> None:
    """Raise AccessError for an endpoint of a private network; for who shares a library without running it."""
    try:
        private = is_private(base)
    except ValueError:
        return  # no address at all, which is told elsewhere
    if private:
        raise AccessError(
            f"{shown_address(base)} is in the network of the machine that this library runs on. Only whoever runs "
            "it can set such a model up, in dropqa.toml."
        )


def _public(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    return (mapped or parsed).is_global and not (mapped or parsed).is_multicast
